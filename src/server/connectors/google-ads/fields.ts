import { awKeywordMetrics } from '#shared/channels/aw_keyword.ts'
import { awMetrics } from '#shared/channels/aw-metrics.ts'
import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import { PlatformFailure, type TimeGrain } from '#server/connectors/connector.ts'

/**
 * A version lives for about a year; one unknown field fails a whole query, so that the names below were held
 * against this one.
 */
export const API_VERSION = 'v26'

/** What can stand in FROM, from coarse to fine; keywords are a branch of their own. */
export const resources = ['customer', 'campaign', 'ad_group', 'ad_group_ad', 'keyword_view'] as const
export type Resource = (typeof resources)[number]

interface DimensionField {
  /** The coarsest resource that has it. */
  resource: Resource
  /** What rows are grouped by. An ad's own number is unique within its ad group only. */
  key: readonly string[]
  /** What is printed; left out when it is the key. */
  label?: string
  /** Its text, where the platform may filter by it. */
  filter?: string
}

export const dimensionFields = {
  campaign: {
    resource: 'campaign',
    key: ['campaign.id'],
    label: 'campaign.name',
    filter: 'campaign.name',
  },
  ad_group: {
    resource: 'ad_group',
    key: ['ad_group.id'],
    label: 'ad_group.name',
    filter: 'ad_group.name',
  },
  // Never filtered by its name there: most ads have none and are printed by their headline here.
  ad: { resource: 'ad_group_ad', key: ['ad_group.id', 'ad_group_ad.ad.id'], label: 'ad_group_ad.ad.name' },
  keyword: {
    resource: 'keyword_view',
    key: ['ad_group_criterion.keyword.text'],
    filter: 'ad_group_criterion.keyword.text',
  },
  // Its values are a list that grows: it is filtered here only.
  device_type: { resource: 'customer', key: ['segments.device'] },
} as const satisfies Partial<Record<PlatformDimension, DimensionField>>

/** Throws for a dimension that Google Ads does not have. */
export function fieldOf(dimension: PlatformDimension): DimensionField {
  const fields: Partial<Record<PlatformDimension, DimensionField>> = dimensionFields
  const field = fields[dimension]
  if (!field) throw new PlatformFailure('combination_not_allowed', { platform_message: dimension })
  return field
}

/**
 * Conversions of single actions are those of all actions, primary or not; Google refuses their name beside
 * whatever is no conversion.
 */
export const ACTION_NAME = 'segments.conversion_action_name'
const countedByAction: Readonly<Record<string, FetchedMetric>> = {
  conversions: 'all_conversions',
  conversion_value: 'all_conversion_value',
}
export const byAction = (metric: FetchedMetric): FetchedMetric => countedByAction[metric] ?? metric
/** Both of them, always: whether a row is there must not depend on the requested metrics. */
export const actionFields = ['metrics.all_conversions', 'metrics.all_conversions_value']

export const AD_TYPE = 'ad_group_ad.ad.type'
export const HEADLINES = 'ad_group_ad.ad.responsive_search_ad.headlines'

/**
 * The segments of each grain, in the order in which rows come. A slice begins with the latest of
 * them, or with the range.
 */
export const timeSegments: Record<TimeGrain, readonly string[]> = {
  total: [],
  date: ['segments.date'],
  week: ['segments.week'],
  month: ['segments.month'],
  month_week: ['segments.month', 'segments.week'],
}

