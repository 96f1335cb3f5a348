import { ga4Metrics } from '#shared/channels/ga4-metrics.ts'
import type { Page, PlatformFailure } from '#server/connectors/connector.ts'
import { count, money } from '#server/connectors/kit/analytics-numbers.ts'
import { ByteRows, rowReader, type RowReader } from '#server/connectors/kit/byte-rows.ts'
import { RecoverableFailure, unreadable } from '#server/connectors/kit/failures.ts'
import { jsonRows } from '#server/connectors/kit/json-rows.ts'
import { shapeOf, type Rows } from '#server/connectors/kit/rows.ts'
import { combineTexts } from '#server/connectors/text-column.ts'
import { metricFieldOf, type FetchedMetric } from './fields.ts'
import { ReportHeaders, type ReportResponse } from './schema.ts'
import { BETWEEN, type Times } from './ranges.ts'

// Rows of a response → columns. This is the hot path: no schema per row, but nothing unchecked either. Values
// are in the order of the response's own headers, and every one is a text.

export interface ColumnSpec {
  times: Times
  /** GA4's names of the request's dimensions, in its order. */
  dimensions: readonly string[]
  metrics: readonly FetchedMetric[]
  /** The key events that conversions are counted by; null: all of them. */
  actions: readonly string[] | null
}

export function columnsOf({ rows, ...headers }: ReportResponse, spec: ColumnSpec): Page {
  const read = (from: Rows) => columnsIn(from, spec, headers)
  return read(rows instanceof ByteRows ? rows : jsonRows(rows, shapeOf(read), 'rows'))
}

/** Reads rows whose values are in the order of the request, as they are, but Google does not promise it. */
export function readerOf(spec: ColumnSpec, fields: readonly string[]): RowReader {
  const namesOf = (headers: ReportHeaders) =>
    JSON.stringify(
      [headers.dimensionHeaders, headers.metricHeaders].map(list => list.map(({ name }) => name)),
    )
  const requested = {
    dimensionHeaders: [...spec.times.fields, ...spec.dimensions].map(name => ({ name })),
    metricHeaders: fields.map(name => ({ name })),
  }
  const names = namesOf(requested)
  const isInOrder = (body: unknown) => {
    const headers = ReportHeaders.safeParse(body)
    return headers.success && namesOf(headers.data) === names
  }
  return rowReader(
    shapeOf(rows => columnsIn(rows, spec, requested)),
    ['rows'],
    isInOrder,
  )
}

function columnsIn(
  rows: Rows,
  { times, dimensions, metrics, actions }: ColumnSpec,
  headers: ReportHeaders,
): Page {
  const indexes = {
    dimensions: indexesOf(headers.dimensionHeaders),
    metrics: indexesOf(headers.metricHeaders),
  }
  const textsOf = (field: string) =>
    rows.texts(['dimensionValues', indexIn(indexes.dimensions, field, rows), 'value'])
  return {
    length: rows.length,
    dates: combineTexts(times.fields.map(textsOf), rows.length, (values, row) => startOf(values, row, times)),
    dimensions: dimensions.map(field => ({ keys: textsOf(field) })),
    metrics: metrics.map(metric => {
      const { field, less } = metricFieldOf(metric, actions)
      const format = ga4Metrics[metric].unit === 'money' ? money : count
      const numbersOf = (name: string) =>
        rows.numbers(['metricValues', indexIn(indexes.metrics, name, rows), 'value'], format)
      const numbers = numbersOf(field)
      if (less === undefined) return numbers
      const taken = numbersOf(less)
      return numbers.map((value, row) => value - (taken[row] ?? Number.NaN))
    }),
  }
}

const indexesOf = (headers: readonly { name: string }[]) => new Map(headers.map(({ name }, at) => [name, at]))

/** A response of no rows may lack its headers. */
function indexIn(indexes: ReadonlyMap<string, number>, field: string, rows: Rows): number {
  const index = indexes.get(field)
  if (index === undefined && rows.length > 0) throw unreadable(`no header ${field}`)
  return index ?? 0
}

function startOf(values: readonly string[], row: number, times: Times): string {
  const start = times.startOf(values.join(BETWEEN))
  if (start === undefined) throw noSlice(values, row)
  return start
}

function noSlice(values: readonly string[], row: number): PlatformFailure {
  if (values.some(value => value.includes('(other)')))
    return new RecoverableFailure('single_slices', {
      platform_message: 'several days are lumped together as (other)',
    })
  return unreadable(`rows[${row}]: ${values.join(' ')} is not of the range`)
}
