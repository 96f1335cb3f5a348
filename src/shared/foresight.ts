import type { DateRange } from './api/reports.ts'
import { ENDS_AFTER_DAYS } from './date-range.ts'
import { frequency } from './schedule.ts'

/** How many days ahead an end is told, and how many days afterwards it still is. */
export const FORESIGHT_DAYS = 7
export const HINDSIGHT_DAYS = 14

/** The end of a report by itself, near enough to be told. */
export interface Ending {
  state: 'soon' | 'ended'
  /** The first day on which it does not run any more. */
  ends_on: string
  /** Until then: 1 is tomorrow; 0 and less: it has ended. */
  days: number
}

interface EndingReport {
  date_range: DateRange
  /** The chosen frequency. */
  update_frequency: number
}

/** Whether a scheduled report ends within a week, or has within the last two; `today` is that of its time zone. */
export function endingOf({ date_range, update_frequency }: EndingReport, today: string): Ending | null {
  const { dynamic_range, end } = date_range
  if (update_frequency <= frequency.once || dynamic_range !== 0 || end === null) return null
  const last = Temporal.PlainDate.from(end)
  const endsOn = last.add({ days: ENDS_AFTER_DAYS + 1 })
  const { days } = Temporal.PlainDate.from(today).until(endsOn)
  if (days > FORESIGHT_DAYS || days <= -HINDSIGHT_DAYS) return null
  return { state: days > 0 ? 'soon' : 'ended', ends_on: endsOn.toString(), days }
}

/**
 * The end so many months later, or the first further time so many that is not over yet. The last day of a month goes to the last day of a
 * month: whoever reports on whole months goes on to do so.
 */
export function laterEnd(end: string, months: number, today: string): string {
  const from = Temporal.PlainDate.from(end)
  const isLast = from.day === from.daysInMonth
  for (let count = months; ; count += months) {
    const month = from.add({ months: count })
    const later = isLast ? month.with({ day: month.daysInMonth }) : month
    if (later.toString() >= today) return later.toString()
  }
}
