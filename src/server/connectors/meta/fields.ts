import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import { fbMetrics } from '#shared/channels/fb-metrics.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { actionMetrics } from '#server/connectors/kit/actions.ts'

/** How Meta says an entity or a breakdown, and the level of insights that has it. */
export const dimensionFields = {
  campaign: { level: 'campaign', id: 'campaign_id', name: 'campaign_name', filter: 'campaign' },
  ad_group: { level: 'adset', id: 'adset_id', name: 'adset_name', filter: 'adset' },
  ad: { level: 'ad', id: 'ad_id', name: 'ad_name', filter: 'ad' },
  device_type: { breakdown: 'device_platform' },
} as const satisfies Partial<Record<PlatformDimension, EntityFields | BreakdownField>>

/** Throws for a dimension that Meta does not have. */
export function fieldOf(dimension: PlatformDimension): EntityFields | BreakdownField {
  const fields: Partial<Record<PlatformDimension, EntityFields | BreakdownField>> = dimensionFields
  const field = fields[dimension]
  if (!field) throw new PlatformFailure('combination_not_allowed', { platform_message: dimension })
  return field
}

/** From coarse to fine. */
export const levels = ['account', 'campaign', 'adset', 'ad'] as const
export type Level = (typeof levels)[number]

/**
 * Every status that an object can have at a level. Meta drops deleted and archived objects as soon as any
 * filter is sent, and totals with them, so that each filtered request names them all.
 */
export const everyStatus = {
  campaign: ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED', 'IN_PROCESS', 'WITH_ISSUES'],
  adset: ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED', 'IN_PROCESS', 'WITH_ISSUES', 'CAMPAIGN_PAUSED'],
  ad: [
    'ACTIVE',
    'PAUSED',
    'CAMPAIGN_PAUSED',
    'ADSET_PAUSED',
    'ARCHIVED',
    'DELETED',
    'PENDING_REVIEW',
    'DISAPPROVED',
    'PREAPPROVED',
    'PENDING_BILLING_INFO',
    'IN_PROCESS',
    'WITH_ISSUES',
  ],
} as const satisfies Record<Exclude<Level, 'account'>, readonly string[]>

/** Where a metric stands in a row of insights. */
export const metricFields = {
  impressions: plain('impressions'),
  clicks: plain('clicks'),
  cost: plain('spend'),
  reach: plain('reach'),
  frequency: plain('frequency'),
  cpp: plain('cpp'),
  unique_clicks: plain('unique_clicks'),
  unique_link_clicks: plain('unique_inline_link_clicks'),
  inline_link_clicks: plain('inline_link_clicks'),
  ig_profile_visits: plain('instagram_profile_visits'),

  // Not the field that Meta calls `conversions`: that one counts contacts, trials and the like, and no
  // purchases.
  conversions: listed('actions', 'omni_purchase', 'purchase'),
  conversion_value: listed('action_values', 'omni_purchase', 'purchase'),
  purchases: listed('actions', 'omni_purchase'),
  purchase_value: listed('action_values', 'omni_purchase'),
  website_purchases: listed('actions', 'offsite_conversion.fb_pixel_purchase'),
  website_purchase_value: listed('action_values', 'offsite_conversion.fb_pixel_purchase'),
  app_purchases: listed('actions', 'app_custom_event.fb_mobile_purchase'),
  add_to_cart: listed('actions', 'omni_add_to_cart'),
  website_add_to_cart: listed('actions', 'offsite_conversion.fb_pixel_add_to_cart'),
  initiate_checkout: listed('actions', 'omni_initiated_checkout'),
  view_content: listed('actions', 'omni_view_content'),
  search: listed('actions', 'omni_search'),
  complete_registration: listed('actions', 'omni_complete_registration'),
  leads: listed('actions', 'lead'),
  form_leads: listed('actions', 'onsite_conversion.lead_grouped'),
  website_leads: listed('actions', 'offsite_conversion.fb_pixel_lead'),
  messaging_started: listed('actions', 'onsite_conversion.messaging_conversation_started_7d'),
  messaging_first_reply: listed('actions', 'onsite_conversion.messaging_first_reply'),
  app_installs: listed('actions', 'omni_app_install', 'mobile_app_install'),
  results: { read: 'results', field: 'results' },

  link_clicks: listed('actions', 'link_click'),
  outbound_clicks: listed('outbound_clicks', 'outbound_click'),
  landing_page_views: listed('actions', 'landing_page_view'),
  page_likes: listed('actions', 'like'),
  page_engagement: listed('actions', 'page_engagement'),
  post_engagement: listed('actions', 'post_engagement'),
  post_reactions: listed('actions', 'post_reaction'),
  post_comments: listed('actions', 'comment'),
  post_shares: listed('actions', 'post'),
  post_saves: listed('actions', 'onsite_conversion.post_save'),

  video_views: listed('actions', 'video_view'),
  video_plays: listed('video_play_actions', 'video_view'),
  video_p25: listed('video_p25_watched_actions', 'video_view'),
  video_p50: listed('video_p50_watched_actions', 'video_view'),
  video_p75: listed('video_p75_watched_actions', 'video_view'),
  video_p95: listed('video_p95_watched_actions', 'video_view'),
  video_p100: listed('video_p100_watched_actions', 'video_view'),
  video_30s: listed('video_30_sec_watched_actions', 'video_view'),
  thruplays: listed('video_thruplay_watched_actions', 'video_view'),
  video_avg_time: listed('video_avg_time_watched_actions', 'video_view'),

  quality_ranking: { read: 'ranking', field: 'quality_ranking' },
  engagement_rate_ranking: { read: 'ranking', field: 'engagement_rate_ranking' },
  conversion_rate_ranking: { read: 'ranking', field: 'conversion_rate_ranking' },
} as const satisfies Record<FetchedMetric, MetricField>

