import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import { fbMetrics } from '#shared/channels/fb-metrics.ts'
import type { Page, PageDimension } from '#server/connectors/connector.ts'
import { fieldOf, metricFieldOf, rankings, reachMetrics, type FetchedMetric } from './fields.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { decimal, millionths } from '#server/connectors/kit/decimals.ts'
import {
  orUnreadable,
  UNREADABLE,
  type NumberFormat,
  type ObjectShape,
  type Path,
  type Rows,
  type TextRule,
} from '#server/connectors/kit/rows.ts'
import { createTextBuilder, type TextColumn } from '#server/connectors/text-column.ts'

// Rows of insights → columns. This is the hot path: no schema per row, but nothing unchecked either. A field
// that has another form than Meta documents ends the fetch with its path; it never becomes 0.

export interface ColumnSpec {
  dimensions: readonly PlatformDimension[]
  metrics: readonly FetchedMetric[]
  /** What conversions are counted by; null: by Meta's own field of purchases. */
  actions: readonly string[] | null
}

/** Reads rows as columns; `starts` has the first days of the requested slices. */
export const columnsOf = (rows: Rows, spec: ColumnSpec, starts: Pick<ReadonlySet<string>, 'has'>): Page => ({
  length: rows.length,
  dates: rows.texts(['date_start'], { isGood: day => starts.has(day) }),
  dimensions: spec.dimensions.map(dimension => dimensionOf(dimension, rows)),
  metrics: spec.metrics.map(metric => metricOf({ metric, actions: spec.actions }, rows)),
})

function dimensionOf(dimension: PlatformDimension, rows: Rows): PageDimension {
  const field = fieldOf(dimension)
  if ('breakdown' in field) return { keys: rows.texts([field.breakdown], { isGood: isFilled }) }
  return { keys: rows.texts([field.id], { isGood: isNumber }), labels: rows.texts([field.name]) }
}

const isFilled = (text: string) => text !== ''
const isNumber = (text: string) => NUMBER.test(text)
const NUMBER = /^\d+$/

function metricOf(
  { metric, actions }: { metric: FetchedMetric; actions: ColumnSpec['actions'] },
  rows: Rows,
): Float64Array {
  const source = metricFieldOf(metric, actions)
  const format = fbMetrics[metric].unit === 'money' ? money : count
  const path = [source.field]
  switch (source.read) {
    case 'plain':
      return withAbsent(rows.numbers(path, format), metric)
    case 'list': {
      const column = rows.listed(path, source.action_type, format)
      if (source.or_else === undefined) return withAbsent(column, metric)
      const other = rows.listed(path, source.or_else, format)
      return withAbsent(
        column.map((value, row) => orElse(value, other[row])),
        metric,
      )
    }
    case 'sum': {
      const columns = source.action_types.map(type => rows.listed(path, type, format))
      return addedUp(columns, rows.length)
    }
    case 'results': {
      const column = withAbsent(rows.numbers(path, result), metric)
      return column.map(value => (value === SEVERAL ? Number.NaN : value))
    }
    case 'ranking':
      return rows.numbers(path, ranking)
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

const count: NumberFormat = { written: 'text', parse: value => orUnreadable(decimal(value)) }
const money: NumberFormat = { written: 'money', parse: value => orUnreadable(millionths(value)) }

/** One kind of result has a number; purchases and link clicks in one row have no common one. */
const result: NumberFormat = {
  written: 'json',
  parse(value) {
    if (!Array.isArray(value)) return UNREADABLE
    const kinds = value.filter(kind => isRecord(kind) && kind['values'] !== undefined)
    if (kinds.length > 1) return SEVERAL
    const values: unknown = kinds[0]?.values
    if (values === undefined) return 0
    const first: unknown = Array.isArray(values) ? values[0] : undefined
    return isRecord(first) ? count.parse(first['value']) : UNREADABLE
  },
}
const SEVERAL = Number.NEGATIVE_INFINITY

const ranking: NumberFormat = {
  written: 'json',
  parse: value => (value === 'UNKNOWN' ? Number.NaN : (indexOfRank.get(value) ?? UNREADABLE)),
}
const indexOfRank: ReadonlyMap<unknown, number> = new Map(rankings.map((rank, index) => [rank, index]))

type Row = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Rows of parsed JSON; `shape` says which entries of lists are read. */
export function jsonRows(data: readonly unknown[], shape: ObjectShape): Rows {
  const rows = recordsOf(data)
  const lists = new Map<string, Map<string, ListColumn>>()
  return {
    length: rows.length,
    texts: ([field = ''], rule) => textsIn(rows, String(field), rule),
    numbers: ([field = ''], format) => numbersIn(rows, String(field), format),
    listed([name = '']: Path, type) {
      const field = String(name)
      const columns = lists.get(field) ?? listIn(rows, field, shape)
      lists.set(field, columns)
      return columns.get(type)?.values.slice() ?? new Float64Array(rows.length).fill(Number.NaN)
    },
  }
}

function recordsOf(data: readonly unknown[]): Row[] {
  const rows = data.filter(isRecord)
  if (rows.length < data.length) throw unreadable(`data[${data.findIndex(row => !isRecord(row))}]`)
  return rows
}

function textsIn(rows: Row[], field: string, { isGood = () => true }: TextRule = {}): TextColumn {
  const column = createTextBuilder()
  for (const [index, row] of rows.entries()) {
    const text = row[field]
    if (typeof text !== 'string' || !isGood(text)) throw unreadable(`data[${index}].${field}`)
    column.push(text)
  }
  return column.column()
}

/** NaN where the key is absent; anything else must be readable. */
function numbersIn(rows: Row[], field: string, { parse }: NumberFormat): Float64Array {
  const column = new Float64Array(rows.length)
  for (let index = 0; index < rows.length; index += 1) {
    const value = rows[index]?.[field]
    const number = value === undefined ? Number.NaN : parse(value)
    if (number === UNREADABLE) throw unreadable(`data[${index}].${field}`)
    column[index] = number
  }
  return column
}

interface ListColumn {
  values: Float64Array
  parse: NumberFormat['parse']
}

/** A list is read once, however many metrics are in it. Most entries belong to no requested metric. */
function listIn(rows: Row[], field: string, shape: ObjectShape): Map<string, ListColumn> {
  const list = shape.fields.get(field)
  const columns = new Map<string, ListColumn>()
  if (list?.kind === 'list')
    for (const [type, { format }] of list.types)
      columns.set(type, { values: new Float64Array(rows.length).fill(Number.NaN), parse: format.parse })
  for (let index = 0; index < rows.length; index += 1) {
    const entries = rows[index]?.[field]
    if (entries === undefined) continue
    if (!Array.isArray(entries)) throw unreadable(`data[${index}].${field}`)
    for (let at = 0; at < entries.length; at += 1) {
      const entry: ListEntry = entries[at]
      const actionType = entry?.action_type
      if (typeof actionType !== 'string') throw unreadable(`data[${index}].${field}[${at}]`)
      const column = columns.get(actionType)
      if (column === undefined) continue
      const number = column.parse(entry?.value)
      // Twice the same action would mean that the list is split by something that was not requested.
      if (number === UNREADABLE || !Number.isNaN(column.values[index]))
        throw unreadable(`data[${index}].${field}[${at}].value`)
      column.values[index] = number
    }
  }
  return columns
}

/** Whatever stands in a list: reading a property of it fails for null alone. */
type ListEntry = { action_type?: unknown; value?: unknown } | null | undefined
