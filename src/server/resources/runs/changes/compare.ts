import type { Compared } from '#shared/api/run-changes.ts'
import { compareCodePoints } from '#server/table/order.ts'
import { groupChanges, type Group } from './group-changes.ts'

export type CellValue = string | number
export type Row = readonly CellValue[]

/** How the rows of two tables are compared. */
export interface Layout {
  /** The first so many columns identify a row; both tables have the same ones, and are sorted by them. */
  keys: number
  /** Of a stacked table: its channels in their order, by which the first column is sorted; else null. */
  labels: readonly string[] | null
  /** The column of the day, week or month that changes are grouped by; null: each row by itself. */
  time: number | null
  /** Whether a day is one row, so that nothing has to be added up. */
  is_single: boolean
  /** The metrics that both tables have, by their index in each. */
  columns: readonly ComparedColumn[]
}

export interface ComparedColumn {
  before: number
  after: number
  /** Whether rows of one day may be added up. */
  is_additive: boolean
}

export type Comparison = Pick<Compared, 'rows' | 'count'> & { moved: Group[] }

/** The rows of one of the tables are not sorted, so that they cannot be compared. */
export class OutOfOrder extends Error {
  constructor() {
    super('the rows are not sorted by their dimensions')
    this.name = 'OutOfOrder'
  }
}

/**
 * The changes from one table to another. Both are read once, side by side, since both are sorted: memory
 * holds one batch of rows of each, and a sum for each day. Rows with the same key (two campaigns of one name)
 * are matched in their order.
 */
export async function compareTables(
  before: AsyncIterable<readonly Row[]>,
  after: AsyncIterable<readonly Row[]>,
  layout: Layout,
): Promise<Comparison> {
  const changes = groupChanges(layout)
  const compare = rowOrder(layout)
  const [older, newer] = [cursor(before, compare), cursor(after, compare)]
  for (;;) {
    if (older.isSpent()) await older.refill()
    if (newer.isSpent()) await newer.refill()
    const [old_row, new_row] = [older.row(), newer.row()]
    if (!old_row && !new_row) return changes.finish()
    const order = !old_row ? 1 : !new_row ? -1 : compare(old_row, new_row)
    changes.add(order <= 0 ? (old_row ?? null) : null, order >= 0 ? (new_row ?? null) : null)
    if (order <= 0) older.step()
    if (order >= 0) newer.step()
  }
}

type Order = (one: Row, other: Row) => number

/** Time by time, text by Unicode code point, a stacked table by its channels first: as tables are sorted. */
export function rowOrder({ keys, labels }: Layout): Order {
  const ranks = labels && new Map(labels.map((label, rank) => [label, rank]))
  const rankOf = (cell: CellValue | undefined) => ranks?.get(String(cell)) ?? -1
  return (one, other) => {
    for (let index = 0; index < keys; index++) {
      const [a, b] = [one[index] ?? '', other[index] ?? '']
      if (a === b) continue
      const order = ranks && index === 0 ? rankOf(a) - rankOf(b) : compareCells(a, b)
      if (order !== 0) return order
    }
    return 0
  }
}

function compareCells(one: CellValue, other: CellValue): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return compareCodePoints(String(one), String(other))
}

/** Reads a table batch by batch. */
function cursor(batches: AsyncIterable<readonly Row[]>, compare: Order) {
  const source = batches[Symbol.asyncIterator]()
  let rows: readonly Row[] = []
  let at = 0
  let last: Row | undefined
  let is_over = false
  return {
    row: () => rows[at],
    /** Whether the next batch has to be awaited. */
    isSpent: () => !is_over && at >= rows.length,
    step() {
      const passed = rows[at++]
      const next = rows[at]
      if (passed && next && compare(passed, next) > 0) throw new OutOfOrder()
      last = passed
    },
    async refill() {
      const next = await source.next()
      is_over = next.done ?? false
      rows = next.done ? [] : next.value
      at = 0
      const [first] = rows
      if (last && first && compare(last, first) > 0) throw new OutOfOrder()
      if (!first && !is_over) await this.refill()
    },
  }
}
