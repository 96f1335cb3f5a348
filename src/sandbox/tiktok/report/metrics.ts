import { type Currency, MINOR_UNITS } from '#sandbox/dataset/agency.ts'
import type { Metric } from '#sandbox/dataset/metrics.ts'
import { OPTIMIZED_FOR, RESULT_OF } from '#sandbox/dataset/tiktok.ts'
import { countOf, type Facts } from './facts.ts'

/** How a metric is formatted: everything is text. */
export interface MetricField {
  needs: readonly Metric[]
  show(facts: Facts, money: Money): string
  /** Is in audience reports, too. */
  audience: boolean
  /** What happened on the advertiser's website. */
  website?: true
  people?: true
  real_time?: true
  /** Only synchronous basic reports have it. */
  only_synchronous?: true
}

/** The currency of the account; over several accounts, money loses its decimals. */
export interface Money {
  currency: Currency
  whole: boolean
}

export const NOT_AVAILABLE = '-'

const LATE = [...new Set(Object.values(OPTIMIZED_FOR).flat())]
const RESULTS = [...LATE, ...Object.values(RESULT_OF).flatMap(of => (of === 'people' ? [] : of))]
const CORE = true
const BASIC_ONLY = false

export const METRIC_FIELDS: Readonly<Record<string, MetricField>> = {
  spend: money('spend', CORE),
  billed_cost: { ...money('spend', BASIC_ONLY), only_synchronous: true },
  cash_spend: money('spend', BASIC_ONLY),
  voucher_spend: { needs: [], audience: BASIC_ONLY, show: (_, { whole }) => (whole ? '0' : '0.00') },
  impressions: count(['impressions'], CORE),
  clicks: count(['link_clicks'], CORE),
  ctr: percent(['link_clicks'], ['impressions'], CORE),
  cpc: costPer(['link_clicks'], CORE),
  cpm: {
    needs: ['spend', 'impressions'],
    audience: CORE,
    show: (facts, { currency }) =>
      ratio(
        (1000 * countOf(facts.counts, ['spend'])) / MINOR_UNITS[currency],
        countOf(facts.counts, ['impressions']),
      ),
  },
  reach: person([], facts => whole(facts.reach)),
  frequency: person(['impressions'], facts =>
    facts.reach === null ? NOT_AVAILABLE : ratio(countOf(facts.counts, ['impressions']), facts.reach),
  ),
  cost_per_1000_reached: person(['spend'], (facts, { currency }) =>
    facts.reach === null
      ? NOT_AVAILABLE
      : ratio((1000 * countOf(facts.counts, ['spend'])) / MINOR_UNITS[currency], facts.reach),
  ),
  ...conversions('', facts => facts.conversions),
  ...conversions('real_time_', facts => facts.real_time.conversions),
  ...results('', facts => facts.results),
  ...results('real_time_', facts => facts.real_time.results),
  secondary_goal_result: {
    needs: ['add_to_cart'],
    audience: BASIC_ONLY,
    show: ({ secondary }) => (secondary === 0 ? NOT_AVAILABLE : String(secondary)),
  },
  cta_conversion: { needs: LATE, audience: BASIC_ONLY, show: facts => String(facts.click_conversions) },
  vta_conversion: count(['view_conversions'], BASIC_ONLY),
  engaged_view_through_conversions: count(['engaged_conversions'], BASIC_ONLY),
  engagements: count(['clicks'], BASIC_ONLY),
  engagement_rate: percent(['clicks'], ['impressions'], BASIC_ONLY),

  video_play_actions: count(['autoplays'], CORE),
  video_watched_2s: count(['watched_2s'], CORE),
  video_watched_6s: count(['watched_6s'], CORE),
  video_views_p25: count(['autoplay_p25'], CORE),
  video_views_p50: count(['autoplay_p50'], CORE),
  video_views_p75: count(['autoplay_p75'], CORE),
  video_views_p100: count(['autoplay_p100'], CORE),
  average_video_play: quotient(['autoplay_seconds'], ['autoplays'], CORE),
  average_video_play_per_user: person(['autoplay_seconds'], facts =>
    facts.reach === null ? NOT_AVAILABLE : ratio(countOf(facts.counts, ['autoplay_seconds']), facts.reach),
  ),
  engaged_view: count(['focused_6s'], BASIC_ONLY),
  engaged_view_15s: count(['focused_15s'], BASIC_ONLY),
  likes: count(['post_reactions'], CORE),
  comments: count(['comments'], CORE),
  shares: count(['shares'], CORE),
  follows: count(['page_likes'], CORE),
  profile_visits: count(['profile_visits'], CORE),
  clicks_on_music_disc: count(['music_clicks'], CORE),
  live_views: count(['live_views'], BASIC_ONLY),

  total_landing_page_view: count(['landing_page_views'], CORE),
  total_pageview: web(count(['page_views'], BASIC_ONLY)),
  complete_payment: web(count(['web_purchases'], BASIC_ONLY)),
  total_complete_payment_rate: web(money('web_purchase_value', BASIC_ONLY)),
  complete_payment_rate: web(percent(['web_purchases'], ['link_clicks'], BASIC_ONLY)),
  complete_payment_roas: web(quotient(['web_purchase_value'], ['spend'], BASIC_ONLY)),
  cost_per_complete_payment: web(costPer(['web_purchases'], BASIC_ONLY)),
  web_event_add_to_cart: web(count(['add_to_cart'], BASIC_ONLY)),
  total_web_event_add_to_cart_value: web(money('add_to_cart_value', BASIC_ONLY)),
  initiate_checkout: web(count(['initiate_checkout'], BASIC_ONLY)),
  on_web_order: web(count(['place_orders'], BASIC_ONLY)),
  total_on_web_order_value: web(money('place_order_value', BASIC_ONLY)),
  page_content_view_events: web(count(['view_content'], BASIC_ONLY)),
  user_registration: web(count(['complete_registration'], BASIC_ONLY)),
  form: web(count(['web_leads'], BASIC_ONLY)),
  online_consult: web(count(['messaging_started'], BASIC_ONLY)),
  button_click: web(count(['button_clicks'], BASIC_ONLY)),
  on_web_subscribe: web(count(['subscriptions'], BASIC_ONLY)),
  onsite_form: count(['onsite_leads'], BASIC_ONLY),
  onsite_shopping: count(['shop_purchases'], BASIC_ONLY),
  total_onsite_shopping_value: money('shop_purchase_value', BASIC_ONLY),

  app_install: count(['app_installs'], BASIC_ONLY),
  real_time_app_install: {
    needs: ['app_installs'],
    audience: BASIC_ONLY,
    real_time: true,
    show: facts => String(facts.real_time.app_installs),
  },
  total_registration: count(['app_registrations'], BASIC_ONLY),
  registration: unique(['app_registrations']),
  total_purchase: count(['app_purchases'], BASIC_ONLY),
  purchase: unique(['app_purchases']),
  total_purchase_value: money('app_purchase_value', BASIC_ONLY),
}

