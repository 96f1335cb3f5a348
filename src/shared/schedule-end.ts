import type { DateRange } from './api/reports.ts'
import { frequency } from './schedule.ts'

/** A fixed range is over when its last day is more than this many days ago. */
export const ENDS_AFTER_DAYS = 14

/** Whether a report has ended by itself: its range is fixed and its last day more than 14 days ago. */
export function hasEnded(dateRange: DateRange, today: string): boolean {
  if (dateRange.dynamic_range !== 0 || dateRange.end === null) return false
  return Temporal.PlainDate.from(dateRange.end).add({ days: ENDS_AFTER_DAYS }).toString() < today
}

/** For how many days before its end, and after it, a report is listed as expiring. */
export const NOTICE_DAYS_BEFORE = 7
export const NOTICE_DAYS_AFTER = 14

/** The day on which a report stops by itself. */
export interface ScheduleEnd {
  state: 'soon' | 'ended'
  /** The first day on which it does not run any more. */
  ends_on: string
  /** Until then: 1 is tomorrow; 0 and less: it has ended. */
  days: number
}

interface ScheduledReport {
  date_range: DateRange
  /** The chosen frequency. */
  update_frequency: number
}

/**
 * Whether a scheduled report ends within a week, or has within the last two; `today` is that of its time
 * zone.
 */
export function scheduleEndOf(
  { date_range, update_frequency }: ScheduledReport,
  today: string,
): ScheduleEnd | null {
  const { dynamic_range, end } = date_range
  if (update_frequency <= frequency.once || dynamic_range !== 0 || end === null) return null
  const last = Temporal.PlainDate.from(end)
  const endsOn = last.add({ days: ENDS_AFTER_DAYS + 1 })
  const { days } = Temporal.PlainDate.from(today).until(endsOn)
  if (days > NOTICE_DAYS_BEFORE || days <= -NOTICE_DAYS_AFTER) return null
  return { state: days > 0 ? 'soon' : 'ended', ends_on: endsOn.toString(), days }
}

/**
 * The end so many months later, or the first further time so many that is not over yet. The last day of a
 * month moves to the last day of a month, so that reports on whole months go on to be that.
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
