import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import type { Page, PageDimension } from '#server/connectors/connector.ts'
import { decimal, millionths } from '#server/connectors/kit/decimals.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { orUnreadable, UNREADABLE, type NumberFormat, type Rows } from '#server/connectors/kit/rows.ts'
import { combineTexts, createTextBuilder, textAt, type TextColumn } from '#server/connectors/text-column.ts'
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
export const columnsOf = (rows: Rows, spec: ColumnSpec, slices: Reached): Page => ({
  length: rows.length,
  dates: datesOf(rows, spec.segments, slices),
  dimensions: spec.dimensions.map(dimension => dimensionOf(dimension, rows, spec.headlines)),
  metrics: spec.metrics.map(metric => metricOf(metric, rows)),
})

function datesOf(rows: Rows, segments: readonly string[], { starts, first, reached }: Reached): TextColumn {
  const columns = segments.map(segment => rows.texts(pathOf(segment), { isGood: isFilled }))
  let last = reached
  return combineTexts(columns, rows.length, texts => {
    // A week that begins before the range, or before its month, is cut there.
    const date = texts.reduce(later, first)
    // Slices are yielded when the next one begins, so that their order matters.
    if (date !== last && (!starts.has(date) || date < last))
      throw unreadable(`${segments.join()}: ${date} after ${last}`)
    last = date
    return date
  })
}

const isFilled = (text: string) => text !== ''
const later = (one: string, other: string) => (other > one ? other : one)

function dimensionOf(
  dimension: PlatformDimension,
  rows: Rows,
  headlines: ReadonlyMap<string, string>,
): PageDimension {
  const { key, label } = fieldOf(dimension)
  const [first, ...others] = key.map(field => rows.texts(pathOf(field), { isGood: isFilled }))
  if (first === undefined) throw new Error(`no key of ${dimension}`)
  const keys =
    others.length === 0 ? first : combineTexts([first, ...others], rows.length, ids => ids.join('~'))
  if (label === undefined) return { keys }
  const labels = rows.texts(pathOf(label), { absent: '' })
  return { keys, labels: dimension === 'ad' ? namesOfAds({ keys, labels }, rows, headlines) : labels }
}

/** Text ads have no name: they go by their first headline, anything else by what it is and its number. */
function namesOfAds(
  { keys, labels }: { keys: TextColumn; labels: TextColumn },
  rows: Rows,
  headlines: ReadonlyMap<string, string>,
): TextColumn {
  const types = rows.texts(pathOf(AD_TYPE), { absent: 'AD' })
  const names = createTextBuilder()
  for (let row = 0; row < rows.length; row += 1) {
    const key = textAt(keys, row)
    names.push(
      textAt(labels, row) || headlines.get(key) || `${textAt(types, row)} ${key.slice(key.indexOf('~') + 1)}`,
    )
  }
  return names.column()
}

function metricOf(metric: FetchedMetric, rows: Rows): Float64Array {
  const { read, field }: MetricField = metricFields[metric]
  const column = withAbsent(rows.numbers(pathOf(field), formats[read]), isAdditive(metric) ? 0 : Number.NaN)
  switch (read) {
    case 'milliseconds':
      return column.map(value => value / 1000)
    case 'part_of_impressions': {
      const impressions = withAbsent(rows.numbers(pathOf(IMPRESSIONS), formats.whole), 0)
      return column.map((rate, row) => Math.round(rate * (impressions[row] ?? 0)))
    }
    default:
      return column
  }
}

/** A field that is missing says nothing either, but for what is summed: there it is 0. */
function withAbsent(column: Float64Array, absent: number): Float64Array {
  if (Number.isNaN(absent)) return column
  for (let row = 0; row < column.length; row += 1) if (Number.isNaN(column[row])) column[row] = absent
  return column
}

/** Nothing is null, if it comes at all, and what JSON has no number for comes as text: it is unknown. */
const UNSAID: ReadonlySet<unknown> = new Set([null, 'NaN', 'Infinity', '-Infinity'])

const parseWhole = (value: unknown) => (UNSAID.has(value) ? Number.NaN : orUnreadable(decimal(value)))

function parseFraction(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? value : UNREADABLE
  return UNSAID.has(value) ? Number.NaN : UNREADABLE
}

/**
 * A double has been text on the wire: its shortest decimal is what was sent, and money is read from that.
 * Below 2^50 millionths the product is off by less than a quarter, so that the text has to be looked at near
 * a half only.
 */
function parseMoney(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return parseFraction(value)
  const product = value * MILLION
  const whole = Math.round(product)
  if (Math.abs(product - whole) < 0.25 && Math.abs(whole) < 2 ** 50) return whole
  const exact = millionths(String(value))
  return Number.isNaN(exact) ? whole : exact
}

const MILLION = 1_000_000

const whole: NumberFormat = { written: 'text', parse: parseWhole }
const fraction: NumberFormat = { written: 'json', parse: parseFraction }
const formats: Record<MetricField['read'], NumberFormat> = {
  whole,
  milliseconds: whole,
  fraction,
  part_of_impressions: fraction,
  money: { written: 'json', parse: parseMoney },
}

type Message = Readonly<Record<string, unknown>>

/**
 * Segments hide rows in which all is zero; without any, Google sends a row for each entity that ever was.
 * These are dropped (kit/delivery.ts). A Quality Score alone is no delivery.
 */
export function delivered(
  data: readonly unknown[],
  { metrics, hides_zeros }: ColumnSpec,
): readonly Message[] {
  const messages = data.filter(isMessage)
  if (messages.length < data.length) throw unreadable(`results[${data.findIndex(row => !isMessage(row))}]`)
  if (hides_zeros) return messages
  const names = [IMPRESSIONS, ...metrics.map(metric => metricFields[metric].field)]
    .filter(field => field.startsWith('metrics.') && field !== metricFields.historical_quality_score.field)
    .map(field => camelCase(field.slice('metrics.'.length)))
  return messages.filter(({ metrics: fields }, row) => {
    if (fields === undefined || fields === null) return false
    if (!isMessage(fields)) throw unreadable(`results[${row}].metrics`)
    return names.some(name => !isZero(fields[name]))
  })
}

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isZero = (value: unknown) => value === undefined || value === 0 || value === '0' || UNSAID.has(value)

/** ad_group_ad.ad.type → adGroupAd.ad.type */
const pathOf = (field: string) => field.split('.').map(camelCase)
const camelCase = (name: string) =>
  name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
