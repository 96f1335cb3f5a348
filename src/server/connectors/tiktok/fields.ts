import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import { ttMetrics } from '#shared/channels/tt-metrics.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'

/** How TikTok says an entity or a breakdown. An entity's parents are among the metrics, names too. */
export const dimensionFields = {
  campaign: { level: 'campaign', id: 'campaign_id', name: 'campaign_name' },
  ad_group: { level: 'adgroup', id: 'adgroup_id', name: 'adgroup_name' },
  // Not ad_id_v2, which puts the creatives of Smart+ ads together and cannot be mixed with ad_id.
  ad: { level: 'ad', id: 'ad_id', name: 'ad_name' },
  // The operating system; audience reports alone have it.
  device_type: { breakdown: 'platform' },
} as const satisfies Partial<Record<PlatformDimension, EntityFields | BreakdownField>>

/** Throws for a dimension that TikTok does not have. */
export function fieldOf(dimension: PlatformDimension): EntityFields | BreakdownField {
  const fields: Partial<Record<PlatformDimension, EntityFields | BreakdownField>> = dimensionFields
  const field = fields[dimension]
  if (!field) throw new PlatformFailure('combination_not_allowed', { platform_message: dimension })
  return field
}

/** From coarse to fine, each with the one id that its rows must be requested by. */
export const levels = {
  advertiser: { data_level: 'AUCTION_ADVERTISER', id: 'advertiser_id' },
  campaign: { data_level: 'AUCTION_CAMPAIGN', id: 'campaign_id' },
  adgroup: { data_level: 'AUCTION_ADGROUP', id: 'adgroup_id' },
  ad: { data_level: 'AUCTION_AD', id: 'ad_id' },
} as const
export type Level = keyof typeof levels

/** The fields that make up a metric; several are added up. */
export const metricFields = {
  impressions: ['impressions'],
  clicks: ['clicks'],
  clicks_all: ['engagements'],
  landing_page_views: ['total_landing_page_view'],

  cost: ['spend'],
  net_cost: ['billed_cost'],
  cost_per_1000_reached: ['cost_per_1000_reached'],

  reach: ['reach'],
  frequency: ['frequency'],

  conversions: ['conversion'],
  conversion_value: ['total_complete_payment_rate', 'total_purchase_value', 'total_onsite_shopping_value'],
  real_time_conversions: ['real_time_conversion'],
  cta_conversions: ['cta_conversion'],
  vta_conversions: ['vta_conversion'],
  results: ['result'],
  secondary_goal_results: ['secondary_goal_result'],
  leads: ['onsite_form'],

  page_views: ['total_pageview'],
  view_content: ['page_content_view_events'],
  add_to_cart: ['web_event_add_to_cart'],
  add_to_cart_value: ['total_web_event_add_to_cart_value'],
  initiate_checkout: ['initiate_checkout'],
  place_order: ['on_web_order'],
  place_order_value: ['total_on_web_order_value'],
  complete_payment: ['complete_payment'],
  complete_payment_value: ['total_complete_payment_rate'],
  registrations: ['user_registration'],
  form_submissions: ['form'],
  contacts: ['online_consult'],
  button_clicks: ['button_click'],
  subscribe: ['on_web_subscribe'],

  app_installs: ['app_install'],
  real_time_app_installs: ['real_time_app_install'],
  app_registrations: ['total_registration'],
  unique_app_registrations: ['registration'],
  app_purchases: ['total_purchase'],
  app_purchase_value: ['total_purchase_value'],
  shop_purchases: ['onsite_shopping'],
  shop_revenue: ['total_onsite_shopping_value'],

  likes: ['likes'],
  comments: ['comments'],
  shares: ['shares'],
  follows: ['follows'],
  profile_visits: ['profile_visits'],
  music_clicks: ['clicks_on_music_disc'],
  live_views: ['live_views'],

  video_views: ['video_play_actions'],
  video_2s: ['video_watched_2s'],
  video_6s: ['video_watched_6s'],
  video_p25: ['video_views_p25'],
  video_p50: ['video_views_p50'],
  video_p75: ['video_views_p75'],
  video_p100: ['video_views_p100'],
  avg_play_time: ['average_video_play'],
  avg_play_time_per_user: ['average_video_play_per_user'],
  focused_6s: ['engaged_view'],
  focused_15s: ['engaged_view_15s'],
} as const satisfies Record<FetchedMetric, readonly [string, ...string[]]>

/** Metrics that TikTok counts in people, 16 hours after the end of a day. */
export const peopleMetrics: ReadonlySet<string> = new Set<FetchedMetric>([
  'reach',
  'frequency',
  'cost_per_1000_reached',
  'avg_play_time_per_user',
])

/** What report tasks do not have. */
export const synchronousMetrics: ReadonlySet<string> = new Set<FetchedMetric>(['net_cost'])

export const isFetched = (metric: string): metric is FetchedMetric => Object.hasOwn(metricFields, metric)

/** Every metric that is requested; the derived ones are computed from these. */
export type FetchedMetric = {
  [Id in keyof typeof ttMetrics]: (typeof ttMetrics)[Id]['kind'] extends 'derived' ? never : Id
}[keyof typeof ttMetrics]

interface EntityFields {
  level: Level
  id: string
  name: string
}
interface BreakdownField {
  breakdown: string
}
