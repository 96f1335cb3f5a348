import { ga4Metrics } from '#shared/channels/ga4-metrics.ts'
import type { Page, PlatformFailure } from '#server/connectors/connector.ts'
import { decimal, millionths } from '#server/connectors/kit/decimals.ts'
import { RecoverableFailure, unreadable } from '#server/connectors/kit/failures.ts'
import {
  createTextBuilder,
  textsOf,
  type TextBuilder,
  type TextColumn,
} from '#server/connectors/text-column.ts'
import { metricFieldOf, type FetchedMetric } from './fields.ts'
import type { ReportResponse } from './schema.ts'
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

/**
 * Reads rows as columns. Whatever is not a number as Google documents it ends the fetch with its path; it
 * never becomes 0.
 */
export function columnsOf(
  response: ReportResponse,
  { times, dimensions, metrics, actions }: ColumnSpec,
): Page {
  const rows = response.rows as unknown as readonly Row[]
  const headers = {
    dimensions: indexesOf(response.dimensionHeaders),
    metrics: indexesOf(response.metricHeaders),
  }
  const textsAt = (field: string): ReadTexts => ({
    index: indexIn(headers.dimensions, field, rows),
    texts: createTextBuilder(),
  })
  const numbersAt = (field: string, parse: Parse): NumberColumn => ({
    index: indexIn(headers.metrics, field, rows),
    parse,
    numbers: new Float64Array(rows.length),
  })
  const slices = times.fields.map(textsAt)
  const keys = dimensions.map(textsAt)
  const read = metrics.map(metric => {
    const { field, less } = metricFieldOf(metric, actions)
    const parse = ga4Metrics[metric].unit === 'money' ? money : number
    return { column: numbersAt(field, parse), taken: less === undefined ? null : numbersAt(less, parse) }
  })
  const columns = read.flatMap(({ column, taken }) => (taken ? [column, taken] : [column]))
  readRows(rows, [...slices, ...keys], columns)
  return {
    length: rows.length,
    dates: datesOf(
      rows.length,
      slices.map(({ texts }) => texts.column()),
      times,
    ),
    dimensions: keys.map(({ texts }) => ({ keys: texts.column() })),
    metrics: read.map(({ column: { numbers }, taken }) =>
      taken ? numbers.map((value, at) => value - (taken.numbers[at] ?? Number.NaN)) : numbers,
    ),
  }
}

interface ReadTexts {
  index: number
  texts: TextBuilder
}
interface NumberColumn {
  index: number
  parse: Parse
  numbers: Float64Array
}

type Parse = (text: unknown) => number

/** Whatever stands in the list: reading a property fails for null alone. */
type Row = { dimensionValues?: readonly Value[]; metricValues?: readonly Value[] } | null
type Value = { value?: unknown } | null | undefined

const indexesOf = (headers: readonly { name: string }[]) => new Map(headers.map(({ name }, at) => [name, at]))

/** A response of no rows may lack its headers. */
function indexIn(indexes: ReadonlyMap<string, number>, field: string, rows: readonly Row[]): number {
  const index = indexes.get(field)
  if (index === undefined && rows.length > 0) throw unreadable(`no header ${field}`)
  return index ?? 0
}

/**
 * Row by row: a page of 50,000 rows is larger than any cache, and going through it once for each column takes
 * twice as long.
 */
function readRows(rows: readonly Row[], texts: ReadTexts[], numbers: NumberColumn[]): void {
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index]
    for (const column of texts) {
      const text = row?.dimensionValues?.[column.index]?.value
      if (typeof text !== 'string') throw unreadable(`rows[${index}].dimensionValues[${column.index}]`)
      column.texts.push(text)
    }
    for (const column of numbers) {
      const value = column.parse(row?.metricValues?.[column.index]?.value)
      if (Number.isNaN(value)) throw unreadable(`rows[${index}].metricValues[${column.index}]`)
      column.numbers[index] = value
    }
  }
}

const number: Parse = text => {
  const value = decimal(text)
  return Number.isNaN(value) ? decimal(withoutExponent(text)) : value
}

const money: Parse = text => {
  const value = millionths(text)
  return Number.isNaN(value) ? millionths(withoutExponent(text)) : value
}

/**
 * 1.25E7 → 12500000: how a very large or small float may be written; its digits are moved, so that none is
 * rounded.
 */
function withoutExponent(text: unknown): unknown {
  const [, minus = '', whole = '', fraction = '', exponent = ''] =
    typeof text === 'string' ? (/^(-?)(\d+)(?:\.(\d+))?E([+-]?\d{1,2})$/i.exec(text) ?? []) : []
  if (exponent === '') return undefined
  const point = whole.length + Number(exponent)
  const digits = (whole + fraction).padEnd(point, '0')
  if (point <= 0) return `${minus}0.${'0'.repeat(-point)}${digits}`
  const rest = digits.slice(point)
  return `${minus}${digits.slice(0, point)}${rest === '' ? '' : `.${rest}`}`
}

function datesOf(length: number, columns: TextColumn[], { startOf }: Times): TextColumn {
  const [first, second] = columns.map(column => textsOf(column, length))
  const dates = createTextBuilder()
  let before: string | undefined
  let start: string | undefined
  for (let index = 0; index < length; index += 1) {
    const values =
      second === undefined ? (first?.[index] ?? '') : `${first?.[index]}${BETWEEN}${second[index]}`
    // Time comes first in the order of rows: most are of the same slice as the one before.
    if (values !== before) start = startOf(values)
    before = values
    if (start === undefined) throw noSlice(values, index)
    dates.push(start)
  }
  return dates.column()
}

function noSlice(values: string, index: number): PlatformFailure {
  if (values.includes('(other)'))
    return new RecoverableFailure('single_slices', {
      platform_message: 'several days are lumped together as (other)',
    })
  return unreadable(`rows[${index}]: ${values.replace(BETWEEN, ' ')} is not of the range`)
}
