import { comparedMonths, matchedDay } from '#shared/comparison.ts'
import type { DayRange } from '#shared/date-range.ts'
import type { Page } from '#server/connectors/connector.ts'
import { pickRows } from '#server/connectors/page-rows.ts'
import { textAt } from '#server/connectors/text-column.ts'
import type { Buckets } from './buckets.ts'
import type { Plan } from './plan.ts'

/** Which days of the range those of the compared period are set beside, by the table's grain. */
export interface Matches {
  /** yyyy-MM-dd → days since the range's first, -1 for a day that has none there. */
  matches: ReadonlyMap<string, number> | null
  /** The days of the compared period in their order, all before those of the range: its names are older. */
  before: ReadonlyMap<string, number>
  unmatched: Uint8Array | null
}

export function matchesOf(plan: Pick<Plan, 'range' | 'time' | 'compared'>, buckets: Buckets): Matches {
  const { compared, time } = plan
  if (!compared) return { matches: null, before: new Map(), unmatched: null }
  const days = [...daysOf(compared.range)]
  const matches = new Map(days.map(day => [day, offsetOf(day, { ...plan, compared }, buckets)]))
  const before = new Map(days.map((day, at) => [day, at - days.length]))
  if (time !== 'date') return { matches, before, unmatched: null }
  const unmatched = new Uint8Array(buckets.count).fill(1)
  for (const offset of matches.values()) if (offset >= 0) unmatched[buckets.ofDay[offset] ?? 0] = 0
  return { matches, before, unmatched: unmatched.includes(1) ? unmatched : null }
}

type Compared = Pick<Plan, 'range' | 'time'> & { compared: NonNullable<Plan['compared']> }

function offsetOf(day: string, { range, time, compared }: Compared, { days }: Buckets): number {
  if (time === 'total') return 0
  if (time !== 'month') return days.get(matchedDay(day, { range, comparison: compared }) ?? '') ?? -1
  const months = comparedMonths(range, compared)
  const first = Temporal.PlainDate.from(day).with({ day: 1 }).add({ months }).toString()
  // The first month of the range may begin within it.
  return days.get(first < range.start ? range.start : first) ?? -1
}

function* daysOf({ start, end }: DayRange): Generator<string> {
  for (let day = Temporal.PlainDate.from(start); day.toString() <= end; day = day.add({ days: 1 }))
    yield day.toString()
}

/** A page without the rows of days that are set beside none. */
export function withMatch(page: Page, matches: ReadonlyMap<string, number>): Page {
  const rows: number[] = []
  for (let row = 0; row < page.length; row++) if (matches.get(textAt(page.dates, row)) !== -1) rows.push(row)
  return pickRows(page, rows)
}
