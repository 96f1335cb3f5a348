import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import { fbMetrics } from '#shared/channels/fb-metrics.ts'
import type { Page, PageDimension } from '#server/connectors/connector.ts'
import { fieldOf, metricFieldOf, rankings, reachMetrics, type FetchedMetric } from './fields.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { decimal, millionths } from '#server/connectors/kit/decimals.ts'
import { createTextBuilder, type TextColumn } from '#server/connectors/text-column.ts'

// Rows of insights → columns, in one pass over each field. This is the hot path: no schema per row, but
// nothing unchecked either. A field that has another form than Meta documents ends the fetch with its path;
// it never becomes 0.

export interface ColumnSpec {
  dimensions: readonly PlatformDimension[]
  metrics: readonly FetchedMetric[]
  /** What conversions are counted by; null: by Meta's own field of purchases. */
  actions: readonly string[] | null
}

/** Reads rows as columns; `starts` has the first days of the requested slices. */
export function columnsOf(data: unknown[], spec: ColumnSpec, starts: Pick<ReadonlySet<string>, 'has'>): Page {
  const rows = recordsOf(data)
  const lists = new Map<string, Map<string, ListColumn>>()
  const metrics = spec.metrics.map(metric => columnReader({ metric, actions: spec.actions }, rows, lists))
  for (const [field, columns] of lists) readList(rows, field, columns.values())
  return {
    length: rows.length,
    dates: texts(rows, 'date_start', day => starts.has(day)),
    dimensions: spec.dimensions.map(dimension => dimensionOf(dimension, rows)),
    metrics: metrics.map(finish => finish()),
  }
}

type Row = Readonly<Record<string, unknown>>
type Parse = (text: unknown) => number
interface ListColumn {
  action_type: string
  values: Float64Array
  parse: Parse
}

function recordsOf(data: unknown[]): Row[] {
  if (data.every(isRecord)) return data
  throw unreadable(`data[${data.findIndex(row => !isRecord(row))}]`)
}

const isRecord = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function dimensionOf(dimension: PlatformDimension, rows: Row[]): PageDimension {
  const field = fieldOf(dimension)
  if ('breakdown' in field) return { keys: texts(rows, field.breakdown, isFilled) }
  return { keys: texts(rows, field.id, isNumber), labels: texts(rows, field.name, () => true) }
}

const isFilled = (text: string) => text !== ''
const isNumber = (text: string) => NUMBER.test(text)
const NUMBER = /^\d+$/

function texts(rows: Row[], field: string, isGood: (text: string) => boolean): TextColumn {
  const column = createTextBuilder()
  for (const [index, row] of rows.entries()) {
    const text = row[field]
    if (typeof text !== 'string' || !isGood(text)) throw unreadable(`data[${index}].${field}`)
    column.push(text)
  }
  return column.column()
}

/**
 * Reads a metric's column, or leaves word in `lists` of what it needs; the column is there when the result is
 * called.
 */
function columnReader(
  { metric, actions }: { metric: FetchedMetric; actions: ColumnSpec['actions'] },
  rows: Row[],
  lists: Map<string, Map<string, ListColumn>>,
): () => Float64Array {
  const source = metricFieldOf(metric, actions)
  const parse = fbMetrics[metric].unit === 'money' ? millionths : decimal
  switch (source.read) {
    case 'plain': {
      const column = readEach(rows, source.field, parse)
      return () => withAbsent(column, metric)
    }
    case 'list': {
      const column = listColumn(lists, { ...source, parse, length: rows.length })
      const other =
        source.or_else !== undefined &&
        listColumn(lists, { ...source, action_type: source.or_else, parse, length: rows.length })
      return () =>
        withAbsent(other ? column.map((value, row) => orElse(value, other[row])) : column.slice(), metric)
    }
    case 'sum': {
      const columns = source.action_types.map(action_type =>
        listColumn(lists, { ...source, action_type, parse, length: rows.length }),
      )
      return () => addedUp(columns, rows.length)
    }
    case 'results': {
      const column = readEach(rows, source.field, resultOf)
      return () => withAbsent(column, metric).map(value => (value === SEVERAL ? Number.NaN : value))
    }
    case 'ranking': {
      const column = readEach(rows, source.field, rankOf)
      return () => column.map(rank => (rank === UNRANKED ? Number.NaN : rank))
    }
  }
}

