/**
 * Why a block has no rows: the first cause that was found, in the order in which they are looked for. What
 * each says stands in web/i18n/…/outcomes.ts.
 */
export const emptyCauses = [
  'credential',
  'access',
  'disabled',
  'history',
  'no_delivery',
  'account_filter',
  'filter',
  'filters_together',
  'level',
  'unknown',
] as const

export type EmptyCause = (typeof emptyCauses)[number]
