import { divide } from '#shared/metrics.ts'
import { cellsOf, type Cell } from './cells.ts'
import type { SourcedColumn } from './columns.ts'
import { leadingRows, orderByValue, orderOf, type SortKey } from './order.ts'
import type { Plan } from './plan.ts'
import type { Segment, Table } from './shape.ts'
import { exactCell, millionthsOf } from './sums.ts'

/** The column that a table is sorted by; -1: its rows are in the order of its dimensions. */
export function sortedColumn(
  { sort, arrangement }: Pick<Plan, 'sort' | 'arrangement'>,
  columns: readonly Pick<SourcedColumn, 'source'>[],
): number {
  if (!sort) return -1
  return columns.findIndex(({ source }) => {
    if (source.kind === 'channel' || source.kind === 'blend') return false
    if (source.kind === 'dimension') return source.dimension === sort.by
    const block = arrangement === 'stacked' ? null : sort.block
    return source.metrics.some((metric, index) => metric?.id === sort.by && (block ?? index) === index)
  })
}

export interface Sorting {
  /** -1: by the dimensions alone. */
  column: number
  descending: boolean
  /** null: all rows. */
  limit: number | null
}

type Unordered = Omit<Table, 'order'>

/**
 * The rows of a table in order, numbered through its segments, up to the limit. Rows of equal cells, and
 * those of empty ones behind all others, are in the order of the segments and of the dimensions.
 */
export function orderRows(table: Unordered, { column, descending, limit }: Sorting): Int32Array {
  const count = table.segments.reduce((sum, segment) => sum + segment.count, 0)
  const valueAt = column < 0 ? null : valuesOf(table, { column, descending })
  // A heap is faster than sorting everything for a few rows of many, and needs memory for those alone.
  if (limit !== null && limit < count / 8) return leadingRows({ count, limit }, comparison(table, valueAt))
  const byDimensions = orderByDimensions(table, count)
  if (!valueAt) return byDimensions.subarray(0, limit ?? count)
  const values = new Float64Array(count)
  for (let row = 0; row < count; row++) values[row] = valueAt(row)
  return orderByValue(byDimensions, values).subarray(0, limit ?? count)
}

function orderByDimensions({ segments, dimensions }: Unordered, count: number): Int32Array {
  const [only] = segments
  if (only && segments.length === 1) return orderOf(only, dimensions)
  const order = new Int32Array(count)
  for (const segment of segments) {
    const { start } = segment
    orderOf(segment, dimensions).forEach((row, at) => {
      order[start + at] = start + row
    })
  }
  return order
}

/** What a row is sorted by, ascending; infinite where its cell is empty. */
type ValueAt = (row: number) => number

function valuesOf(table: Unordered, { column, descending }: Omit<Sorting, 'limit'>): ValueAt {
  const readers = table.segments.map(segment => ({
    end: segment.start + segment.count,
    start: segment.start,
    read: readerOf(table, segment, column),
  }))
  let current = readers[0]
  return row => {
    if (!current || row < current.start || row >= current.end) current = readers.find(({ end }) => row < end)
    const value = current ? current.read(row - current.start) : Number.NaN
    if (Number.isNaN(value)) return Number.POSITIVE_INFINITY
    return descending ? -value : value
  }
}

/** The sorted cell of each row of a segment as a number; NaN where it is empty. */
function readerOf({ sources, dimensions, unmatched }: Unordered, segment: Segment, column: number): ValueAt {
  const source = sources[column]
  if (source?.kind !== 'dimension') {
    const cell = cellsOf({ sources, dimensions, unmatched }, segment)[column]
    return row => (cell ? numberIn(cell, row) : Number.NaN)
  }
  const dimension = dimensions.find(other => other.dimension === source.dimension)
  if (!dimension) return () => Number.NaN
  const { position, ranks, values } = dimension
  return row => {
    const code = segment.keys[row * segment.width + position] ?? 0
    if (values.kind === 'texts' && values.texts[code] === '') return Number.NaN
    return ranks[code] ?? 0
  }
}

function numberIn(cell: Cell, row: number): number {
  if (cell.kind === 'sum' || cell.kind === 'words') {
    const value = exactCell(cell.sums, cell.measure, cell.groups[row] ?? -1)
    // The blocks of a column need not count in the same unit: one of them may have had a fraction.
    if (value !== null) return Number(value) * millionthsOf(cell.sums, cell.measure)
    return cell.kind === 'sum' && cell.zero ? 0 : Number.NaN
  }
  if (cell.kind === 'values') {
    const value = cell.values[row] ?? Number.NaN
    return Number.isFinite(value) ? value : cell.zero ? 0 : Number.NaN
  }
  if (cell.kind === 'ratio') return ratioIn(cell, cell.groups[row] ?? -1)
  return cell.kind === 'empty' && cell.zero ? 0 : Number.NaN
}

function ratioIn({ sums, ratio, zero }: Extract<Cell, { kind: 'ratio' }>, group: number): number {
  const numerator = exactCell(sums, ratio.numerator, group)
  const denominator = exactCell(sums, ratio.denominator, group)
  const value =
    numerator === null || denominator === null
      ? Number.NaN
      : divide(Number(numerator), Number(denominator), ratio)
  return Number.isFinite(value) ? value : zero ? 0 : Number.NaN
}

/** By value, then by segment, then by the dimensions. */
function comparison({ segments, dimensions }: Unordered, valueAt: ValueAt | null) {
  const segmentOf = (row: number) => segments.find(({ start, count }) => row < start + count)
  return (one: number, other: number): number => {
    const [a, b] = valueAt ? [valueAt(one), valueAt(other)] : [0, 0]
    if (a !== b) return a < b ? -1 : 1
    const segment = segmentOf(one)
    if (!segment || segment !== segmentOf(other)) return one - other
    for (const key of dimensions) {
      const order = rankIn(segment, one, key) - rankIn(segment, other, key)
      if (order !== 0) return order
    }
    return one - other
  }
}

const rankIn = ({ keys, width, start }: Segment, row: number, { position, ranks }: SortKey): number =>
  ranks[keys[(row - start) * width + position] ?? 0] ?? 0
