import type { Filter } from '#shared/channels/catalogue.ts'
import type { Page, ReportRequest } from '#server/connectors/connector.ts'
import { actionsOf } from '#server/connectors/kit/actions.ts'

/**
 * The request with columns, filters and actions in canonical order, which does not change its meaning;
 * without the actions where no metric is counted by them.
 */
export function canonical({ actions, ...request }: ReportRequest): ReportRequest {
  const counted = actions && actionsOf({ ...request, actions })
  return {
    ...request,
    dimensions: request.dimensions.toSorted(),
    metrics: request.metrics.toSorted(),
    filters: request.filters.toSorted((one, other) => (textOfFilter(one) < textOfFilter(other) ? -1 : 1)),
    ...(counted && { actions: counted }),
  }
}

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
  actions,
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
    actions,
  ])
}

const textOfFilter = ({ field, rule, values }: Filter) => JSON.stringify([field, rule, values])

/** A page of the response to `fetched`, with its columns in the order of `requested`. */
export const columnsAsIn = (requested: ReportRequest, fetched: ReportRequest, page: Page): Page => ({
  ...page,
  dimensions: requested.dimensions.map(
    dimension =>
      page.dimensions[fetched.dimensions.indexOf(dimension)] ?? {
        keys: { codes: new Int32Array(), values: [] },
      },
  ),
  metrics: requested.metrics.map(
    metric => page.metrics[fetched.metrics.indexOf(metric)] ?? new Float64Array(),
  ),
})
