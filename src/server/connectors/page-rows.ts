import type { Page } from './connector.ts'
import { pickTexts, type TextColumn } from './text-column.ts'

/** Some rows of a page, by their numbers. */
export const pickRows = (page: Page, rows: readonly number[]): Page =>
  rows.length === page.length
    ? page
    : withColumns(page, rows.length, {
        texts: column => pickTexts(column, rows),
        numbers: column => Float64Array.from(rows, row => column[row] ?? Number.NaN),
      })

/** Neighbouring rows of a page, in the page's own buffers. */
export const cutRows = (page: Page, from: number, until: number): Page =>
  withColumns(page, until - from, {
    texts: ({ codes, values }) => ({ codes: codes.subarray(from, until), values }),
    numbers: column => column.subarray(from, until),
  })

/** All rows in buffers of their own: a connector may reuse its buffers for the next page. */
export const copyRows = (page: Page): Page =>
  withColumns(page, page.length, {
    texts: ({ codes, values }) => ({ codes: codes.slice(0, page.length), values }),
    numbers: column => column.slice(0, page.length),
  })

interface ColumnChange {
  texts: (column: TextColumn) => TextColumn
  numbers: (column: Float64Array) => Float64Array
}

const withColumns = (
  { dates, dimensions, metrics }: Page,
  length: number,
  { texts, numbers }: ColumnChange,
): Page => ({
  length,
  dates: texts(dates),
  dimensions: dimensions.map(({ keys, labels }) => ({
    keys: texts(keys),
    ...(labels && { labels: texts(labels) }),
  })),
  metrics: metrics.map(numbers),
})
