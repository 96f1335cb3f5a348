/**
 * Why a block has no rows: the first cause that was found, in the order of the checks. The texts are in
 * web/i18n/…/outcomes.ts.
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
