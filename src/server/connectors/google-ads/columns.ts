import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import type { Page, PageDimension } from '#server/connectors/connector.ts'
import { decimal, millionths } from '#server/connectors/kit/decimals.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { textColumn } from '#server/connectors/text-column.ts'
import {
  AD_TYPE,
  fieldOf,
  IMPRESSIONS,
  isAdditive,
  metricFields,
  type FetchedMetric,
  type MetricField,
} from './fields.ts'

// Rows of a search → columns, in one pass over each field. This is the hot path: no schema per row, but
// nothing unchecked either. A field of another form than Google documents ends the fetch with its name; it
// never becomes 0.

export interface ColumnSpec {
  dimensions: readonly PlatformDimension[]
  metrics: readonly FetchedMetric[]
  /**
   * The segments that say which slice a row belongs to; each row says the first day of its week, its month,
   * its day.
   */
  segments: readonly string[]
  /** Whether Google has left out the rows in which all is zero. */
  hides_zeros: boolean
  /** The first headlines of ads that have no name of their own. */
  headlines: ReadonlyMap<string, string>
}

/**
 * The first days of the requested slices, in their order, and the one that the rows before have come to.
 */
export interface Reached {
  starts: Pick<ReadonlySet<string>, 'has'>
  first: string
  reached: string
}

/** Reads rows as columns. */
export function columnsOf(data: unknown[], spec: ColumnSpec, slices: Reached): Page {
  const rows = rowsOf(delivered(data, spec))
  return {
    length: rows.length,
    dates: textColumn(datesOf(rows, spec.segments, slices)),
    dimensions: spec.dimensions.map(dimension => dimensionOf(dimension, rows, spec.headlines)),
    metrics: spec.metrics.map(metric => metricOf(metric, rows)),
  }
}

type Message = Readonly<Record<string, unknown>>

/**
 * Segments hide rows in which all is zero; without any, Google sends a row for each entity that ever was.
 * These are dropped (kit/delivery.ts). A Quality Score alone is no delivery.
 */
function delivered(data: unknown[], { metrics, hides_zeros }: ColumnSpec): Message[] {
  if (!data.every(isMessage)) throw unreadable(`results[${data.findIndex(row => !isMessage(row))}]`)
  if (hides_zeros) return data
  const names = [IMPRESSIONS, ...metrics.map(metric => metricFields[metric].field)]
    .filter(field => field.startsWith('metrics.') && field !== metricFields.historical_quality_score.field)
    .map(field => camelCase(field.slice('metrics.'.length)))
  return data.filter(({ metrics: fields }, row) => {
    if (fields === undefined || fields === null) return false
    if (!isMessage(fields)) throw unreadable(`results[${row}].metrics`)
    return names.some(name => !isZero(fields[name]))
  })
}

/** The rows, and the value at a path in each of them; undefined where there is none. */
interface Rows {
  length: number
  valuesAt: (path: readonly string[]) => readonly unknown[]
}

/** Most fields are in one message, `metrics`, which is looked up once for all of them. */
function rowsOf(rows: Message[]): Rows {
  const known = new Map<string, readonly unknown[]>([['', rows]])
  const messagesAt = (path: readonly string[]): readonly unknown[] => {
    const key = path.join('.')
    const messages = known.get(key) ?? checked(valuesAt(path), key)
    known.set(key, messages)
    return messages
  }
  const valuesAt = (path: readonly string[]): readonly unknown[] => {
    const name = path.at(-1) ?? ''
    const values: unknown[] = []
    for (const message of messagesAt(path.slice(0, -1)))
      values.push(isMessage(message) ? (message[name] ?? undefined) : undefined)
    return values
  }
  return { length: rows.length, valuesAt }
}

/** A message that is left out has nothing but what its fields are by default; what is none is unreadable. */
function checked(messages: readonly unknown[], key: string): readonly unknown[] {
  const invalid = messages.findIndex(message => message !== undefined && !isMessage(message))
  if (invalid >= 0) throw unreadable(`results[${invalid}].${key}`)
  return messages
}

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isZero = (value: unknown) => value === undefined || value === 0 || value === '0' || UNSAID.has(value)
/** What JSON has no number for comes as text: it is unknown. */
const UNSAID: ReadonlySet<unknown> = new Set(['NaN', 'Infinity', '-Infinity'])

function datesOf(rows: Rows, segments: readonly string[], { starts, first, reached }: Reached): string[] {
  const dates = Array.from({ length: rows.length }, () => first)
  for (const segment of segments) {
    eachText(rows, { field: segment }, (text, row) => {
      // A week that begins before the range, or before its month, is cut there.
      if (text > (dates[row] ?? '')) dates[row] = text
    })
  }
  let last = reached
  for (const date of dates) {
    if (date === last) continue
    // Slices are yielded when the next one begins, so that their order matters.
    if (!starts.has(date) || date < last) throw unreadable(`${segments.join()}: ${date} after ${last}`)
    last = date
  }
  return dates
}

