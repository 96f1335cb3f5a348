import type { Page } from '#server/connectors/connector.ts'
import { textColumn, textsOf } from '#server/connectors/text-column.ts'

/** A page with its texts written out, as tests say and compare them. */
export interface PlainPage {
  length: number
  dates: string[]
  dimensions: { keys: string[]; labels?: string[] }[]
  metrics: Float64Array[]
}

export const pageFrom = ({ length, dates, dimensions, metrics }: PlainPage): Page => ({
  length,
  dates: textColumn(dates),
  dimensions: dimensions.map(({ keys, labels }) => ({
    keys: textColumn(keys),
    ...(labels && { labels: textColumn(labels) }),
  })),
  metrics,
})

export const plainPage = ({ length, dates, dimensions, metrics }: Page): PlainPage => ({
  length,
  dates: textsOf(dates, length),
  dimensions: dimensions.map(({ keys, labels }) => ({
    keys: textsOf(keys, length),
    ...(labels && { labels: textsOf(labels, length) }),
  })),
  metrics,
})
