import type { RowEstimate } from '#shared/api/preview.ts'
import type { DayRange } from '#shared/date-range.ts'
import { bucketsOf } from '#server/table/buckets.ts'
import type { Plan } from '#server/table/plan.ts'
import type { Table } from '#server/table/shape.ts'
import { isTimeAlone } from './subranges.ts'

export interface KnownRows {
  /** What was fetched so far, and its table; null: there are no rows. */
  fetched: DayRange
  table: Table | null
  /** Rows of a table that is too long to be made for this. */
  filled: number | null
  /** No channel is missing from the table. */
  is_whole: boolean
  last_rows: number | null
}

/** How many rows a run would write under the header, estimated; null: unknown. */
export function estimateRows(plan: Plan, known: KnownRows): RowEstimate | null {
  const { limit } = plan
  const estimate = estimateWithoutLimit(plan, known)
  if (limit === null || estimate === null || estimate.rows < limit) return estimate
  // As many rows are certain once the table has them; further days cannot take any away.
  const isReached = known.is_whole && known.table?.rows === limit
  return { ...estimate, rows: limit, kind: isReached ? 'exact' : estimate.kind }
}

function estimateWithoutLimit(
  plan: Plan,
  { fetched, table, filled, is_whole, last_rows }: KnownRows,
): RowEstimate | null {
  const sure = is_whole ? 'exact' : 'about'
  const all_rows = fetched.end === plan.range.end ? (table?.rows ?? filled) : null
  if (all_rows !== null) return { rows: all_rows, kind: sure, from: 'all' }
  const all = bucketsOf(plan.range, plan.time).count
  if (plan.fill_zero && isTimeAlone(plan)) {
    const tables = plan.arrangement === 'stacked' ? plan.blocks.length : 1
    return { rows: all * tables, kind: sure, from: 'days' }
  }
  if (last_rows !== null) return { rows: last_rows, kind: 'about', from: 'last_run' }
  if (!table) return null
  const part = bucketsOf(fetched, plan.time).count
  return { rows: Math.round((table.rows / part) * all), kind: 'about', from: 'part' }
}
