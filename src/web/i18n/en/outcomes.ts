import type { EmptyCause } from '#shared/empty-causes.ts'
import type { NoteCode } from '#shared/run-notes.ts'

/** What came of a run, in one sentence each: what its table should be read with, and why a channel gave no rows. */
export const outcomes = {
  note: {
    merged_cells: 'Merged cells in the target were left as they are.',
    old_table_changed: 'The last table had been changed by hand; what is left of it was not cleared.',
    kept_previous: 'This channel failed: its cells are those of the last table.',
    sampled: 'The platform worked the numbers out from a sample.',
    thresholded: 'The platform withheld rows with few people to protect them.',
    other_row: 'The platform has put rare values together as "(other)".',
    truncated: 'The platform has left rows out of a table that is too long.',
    metrics_restricted: 'The shared login may not see all metrics: some are 0 although they are not.',
    not_final: 'The platform still corrects the most recent days.',
    metrics_missing: 'The platform has left metrics out; their cells are empty.',
    devices_next_day:
      'The platform refreshes numbers by device once a day: the last days are not complete yet.',
    no_performance_max: 'Performance Max campaigns have no ad groups and are not in this table.',
    keywords_only: 'Only traffic of keywords is in this table; automatically matched traffic is not.',
    counted_late:
      'The platform counts people and devices up to 16 hours late: the most recent days are too low or missing.',
    longer_than_a_year:
      'The platform counts people over a year at most: reach and the like are empty for a longer range.',
    partial_answer: 'The platform says that its answer may not be complete.',
    no_reach:
      'The platform tells reach for single days since the start of last month, last week and last month only; other cells are empty.',
    from_archive: 'The numbers are from an imported archive.',
    partly_archived: 'The archive does not reach over the whole range; days outside it are missing.',
    several_time_zones: "The accounts are in several time zones: a day is each account's own day.",
  } satisfies Record<NoteCode, string>,
  empty: {
    credential: 'The connection to the platform has ended: a superuser must connect it again.',
    access: 'The platform does not let us read this account any more.',
    disabled: 'The account is closed or paused by the platform.',
    history: 'The dates are before what the platform still keeps.',
    no_delivery: 'The account had no delivery at all on these days.',
    account_filter: 'This filter leaves no account over.',
    filter: 'This filter removes every row.',
    filters_together: 'Each filter lets rows through, but none passes all of them.',
    level: 'The account had delivery, but the platform says nothing at this level of detail.',
    unknown: 'The platform could not be asked why.',
  } satisfies Record<EmptyCause, string>,
} as const
