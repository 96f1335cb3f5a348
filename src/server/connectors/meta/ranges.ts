import { chunked } from '#shared/chunked.ts'
import type { TimeGrain } from '#server/connectors/connector.ts'
import type { Slice } from '#server/connectors/kit/slices.ts'

/**
 * The fewest groups of neighbouring slices that Meta takes in one request. It counts weeks from the first
 * requested day, so a week that has already begun goes alone; weeks cut by months go as a list of ranges,
 * whose greatest length is not documented.
 */
export function groupsOf(slices: Slice[], grain: TimeGrain): Slice[][] {
  const [first, ...rest] = slices
  if (first === undefined) return []
  if (grain === 'week' && rest.length > 0 && !isMonday(first.start)) return [[first], rest]
  return grain === 'month_week' ? chunked(slices, RANGES_AT_ONCE) : [slices]
}

/** How neighbouring slices are requested. */
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

const RANGES_AT_ONCE = 30

const increments: Record<TimeGrain, string> = {
  total: 'all_days',
  date: '1',
  week: '7',
  month: 'monthly',
  month_week: 'all_days',
}

const isMonday = (day: string) => Temporal.PlainDate.from(day).dayOfWeek === 1
