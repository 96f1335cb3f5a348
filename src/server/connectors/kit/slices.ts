import type { TimeGrain } from '#server/connectors/connector.ts'

/** Days that are put together in one row, both ends included. */
export interface Slice {
  start: string
  end: string
}

/**
 * The slices of a range: days, weeks from Monday, months, or weeks cut at the ends of months; the outer ones
 * are clipped.
 */
export function slicesOf(range: { start: string; end: string }, grain: TimeGrain): Slice[] {
  const end = Temporal.PlainDate.from(range.end)
  const slices: Slice[] = []
  let start = Temporal.PlainDate.from(range.start)
  while (Temporal.PlainDate.compare(start, end) <= 0) {
    const next = nextStart(start, grain) ?? end.add({ days: 1 })
    const last = next.subtract({ days: 1 })
    slices.push({
      start: start.toString(),
      end: (Temporal.PlainDate.compare(last, end) < 0 ? last : end).toString(),
    })
    start = next
  }
  return slices
}

function nextStart(day: Temporal.PlainDate, grain: TimeGrain): Temporal.PlainDate | null {
  const monday = day.add({ days: 8 - day.dayOfWeek })
  const month = day.with({ day: 1 }).add({ months: 1 })
  switch (grain) {
    case 'total':
      return null
    case 'date':
      return day.add({ days: 1 })
    case 'week':
      return monday
    case 'month':
      return month
    case 'month_week':
      return Temporal.PlainDate.compare(monday, month) < 0 ? monday : month
  }
}
