import type { Page } from '#server/connectors/connector.ts'
import { keyAt, type Sheet } from './pages.ts'

/**
 * One of the query that a report of many metrics is put as, and where its columns stand in the report.
 */
export interface Part {
  places: readonly number[]
  sheets: AsyncIterable<Sheet>
}

/**
 * The rows of several query that differ in their metrics alone, side by side. GA4 leaves a row out of an
 * answer in which all of its metrics are 0, so that a missing number is a 0; where rows with few people are
 * withheld, nothing is known about it.
 */
export async function joined(parts: Part[], size: { dimensions: number; metrics: number }): Promise<Page> {
  const rows = createRows(size.dimensions)
  const metrics = Array.from({ length: size.metrics }, (): Column => ({ values: [], absent: 0 }))
  for (const { places, sheets } of parts) {
    for await (const sheet of sheets) {
      const rows_of_sheet = Array.from({ length: sheet.length }, (_, at) => rows.placeOf(sheet, at))
      for (const [index, place] of places.entries()) {
        const column = metrics[place]
        const numbers = sheet.metrics[index]
        if (column === undefined || numbers === undefined) continue
        if (sheet.is_thresholded) column.absent = Number.NaN
        for (const [at, row] of rows_of_sheet.entries()) column.values[row] = numbers[at] ?? Number.NaN
      }
    }
  }
  return {
    length: rows.dates.length,
    dates: rows.dates,
    dimensions: rows.keys.map(keys => ({ keys })),
    metrics: metrics.map(({ values, absent }) =>
      Float64Array.from(rows.dates, (_, row) => values[row] ?? absent),
    ),
  }
}

/**
 * The rows of several slices as those of one that begins on `start`. What GA4 withholds of one of them is
 * unknown of the whole.
 */
export async function addedUp(
  pages: AsyncIterable<Page>,
  { start, ...size }: { start: string; dimensions: number; metrics: number },
): Promise<Page> {
  const rows = createRows(size.dimensions)
  const columns = Array.from({ length: size.metrics }, (): number[] => [])
  for await (const page of pages) {
    const of_whole = { ...page, dates: page.dates.map(() => start) }
    for (let at = 0; at < page.length; at += 1) {
      const row = rows.placeOf(of_whole, at)
      for (const [index, column] of columns.entries())
        column[row] = (column[row] ?? 0) + (page.metrics[index]?.[at] ?? Number.NaN)
    }
  }
  return {
    length: rows.dates.length,
    dates: rows.dates,
    dimensions: rows.keys.map(keys => ({ keys })),
    metrics: columns.map(column => Float64Array.from(column)),
  }
}

interface Column {
  values: number[]
  /** What stands for a number that no response has. */
  absent: number
}

/** Rows by what they are about, in the order in which they come. */
function createRows(dimensions: number) {
  const places = new Map<string, number>()
  const dates: string[] = []
  const keys = Array.from({ length: dimensions }, (): string[] => [])
  return {
    dates,
    keys,
    placeOf(sheet: Page, at: number): number {
      const key = keyAt(sheet, at)
      const known = places.get(key)
      if (known !== undefined) return known
      const place = dates.push(sheet.dates[at] ?? '') - 1
      for (const [index, column] of keys.entries()) column.push(sheet.dimensions[index]?.keys[at] ?? '')
      places.set(key, place)
      return place
    },
  }
}
