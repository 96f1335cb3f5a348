export const publishers = {
  title: 'Publishers',
} as const
