import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import { ttMetrics } from '#shared/channels/tt-metrics.ts'
import type { Page, PageDimension } from '#server/connectors/connector.ts'
import { rowReader, type RowReader } from '#server/connectors/kit/byte-rows.ts'
import { decimal, millionths } from '#server/connectors/kit/decimals.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { orUnreadable, shapeOf, type NumberFormat, type Rows } from '#server/connectors/kit/rows.ts'
import { combineTexts, constantColumn, type TextColumn } from '#server/connectors/text-column.ts'
import { fieldOf, levels, metricFields, type FetchedMetric, type Level } from './fields.ts'

// Rows of reports → columns. This is the hot path: no schema per row, but nothing unchecked either.

/** What is requested, whatever the days. */
export interface ColumnSpec {
  level: Level
  dimensions: readonly PlatformDimension[]
  metrics: readonly FetchedMetric[]
}

/** The names of the requested dimensions and metrics. */
export function fieldsOf({ level, dimensions, metrics }: ColumnSpec, byDay: boolean) {
  const fields = dimensions.map(fieldOf)
  const breakdowns = fields.flatMap(field => ('breakdown' in field ? [field.breakdown] : []))
  const entities = fields.flatMap(field => {
    if ('breakdown' in field) return []
    return field.level === level ? [field.name] : [field.id, field.name]
  })
  const counted = metrics.flatMap((metric): readonly string[] => metricFields[metric])
  return {
    dimensions: [levels[level].id, ...breakdowns, ...(byDay ? [DAY] : [])],
    metrics: [...new Set([...entities, ...counted, ...DELIVERY])],
  }
}

const DAY = 'stat_time_day'
/** Entities that delivered nothing may come with zeros, by day as well: these metrics show which. */
const DELIVERY = ['impressions', 'spend'] as const

/** What rows may be dated; the only one of it when they are not by day. */
export interface Dating {
  by_day: boolean
  dates: Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>
}

/** Reads rows as columns. */
export function columnsOf(rows: Rows, spec: ColumnSpec, { by_day, dates }: Dating): Page {
  const [only = ''] = by_day ? [] : dates.keys()
  return {
    length: rows.length,
    dates: by_day ? daysOf(rows, dates) : constantColumn(only, rows.length),
    dimensions: spec.dimensions.map(dimension => dimensionOf(dimension, rows, spec.level)),
    metrics: spec.metrics.map(metric => metricOf(metric, rows)),
  }
}

/** Rows that are zero from end to end have no activity in these either. */
export const deliveryOf = (rows: Rows): Float64Array[] => [
  rows.numbers(['metrics', DELIVERY[0]], count),
  rows.numbers(['metrics', DELIVERY[1]], money),
]

/** Reads the rows of synchronous reports. */
export const readerOf = (spec: ColumnSpec, by_day: boolean): RowReader =>
  rowReader(
    shapeOf(rows => [columnsOf(rows, spec, { by_day, dates: new Map() }), deliveryOf(rows)]),
    ['data', 'list'],
  )

/** With or without its midnight: 2026-10-01 00:00:00. */
const daysOf = (rows: Rows, dates: Dating['dates']): TextColumn =>
  combineTexts([rows.texts(['dimensions', DAY])], rows.length, ([text = ''], row) => {
    const day = text.slice(0, 10)
    if (!dates.has(day)) throw unreadable(`list[${row}].dimensions.${DAY}`)
    return day
  })

function dimensionOf(dimension: PlatformDimension, rows: Rows, level: Level): PageDimension {
  const field = fieldOf(dimension)
  if ('breakdown' in field) return { keys: rows.texts(['dimensions', field.breakdown], { isGood: isFilled }) }
  return {
    keys: rows.texts([field.level === level ? 'dimensions' : 'metrics', field.id], { isGood: isFilled }),
    labels: rows.texts(['metrics', field.name]),
  }
}

const isFilled = (text: string) => text !== '' && text !== NOT_AVAILABLE

const NOT_AVAILABLE = '-'

function metricOf(metric: FetchedMetric, rows: Rows): Float64Array {
  const format = ttMetrics[metric].unit === 'money' ? money : count
  const [first, ...others]: readonly [string, ...string[]] = metricFields[metric]
  const column = rows.numbers(['metrics', first], format)
  for (const field of others) addTo(column, rows.numbers(['metrics', field], format))
  return column
}

/** NaN where TikTok says nothing: a dash, an empty text, no field at all. Anything else must be readable. */
const orAbsent = (parse: (value: unknown) => number) => (value: unknown) =>
  value === NOT_AVAILABLE || value === '' || value === undefined || value === null
    ? Number.NaN
    : orUnreadable(parse(value))

const count: NumberFormat = { written: 'text', isRequired: true, parse: orAbsent(decimal) }
const money: NumberFormat = { written: 'money', isRequired: true, parse: orAbsent(millionths) }

/** Adds a column to another; an unknown number is nothing beside a known one. */
function addTo(sums: Float64Array, more: Float64Array): void {
  for (let row = 0; row < sums.length; row += 1) {
    const value = more[row] ?? Number.NaN
    if (Number.isNaN(value)) continue
    const before = sums[row] ?? Number.NaN
    sums[row] = Number.isNaN(before) ? value : before + value
  }
}
