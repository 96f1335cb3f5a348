import type { Page } from '#server/connectors/connector.ts'
import { entityNumbers } from '#server/connectors/kit/row-tracker.ts'
import { pickRows } from '#server/connectors/page-rows.ts'
import { joinTexts, type TextColumn } from '#server/connectors/text-column.ts'
import { isAdditive, type FetchedMetric } from './fields.ts'

/**
 * One row for each slice and combination. Google returns keywords one by one, whatever is requested: by match
 * type, and in every ad group; and conversions action by action. What cannot be summed stays where all say
 * the same, and is nothing where they differ.
 */
export function rowMerger(metrics: readonly FetchedMetric[]): (pages: readonly Page[]) => Page {
  const numberEntities = entityNumbers()
  return pages => {
    const page = joined(pages)
    const entities = numberEntities(page)
    const { codes: dates } = page.dates
    const targetOf = new Int32Array(1 + entities.reduce((most, entity) => Math.max(most, entity), 0)).fill(-1)
    const targets = new Int32Array(page.length)
    const firsts: number[] = []
    let firstOfDate = 0
    for (let row = 0; row < page.length; row += 1) {
      // Dates come in their order: rows of one are all that can be about the same.
      if (row > 0 && dates[row] !== dates[row - 1]) firstOfDate = firsts.length
      const entity = entities[row] ?? 0
      const known = targetOf[entity] ?? -1
      const target = known >= firstOfDate ? known : firsts.push(row) - 1
      targetOf[entity] = target
      targets[row] = target
    }
    if (firsts.length === page.length) return page
    const from = { targets, count: firsts.length }
    return {
      ...pickRows(page, firsts),
      metrics: page.metrics.map((column, at) => {
        const metric = metrics[at]
        return metric !== undefined && isAdditive(metric) ? summed(column, from) : agreed(column, from)
      }),
    }
  }
}

function joined(pages: readonly Page[]): Page {
  const [first, ...others] = pages
  if (first && others.length === 0) return first
  const texts = (of: (page: Page) => TextColumn | undefined) =>
    joinTexts(
      pages.flatMap(page => {
        const column = of(page)
        return column ? [{ column, length: page.length }] : []
      }),
    )
  const length = pages.reduce((sum, page) => sum + page.length, 0)
  return {
    length,
    dates: texts(({ dates }) => dates),
    dimensions: (first?.dimensions ?? []).map(({ labels }, at) => ({
      keys: texts(({ dimensions }) => dimensions[at]?.keys),
      ...(labels && { labels: texts(({ dimensions }) => dimensions[at]?.labels) }),
    })),
    metrics: (first?.metrics ?? []).map((_, at) => {
      const column = new Float64Array(length)
      let from = 0
      for (const page of pages) {
        column.set(page.metrics[at]?.subarray(0, page.length) ?? [], from)
        from += page.length
      }
      return column
    }),
  }
}

interface Targets {
  targets: Int32Array
  count: number
}

function summed(column: Float64Array, { targets, count }: Targets): Float64Array {
  const sums = new Float64Array(count)
  for (let row = 0; row < targets.length; row += 1) {
    const target = targets[row] ?? 0
    sums[target] = (sums[target] ?? 0) + (column[row] ?? 0)
  }
  return sums
}

function agreed(column: Float64Array, { targets, count }: Targets): Float64Array {
  const values = new Float64Array(count)
  const isKnown = new Uint8Array(count)
  for (let row = 0; row < targets.length; row += 1) {
    const target = targets[row] ?? 0
    const value = column[row] ?? Number.NaN
    if (isKnown[target] === 0) values[target] = value
    else if (!Object.is(values[target], value)) values[target] = Number.NaN
    isKnown[target] = 1
  }
  return values
}
