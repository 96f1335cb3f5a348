import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import { fbMetrics } from '#shared/channels/fb-metrics.ts'
import type { Page, PageDimension } from '#server/connectors/connector.ts'
import { fieldOf, metricFieldOf, rankings, reachMetrics, type FetchedMetric } from './fields.ts'
import { decimal, millionths } from '#server/connectors/kit/decimals.ts'
import { orUnreadable, UNREADABLE, type NumberFormat, type Rows } from '#server/connectors/kit/rows.ts'

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

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
