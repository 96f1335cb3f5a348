import type { Account } from '#sandbox/dataset/agency.ts'
import type { Objective } from '#sandbox/dataset/campaigns.ts'
import { hashOf, mix } from '#sandbox/dataset/hash.ts'
import { type Metric, slotOf } from '#sandbox/dataset/metrics.ts'
import type { People } from '#sandbox/dataset/people.ts'
import { type Action, CONVERSIONS, countOf, moneyText, ratioText, RESULTS, windowCount } from './actions.ts'

/** All that a field of a row can be made from. */
export interface RowFacts {
  account: Account
  /** Ids and names of the entity of the row, by field name. */
  entity: Readonly<Record<string, string>>
  level: string
  counts: Float64Array
  people: People
  /** The counts by objective, for results. */
  by_objective: ReadonlyMap<Objective, Float64Array>
  /** The action types of the account. */
  actions: readonly Action[]
  windows: readonly string[]
  /** Extra keys of action entries: device, destination. */
  action_keys: Readonly<Record<string, string>>
  on_meta_only: boolean
}

export interface Field {
  /** The counts it needs. */
  needs: readonly Metric[]
  /** What a row shows; undefined for nothing: the key is left out. */
  show(facts: RowFacts): unknown
}

/** Whether a field counts people, and so cannot be had for every breakdown and every age of data. */
export const REACH_FIELDS = new Set(['reach', 'frequency', 'cpp'])
export const UNIQUE_FIELDS = new Set([
  'unique_clicks',
  'unique_inline_link_clicks',
  'unique_ctr',
  'unique_actions',
  'cost_per_unique_click',
])

export const countsPeople = (name: string) => REACH_FIELDS.has(name) || UNIQUE_FIELDS.has(name)

const n = (facts: RowFacts, metric: Metric) => facts.counts[slotOf[metric]] ?? 0
const text = (value: number) => (value === 0 ? undefined : String(value))
const count = (metric: Metric): Field => ({ needs: [metric], show: facts => text(n(facts, metric)) })
const named = (name: string): Field => ({ needs: [], show: facts => facts.entity[name] })
const people = (kind: keyof People): Field => ({ needs: PEOPLE, show: facts => text(facts.people[kind]) })
const PEOPLE = ['impressions', 'clicks', 'link_clicks'] as const

/** A ratio, left out when there is nothing to divide or nothing to divide by. */
const ratio = (needs: readonly Metric[], of: (facts: RowFacts) => [number, number], factor = 1): Field => ({
  needs,
  show(facts) {
    const [over, under] = of(facts)
    return over === 0 || under === 0 ? undefined : ratioText((over / under) * factor)
  },
})
const main = (facts: RowFacts, metric: Metric) => Number(moneyText(n(facts, metric), facts.account))
const cost = (metric: Metric, factor = 1) =>
  ratio(['spend', metric], facts => [main(facts, 'spend'), n(facts, metric)], factor)

/** A list with one entry, such as the video lists. */
const single = (actionType: string, metric: Metric): Field => ({
  needs: [metric],
  show: facts => entries(facts, [{ type: actionType, of: [metric], off_meta: false, omni: false }]),
})

const ACTION_NEEDS: readonly Metric[] = [
  'link_clicks',
  'landing_page_views',
  'video_views',
  'post_reactions',
  'comments',
  'shares',
  'saves',
  'page_likes',
  'messaging_started',
  'messaging_first_reply',
  'onsite_leads',
  'view_content',
  'search',
  'add_to_cart',
  'initiate_checkout',
  'complete_registration',
  'web_leads',
  'web_purchases',
  'app_purchases',
  'app_installs',
  'custom_conversions',
]
const VALUE_NEEDS: readonly Metric[] = ['web_purchase_value', 'app_purchase_value']
const RESULT_NEEDS = Object.values(RESULTS).flatMap(result => result.of)

