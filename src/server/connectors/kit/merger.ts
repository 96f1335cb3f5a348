import type { Page } from '#server/connectors/connector.ts'
import { createTextBuilder, textAt, type TextBuilder } from '#server/connectors/text-column.ts'

export interface Merger {
  /**
   * Takes the rows of a page in. `startOf`: the first day of the slice that a row belongs to, by what it is
   * dated; `columns`: which columns the page's metrics are; left out: as they are.
   */
  add(page: Page, as?: { startOf?: (date: string) => string; columns?: readonly number[] }): void
  /** All rows, in the order in which they first came. `absent`: by column, a number that no page has. */
  page(absent?: readonly number[]): Page
}

/**
 * Makes one row of all rows that are about the same slice and the same keys, on whichever pages they come.
 * Their numbers of a metric are put together by `sum`.
 */
export function createMerger(metrics: number, sum: (one: number, other: number) => number): Merger {
  const rowNumbers = new Map<string, number>()
  const dates = createTextBuilder()
  const dimensions: { keys: TextBuilder; labels?: TextBuilder }[] = []
  const columns = Array.from({ length: metrics }, (): number[] => [])

  const rowOf = (page: Page, at: number, start: string): number => {
    let key = start
    // Names have spaces: only what no name has keeps them apart.
    for (const { keys } of page.dimensions) key += `\u0000${textAt(keys, at)}`
    const known = rowNumbers.get(key)
    if (known !== undefined) return known
    for (const [index, { keys, labels }] of page.dimensions.entries()) {
      const dimension = (dimensions[index] ??= {
        keys: createTextBuilder(),
        ...(labels && { labels: createTextBuilder() }),
      })
      dimension.keys.push(textAt(keys, at))
      if (labels) dimension.labels?.push(textAt(labels, at))
    }
    dates.push(start)
    const row = rowNumbers.size
    rowNumbers.set(key, row)
    return row
  }

  return {
    add(page, { startOf, columns: columnNumbers } = {}) {
      const sources = page.metrics.flatMap((values, index) => {
        const column = columns[columnNumbers ? (columnNumbers[index] ?? -1) : index]
        return column ? [{ values, column }] : []
      })
      for (let at = 0; at < page.length; at += 1) {
        const date = textAt(page.dates, at)
        const row = rowOf(page, at, startOf ? startOf(date) : date)
        for (const { values, column } of sources) {
          const before = column[row]
          const value = values[at] ?? Number.NaN
          column[row] = before === undefined ? value : sum(before, value)
        }
      }
    },
    page: (absent = []) => ({
      length: rowNumbers.size,
      dates: dates.column(),
      dimensions: dimensions.map(({ keys, labels }) => ({
        keys: keys.column(),
        ...(labels && { labels: labels.column() }),
      })),
      metrics: columns.map((column, index) => {
        const values = new Float64Array(rowNumbers.size)
        for (let row = 0; row < rowNumbers.size; row += 1)
          values[row] = column[row] ?? absent[index] ?? Number.NaN
        return values
      }),
    }),
  }
}

/** What is unknown of a part is unknown of the whole. */
export const sumOfAll = (one: number, other: number) => one + other

/** An unknown number is nothing beside a known one. */
export const sumOfKnown = (one: number, other: number) =>
  Number.isNaN(one) ? other : Number.isNaN(other) ? one : one + other
