import type { TimeGrain } from '../connector.ts'

/** Days that are put together in one row, both ends included. */
export interface Slice {
  start: string
  end: string
}

/** The slices of a range: days, weeks from Monday, months, or weeks cut at the ends of months; the outer ones are clipped. */
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

/**
 * The fewest groups of neighbouring slices of which Meta can be asked at once. It counts weeks from the first day asked for,
 * so a week that has already begun goes alone; weeks cut by months go as a list of ranges, whose longest length nobody states.
 */
export function groupsOf(slices: Slice[], grain: TimeGrain): Slice[][] {
  const [first, ...rest] = slices
  if (first === undefined) return []
  if (grain === 'week' && rest.length > 0 && !isMonday(first.start)) return [[first], rest]
  return grain === 'month_week' ? chunked(slices, RANGES_AT_ONCE) : [slices]
}

/** How Meta is asked for neighbouring slices. */
export function timeParams(slices: Slice[], grain: TimeGrain): Record<string, string> {
  const since = slices[0]?.start
  const until = slices.at(-1)?.end
  if (slices.length > 1 && grain === 'month_week') {
    return { time_ranges: JSON.stringify(slices.map(slice => ({ since: slice.start, until: slice.end }))) }
  }
  return {
    time_range: JSON.stringify({ since, until }),
    time_increment: slices.length === 1 ? 'all_days' : increments[grain],
  }
}

export function chunked(slices: Slice[], size: number): Slice[][] {
  const chunks: Slice[][] = []
  for (let at = 0; at < slices.length; at += size) chunks.push(slices.slice(at, at + size))
  return chunks
}

const RANGES_AT_ONCE = 30

const increments: Record<TimeGrain, string> = {
  total: 'all_days',
  date: '1',
  week: '7',
  month: 'monthly',
  month_week: 'all_days',
}

const isMonday = (day: string) => Temporal.PlainDate.from(day).dayOfWeek === 1

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