export const FIELDS: Readonly<Record<string, Field>> = {
  account_id: named('account_id'),
  account_name: named('account_name'),
  account_currency: named('account_currency'),
  campaign_id: named('campaign_id'),
  campaign_name: named('campaign_name'),
  adset_id: named('adset_id'),
  adset_name: named('adset_name'),
  ad_id: named('ad_id'),
  ad_name: named('ad_name'),
  objective: named('objective'),
  buying_type: named('buying_type'),
  attribution_setting: named('attribution_setting'),
  date_start: { needs: [], show: () => undefined },
  date_stop: { needs: [], show: () => undefined },
  impressions: count('impressions'),
  clicks: count('clicks'),
  spend: {
    needs: ['spend'],
    show: facts => (n(facts, 'spend') === 0 ? undefined : moneyText(n(facts, 'spend'), facts.account)),
  },
  reach: people('reach'),
  frequency: ratio(PEOPLE, facts => [n(facts, 'impressions'), facts.people.reach]),
  ctr: ratio(['clicks'], facts => [n(facts, 'clicks'), n(facts, 'impressions')], 100),
  cpc: cost('clicks'),
  cpm: cost('impressions', 1000),
  cpp: ratio([...PEOPLE, 'spend'], facts => [main(facts, 'spend'), facts.people.reach], 1000),
  unique_clicks: people('unique_clicks'),
  unique_inline_link_clicks: people('unique_link_clicks'),
  unique_ctr: ratio(PEOPLE, facts => [facts.people.unique_clicks, facts.people.reach], 100),
  cost_per_unique_click: ratio([...PEOPLE, 'spend'], facts => [
    main(facts, 'spend'),
    facts.people.unique_clicks,
  ]),
  unique_actions: {
    needs: PEOPLE,
    show: ({ people: { unique_link_clicks: value } }) =>
      value === 0 ? undefined : [{ action_type: 'link_click', value: String(value) }],
  },
  inline_link_clicks: count('inline_link_clicks'),
  inline_link_click_ctr: ratio(
    ['inline_link_clicks'],
    facts => [n(facts, 'inline_link_clicks'), n(facts, 'impressions')],
    100,
  ),
  cost_per_inline_link_click: cost('inline_link_clicks'),
  outbound_clicks: single('outbound_click', 'outbound_clicks'),
  instagram_profile_visits: count('profile_visits'),
  actions: { needs: ACTION_NEEDS, show: facts => entries(facts, facts.actions) },
  action_values: { needs: VALUE_NEEDS, show: facts => valueEntries(facts) },
  cost_per_action_type: {
    needs: [...ACTION_NEEDS, 'spend'],
    show: facts => costEntries(facts),
  },
  purchase_roas: {
    needs: [...VALUE_NEEDS, 'spend'],
    show: facts => roasEntries(facts, ['omni_purchase', 'purchase']),
  },
  website_purchase_roas: {
    needs: [...VALUE_NEEDS, 'spend'],
    show: facts => roasEntries(facts, ['offsite_conversion.fb_pixel_purchase']),
  },
  conversions: {
    needs: ['messaging_first_reply', 'onsite_leads'],
    show: facts => entries(facts, CONVERSIONS),
  },
  results: { needs: RESULT_NEEDS, show: facts => results(facts, (_, value) => String(value)) },
  cost_per_result: {
    needs: [...RESULT_NEEDS, 'spend'],
    show: facts =>
      results(facts, (counts, value) =>
        ratioText(Number(moneyText(counts[slotOf.spend] ?? 0, facts.account)) / value),
      ),
  },
  video_play_actions: single('video_view', 'video_plays'),
  video_p25_watched_actions: single('video_view', 'video_p25'),
  video_p50_watched_actions: single('video_view', 'video_p50'),
  video_p75_watched_actions: single('video_view', 'video_p75'),
  video_p95_watched_actions: single('video_view', 'video_p95'),
  video_p100_watched_actions: single('video_view', 'video_p100'),
  video_30_sec_watched_actions: single('video_view', 'video_30s'),
  video_thruplay_watched_actions: single('video_view', 'thruplays'),
  video_avg_time_watched_actions: {
    needs: ['watched_seconds', 'video_plays'],
    show(facts) {
      const plays = n(facts, 'video_plays')
      const value = plays === 0 ? 0 : Math.round(n(facts, 'watched_seconds') / plays)
      return value === 0 ? undefined : [{ action_type: 'video_view', value: String(value) }]
    },
  },
  cost_per_thruplay: {
    needs: ['thruplays', 'spend'],
    show(facts) {
      const costText = cost('thruplays').show(facts)
      return costText === undefined ? undefined : [{ action_type: 'video_view', value: costText }]
    },
  },
  quality_ranking: ranking('quality'),
  engagement_rate_ranking: ranking('engagement'),
  conversion_rate_ranking: ranking('conversion'),
}

