import type { ColumnFormat } from '#shared/api/preview.ts'

/** A column that rows are ordered by, for a look at them. */
export interface RowOrder {
  column: number
  descending: boolean
}

type Cell = string | number
type Row = readonly Cell[]

/** The rows with their positions in the table, in an order: empty cells last, equal ones as they were. */
export function orderedRows(rows: readonly Row[], order: RowOrder | null): { cells: Row; at: number }[] {
  const positioned = rows.map((cells, at) => ({ cells, at }))
  if (order === null) return positioned
  const { column, descending } = order
  return positioned.toSorted((one, other) => {
    const [a, b] = [one.cells[column] ?? '', other.cells[column] ?? '']
    if (a === '' || b === '') return Number(a === '') - Number(b === '')
    return descending ? compare(b, a) : compare(a, b)
  })
}

function compare(one: Cell, other: Cell): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return String(one) < String(other) ? -1 : Number(String(one) > String(other))
}

/**
 * By a click on a header: numbers begin with the largest, anything else with the first; the third click ends
 * it.
 */
export function nextOrder(order: RowOrder | null, column: number, { kind }: ColumnFormat): RowOrder | null {
  const first = kind === 'number' || kind === 'percent'
  if (order?.column !== column) return { column, descending: first }
  return order.descending === first ? { column, descending: !first } : null
}
