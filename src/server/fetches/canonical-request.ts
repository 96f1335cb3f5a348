import type { Filter } from '#shared/channels/catalogue.ts'
import type { Page, ReportRequest } from '#server/connectors/connector.ts'

/** The request with columns and filters in canonical order, which does not change its meaning. */
export const canonical = (request: ReportRequest): ReportRequest => ({
  ...request,
  dimensions: request.dimensions.toSorted(),
  metrics: request.metrics.toSorted(),
  filters: request.filters.toSorted((one, other) => (textOfFilter(one) < textOfFilter(other) ? -1 : 1)),
})

/**
 * The whole request, always as the same text; a plan read from the database has its fields in another order.
 */
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
  const accountFields = [provider, external_id, currency, timezone, via]
  const filterTexts = filters.map(textOfFilter)
  return JSON.stringify([
    channel,
    accountFields,
    range.start,
    range.end,
    time,
    dimensions,
    metrics,
    filterTexts,
  ])
}

const textOfFilter = ({ field, rule, values }: Filter) => JSON.stringify([field, rule, values])

/** A page of the response to `fetched`, with its columns in the order of `requested`. */
export const columnsAsIn = (requested: ReportRequest, fetched: ReportRequest, page: Page): Page => ({
  ...page,
  dimensions: requested.dimensions.map(
    dimension => page.dimensions[fetched.dimensions.indexOf(dimension)] ?? { keys: [] },
  ),
  metrics: requested.metrics.map(
    metric => page.metrics[fetched.metrics.indexOf(metric)] ?? new Float64Array(),
  ),
})
