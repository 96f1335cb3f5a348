import type { Page, PageDimension } from '#server/connectors/connector.ts'

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
  const dates: string[] = []
  const dimensions: PageDimension[] = []
  const columns = Array.from({ length: metrics }, (): number[] => [])

  const rowOf = (page: Page, at: number, start: string): number => {
    let key = start
    // Names have spaces: only what no name has keeps them apart.
    for (const { keys } of page.dimensions) key += `\u0000${keys[at]}`
    const known = rowNumbers.get(key)
    if (known !== undefined) return known
    for (const [index, { keys, labels }] of page.dimensions.entries()) {
      const dimension = (dimensions[index] ??= { keys: [], ...(labels && { labels: [] }) })
      dimension.keys.push(keys[at] ?? '')
      dimension.labels?.push(labels?.[at] ?? '')
    }
    const row = dates.push(start) - 1
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
        const date = page.dates[at] ?? ''
        const row = rowOf(page, at, startOf ? startOf(date) : date)
        for (const { values, column } of sources) {
          const before = column[row]
          const value = values[at] ?? Number.NaN
          column[row] = before === undefined ? value : sum(before, value)
        }
      }
    },
    page: (absent = []) => ({
      length: dates.length,
      dates,
      dimensions,
      metrics: columns.map((column, index) => {
        const values = new Float64Array(dates.length)
        for (let row = 0; row < dates.length; row += 1)
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
