import type { Offer } from '#shared/errors.ts'

/**
 * What the page of a run does about each offer; null: there is no action, since it continues by itself or
 * nothing helps.
 */
export const runOffers = {
  none: null,
  field: 'edit',
  edit_report: 'edit',
  fewer_cells: 'edit',
  permission_settings: 'settings',
  share_spreadsheet: 'settings',
  run_again: 'retry',
  support: 'support',
  contact_pm: 'copy',
  wait: null,
} as const satisfies Record<Offer, 'edit' | 'settings' | 'retry' | 'support' | 'copy' | null>
