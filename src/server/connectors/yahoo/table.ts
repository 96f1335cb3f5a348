import type { Page } from '#server/connectors/connector.ts'
import { cellTranslator, type CsvReader } from '#server/connectors/kit/csv-bytes.ts'
import { decimal, decimalIn, millionths } from '#server/connectors/kit/decimals.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { createMerger, sumOfKnown, type Merger } from '#server/connectors/kit/merger.ts'
import { createTextList, textAt, type TextList } from '#server/connectors/text-column.ts'
import { ygMetrics } from '#shared/channels/yg-metrics.ts'
import { deviceOf, type FetchedMetric } from './fields.ts'

/** The columns of a file. */
export interface Layout {
  width: number
  /** Called with each row before anything is read of it; throws when the file cannot be right. */
  check?: (row: CsvReader) => void
  /** The first day of a row's slice; null for a row that was not requested. */
  startOf: (row: CsvReader) => string | null
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
export function* pagesOf(rows: CsvReader, layout: Layout): Generator<Page> {
  const columns = columnsOf(rows, layout)
  let length = 0
  while (rows.next()) {
    if (addRow(rows, length, { columns, layout })) length += 1
    if (length < PAGE_ROWS) continue
    yield closed(columns, length)
    length = 0
  }
  if (length > 0) yield closed(columns, length)
}

/** The columns of the page that is being filled; texts are numbered the same way on all pages. */
interface Columns {
  dates: TextList
  dateCodes: Int32Array
  dimensions: { keys: CodedColumn; labels: CodedColumn | null }[]
  metrics: NumberColumn[]
}
interface CodedColumn {
  at: number
  codes: Int32Array
  values: readonly string[]
  codeOf: (row: CsvReader, cell: number) => number
}
interface NumberColumn {
  source: LaidMetric
  numbers: Float64Array
  /** How a cell is read; a cell of another table needs neither. */
  unit: 'money' | 'percent' | 'plain'
}

function columnsOf(rows: CsvReader, { dimensions, metrics }: Layout): Columns {
  const coded = (at: number, nameOf: (text: string) => string): CodedColumn => {
    const { values, codeOf } = createTextList()
    return {
      at,
      codes: new Int32Array(PAGE_ROWS),
      values,
      codeOf: cellTranslator(text => codeOf(nameOf(text))),
    }
  }
  return {
    dates: createTextList(),
    dateCodes: new Int32Array(PAGE_ROWS),
    dimensions: dimensions.map(({ key, label, is_device = false }) => ({
      keys: coded(key, is_device ? deviceOf : asIs),
      labels: label === undefined ? null : coded(label, asIs),
    })),
    metrics: metrics.map(source => ({
      source,
      numbers: new Float64Array(PAGE_ROWS),
      unit: 'at' in source ? unitOf(source.metric) : 'plain',
    })),
  }
}

const asIs = (text: string) => text

/** The page, and columns of their own for the next one. */
function closed(columns: Columns, length: number): Page {
  const { dates, dateCodes, dimensions, metrics } = columns
  const page = {
    length,
    dates: { codes: dateCodes, values: dates.values },
    dimensions: dimensions.map(({ keys, labels }) => ({
      keys: { codes: keys.codes, values: keys.values },
      ...(labels && { labels: { codes: labels.codes, values: labels.values } }),
    })),
    metrics: metrics.map(({ numbers }) => numbers.subarray(0, length)),
  }
  columns.dateCodes = new Int32Array(PAGE_ROWS)
  for (const { keys, labels } of dimensions) {
    keys.codes = new Int32Array(PAGE_ROWS)
    if (labels) labels.codes = new Int32Array(PAGE_ROWS)
  }
  for (const column of metrics) column.numbers = new Float64Array(PAGE_ROWS)
  return page
}

interface Target {
  columns: Columns
  layout: Layout
}

/** Whether the row is one of the page's. The hot path. */
function addRow(row: CsvReader, at: number, { columns, layout }: Target): boolean {
  layout.check?.(row)
  if (row.width !== layout.width) throw unreadable(`a row of ${row.width} cells instead of ${layout.width}`)
  const start = layout.startOf(row)
  if (start === null) return false
  columns.dateCodes[at] = columns.dates.codeOf(start)
  for (const { keys, labels } of columns.dimensions) {
    keys.codes[at] = keys.codeOf(row, keys.at)
    if (labels) labels.codes[at] = labels.codeOf(row, labels.at)
  }
  for (const { source, numbers, unit } of columns.metrics) {
    if ('at' in source) {
      const number = decimalIn(row, source.at, unit === 'money' ? 6 : 0)
      numbers[at] = Number.isNaN(number)
        ? numberIn(row.text(source.at), source.metric)
        : unit === 'percent'
          ? number / 100
          : number
    } else {
      const keys = columns.dimensions.map(({ keys: { codes, values } }) => textAt({ codes, values }, at))
      numbers[at] = source.in.get(keyOf(start, keys))?.[source.position] ?? Number.NaN
    }
  }
  return true
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

function numberIn(cell: string, metric: FetchedMetric): number {
  const parse = { money: millionths, percent: percentIn, plain: decimal }[unitOf(metric)]
  const number = parse(cell)
  if (Number.isNaN(number) && !NO_NUMBER.test(cell)) throw unreadable(`${metric}: ${cell.slice(0, 40)}`)
  return number
}

function unitOf(metric: FetchedMetric): NumberColumn['unit'] {
  const { unit } = ygMetrics[metric]
  return unit === 'money' || unit === 'percent' ? unit : 'plain'
}

const percentIn = (cell: string) => decimal(cell.endsWith('%') ? cell.slice(0, -1) : cell) / 100
