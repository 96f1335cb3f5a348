import type { WireRow } from './right-numbers-wire-oracle.ts'

/*
 * The definition of each metric of Meta ads, taken from the platform's documentation a second time: `field`,
 * or `field[action_type]` with a second type for accounts that lack the first.
 */

const summed: Record<string, string> = {
  impressions: 'impressions',
  clicks: 'clicks',
  cost: 'spend',
  inline_link_clicks: 'inline_link_clicks',
  ig_profile_visits: 'instagram_profile_visits',
  conversions: 'actions[omni_purchase|purchase]',
  conversion_value: 'action_values[omni_purchase|purchase]',
  purchases: 'actions[omni_purchase]',
  purchase_value: 'action_values[omni_purchase]',
  website_purchases: 'actions[offsite_conversion.fb_pixel_purchase]',
  website_purchase_value: 'action_values[offsite_conversion.fb_pixel_purchase]',
  app_purchases: 'actions[app_custom_event.fb_mobile_purchase]',
  add_to_cart: 'actions[omni_add_to_cart]',
  website_add_to_cart: 'actions[offsite_conversion.fb_pixel_add_to_cart]',
  initiate_checkout: 'actions[omni_initiated_checkout]',
  view_content: 'actions[omni_view_content]',
  search: 'actions[omni_search]',
  complete_registration: 'actions[omni_complete_registration]',
  leads: 'actions[lead]',
  form_leads: 'actions[onsite_conversion.lead_grouped]',
  website_leads: 'actions[offsite_conversion.fb_pixel_lead]',
  messaging_started: 'actions[onsite_conversion.messaging_conversation_started_7d]',
  messaging_first_reply: 'actions[onsite_conversion.messaging_first_reply]',
  app_installs: 'actions[omni_app_install|mobile_app_install]',
  link_clicks: 'actions[link_click]',
  outbound_clicks: 'outbound_clicks[outbound_click]',
  landing_page_views: 'actions[landing_page_view]',
  page_likes: 'actions[like]',
  page_engagement: 'actions[page_engagement]',
  post_engagement: 'actions[post_engagement]',
  post_reactions: 'actions[post_reaction]',
  post_comments: 'actions[comment]',
  post_shares: 'actions[post]',
  post_saves: 'actions[onsite_conversion.post_save]',
  video_views: 'actions[video_view]',
  video_plays: 'video_play_actions[video_view]',
  video_p25: 'video_p25_watched_actions[video_view]',
  video_p50: 'video_p50_watched_actions[video_view]',
  video_p75: 'video_p75_watched_actions[video_view]',
  video_p95: 'video_p95_watched_actions[video_view]',
  video_p100: 'video_p100_watched_actions[video_view]',
  video_30s: 'video_30_sec_watched_actions[video_view]',
  thruplays: 'video_thruplay_watched_actions[video_view]',
}

/** Requested at the grain of the table; 0 where the key is absent, or empty. */
const single: Record<string, { field: string; absent: 0 | null }> = {
  reach: { field: 'reach', absent: null },
  frequency: { field: 'frequency', absent: null },
  cpp: { field: 'cpp', absent: null },
  unique_clicks: { field: 'unique_clicks', absent: 0 },
  unique_link_clicks: { field: 'unique_inline_link_clicks', absent: 0 },
  video_avg_time: { field: 'video_avg_time_watched_actions[video_view]', absent: null },
  results: { field: 'results', absent: 0 },
  quality_ranking: { field: 'quality_ranking', absent: null },
  engagement_rate_ranking: { field: 'engagement_rate_ranking', absent: null },
  conversion_rate_ranking: { field: 'conversion_rate_ranking', absent: null },
}

const quotients: Record<string, { over: string; under: string; times?: bigint }> = {
  ctr: { over: 'clicks', under: 'impressions' },
  link_ctr: { over: 'link_clicks', under: 'impressions' },
  cpc: { over: 'cost', under: 'clicks' },
  link_cpc: { over: 'cost', under: 'link_clicks' },
  cpm: { over: 'cost', under: 'impressions', times: 1000n },
  cpa: { over: 'cost', under: 'conversions' },
  cpl: { over: 'cost', under: 'leads' },
  cost_per_lpv: { over: 'cost', under: 'landing_page_views' },
  cost_per_thruplay: { over: 'cost', under: 'thruplays' },
  cvr: { over: 'conversions', under: 'clicks' },
  roas: { over: 'conversion_value', under: 'cost' },
  engagement_rate: { over: 'post_engagement', under: 'impressions' },
}