/** Where a metric stands in a row, and how it is written there. */
export const metricFields = {
  impressions: whole('metrics.impressions'),
  clicks: whole('metrics.clicks'),
  cost: whole('metrics.cost_micros'),
  invalid_clicks: whole('metrics.invalid_clicks'),
  viewable_impressions: whole('metrics.active_view_impressions'),
  measurable_impressions: whole('metrics.active_view_measurable_impressions'),

  conversions: fraction('metrics.conversions'),
  conversion_value: money('metrics.conversions_value'),
  all_conversions: fraction('metrics.all_conversions'),
  all_conversion_value: money('metrics.all_conversions_value'),
  view_through_conversions: whole('metrics.view_through_conversions'),
  cross_device_conversions: fraction('metrics.cross_device_conversions'),
  conversions_by_conv_date: fraction('metrics.conversions_by_conversion_date'),
  conv_value_by_conv_date: money('metrics.conversions_value_by_conversion_date'),
  platform_comparable_conversions: fraction('metrics.platform_comparable_conversions'),
  new_customer_ltv: money('metrics.new_customer_lifetime_value'),
  orders: fraction('metrics.orders'),
  revenue: whole('metrics.revenue_micros'),
  gross_profit: whole('metrics.gross_profit_micros'),
  units_sold: fraction('metrics.units_sold'),

  reach: whole('metrics.unique_users', 92),
  frequency: fraction('metrics.average_impression_frequency_per_user', 92),
  reach_2plus: whole('metrics.unique_users_two_plus', 31),
  reach_3plus: whole('metrics.unique_users_three_plus', 31),
  reach_4plus: whole('metrics.unique_users_four_plus', 31),
  reach_5plus: whole('metrics.unique_users_five_plus', 31),
  reach_10plus: whole('metrics.unique_users_ten_plus', 31),

  interactions: whole('metrics.interactions'),
  engagements: whole('metrics.engagements'),
  phone_calls: whole('metrics.phone_calls'),
  phone_impressions: whole('metrics.phone_impressions'),

  video_views: whole('metrics.video_trueview_views'),
  video_watch_time: { read: 'milliseconds', field: 'metrics.video_watch_time_duration_millis' },
  video_p25: { read: 'part_of_impressions', field: 'metrics.video_quartile_p25_rate' },
  video_p50: { read: 'part_of_impressions', field: 'metrics.video_quartile_p50_rate' },
  video_p75: { read: 'part_of_impressions', field: 'metrics.video_quartile_p75_rate' },
  video_p100: { read: 'part_of_impressions', field: 'metrics.video_quartile_p100_rate' },

  search_impression_share: fraction('metrics.search_impression_share'),
  search_lost_is_budget: fraction('metrics.search_budget_lost_impression_share'),
  search_lost_is_rank: fraction('metrics.search_rank_lost_impression_share'),
  search_top_is: fraction('metrics.search_top_impression_share'),
  search_abs_top_is: fraction('metrics.search_absolute_top_impression_share'),
  top_impr_pct: fraction('metrics.top_impression_percentage'),
  abs_top_impr_pct: fraction('metrics.absolute_top_impression_percentage'),
  content_impression_share: fraction('metrics.content_impression_share'),
  quality_score: fraction('ad_group_criterion.quality_info.quality_score'),
  historical_quality_score: whole('metrics.historical_quality_score'),
} as const satisfies Record<FetchedMetric, MetricField>

export const IMPRESSIONS = metricFields.impressions.field

const allMetrics = { ...awMetrics, ...awKeywordMetrics }

export const isFetched = (metric: string): metric is FetchedMetric => Object.hasOwn(metricFields, metric)

/** Only what is summed is 0 when it is left out. */
export const isAdditive = (metric: FetchedMetric) => allMetrics[metric].kind === 'additive'

/** Every metric that is requested; the derived ones are computed from these. */
export type FetchedMetric = {
  [Id in keyof typeof allMetrics]: (typeof allMetrics)[Id]['kind'] extends 'derived' ? never : Id
}[keyof typeof allMetrics]

/**
 * whole: 64 bits as text, money in millionths among them; fraction: a number; money: a number of currency
 * units; milliseconds: 64 bits as text; part_of_impressions: a rate, read as the count that it is of.
 */
export interface MetricField {
  read: 'whole' | 'fraction' | 'money' | 'milliseconds' | 'part_of_impressions'
  field: string
  /** The most days that it is counted over. */
  days?: number
}

function whole(field: string, days?: number) {
  return { read: 'whole', field, ...(days !== undefined && { days }) } as const satisfies MetricField
}

function fraction(field: string, days?: number) {
  return { read: 'fraction', field, ...(days !== undefined && { days }) } as const satisfies MetricField
}

function money(field: string) {
  return { read: 'money', field } as const satisfies MetricField
}
