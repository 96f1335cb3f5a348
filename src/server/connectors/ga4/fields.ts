import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import { ga4Metrics } from '#shared/channels/ga4-metrics.ts'
import { PlatformFailure, type TimeGrain } from '#server/connectors/connector.ts'

/**
 * How GA4 calls a dimension. `session…` is what the visit came by; names without it are how key events are
 * attributed, and `firstUser…` is what the person's first visit came by.
 */
export const dimensionFields = {
  campaign: 'sessionCampaignName',
  keyword: 'sessionManualTerm',
  device_type: 'deviceCategory',
  source: 'sessionSource',
  medium: 'sessionMedium',
  source_medium: 'sessionSourceMedium',
  ad_content: 'sessionManualAdContent',
  event_category: 'customEvent:event_category',
  event_action: 'eventName',
} as const satisfies Partial<Record<PlatformDimension, string>>

/** Throws for a dimension that GA4 does not have. */
export function fieldOf(dimension: PlatformDimension): string {
  const fields: Partial<Record<PlatformDimension, string>> = dimensionFields
  const field = fields[dimension]
  if (field === undefined)
    throw new PlatformFailure('combination_not_allowed', { platform_message: dimension })
  return field
}

/** `month` and `week` of GA4 lack the year, and the weeks of `yearWeek` begin on Sunday. */
export const timeFields: Record<TimeGrain, readonly string[]> = {
  total: [],
  date: ['date'],
  week: ['isoYearIsoWeek'],
  month: ['yearMonth'],
  month_week: ['yearMonth', 'isoYearIsoWeek'],
}

/**
 * What a metric is read from. Metrics of different families cannot always be in one request, so that they
 * never do.
 */
export const metricFields = {
  sessions: plain('sessions'),
  users: plain('totalUsers'),
  active_users: plain('activeUsers'),
  new_users: plain('newUsers'),
  returning_users: plain('returningUsers'),
  scrolled_users: plain('scrolledUsers'),
  sessions_per_user: plain('sessionsPerUser'),

  conversions: plain('keyEvents'),
  conversion_value: plain('purchaseRevenue'),
  session_key_event_rate: plain('sessionKeyEventRate'),
  transactions: plain('transactions'),
  purchases: plain('ecommercePurchases'),
  revenue: plain('purchaseRevenue'),
  gross_revenue: plain('grossPurchaseRevenue'),
  total_revenue: plain('totalRevenue'),
  refund_amount: plain('refundAmount'),
  shipping: plain('shippingAmount'),
  tax: plain('taxAmount'),
  arpu: plain('averageRevenuePerUser'),
  purchasers: plain('totalPurchasers'),
  first_time_purchasers: plain('firstTimePurchasers'),
  add_to_carts: plain('addToCarts'),
  checkouts: plain('checkouts'),

  total_events: plain('eventCount'),
  unique_events: plain('totalUsers'),
  event_value: plain('eventValue'),
  event_count_per_user: plain('eventCountPerUser'),
  engaged_sessions: plain('engagedSessions'),
  // GA4 has only their rate, which cannot be summed.
  bounces: { family: 'plain', field: 'sessions', less: 'engagedSessions' },
  avg_session_duration: plain('averageSessionDuration'),
  engagement_time: plain('userEngagementDuration'),
  pageviews: plain('screenPageViews'),

  items_viewed: { family: 'item', field: 'itemsViewed' },
  items_added: { family: 'item', field: 'itemsAddedToCart' },
  items_checked_out: { family: 'item', field: 'itemsCheckedOut' },
  items_purchased: { family: 'item', field: 'itemsPurchased' },
  item_revenue: { family: 'item', field: 'itemRevenue' },

  impressions: { family: 'ads', field: 'advertiserAdImpressions' },
  clicks: { family: 'ads', field: 'advertiserAdClicks' },
  cost: { family: 'ads', field: 'advertiserAdCost' },

  dau: { family: 'rolling', field: 'active1DayUsers' },
  wau: { family: 'rolling', field: 'active7DayUsers' },
  mau: { family: 'rolling', field: 'active28DayUsers' },

  organic_impressions: { family: 'organic', field: 'organicGoogleSearchImpressions' },
  organic_clicks: { family: 'organic', field: 'organicGoogleSearchClicks' },
} as const satisfies Record<FetchedMetric, MetricField>

/**
 * The same for conversions that are counted by key events of the request: a filter keeps these apart from
 * everything else, and their value is what the events carry.
 */
export function metricFieldOf(metric: FetchedMetric, actions: readonly string[] | null): MetricField {
  const field = actions === null ? undefined : keyEventFields[metric]
  return field === undefined ? metricFields[metric] : { family: 'key_event', field }
}

const keyEventFields: Partial<Record<FetchedMetric, string>> = {
  conversions: 'keyEvents',
  conversion_value: 'eventValue',
}

/** `less`: a second field that is taken from the first. */
export interface MetricField {
  family: 'plain' | 'item' | 'ads' | 'rolling' | 'organic' | 'key_event'
  field: string
  less?: string
}

export const isFetched = (metric: string): metric is FetchedMetric => Object.hasOwn(metricFields, metric)

/** Every metric that is requested; the derived ones are computed from these. */
export type FetchedMetric = {
  [Id in keyof typeof ga4Metrics]: (typeof ga4Metrics)[Id]['kind'] extends 'derived' ? never : Id
}[keyof typeof ga4Metrics]

function plain<Field extends string>(field: Field) {
  return { family: 'plain', field } as const
}
