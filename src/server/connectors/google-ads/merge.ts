import type { Page } from '#server/connectors/connector.ts'
import { pickRows } from '#server/connectors/page-rows.ts'
import { joinTexts, textAt, type TextColumn } from '#server/connectors/text-column.ts'
import { isAdditive, type FetchedMetric } from './fields.ts'

/**
 * One row for each slice and combination. Google returns keywords one by one, whatever is requested: by match
 * type, and in every ad group; and conversions action by action. What cannot be summed stays where all say
 * the same, and is nothing where they differ.
 */
export function merged(pages: readonly Page[], metrics: readonly FetchedMetric[]): Page {
  const page = joined(pages)
  const rowNumbers = new Map<string, number>()
  const firsts: number[] = []
  const targets = new Int32Array(page.length)
  const [first_keys, ...other_keys] = page.dimensions.map(({ keys }) => keys)
  for (let row = 0; row < page.length; row += 1) {
    // Dates come in their order: rows of one are all that can be about the same.
    if (row > 0 && textAt(page.dates, row) !== textAt(page.dates, row - 1)) rowNumbers.clear()
    let key = first_keys ? textAt(first_keys, row) : ''
    for (const keys of other_keys) key += `\n${textAt(keys, row)}`
    const known = rowNumbers.get(key)
    targets[row] = known ?? firsts.length
    if (known === undefined) rowNumbers.set(key, firsts.push(row) - 1)
  }
  if (firsts.length === page.length) return page
  return {
    ...pickRows(page, firsts),
    metrics: page.metrics.map((column, at) => {
      const metric = metrics[at]
      const from = { targets, count: firsts.length }
      return metric !== undefined && isAdditive(metric) ? summed(column, from) : agreed(column, from)
    }),
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
  return {
    length: pages.reduce((length, page) => length + page.length, 0),
    dates: texts(({ dates }) => dates),
    dimensions: (first?.dimensions ?? []).map(({ labels }, at) => ({
      keys: texts(({ dimensions }) => dimensions[at]?.keys),
      ...(labels && { labels: texts(({ dimensions }) => dimensions[at]?.labels) }),
    })),
    metrics: (first?.metrics ?? []).map((_, at) =>
      Float64Array.from(pages.flatMap(({ metrics }) => Array.from(metrics[at] ?? []))),
    ),
  }
}

interface Targets {
  targets: Int32Array
  count: number
}

function summed(column: Float64Array, { targets, count }: Targets): Float64Array {
  const sums = new Float64Array(count)
  for (const [row, target] of targets.entries()) sums[target] = (sums[target] ?? 0) + (column[row] ?? 0)
  return sums
}

function agreed(column: Float64Array, { targets, count }: Targets): Float64Array {
  const values = new Float64Array(count)
  const isKnown = new Uint8Array(count)
  for (const [row, target] of targets.entries()) {
    const value = column[row] ?? Number.NaN
    if (isKnown[target] === 0) values[target] = value
    else if (!Object.is(values[target], value)) values[target] = Number.NaN
    isKnown[target] = 1
  }
  return values
}
