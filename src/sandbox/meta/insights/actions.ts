import { type Account, MINOR_UNITS } from '#sandbox/dataset/agency.ts'
import type { Objective } from '#sandbox/dataset/campaigns.ts'
import { type Metric, slotOf } from '#sandbox/dataset/metrics.ts'

/** One entry of an action list, by its type: the counts it is the sum of. */
export interface Action {
  type: string
  of: readonly Metric[]
  value?: readonly Metric[]
  /** Booked on the advertiser's side. */
  off_meta: boolean
  /** Counts what happened on the web, in the app and at Meta together; some accounts do not have it. */
  omni: boolean
}

const ENGAGEMENT = ['post_reactions', 'comments', 'shares', 'saves', 'link_clicks', 'video_views'] as const

/** A purchase appears under all its names at once: an account that sums them counts it five times. */
const ACTIONS: readonly Action[] = [
  ...onMeta('link_click', 'link_clicks'),
  ...onMeta('landing_page_view', 'landing_page_views'),
  ...onMeta('omni_landing_page_view', 'landing_page_views'),
  ...onMeta('video_view', 'video_views'),
  ...onMeta('post_reaction', 'post_reactions'),
  ...onMeta('comment', 'comments'),
  ...onMeta('post', 'shares'),
  ...onMeta('onsite_conversion.post_save', 'saves'),
  ...onMeta('like', 'page_likes'),
  ...onMeta('post_engagement', ...ENGAGEMENT),
  ...onMeta('page_engagement', ...ENGAGEMENT, 'page_likes'),
  ...onMeta('onsite_conversion.messaging_conversation_started_7d', 'messaging_started'),
  ...onMeta('onsite_conversion.messaging_first_reply', 'messaging_first_reply'),
  ...onMeta('onsite_conversion.lead_grouped', 'onsite_leads'),
  ...website('view_content', 'view_content'),
  ...website('search', 'search'),
  ...website('add_to_cart', 'add_to_cart'),
  ...website('initiate_checkout', 'initiate_checkout', 'omni_initiated_checkout'),
  ...website('complete_registration', 'complete_registration'),
  { type: 'lead', of: ['web_leads', 'onsite_leads'], off_meta: true, omni: false },
  { type: 'offsite_conversion.fb_pixel_lead', of: ['web_leads'], off_meta: true, omni: false },
  ...['omni_purchase', 'purchase'].map(type => ({
    type,
    of: ['web_purchases', 'app_purchases'] as const,
    value: ['web_purchase_value', 'app_purchase_value'] as const,
    off_meta: true,
    omni: type === 'omni_purchase',
  })),
  ...['onsite_web_purchase', 'offsite_conversion.fb_pixel_purchase'].map(type => ({
    type,
    of: ['web_purchases'] as const,
    value: ['web_purchase_value'] as const,
    off_meta: true,
    omni: false,
  })),
  {
    type: 'app_custom_event.fb_mobile_purchase',
    of: ['app_purchases'],
    value: ['app_purchase_value'],
    off_meta: true,
    omni: false,
  },
  { type: 'omni_app_install', of: ['app_installs'], off_meta: true, omni: true },
  { type: 'mobile_app_install', of: ['app_installs'], off_meta: true, omni: false },
]

/** Every account has one conversion of its own. */
export const actionsOf = (account: Account): Action[] => [
  ...ACTIONS.filter(action => !(action.omni && account.traits.includes('no_omni'))),
  {
    type: `offsite_conversion.custom.${730_000_000_000_000 + account.number}`,
    of: ['custom_conversions'],
    off_meta: true,
    omni: false,
  },
]

/** What the field called conversions counts: not purchases. */
export const CONVERSIONS: readonly Action[] = [
  { type: 'contact_total', of: ['messaging_first_reply'], off_meta: true, omni: false },
  { type: 'submit_application_total', of: ['onsite_leads'], off_meta: true, omni: false },
]

/** What Ads Manager calls the result of a campaign. */
export const RESULTS: Record<Objective, { indicator: string; of: readonly Metric[] }> = {
  sales: { indicator: 'actions:offsite_conversion.fb_pixel_purchase', of: ['web_purchases'] },
  leads: { indicator: 'actions:lead', of: ['web_leads', 'onsite_leads'] },
  traffic: { indicator: 'actions:link_click', of: ['link_clicks'] },
  engagement: { indicator: 'actions:post_engagement', of: ENGAGEMENT },
  video: { indicator: 'video_thruplay_watched_actions', of: ['thruplays'] },
  app: { indicator: 'actions:mobile_app_install', of: ['app_installs'] },
}

export const countOf = (counts: Float64Array, metrics: readonly Metric[]) =>
  metrics.reduce((sum, metric) => sum + (counts[slotOf[metric]] ?? 0), 0)

/**
 * Money in the main unit of the account's currency. Taiwan dollars lose trailing zeros, US dollars have two
 * decimals.
 */
export function moneyText(minor: number, account: Account): string {
  const main = minor / MINOR_UNITS[account.currency]
  return account.currency === 'USD' ? main.toFixed(2) : String(main)
}

/** Up to six decimals. */
export const ratioText = (ratio: number) => ratio.toFixed(6).replace(/\.?0+$/, '')

/** The part of a count that is attributed to a window. */
export function windowCount(window: string, count: number): number | null {
  switch (window) {
    case '1d_click':
      return Math.floor(count * 0.6)
    case '7d_click':
      return Math.floor(count * 0.86)
    case '28d_click':
      return Math.floor(count * 0.93)
    case '1d_view':
      return count - Math.floor(count * 0.86)
    case '1d_ev':
      return Math.floor(count * 0.02)
    case 'dda':
    case 'default':
      return count
    default:
      return null // 7d_view and 28d_view are still accepted, but have had no data since January 2026.
  }
}

function onMeta(type: string, ...of: Metric[]): Action[] {
  return [{ type, of, off_meta: false, omni: false }]
}

function website(event: string, metric: Metric, omni = `omni_${event}`): Action[] {
  return [omni, event, `offsite_conversion.fb_pixel_${event}`].map(type => ({
    type,
    of: [metric],
    off_meta: true,
    omni: type === omni,
  }))
}