function count(needs: readonly Metric[], audience: boolean): MetricField {
  return { needs, audience, show: facts => String(countOf(facts.counts, needs)) }
}

function money(metric: Metric, audience: boolean): MetricField {
  return {
    needs: [metric],
    audience,
    show: (facts, { currency, whole: isWhole }) => {
      const main = countOf(facts.counts, [metric]) / MINOR_UNITS[currency]
      return isWhole || currency === 'JPY' ? String(Math.round(main)) : main.toFixed(2)
    },
  }
}

function quotient(of: readonly Metric[], by: readonly Metric[], audience: boolean): MetricField {
  return {
    needs: [...of, ...by],
    audience,
    show: facts => ratio(countOf(facts.counts, of), countOf(facts.counts, by)),
  }
}

function percent(of: readonly Metric[], by: readonly Metric[], audience: boolean): MetricField {
  return {
    needs: [...of, ...by],
    audience,
    show: facts => ratio(100 * countOf(facts.counts, of), countOf(facts.counts, by)),
  }
}

function costPer(by: readonly Metric[], audience: boolean): MetricField {
  return {
    needs: ['spend', ...by],
    audience,
    show: (facts, { currency }) =>
      ratio(countOf(facts.counts, ['spend']) / MINOR_UNITS[currency], countOf(facts.counts, by)),
  }
}

function person(needs: readonly Metric[], show: MetricField['show']): MetricField {
  return { needs, audience: BASIC_ONLY, people: true, show }
}

/** People who did it at least once: fewer than times it was done, and the fewer the more often it was. */
function unique(needs: readonly Metric[]): MetricField {
  return {
    needs,
    audience: BASIC_ONLY,
    show: facts =>
      facts.reach === null
        ? NOT_AVAILABLE
        : whole(Math.ceil(-PLAYERS * Math.expm1(-countOf(facts.counts, needs) / PLAYERS))),
  }
}
const PLAYERS = 400

function web(field: MetricField): MetricField {
  return { ...field, website: true }
}

/** A conversion rate of impressions, under both names that it had. */
function conversions(prefix: '' | 'real_time_', of: (facts: Facts) => number): Record<string, MetricField> {
  const field = (needs: readonly Metric[], show: MetricField['show']): MetricField => ({
    needs: [...LATE, ...needs],
    audience: CORE,
    ...(prefix !== '' && { real_time: true }),
    show,
  })
  const rate = field(['impressions'], facts => ratio(100 * of(facts), countOf(facts.counts, ['impressions'])))
  return {
    [`${prefix}conversion`]: field([], facts => String(of(facts))),
    [`${prefix}cost_per_conversion`]: costOf(
      field(['spend'], () => ''),
      of,
    ),
    [`${prefix}conversion_rate`]: rate,
    [`${prefix}conversion_rate_v2`]: rate,
  }
}

function results(prefix: '' | 'real_time_', of: (facts: Facts) => number): Record<string, MetricField> {
  const field: MetricField = {
    needs: [...RESULTS, 'spend', 'impressions'],
    audience: CORE,
    people: true,
    ...(prefix !== '' && { real_time: true }),
    show: facts => String(of(facts)),
  }
  return {
    [`${prefix}result`]: field,
    [`${prefix}cost_per_result`]: costOf(field, of),
    [`${prefix}result_rate`]: {
      ...field,
      show: facts => ratio(100 * of(facts), countOf(facts.counts, ['impressions'])),
    },
  }
}

function costOf(field: MetricField, of: (facts: Facts) => number): MetricField {
  return {
    ...field,
    show: (facts, { currency }) => ratio(countOf(facts.counts, ['spend']) / MINOR_UNITS[currency], of(facts)),
  }
}

const whole = (number: number | null) => (number === null ? NOT_AVAILABLE : String(number))

/** Two decimals; 0.00 where there is nothing to divide by. */
const ratio = (of: number, by: number) => (by === 0 ? 0 : of / by).toFixed(2)
