import type { EmptyCause } from '#shared/empty-causes.ts'
import type { NoteCode } from '#shared/run-notes.ts'

/**
 * What came of a run, in one sentence each: what its table should be read with, and why a channel gave no
 * rows.
 */
export const outcomes = {
  note: {
    merged_cells: 'Merged cells in the target were left as they are.',
    old_table_changed: 'The last table was edited by hand, so its remaining cells were not cleared.',
    note_kept: 'The cell already has another note, so the report’s note was not written.',
    kept_previous: 'This channel failed. Its cells keep the values of the last table.',
    first_rows: 'The report is limited to the first rows of the table.',
    sampled: 'The platform calculated these numbers from a sample.',
    thresholded: 'The platform left out rows with few people to protect their privacy.',
    other_row: 'The platform has grouped rare values as "(other)".',
    truncated: 'The platform has left out rows, since there were too many.',
    metrics_restricted: 'The shared login does not have access to all metrics. Those it cannot see are 0.',
    not_final: 'The platform is still correcting the most recent days.',
    metrics_missing: 'The platform did not return some metrics. Their cells are empty.',
    devices_next_day:
      'The platform updates numbers by device once a day, so the most recent days are incomplete.',
    no_performance_max: 'Performance Max campaigns have no ad groups and are not in this table.',
    keywords_only: 'This table only has keyword traffic, without automatically matched traffic.',
    counted_late:
      'The platform counts people and devices up to 16 hours late, so the most recent days may be low or missing.',
    longer_than_a_year:
      'The platform counts people over one year at most. Reach and similar metrics are empty for longer date ranges.',
    partial_answer: 'The platform says its response may be incomplete.',
    no_reach:
      'The platform only has reach for last week, last month and each day since the start of last month. Other cells are empty.',
    from_archive: 'The numbers are from an imported archive.',
    partly_archived: 'The archive does not cover the whole date range. Days outside it are missing.',
    provisional_rates: 'Some exchange rates are provisional: the amounts will change with the final ones.',
    several_time_zones:
      'The accounts are in different time zones. Each day is in the account’s own time zone.',
  } satisfies Record<NoteCode, string>,
  empty: {
    credential: 'The connection to the platform has ended. A superuser must reconnect it.',
    access: 'The platform no longer allows access to this account.',
    disabled: 'The account is closed or paused by the platform.',
    history: 'The dates are earlier than the platform keeps data for.',
    no_delivery: 'The account had no delivery on these days.',
    account_filter: 'This filter excludes all accounts.',
    filter: 'This filter excludes all rows.',
    filters_together: 'Each filter matches some rows, but no row matches all of them.',
    level: 'The account had delivery, but the platform has no data at this level of detail.',
    unknown: 'The reason could not be determined.',
  } satisfies Record<EmptyCause, string>,
} as const
