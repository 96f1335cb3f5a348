import type { DateRange } from './api/reports.ts'
import { inZone } from './time-zone.ts'

/** First and last day, yyyy-MM-dd, both included. */
export interface DayRange {
  start: string
  end: string
}

/** The columns of a report that hold its range. */
export interface DateRangeColumns {
  date_start: string | null
  date_end: string | null
  dynamic_range: DateRange['dynamic_range']
}

/** The range of a report's row, in the shape that it has everywhere else. */
export const dateRangeOf = ({ date_start, date_end, dynamic_range }: DateRangeColumns): DateRange => ({
  start: date_start,
  end: date_end,
  dynamic_range,
})

/**
 * How many days before today a range may begin, and how long it may be, unless a support editor has extended
 * it.
 */
export const HISTORY_DAYS = 730
/** How many days before today an extended range may begin. */
export const EXTENDED_HISTORY_DAYS = 1095
/** The day it is in a time zone. */
export const todayIn = (timezone: string, now: Date): string =>
  inZone(Temporal.Instant.fromEpochMilliseconds(now.getTime()), timezone).toPlainDate().toString()

/**
 * The days that a run covers: dynamic ranges begin at a first of a month or year, and every range stops at
 * today. null: nothing is chosen, or all of it is still to come.
 */
export function rangeOfRun(dateRange: DateRange, today: string): DayRange | null {
  const start = startOf(dateRange, today)
  const end = dateRange.dynamic_range === 0 ? dateRange.end : today
  if (start === null || end === null) return null
  const range = { start, end: end < today ? end : today }
  return range.start <= range.end ? range : null
}

/** First day of a range as seen on a day; null when it has none. */
function startOf(dateRange: DateRange, today: string): string | null {
  const day = Temporal.PlainDate.from(today)
  const monthsAgo = (months: number) => day.subtract({ months }).with({ day: 1 }).toString()
  switch (dateRange.dynamic_range) {
    case 1:
      return monthsAgo(0)
    case 2:
      return monthsAgo(1)
    case 3:
      return monthsAgo(3)
    case 4:
      return monthsAgo(6)
    case 5:
      return day.with({ month: 1, day: 1 }).toString()
    default:
      return dateRange.start
  }
}

export interface HistorySettings {
  history_extended: boolean
  /** HISTORY_DAYS unless the installation says otherwise. */
  history_days?: number
}

/** The earliest day that a new fixed range may begin with. */
export function minimumDay(today: string, { history_extended, history_days }: HistorySettings): string {
  const days = history_extended ? EXTENDED_HISTORY_DAYS : (history_days ?? HISTORY_DAYS)
  return Temporal.PlainDate.from(today).subtract({ days }).toString()
}

/** The latest day with which a fixed range that begins at `start` may end; null: any. */
export function maximumDay(
  start: string,
  { history_extended, history_days }: HistorySettings,
): string | null {
  if (history_extended) return null
  return Temporal.PlainDate.from(start)
    .add({ days: history_days ?? HISTORY_DAYS })
    .toString()
}

/** The earliest day that a platform still has data for. */
export const platformFloor = (today: string, historyMonths: number): string =>
  Temporal.PlainDate.from(today).subtract({ months: historyMonths }).toString()
