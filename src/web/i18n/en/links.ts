export const links = {
  title: 'Create link',
} as const