function dimensionOf(
  dimension: PlatformDimension,
  rows: Rows,
  headlines: ReadonlyMap<string, string>,
): PageDimension {
  const { key, label } = fieldOf(dimension)
  const [keys = [], ...more] = key.map(field => texts(rows, field))
  for (const column of more) {
    for (let row = 0; row < keys.length; row += 1) keys[row] += `~${column[row]}`
  }
  if (label === undefined) return { keys: textColumn(keys) }
  const labels = texts(rows, label, '')
  if (dimension === 'ad') nameAds({ keys, labels }, texts(rows, AD_TYPE, 'AD'), headlines)
  return { keys: textColumn(keys), labels: textColumn(labels) }
}

/** Text ads have no name: they go by their first headline, anything else by what it is and its number. */
function nameAds(
  { keys, labels }: { keys: string[]; labels: string[] },
  types: string[],
  headlines: ReadonlyMap<string, string>,
): void {
  for (let row = 0; row < labels.length; row += 1) {
    const key = keys[row] ?? ''
    labels[row] ||= headlines.get(key) || `${types[row]} ${key.slice(key.indexOf('~') + 1)}`
  }
}

/** A column of texts; without `absent` each must be there and not be empty. */
function texts(rows: Rows, field: string, absent?: string): string[] {
  const column: string[] = []
  eachText(rows, { field, absent }, text => void column.push(text))
  return column
}

function eachText(
  rows: Rows,
  { field, absent }: { field: string; absent?: string | undefined },
  take: (text: string, row: number) => void,
): void {
  const path = pathOf(field)
  const values = rows.valuesAt(path)
  for (let row = 0; row < rows.length; row += 1) {
    const text = values[row] ?? absent
    if (typeof text !== 'string' || (text === '' && absent === undefined))
      throw unreadable(`results[${row}].${path.join('.')}`)
    take(text, row)
  }
}

function metricOf(metric: FetchedMetric, rows: Rows): Float64Array {
  const { read, field }: MetricField = metricFields[metric]
  const column = numbers(rows, field, { parse: parsers[read], absent: isAdditive(metric) ? 0 : Number.NaN })
  switch (read) {
    case 'milliseconds':
      return column.map(value => value / 1000)
    case 'part_of_impressions': {
      const impressions = numbers(rows, IMPRESSIONS, { parse: parsers.whole, absent: 0 })
      return column.map((rate, row) => Math.round(rate * (impressions[row] ?? 0)))
    }
    default:
      return column
  }
}

type Parse = (value: unknown) => number

const fractionOf: Parse = value => (typeof value === 'number' ? value : UNREADABLE)

/**
 * A double has been text on the wire: its shortest decimal is what was sent, and money is read from that.
 * Below 2^50 millionths the product is off by less than a quarter, so that the text has to be looked at near
 * a half only.
 */
const moneyOf: Parse = value => {
  if (typeof value !== 'number') return UNREADABLE
  const product = value * MILLION
  const whole = Math.round(product)
  if (Math.abs(product - whole) < 0.25 && Math.abs(whole) < 2 ** 50) return whole
  const exact = millionths(String(value))
  return Number.isNaN(exact) ? whole : exact
}

const MILLION = 1_000_000
const UNREADABLE = Number.POSITIVE_INFINITY

const parsers: Record<MetricField['read'], Parse> = {
  whole: value => orUnreadable(decimal(value)),
  milliseconds: value => orUnreadable(decimal(value)),
  fraction: fractionOf,
  part_of_impressions: fractionOf,
  money: moneyOf,
}
const orUnreadable = (value: number) => (Number.isNaN(value) ? UNREADABLE : value)

/** A field that is missing says nothing either, but for what is summed: there it is 0. */
function numbers(
  rows: Rows,
  field: string,
  { parse, absent }: { parse: Parse; absent: number },
): Float64Array {
  const path = pathOf(field)
  const values = rows.valuesAt(path)
  const column = new Float64Array(rows.length)
  for (let row = 0; row < rows.length; row += 1) {
    const value = values[row]
    const number = value === undefined ? absent : parse(value)
    if (number === UNREADABLE && !UNSAID.has(value)) throw unreadable(`results[${row}].${path.join('.')}`)
    column[row] = number === UNREADABLE ? absent : number
  }
  return column
}

/** ad_group_ad.ad.type → adGroupAd.ad.type */
const pathOf = (field: string) => field.split('.').map(camelCase)
const camelCase = (name: string) =>
  name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