/** Fields whose lists are cut by action breakdowns and windows. */
function entries(facts: RowFacts, actions: readonly Action[]): unknown {
  const list = []
  for (const { type, of, off_meta } of actions) {
    if (off_meta && facts.on_meta_only) continue
    const value = countOf(facts.counts, of)
    if (value > 0)
      list.push({
        action_type: type,
        ...facts.action_keys,
        value: String(value),
        ...windows(facts, value, String),
      })
  }
  return list.length === 0 ? undefined : list
}

function valueEntries(facts: RowFacts): unknown {
  const list = []
  for (const { type, value: metrics } of facts.actions) {
    if (!metrics || facts.on_meta_only) continue
    const value = countOf(facts.counts, metrics)
    const show = (minor: number) => moneyText(minor, facts.account)
    if (value > 0)
      list.push({
        action_type: type,
        ...facts.action_keys,
        value: show(value),
        ...windows(facts, value, show),
      })
  }
  return list.length === 0 ? undefined : list
}

function windows(facts: RowFacts, value: number, show: (value: number) => string) {
  if (facts.windows.length === 0) return undefined
  const labels: Record<string, string> = {}
  for (const window of facts.windows) {
    const part = windowCount(window, value)
    if (part !== null && part > 0) labels[window] = show(part)
  }
  return labels
}

function costEntries(facts: RowFacts): unknown {
  const spend = main(facts, 'spend')
  const list = facts.actions
    .map(({ type, of, off_meta }) => ({
      type,
      value: off_meta && facts.on_meta_only ? 0 : countOf(facts.counts, of),
    }))
    .filter(({ value }) => value > 0 && spend > 0)
    .map(({ type, value }) => ({ action_type: type, value: ratioText(spend / value) }))
  return list.length === 0 ? undefined : list
}

function roasEntries(facts: RowFacts, types: string[]): unknown {
  const spend = main(facts, 'spend')
  const action = facts.actions.find(({ type }) => types.includes(type))
  const value = action?.value && !facts.on_meta_only ? countOf(facts.counts, action.value) : 0
  if (!action || value === 0 || spend === 0) return undefined
  return [{ action_type: action.type, value: ratioText(Number(moneyText(value, facts.account)) / spend) }]
}

function results(facts: RowFacts, show: (counts: Float64Array, value: number) => string): unknown {
  const list = []
  for (const [objective, counts] of facts.by_objective) {
    const { indicator, of } = RESULTS[objective]
    const value = countOf(counts, of)
    if (value > 0)
      list.push({ indicator, values: [{ value: show(counts, value), attribution_windows: ['default'] }] })
  }
  return list.length === 0 ? undefined : list
}

const RANKS = [
  'ABOVE_AVERAGE',
  'AVERAGE',
  'BELOW_AVERAGE_35',
  'BELOW_AVERAGE_20',
  'BELOW_AVERAGE_10',
] as const

/** Only ads are ranked, and only those that were seen often enough. */
function ranking(kind: string): Field {
  return {
    needs: [],
    show(facts) {
      if (facts.level !== 'ad') return undefined
      if (n(facts, 'impressions') < 500) return 'UNKNOWN'
      return RANKS[(mix(hashOf(facts.entity['ad_id'] ?? ''), hashOf(kind)) >>> 0) % RANKS.length]
    },
  }
}
