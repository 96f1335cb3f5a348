import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import { gaMetrics } from '#shared/channels/ga-metrics.ts'
import { PlatformFailure, type TimeGrain } from '#server/connectors/connector.ts'

/** How Universal Analytics calls what it can split by. */
export const dimensionFields = {
  campaign: 'ga:campaign',
  keyword: 'ga:keyword',
  device_type: 'ga:deviceCategory',
  source: 'ga:source',
  medium: 'ga:medium',
  source_medium: 'ga:sourceMedium',
  ad_content: 'ga:adContent',
  event_category: 'ga:eventCategory',
  event_action: 'ga:eventAction',
} as const satisfies Partial<Record<PlatformDimension, string>>

export type UaDimension = keyof typeof dimensionFields

/** Throws for a dimension that Universal Analytics does not have. */
export function fieldOf(dimension: PlatformDimension): string {
  const fields: Partial<Record<PlatformDimension, string>> = dimensionFields
  const field = fields[dimension]
  if (field === undefined)
    throw new PlatformFailure('combination_not_allowed', { platform_message: dimension })
  return field
}

/** The buckets of days. Weeks from Monday: ga:week and ga:yearWeek begin on Sunday. */
export const timeFields: Record<TimeGrain, readonly string[]> = {
  total: [],
  date: ['ga:date'],
  week: ['ga:isoYearIsoWeek'],
  month: ['ga:yearMonth'],
  month_week: ['ga:yearMonth', 'ga:isoYearIsoWeek'],
}

/**
 * Every metric that is requested; the derived ones are computed from these. What is said of events is among
 * them.
 */
export type FetchedMetric = {
  [Id in keyof typeof gaMetrics]: (typeof gaMetrics)[Id]['kind'] extends 'derived' ? never : Id
}[keyof typeof gaMetrics]

export const isFetched = (metric: string): metric is FetchedMetric =>
  Object.hasOwn(gaMetrics, metric) && gaMetrics[metric as keyof typeof gaMetrics].kind !== 'derived'

/** Sold items and linked ads, or sold items and events, cannot be in one request. */
export const itemMetrics: ReadonlySet<string> = new Set<FetchedMetric>(['item_quantity', 'item_revenue'])
export const apartFromItems: ReadonlySet<string> = new Set<FetchedMetric>([
  'impressions',
  'clicks',
  'cost',
  'total_events',
  'unique_events',
  'event_value',
  'sessions_with_event',
])