const orElse = (value: number, other: number | undefined) =>
  Number.isNaN(value) ? (other ?? Number.NaN) : value

/** An action that is not in a row has not happened there. */
function addedUp(columns: readonly Float64Array[], length: number): Float64Array {
  const sums = new Float64Array(length)
  for (const column of columns) {
    for (let row = 0; row < length; row += 1) sums[row] = (sums[row] ?? 0) + (column[row] || 0)
  }
  return sums
}

/** NaN where the key is absent; anything else must be readable. */
function readEach(rows: Row[], field: string, parse: Parse): Float64Array {
  const column = new Float64Array(rows.length)
  for (let index = 0; index < rows.length; index += 1) {
    const value = rows[index]?.[field]
    if (value === undefined) {
      column[index] = Number.NaN
      continue
    }
    const number = parse(value)
    if (Number.isNaN(number)) throw unreadable(`data[${index}].${field}`)
    column[index] = number
  }
  return column
}

function listColumn(
  lists: Map<string, Map<string, ListColumn>>,
  { field, action_type, parse, length }: { field: string; action_type: string; parse: Parse; length: number },
): Float64Array {
  const columns = lists.get(field) ?? new Map<string, ListColumn>()
  lists.set(field, columns)
  const column = columns.get(action_type) ?? {
    action_type,
    values: new Float64Array(length).fill(Number.NaN),
    parse,
  }
  columns.set(action_type, column)
  return column.values
}

/**
 * Each list is read once, however many metrics are in it. Most entries belong to no requested metric, and
 * their types are new strings in each row: comparing those of equal length is a third of what hashing every
 * one of them costs.
 */
function readList(rows: Row[], field: string, columns: Iterable<ListColumn>): void {
  const byLength: ListColumn[][] = []
  for (const column of columns) (byLength[column.action_type.length] ??= []).push(column)
  for (let index = 0; index < rows.length; index += 1) {
    const list = rows[index]?.[field]
    if (list === undefined) continue
    if (!Array.isArray(list)) throw unreadable(`data[${index}].${field}`)
    for (let at = 0; at < list.length; at += 1) {
      const entry: ListEntry = list[at]
      const actionType = entry?.action_type
      if (typeof actionType !== 'string') throw unreadable(`data[${index}].${field}[${at}]`)
      const column = byLength[actionType.length]?.find(each => each.action_type === actionType)
      if (column === undefined) continue
      const number = column.parse(entry?.value)
      // Twice the same action would mean that the list is split by something that was not requested.
      if (Number.isNaN(number) || !Number.isNaN(column.values[index])) {
        throw unreadable(`data[${index}].${field}[${at}].value`)
      }
      column.values[index] = number
    }
  }
}

/** Whatever stands in a list: reading a property of it fails for null alone. */
type ListEntry = { action_type?: unknown; value?: unknown } | null | undefined

/**
 * An absent key means none for counts and money, and nothing for ratios. Reach is the exception: it is also
 * left out where Meta cannot say it, so its absence must not be read as 0.
 */
function withAbsent(column: Float64Array, metric: FetchedMetric): Float64Array {
  const { unit } = fbMetrics[metric]
  if ((unit !== 'count' && unit !== 'money') || reachMetrics.has(metric)) return column
  for (let index = 0; index < column.length; index += 1) {
    if (Number.isNaN(column[index])) column[index] = 0
  }
  return column
}

const SEVERAL = Number.POSITIVE_INFINITY
const UNRANKED = -1

/** One kind of result has a number; purchases and link clicks in one row have no common one. */
function resultOf(value: unknown): number {
  if (!Array.isArray(value)) return Number.NaN
  const kinds = value.filter(kind => isRecord(kind) && kind['values'] !== undefined)
  if (kinds.length > 1) return SEVERAL
  const values: unknown = kinds[0]?.values
  if (values === undefined) return 0
  const first: unknown = Array.isArray(values) ? values[0] : undefined
  return isRecord(first) ? decimal(first['value']) : Number.NaN
}

function rankOf(value: unknown): number {
  return value === 'UNKNOWN' ? UNRANKED : (indexOfRank.get(value) ?? Number.NaN)
}
const indexOfRank: ReadonlyMap<unknown, number> = new Map(rankings.map((rank, index) => [rank, index]))
