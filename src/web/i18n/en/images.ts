export const images = {
  title: 'Images',
} as const
