import type { DateRange } from '#shared/api/reports.ts'
import { maximumDay } from '#shared/date-range.ts'
import { hasEnded } from '#shared/schedule-end.ts'

/** How far one click extends a report that has ended. */
export const EXTEND_DAYS = 30

interface Facts {
  /** In the report's time zone. */
  today: string
  /** The earliest day that a new range may begin with. */
  earliest: string
  history_extended: boolean
  /** Archives have ranges of any length. */
  archive: boolean
}

/**
 * The end date that restarts a report that has ended by itself; null when no end can: the range would be
 * longer than it may be.
 */
export function extendedEnd(
  range: DateRange,
  { today, earliest, history_extended, archive }: Facts,
): string | null {
  if (!hasEnded(range, today) || range.start === null || range.start < earliest) return null
  const preferred = Temporal.PlainDate.from(today).add({ days: EXTEND_DAYS }).toString()
  const latest = archive ? null : maximumDay(range.start, { history_extended })
  const end = latest !== null && latest < preferred ? latest : preferred
  return hasEnded({ ...range, end }, today) ? null : end
}
