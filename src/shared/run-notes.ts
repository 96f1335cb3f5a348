/**
 * Notes on a run that succeeded: a closed list, shown on the run's page. The texts are in
 * web/i18n/…/outcomes.ts.
 */
export const noteCodes = [
  // From writing the spreadsheet.
  'merged_cells',
  'old_table_changed',
  'note_kept',
  'kept_previous',
  'first_rows',
  // From the platforms.
  'sampled',
  'thresholded',
  'other_row',
  'truncated',
  'metrics_restricted',
  'not_final',
  'metrics_missing',
  'devices_next_day',
  'no_performance_max',
  'keywords_only',
  'counted_late',
  'longer_than_a_year',
  'partial_answer',
  'no_reach',
  'from_archive',
  'partly_archived',
  'several_time_zones',
  // From the exchange rates.
  'provisional_rates',
] as const

export type NoteCode = (typeof noteCodes)[number]
