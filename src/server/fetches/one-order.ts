import type { Filter } from '#shared/channels/catalogue.ts'
import type { Page, ReportRequest } from '#server/connectors/connector.ts'

/** The order of columns and filters changes nothing of a question: whoever asks it in another order asks the same. */
export const inOneOrder = (request: ReportRequest): ReportRequest => ({
  ...request,
  dimensions: request.dimensions.toSorted(),
  metrics: request.metrics.toSorted(),
  filters: request.filters.toSorted((one, other) => (textOfFilter(one) < textOfFilter(other) ? -1 : 1)),
})

/** The whole of a question, always in the same words; a plan that comes out of the database has its fields in another order. */
export function textOf({
  channel,
  account,
  range,
  time,
  dimensions,
  metrics,
  filters,
}: ReportRequest): string {
  const { provider, external_id, currency, timezone, via } = account
  const of_account = [provider, external_id, currency, timezone, via]
  const filtered = filters.map(textOfFilter)
  return JSON.stringify([channel, of_account, range.start, range.end, time, dimensions, metrics, filtered])
}

const textOfFilter = ({ field, rule, values }: Filter) => JSON.stringify([field, rule, values])

/** A page of the answer to `asked`, with its columns as `wanted` has them. */
export const inOrderOf = (wanted: ReportRequest, asked: ReportRequest, page: Page): Page => ({
  ...page,
  dimensions: wanted.dimensions.map(each => page.dimensions[asked.dimensions.indexOf(each)] ?? { keys: [] }),
  metrics: wanted.metrics.map(each => page.metrics[asked.metrics.indexOf(each)] ?? new Float64Array()),
})
