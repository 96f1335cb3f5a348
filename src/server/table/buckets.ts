import type { DayRange } from '#shared/date-range.ts'
import type { TimeGrain } from '#server/connectors/connector.ts'

/** The slices of days of a table, in order. */
export interface Buckets {
  count: number
  /**
   * Of each bucket, as serial numbers (days since 1899-12-30): the 1st of its month, its Monday, its first
   * day.
   */
  month: Int32Array
  week: Int32Array
  date: Int32Array
  /** Every day of the range, yyyy-MM-dd → days since the range's first. */
  days: ReadonlyMap<string, number>
  /** Days since the range's first → bucket. */
  ofDay: Int32Array
}

/** Serial number of 1970-01-01. */
const EPOCH = 25_569
const DAY_MS = 86_400_000

export function bucketsOf({ start, end }: DayRange, time: TimeGrain): Buckets {
  const first = Date.parse(start) / DAY_MS
  const count = Date.parse(end) / DAY_MS - first + 1
  const ofDay = new Int32Array(count)
  const days = new Map<string, number>()
  const month: number[] = []
  const week: number[] = []
  const date: number[] = []
  for (let offset = 0; offset < count; offset++) {
    const day = new Date((first + offset) * DAY_MS)
    const sinceMonday = (day.getUTCDay() + 6) % 7
    const sinceFirst = day.getUTCDate() - 1
    if (offset === 0 || begins(time, { sinceMonday, sinceFirst })) {
      const serial = first + offset + EPOCH
      date.push(serial)
      week.push(serial - sinceMonday)
      month.push(serial - sinceFirst)
    }
    ofDay[offset] = date.length - 1
    days.set(day.toISOString().slice(0, 10), offset)
  }
  const columns = { month: Int32Array.from(month), week: Int32Array.from(week), date: Int32Array.from(date) }
  return { count: date.length, ...columns, days, ofDay }
}

/** Whether a day is the first of its bucket. */
function begins(time: TimeGrain, { sinceMonday, sinceFirst }: { sinceMonday: number; sinceFirst: number }) {
  switch (time) {
    case 'total':
      return false
    case 'date':
      return true
    case 'week':
      return sinceMonday === 0
    case 'month':
      return sinceFirst === 0
    case 'month_week':
      return sinceMonday === 0 || sinceFirst === 0
  }
}
