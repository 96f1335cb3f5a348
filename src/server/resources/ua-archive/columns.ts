import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import { gaMetrics } from '#shared/channels/ga-metrics.ts'
import { archivedAs } from '#server/connectors/universal-analytics/archive.ts'
import {
  dimensionFields,
  isFetched,
  type FetchedMetric,
  type UaDimension,
} from '#server/connectors/universal-analytics/fields.ts'
import { decimal, millionths } from '#server/connectors/kit/decimals.ts'

/** What the columns of a file contain. */
export interface Header {
  width: number
  date: number
  /** In alphabetical order, so that the same columns in another order are the same export. */
  dimensions: PlatformDimension[]
  metrics: FetchedMetric[]
  /** null when source and medium cannot be separated. */
  keysOf: (fields: readonly string[]) => string[] | null
  columnOf: (metric: FetchedMetric) => number
}

/** One line as it is archived. */
export interface ArchivedLine {
  day: string
  keys: string[]
  figures: string[]
}

/** Reads the names of the columns; all problems are reported at once. */
export function readHeader(names: readonly string[]): Header | string[] {
  const ids = names.map(idOf)
  const problems = names.flatMap((name, at) => whyNotColumn(name, ids, at) ?? [])
  const date = ids.indexOf('date')
  const columns = ids.filter(isDimension)
  const dimensions = archivedAs(columns).toSorted()
  const metrics = ids.filter(id => id !== undefined).filter(isFetched)
  if (date < 0) problems.push('there is no column date')
  if (metrics.length === 0) problems.push('there is no column of a metric')
  if (columns.includes('source_medium') && (columns.includes('source') || columns.includes('medium')))
    problems.push('source_medium says source and medium already: leave those out')
  if (problems.length > 0) return problems
  return {
    width: names.length,
    date,
    dimensions,
    metrics: metrics.toSorted(),
    keysOf(fields) {
      const keys = dimensions.map(dimension => keyOf(dimension, fields, ids))
      return keys.every(key => key !== undefined) ? keys : null
    },
    columnOf: metric => ids.indexOf(metric),
  }
}

/** Our name of a column that has our name or the platform's; undefined when it is neither. */
function idOf(name: string): string | undefined {
  const text = name.trim()
  return text.startsWith('ga:') ? byField.get(text) : text
}

const byField: ReadonlyMap<string, string> = new Map([
  ['ga:date', 'date'],
  ...Object.entries(dimensionFields).map(([id, field]): [string, string] => [field, id]),
  ...Object.entries(gaMetrics).map(([id, { platform_field }]): [string, string] => [platform_field, id]),
])

function whyNotColumn(name: string, ids: readonly (string | undefined)[], at: number): string | null {
  const id = ids[at]
  if (id !== undefined && ids.indexOf(id) < at) return `the column "${name}" is there twice`
  if (id === 'date' || (id !== undefined && (isDimension(id) || isFetched(id)))) return null
  if (id !== undefined && Object.hasOwn(gaMetrics, id))
    return `the column "${name}" is worked out from others: leave it out`
  return `the column "${name}" is unknown`
}

const isDimension = (id: string | undefined): id is UaDimension =>
  id !== undefined && Object.hasOwn(dimensionFields, id)

const BETWEEN = ' / '

/** The value of a dimension in a line; undefined when source and medium cannot be separated. */
function keyOf(
  dimension: PlatformDimension,
  fields: readonly string[],
  ids: readonly (string | undefined)[],
): string | undefined {
  const at = ids.indexOf(dimension)
  if (at >= 0) return fields[at]
  const both = fields[ids.indexOf('source_medium')] ?? ''
  const middle = both.lastIndexOf(BETWEEN)
  if (middle < 0) return undefined
  return dimension === 'source' ? both.slice(0, middle) : both.slice(middle + BETWEEN.length)
}

/** Reads one line; returns its problem when it cannot be archived. */
export function readLine(fields: readonly string[], header: Header): ArchivedLine | string {
  if (fields.length !== header.width) return `${fields.length} fields instead of ${header.width}`
  const date = fields[header.date] ?? ''
  const day = dayOf(date)
  if (day === null) return `"${date}" is no day`
  if (fields.some(field => field.includes('\0'))) return 'a character that no text can have'
  const figures: string[] = []
  for (const metric of header.metrics) {
    const text = fields[header.columnOf(metric)] ?? ''
    const figure = figureOf(metric, text)
    if (figure === null) return `"${text}" is no number for ${metric}`
    figures.push(figure)
  }
  const keys = header.keysOf(fields)
  return keys ? { day, keys, figures } : 'source_medium is not like "google / cpc"'
}

/** yyyy-MM-dd or yyyyMMdd, from the first day that Universal Analytics covered. */
function dayOf(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(text) ?? []
  if (year === undefined || !/^(\d{8}|\d{4}-\d\d-\d\d)$/.test(text)) return null
  const iso = `${year}-${month}-${day}`
  const date = new Date(`${iso}T00:00:00Z`)
  const is_real = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso)
  return is_real && iso >= EARLIEST ? iso : null
}

const EARLIEST = '2005-01-01'

/**
 * Money in millionths; counts are whole. Numbers with thousands separators, units or percent signs have more
 * than one reading.
 */
function figureOf(metric: FetchedMetric, text: string): string | null {
  const { unit } = gaMetrics[metric]
  const value = unit === 'money' ? millionths(text) : decimal(text)
  if (Number.isNaN(value) || (unit === 'count' && !Number.isInteger(value))) return null
  return unit === 'seconds' ? text : String(value)
}