/** The same for conversions that are counted by actions of the request. */
export function metricFieldOf(metric: FetchedMetric, actions: readonly string[] | null): MetricField {
  const field = metricFields[metric]
  if (actions === null || !actionMetrics.has(metric)) return field
  return { read: 'sum', field: field.field, action_types: actions }
}

/**
 * The rankings from worst to best, in the order of the catalogue's texts. UNKNOWN (too few impressions) is an
 * empty cell.
 */
export const rankings = [
  'BELOW_AVERAGE_10',
  'BELOW_AVERAGE_20',
  'BELOW_AVERAGE_35',
  'AVERAGE',
  'ABOVE_AVERAGE',
] as const

/**
 * Metrics that Meta counts in people. With a breakdown it keeps them for 13 months only, or gives them only
 * asynchronously.
 */
export const reachMetrics: ReadonlySet<string> = new Set<FetchedMetric>(['reach', 'frequency', 'cpp'])
export const uniqueMetrics: ReadonlySet<string> = new Set<FetchedMetric>([
  'unique_clicks',
  'unique_link_clicks',
])

export const isFetched = (metric: string): metric is FetchedMetric => Object.hasOwn(metricFields, metric)

/** Every metric that is requested; the derived ones are computed from these. */
export type FetchedMetric = {
  [Id in keyof typeof fbMetrics]: (typeof fbMetrics)[Id]['kind'] extends 'derived' ? never : Id
}[keyof typeof fbMetrics]

/**
 * plain: a number of its own; list: the entry of a list with an action type, or else with the second one;
 * sum: of the entries with any of the types.
 */
export type MetricField =
  | { read: 'plain'; field: string }
  | { read: 'sum'; field: string; action_types: readonly string[] }
  | { read: 'list'; field: string; action_type: string; or_else?: string }
  | { read: 'results'; field: string }
  | { read: 'ranking'; field: string }

interface EntityFields {
  level: Level
  id: string
  name: string
  /** What filters call it: `campaign.name`. */
  filter: string
}
interface BreakdownField {
  breakdown: string
}

function plain(field: string) {
  return { read: 'plain', field } satisfies MetricField
}

function listed(field: string, action_type: string, or_else?: string) {
  return { read: 'list', field, action_type, ...(or_else !== undefined && { or_else }) } satisfies MetricField
}
