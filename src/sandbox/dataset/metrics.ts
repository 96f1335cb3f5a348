import type { Objective } from './campaigns.ts'
import { LINE_METRICS, LINE_RULES } from './line-metrics.ts'
import { TIKTOK_METRICS, TIKTOK_RULES } from './tiktok-metrics.ts'

/** What is counted for every ad and day. `spend` and the values are in the smallest unit of the currency. */
export const METRICS = [
  'impressions',
  'spend',
  'clicks',
  'link_clicks',
  'inline_link_clicks',
  'outbound_clicks',
  'landing_page_views',
  'profile_visits',
  'post_reactions',
  'comments',
  'shares',
  'saves',
  'page_likes',
  'video_plays',
  'video_views',
  'video_30s',
  'video_p25',
  'video_p50',
  'video_p75',
  'video_p95',
  'video_p100',
  'thruplays',
  'watched_seconds',
  'messaging_started',
  'messaging_first_reply',
  'view_content',
  'search',
  'add_to_cart',
  'initiate_checkout',
  'web_purchases',
  'web_purchase_value',
  'complete_registration',
  'web_leads',
  'onsite_leads',
  'custom_conversions',
  'app_installs',
  'app_purchases',
  'app_purchase_value',
  'measurable_impressions',
  'viewable_impressions',
  'top_impressions',
  'absolute_top_impressions',
  'lost_to_budget',
  'lost_to_rank',
  'invalid_clicks',
  'phone_impressions',
  'phone_calls',
  'view_throughs',
  'cross_device_purchases',
  ...TIKTOK_METRICS,
  ...LINE_METRICS,
] as const
export type Metric = (typeof METRICS)[number]

export const slotOf = Object.fromEntries(METRICS.map((metric, slot) => [metric, slot])) as Record<
  Metric,
  number
>

export interface Rule {
  /** The metric it is a part or a multiple of; earlier in METRICS. */
  of: Metric
  /** How many of it for one of those, for the objectives that differ from the rest. */
  rate: number
  by_objective?: Partial<Record<Objective, number>>
  /** Is still booked up to 28 days after the day. */
  late?: true
  /** The rate is in the main unit of money, for an account in US dollars. */
  money?: true
}

/** A funnel: while a rate is at most 1, no row can have more of the part than of the whole. */
export const RULES: Record<Exclude<Metric, 'impressions'>, Rule> = {
  spend: {
    of: 'impressions',
    rate: 0.0075,
    by_objective: { sales: 0.011, video: 0.004, engagement: 0.003 },
    money: true,
  },
  clicks: {
    of: 'impressions',
    rate: 0.016,
    by_objective: { traffic: 0.031, engagement: 0.04, video: 0.009 },
  },
  link_clicks: { of: 'clicks', rate: 0.74, by_objective: { engagement: 0.3 } },
  inline_link_clicks: { of: 'link_clicks', rate: 0.97 },
  outbound_clicks: { of: 'link_clicks', rate: 0.88 },
  landing_page_views: { of: 'outbound_clicks', rate: 0.81 },
  profile_visits: { of: 'clicks', rate: 0.05 },
  post_reactions: { of: 'impressions', rate: 0.002, by_objective: { engagement: 0.02 } },
  comments: { of: 'post_reactions', rate: 0.09 },
  shares: { of: 'post_reactions', rate: 0.06 },
  saves: { of: 'post_reactions', rate: 0.11 },
  page_likes: { of: 'clicks', rate: 0.01, by_objective: { engagement: 0.08 } },
  video_plays: { of: 'impressions', rate: 0, by_objective: { video: 0.82, engagement: 0.5, app: 0.4 } },
  video_views: { of: 'video_plays', rate: 0.42 },
  video_30s: { of: 'video_views', rate: 0.2 },
  video_p25: { of: 'video_plays', rate: 0.37 },
  video_p50: { of: 'video_p25', rate: 0.55 },
  video_p75: { of: 'video_p50', rate: 0.6 },
  video_p95: { of: 'video_p75', rate: 0.7 },
  video_p100: { of: 'video_p95', rate: 0.85 },
  thruplays: { of: 'video_views', rate: 0.35 },
  watched_seconds: { of: 'video_plays', rate: 5.3 },
  messaging_started: { of: 'clicks', rate: 0.002, by_objective: { engagement: 0.03, leads: 0.02 } },
  messaging_first_reply: { of: 'messaging_started', rate: 0.7 },
  view_content: { of: 'landing_page_views', rate: 0.62, late: true },
  search: { of: 'landing_page_views', rate: 0.08, late: true },
  add_to_cart: { of: 'view_content', rate: 0.19, late: true },
  initiate_checkout: { of: 'add_to_cart', rate: 0.51, late: true },
  web_purchases: { of: 'initiate_checkout', rate: 0.47, by_objective: { sales: 0.62 }, late: true },
  web_purchase_value: { of: 'web_purchases', rate: 46, late: true, money: true },
  complete_registration: { of: 'landing_page_views', rate: 0.03, by_objective: { leads: 0.1 }, late: true },
  web_leads: { of: 'landing_page_views', rate: 0.01, by_objective: { leads: 0.12 }, late: true },
  onsite_leads: { of: 'clicks', rate: 0, by_objective: { leads: 0.07 }, late: true },
  custom_conversions: { of: 'landing_page_views', rate: 0.015, late: true },
  app_installs: { of: 'link_clicks', rate: 0, by_objective: { app: 0.21 }, late: true },
  app_purchases: { of: 'app_installs', rate: 0.12, late: true },
  app_purchase_value: { of: 'app_purchases', rate: 9, late: true, money: true },
  measurable_impressions: { of: 'impressions', rate: 0.93 },
  viewable_impressions: { of: 'measurable_impressions', rate: 0.68 },
  top_impressions: { of: 'impressions', rate: 0.62 },
  absolute_top_impressions: { of: 'top_impressions', rate: 0.5 },
  lost_to_budget: { of: 'impressions', rate: 0.35 },
  lost_to_rank: { of: 'impressions', rate: 0.7 },
  invalid_clicks: { of: 'clicks', rate: 0.03 },
  phone_impressions: { of: 'impressions', rate: 0.05 },
  phone_calls: { of: 'phone_impressions', rate: 0.02 },
  view_throughs: { of: 'impressions', rate: 0.0006, late: true },
  cross_device_purchases: { of: 'web_purchases', rate: 0.1, late: true },
  ...TIKTOK_RULES,
  ...LINE_RULES,
}

/** The requested metrics and all they are parts of, in the order of METRICS, as slots. */
export function withParents(metrics: Iterable<Metric>): number[] {
  const slots = new Set<number>([slotOf.impressions])
  const add = (metric: Metric): void => {
    slots.add(slotOf[metric])
    if (metric !== 'impressions') add(RULES[metric].of)
  }
  for (const metric of metrics) add(metric)
  return [...slots].toSorted((left, right) => left - right)
}
