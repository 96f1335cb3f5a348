import { ttMetrics } from '#shared/channels/tt-metrics.ts'
import type { Page } from '#server/connectors/connector.ts'
import type { FetchedMetric } from './fields.ts'

/**
 * Adds up the rows of several requests to one row a slice and combination; what cannot be added up stays
 * empty.
 */
export function createMerger(metrics: readonly FetchedMetric[], slice_starts: ReadonlyMap<string, string>) {
  const places = new Map<string, number>()
  const dates: string[] = []
  const keys: string[][] = []
  const labels: (string[] | undefined)[] = []
  const sums = metrics.map((): number[] => [])

  return {
    add(page: Page): void {
      for (let row = 0; row < page.length; row += 1) {
        const date = slice_starts.get(page.dates[row] ?? '') ?? ''
        const at = placeOf(page, row, date)
        page.metrics.forEach((column, metric) => {
          const total = sums[metric]
          if (total) total[at] = sumOf(total[at] ?? Number.NaN, column[row] ?? Number.NaN)
        })
      }
    },
    page(): Page {
      return {
        length: dates.length,
        dates,
        dimensions: keys.map((column, index) => {
          const names = labels[index]
          return names ? { keys: column, labels: names } : { keys: column }
        }),
        metrics: metrics.map((metric, at) =>
          ttMetrics[metric].kind === 'additive'
            ? Float64Array.from(sums[at] ?? [])
            : new Float64Array(dates.length).fill(Number.NaN),
        ),
      }
    },
  }

  function placeOf({ dimensions }: Page, row: number, date: string): number {
    let key = date
    for (const dimension of dimensions) key += ` ${dimension.keys[row]}`
    const known = places.get(key)
    if (known !== undefined) return known
    places.set(key, dates.length)
    dimensions.forEach((dimension, index) => {
      ;(keys[index] ??= []).push(dimension.keys[row] ?? '')
      if (dimension.labels) (labels[index] ??= []).push(dimension.labels[row] ?? '')
    })
    return dates.push(date) - 1
  }
}

/** What was not said is nothing beside what was. */
function sumOf(sum: number, value: number): number {
  if (Number.isNaN(sum)) return value
  return Number.isNaN(value) ? sum : sum + value
}
