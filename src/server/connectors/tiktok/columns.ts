import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import { ttMetrics } from '#shared/channels/tt-metrics.ts'
import type { Page, PageDimension } from '#server/connectors/connector.ts'
import { decimal, millionths } from '#server/connectors/kit/decimals.ts'
import { activeRows } from '#server/connectors/kit/delivery.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { constantColumn, textColumn } from '#server/connectors/text-column.ts'
import { fieldOf, levels, metricFields, type FetchedMetric, type Level } from './fields.ts'

// Rows of reports → columns, in one pass over each field. This is the hot path: no schema per row, but
// nothing unchecked either.

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
const DELIVERY = ['impressions', 'spend']

/** The rows of one response, or some lines of a file. */
export interface Table {
  length: number
  /** What stands under a name in each row, as it came. */
  dimension: (name: string) => unknown[]
  metric: (name: string) => unknown[]
}

/** Reads rows as columns. `dates` has what rows may be dated; the only one of it when they are not by day. */
export function columnsOf(
  table: Table,
  spec: ColumnSpec,
  { by_day, dates }: { by_day: boolean; dates: Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'> },
): Page {
  const [only = ''] = by_day ? [] : dates.keys()
  return {
    length: table.length,
    dates: by_day
      ? textColumn(texts(table.dimension(DAY), DAY).map((text, row) => dayOf(text, row, dates)))
      : constantColumn(only, table.length),
    dimensions: spec.dimensions.map(dimension => dimensionOf(dimension, table, spec.level)),
    metrics: spec.metrics.map(metric => metricOf(metric, table)),
  }
}

/** Those of some rows that are not zero from end to end. */
export const delivering = (rows: number[], table: Table, page: Page): number[] =>
  activeRows(rows, [...page.metrics, ...DELIVERY.map(name => numbers(table, name, decimal))])

/** The rows of a page of JSON. */
export function tableOf(list: readonly unknown[]): Table {
  const dimensions: Record<string, unknown>[] = []
  const metrics: Record<string, unknown>[] = []
  list.forEach((row, at) => {
    if (!isRecord(row) || !isRecord(row['dimensions']) || !isRecord(row['metrics']))
      throw unreadable(`list[${at}]`)
    dimensions.push(row['dimensions'])
    metrics.push(row['metrics'])
  })
  return {
    length: list.length,
    dimension: name => dimensions.map(row => row[name]),
    metric: name => metrics.map(row => row[name]),
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** With or without its midnight: 2026-10-01 00:00:00. */
function dayOf(text: string, row: number, dates: Pick<ReadonlyMap<string, unknown>, 'has'>): string {
  const day = text.slice(0, 10)
  if (!dates.has(day)) throw unreadable(`list[${row}].${DAY}`)
  return day
}

function dimensionOf(dimension: PlatformDimension, table: Table, level: Level): PageDimension {
  const field = fieldOf(dimension)
  if ('breakdown' in field)
    return { keys: textColumn(filled(table.dimension(field.breakdown), field.breakdown)) }
  const ids = field.level === level ? table.dimension(field.id) : table.metric(field.id)
  return {
    keys: textColumn(filled(ids, field.id)),
    labels: textColumn(texts(table.metric(field.name), field.name)),
  }
}

function texts(values: unknown[], field: string): string[] {
  return values.map((value, row) => {
    if (typeof value !== 'string') throw unreadable(`list[${row}].${field}`)
    return value
  })
}

function filled(values: unknown[], field: string): string[] {
  const all = texts(values, field)
  const empty = all.findIndex(text => text === '' || text === NOT_AVAILABLE)
  if (empty >= 0) throw unreadable(`list[${empty}].${field}`)
  return all
}

const NOT_AVAILABLE = '-'

function metricOf(metric: FetchedMetric, table: Table): Float64Array {
  const parse = ttMetrics[metric].unit === 'money' ? millionths : decimal
  const [first, ...others]: readonly [string, ...string[]] = metricFields[metric]
  const column = numbers(table, first, parse)
  for (const field of others) addTo(column, numbers(table, field, parse))
  return column
}

/** NaN where TikTok says nothing: a dash, an empty text, no field at all. Anything else must be readable. */
function numbers(table: Table, field: string, parse: (text: unknown) => number): Float64Array {
  const values = table.metric(field)
  const column = new Float64Array(table.length)
  for (let row = 0; row < table.length; row += 1) {
    const value = values[row]
    const number = parse(value)
    if (Number.isNaN(number) && !isAbsent(value)) throw unreadable(`list[${row}].${field}`)
    column[row] = number
  }
  return column
}

const isAbsent = (value: unknown) =>
  value === NOT_AVAILABLE || value === '' || value === undefined || value === null

/** Adds a column to another; an unknown number is nothing beside a known one. */
function addTo(sums: Float64Array, more: Float64Array): void {
  for (let row = 0; row < sums.length; row += 1) {
    const value = more[row] ?? Number.NaN
    if (Number.isNaN(value)) continue
    const before = sums[row] ?? Number.NaN
    sums[row] = Number.isNaN(before) ? value : before + value
  }
}