export const numbersMetrics = {
  summed: Object.keys(summed),
  single: Object.keys(single),
  quotients: Object.keys(quotients),
}

/** The fields of the summed components of a metric. */
export function sumFields(metric: string): string[] {
  const { over, under } = quotients[metric] ?? {}
  return [metric, over, under].flatMap(id => (id !== undefined && summed[id] ? baseOf(summed[id]) : []))
}

/** The field of a metric that is not summed. */
export const onceFields = (metric: string): string[] => (single[metric] ? [baseOf(single[metric].field)] : [])

const baseOf = (path: string) => path.replace(/\[.*/, '')

/** The numbers for a row of the table: of its ads and days, and the platform's for all of it. */
export interface Total {
  facts: WireRow[]
  unsummed: WireRow[]
}

/** The cell; null when empty. */
export function numbersOf(
  metric: string,
  { facts, unsummed }: Total,
  language: 'en' | 'zh-TW',
): number | string | null {
  if (single[metric]) return onceOf(metric, unsummed, language)
  if (facts.length === 0) return null
  const quotient = quotients[metric]
  if (!quotient) return decimal(sumOf(metric, facts), 6)
  const under = sumOf(quotient.under, facts)
  if (under === 0n) return null
  // Thirty digits after the point: the nearest number of all.
  return decimal((sumOf(quotient.over, facts) * (quotient.times ?? 1n) * 10n ** 30n) / under, 30)
}

function sumOf(metric: string, facts: WireRow[]): bigint {
  return facts.reduce((sum, row) => sum + millionths(textAt(row, summed[metric] ?? '') ?? '0'), 0n)
}

function textAt(row: WireRow, path: string): string | undefined {
  const [, field = '', types] = /^(\w+)(?:\[(.*)\])?$/.exec(path) ?? []
  const value = row[field]
  if (types === undefined || value === undefined) return value === undefined ? undefined : String(value)
  if (!Array.isArray(value)) throw new Error(`${field} is no list`)
  for (const type of types.split('|')) {
    const entries = value.filter((entry: WireRow) => entry['action_type'] === type)
    if (entries.length > 1) throw new Error(`${field} has ${type} twice`)
    if (entries[0]) return String(entries[0]['value'])
  }
  return undefined
}

function millionths(text: string): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text) ?? []
  if (whole === '') throw new Error(`${text} is no amount`)
  return BigInt(sign + whole + fraction.padEnd(6, '0'))
}

function decimal(value: bigint, digits: number): number {
  const text = String(value < 0n ? -value : value).padStart(digits + 1, '0')
  return Number(`${value < 0n ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`)
}

const ranks: Record<string, [string, string]> = {
  BELOW_AVERAGE_10: ['Below average (bottom 10%)', '低於平均（後 10%）'],
  BELOW_AVERAGE_20: ['Below average (bottom 20%)', '低於平均（後 20%）'],
  BELOW_AVERAGE_35: ['Below average (bottom 35%)', '低於平均（後 35%）'],
  AVERAGE: ['Average', '平均'],
  ABOVE_AVERAGE: ['Above average', '高於平均'],
}

function onceOf(metric: string, unsummed: WireRow[], language: 'en' | 'zh-TW'): number | string | null {
  const [row, ...others] = unsummed
  if (row === undefined) return null
  if (others.length > 0) throw new Error(`${metric} occurs ${unsummed.length} times`)
  const { field, absent } = single[metric] ?? { field: '', absent: null }
  if (field.endsWith('_ranking')) return ranks[String(row[field])]?.[language === 'en' ? 0 : 1] ?? null
  if (field === 'results') return resultOf(row[field])
  const text = textAt(row, field)
  return text === undefined ? absent : Number(text)
}

/** Results of several kinds have no common number. */
function resultOf(value: unknown): number | null {
  const kinds = (value ?? []) as { values: { value: string }[] }[]
  if (kinds.length > 1) return null
  return Number(kinds[0]?.values[0]?.value ?? 0)
}
