import { ttMetrics } from '#shared/channels/tt-metrics.ts'
import type { Page } from '#server/connectors/connector.ts'
import { createMerger, sumOfKnown } from '#server/connectors/kit/merger.ts'
import type { FetchedMetric } from './fields.ts'

/**
 * Adds up the rows of several requests to one row a slice and combination; what cannot be added up stays
 * empty.
 */
export function sliceMerger(metrics: readonly FetchedMetric[], sliceStarts: ReadonlyMap<string, string>) {
  const merger = createMerger(metrics.length, sumOfKnown)
  const startOf = (date: string) => sliceStarts.get(date) ?? ''
  return {
    add: (page: Page) => merger.add(page, { startOf }),
    page(): Page {
      const page = merger.page()
      return {
        ...page,
        metrics: page.metrics.map((column, index) => {
          const metric = metrics[index]
          return metric !== undefined && ttMetrics[metric].kind === 'additive'
            ? column
            : column.fill(Number.NaN)
        }),
      }
    },
  }
}
