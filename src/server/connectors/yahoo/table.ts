import type { Page } from '#server/connectors/connector.ts'
import { decimal, millionths } from '#server/connectors/kit/decimals.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { createMerger, sumOfKnown, type Merger } from '#server/connectors/kit/merger.ts'
import { createTextBuilder, textAt, type TextBuilder } from '#server/connectors/text-column.ts'
import { ygMetrics } from '#shared/channels/yg-metrics.ts'
import { deviceOf, type FetchedMetric } from './fields.ts'

/** The columns of a file. */
export interface Layout {
  width: number
  /** The first day of a row's slice; null for a row that was not requested. */
  startOf: (row: readonly string[]) => string | null
  dimensions: readonly LaidDimension[]
  metrics: readonly LaidMetric[]
}
export interface LaidDimension {
  key: number
  label?: number
  is_device?: boolean
}
/** In a cell of the row, or in another table, in the row of the same slice and dimensions. */
export type LaidMetric = { metric: FetchedMetric; at: number } | { in: Side; position: number }

/** Numbers of another table, by slice and dimensions. */
export type Side = ReadonlyMap<string, readonly number[]>

/** So that a reader need not wait for a whole file, and can stop early. */
const PAGE_ROWS = 2000

/** Rows as pages. A row of another width ends the fetch: it would put numbers under wrong names. */
export function* pagesOf(rows: Iterable<readonly string[]>, layout: Layout): Generator<Page> {
  let open = openPage(layout)
  for (const row of rows) {
    addRow(open, row, layout)
    if (open.length < PAGE_ROWS) continue
    yield closed(open)
    open = openPage(layout)
  }
  if (open.length > 0) yield closed(open)
}

interface OpenPage {
  length: number
  dates: TextBuilder
  dimensions: { keys: TextBuilder; labels: TextBuilder | null }[]
  metrics: { metric: LaidMetric; column: Float64Array; parse: (cell: string) => number }[]
}

const openPage = ({ dimensions, metrics }: Layout): OpenPage => ({
  length: 0,
  dates: createTextBuilder(),
  dimensions: dimensions.map(({ label }) => ({
    keys: createTextBuilder(),
    labels: label === undefined ? null : createTextBuilder(),
  })),
  metrics: metrics.map(metric => ({
    metric,
    column: new Float64Array(PAGE_ROWS),
    parse: 'at' in metric ? parserOf(metric.metric) : decimal,
  })),
})

const closed = ({ length, dates, dimensions, metrics }: OpenPage): Page => ({
  length,
  dates: dates.column(),
  dimensions: dimensions.map(({ keys, labels }) => ({
    keys: keys.column(),
    ...(labels && { labels: labels.column() }),
  })),
  metrics: metrics.map(({ column }) => column.subarray(0, length)),
})

/** The hot path: a function called for each cell of a row costs as much as reading the cell. */
function addRow(page: OpenPage, row: readonly string[], layout: Layout): void {
  if (row.length !== layout.width) throw unreadable(`a row of ${row.length} cells instead of ${layout.width}`)
  const start = layout.startOf(row)
  if (start === null) return
  const at = page.length
  const keys: string[] = []
  page.dates.push(start)
  for (let index = 0; index < layout.dimensions.length; index += 1) {
    const source = layout.dimensions[index]
    const column = page.dimensions[index]
    if (source === undefined || column === undefined) continue
    const text = row[source.key] ?? ''
    const key = source.is_device ? deviceOf(text) : text
    keys.push(key)
    column.keys.push(key)
    column.labels?.push(row[source.label ?? -1] ?? '')
  }
  for (const { metric, column, parse } of page.metrics) {
    if ('at' in metric) {
      const cell = row[metric.at] ?? ''
      const number = parse(cell)
      if (Number.isNaN(number) && !NO_NUMBER.test(cell))
        throw unreadable(`${metric.metric}: ${cell.slice(0, 40)}`)
      column[at] = number
    } else column[at] = metric.in.get(keyOf(start, keys))?.[metric.position] ?? Number.NaN
  }
  page.length += 1
}

const keyOf = (start: string, keys: readonly string[]) => JSON.stringify([start, ...keys])

/**
 * A table to be looked up: each slice and combination of dimensions once. Where several rows are one here, as
 * keywords of one text are, a number that they agree on is kept, and none otherwise.
 */
export function sideOf(pages: Iterable<Page>): Side {
  const side = new Map<string, number[]>()
  for (const page of pages) {
    for (let at = 0; at < page.length; at += 1) {
      const key = keyOf(
        textAt(page.dates, at),
        page.dimensions.map(({ keys }) => textAt(keys, at)),
      )
      const numbers = page.metrics.map(column => column[at] ?? Number.NaN)
      const known = side.get(key)
      side.set(
        key,
        known ? known.map((number, index) => (number === numbers[index] ? number : Number.NaN)) : numbers,
      )
    }
  }
  return side
}

/**
 * Rows that have become one by a common name, as two kinds of phones do: their sums, in one page.
 */
export function summedPage(pages: Iterable<Page>): Page | null {
  let merger: Merger | null = null
  for (const page of pages) {
    merger ??= createMerger(page.metrics.length, sumOfKnown)
    merger.add(page)
  }
  return merger && merger.page()
}

/** "--" and nothing at all: the platform does not say. "<10%" says less than a number. */
const NO_NUMBER = /^(?:--|[<>].*)?$/

function parserOf(metric: FetchedMetric): (cell: string) => number {
  const { unit } = ygMetrics[metric]
  if (unit === 'money') return millionths
  return unit === 'percent' ? percentIn : decimal
}

const percentIn = (cell: string) => decimal(cell.endsWith('%') ? cell.slice(0, -1) : cell) / 100
