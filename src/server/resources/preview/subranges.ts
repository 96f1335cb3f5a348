import { dimensions, type Dimension } from '#shared/channels/catalogue.ts'
import type { DayRange } from '#shared/date-range.ts'
import type { TimeGrain } from '#server/connectors/connector.ts'
import { bucketsOf } from '#server/table/buckets.ts'
import type { Plan } from '#server/table/plan.ts'

/**
 * How much of the range the first rows need, subrange by subrange: where rows are sorted by time first, the
 * first buckets have the first rows. Each subrange goes on where the one before ended, so that nothing is
 * fetched twice. A single one over all of it where the last day can decide what the first row is: sorted by
 * something else, for one; or compared with another period, whose days are not those of a subrange.
 */
export function subrangesOf(plan: Plan): DayRange[] {
  const grain = leadingGrain(plan)
  if (plan.sort || plan.compared || grain === 'total' || (plan.fill_zero && !isTimeAlone(plan)))
    return [plan.range]
  const buckets = bucketsOf(plan.range, grain)
  const first = isTimeAlone(plan) ? ROWS_OF_TIME_ALONE : FIRST[grain]
  // Such a short range is fetched at once, and then nothing has to be estimated.
  if (buckets.count <= Math.max(first, AT_ONCE[grain])) return [plan.range]
  const first_days = [...buckets.days.keys()].filter(
    (_, day) => day === 0 || buckets.ofDay[day] !== buckets.ofDay[day - 1],
  )
  const ends: number[] = []
  for (let end = first; end < buckets.count; end *= GROWTH) ends.push(end)
  return [...ends, buckets.count].map((end, index) => ({
    start: first_days[ends[index - 1] ?? 0] ?? plan.range.start,
    end: end === buckets.count ? plan.range.end : dayBefore(first_days[end] ?? plan.range.end),
  }))
}

/**
 * What rows are sorted by before anything that is no time; total: by something else. Filled with 0, every
 * combination of the range has a row.
 */
function leadingGrain({ dimensions: names }: Plan): TimeGrain {
  const end = names.findIndex(dimension => !isTime(dimension))
  const leading = end === -1 ? names : names.slice(0, end)
  if (leading.includes('date')) return 'date'
  if (leading.includes('week')) return leading.includes('month') ? 'month_week' : 'week'
  return leading.includes('month') ? 'month' : 'total'
}

/** Every bucket is a row at most: with filling exactly one. */
export const isTimeAlone = ({ dimensions: names }: Plan) => names.length > 0 && names.every(isTime)

const isTime = (dimension: Dimension) => dimensions[dimension].kind === 'time'

/** Buckets of the first subrange: enough for most, cheap for the largest. */
const FIRST: Record<TimeGrain, number> = { total: 1, date: 7, week: 4, month_week: 4, month: 2 }
const AT_ONCE: Record<TimeGrain, number> = { total: 1, date: 31, week: 9, month_week: 9, month: 3 }
const ROWS_OF_TIME_ALONE = 62
const GROWTH = 4

const dayBefore = (day: string) => Temporal.PlainDate.from(day).subtract({ days: 1 }).toString()
