import type { Page } from '#server/connectors/connector.ts'
import { createMerger, sumOfAll } from '#server/connectors/kit/merger.ts'
import type { Sheet } from './pages.ts'

/** One of the queries that a report of many metrics takes, and which columns of the report it fills. */
export interface Part {
  columns: readonly number[]
  sheets: AsyncIterable<Sheet>
}

/**
 * The rows of several queries that differ in their metrics alone, side by side. GA4 leaves a row out of a
 * response in which all of its metrics are 0, so that a missing number is a 0; where rows with few people are
 * withheld, nothing is known about it.
 */
export async function joined(parts: Part[], metrics: number): Promise<Page> {
  const merger = createMerger(metrics, sumOfAll)
  const absent = Array.from({ length: metrics }, () => 0)
  for (const { columns, sheets } of parts) {
    for await (const sheet of sheets) {
      merger.add(sheet, { columns })
      if (sheet.is_thresholded) for (const column of columns) absent[column] = Number.NaN
    }
  }
  return merger.page(absent)
}

/**
 * The rows of several slices as those of one that begins on `start`. What GA4 withholds of one of them is
 * unknown of the whole.
 */
export async function addedUp(
  pages: AsyncIterable<Page>,
  { start, metrics }: { start: string; metrics: number },
): Promise<Page> {
  const merger = createMerger(metrics, sumOfAll)
  for await (const page of pages) merger.add(page, { startOf: () => start })
  return merger.page()
}
