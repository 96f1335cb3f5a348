export const targetAudiences = {
  title: 'Target audiences',
} as const
