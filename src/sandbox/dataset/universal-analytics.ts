import { ADVERTISERS, ANALYTICS, type AnalyticsSource, type Currency, MINOR_UNITS } from './agency.ts'
import { knownDay, seasonOf, weekdayOf } from './calendar.ts'
import { between, hashOf, mix, unit } from './hash.ts'

// What Universal Analytics counted for the agency's views until its last day: sessions by traffic and device,
// what happened in them, and the people behind them.

/**
 * `large`: more sessions a month than a report reads. `empty`: nothing was ever counted. `revoked`: the
 * customer has withdrawn the access. Views with a trait are the administrator's; the agency's have none.
 */
export interface View extends AnalyticsSource {
  view_id: string
  view_name: string
  trait: 'large' | 'empty' | 'revoked' | null
  /** Sessions of an ordinary day. */
  daily: number
  seed: number
}

const usual = ANALYTICS.flatMap((source): View[] =>
  source.kind === 'ua_view' && source.view_id && source.view_name
    ? [
        {
          ...source,
          view_id: source.view_id,
          view_name: source.view_name,
          trait: null,
          seed: hashOf(source.view_id),
          daily: Math.round(between(hashOf(source.view_id), 500, 1600)),
        },
      ]
    : [],
)

const odd = (['large', 'empty', 'revoked'] as const).flatMap((trait, index): View[] => {
  const like = usual[ADVERTISERS.indexOf('Ember Games')]
  return like
    ? [
        {
          ...like,
          property_id: `UA-314155-${index + 2}`,
          property_name: `Ember Games (${trait})`,
          view_id: `9265359${index}`,
          seed: hashOf(`9265359${index}`),
          view_name: `"${trait}" 100%_[all], 全部`,
          trait,
          daily: trait === 'large' ? 30_000 : 400,
        },
      ]
    : []
})

export const VIEWS: readonly View[] = [...usual, ...odd]

export const FIRST_DAY = knownDay('2019-01-01')
/** Standard properties stopped counting on the next one. */
export const LAST_DAY = knownDay('2023-06-30')

export interface Traffic {
  source: string
  medium: string
  campaign: string
  keyword: string
  ad_content: string
  share: number
  /** Google Ads: has impressions, clicks and cost. */
  is_paid: boolean
}

const NOT_SET = '(not set)'
const line = (
  source: string,
  medium: string,
  share: number,
  [campaign = NOT_SET, keyword = NOT_SET, ad_content = NOT_SET]: string[] = [],
): Traffic => ({
  source,
  medium,
  share,
  campaign,
  keyword,
  ad_content,
  is_paid: source === 'google' && medium === 'cpc',
})

const TRAFFIC: readonly Traffic[] = [
  line('(direct)', '(none)', 0.2),
  line('google', 'organic', 0.24, [NOT_SET, '(not provided)']),
  line('google', 'cpc', 0.07, ['brand', 'brand name', 'Headline A']),
  line('google', 'cpc', 0.06, ['brand', 'brand "exact"', 'Headline B']),
  line('google', 'cpc', 0.05, ['generic | 2023', 'best, cheap; price', '=HYPERLINK("x")']),
  line('facebook', 'paid_social', 0.08, ['春夏彩妝', NOT_SET, 'Carousel 🛒']),
  line('facebook', 'paid_social', 0.05, ['100%_off [sale]', NOT_SET, 'Video 15s \\ cut "B"']),
  line('Facebook', 'Referral', 0.03),
  line('yahoo', 'organic', 0.05, [NOT_SET, '化粧品 口コミ']),
  line('yahoo', 'cpc', 0.04, ['test 検索', '通販', 'A']),
  line('line', 'social', 0.04, ['newsletter']),
  line('newsletter', 'email', 0.05, ['2023-03-04']),
  line('t.co', 'referral', 0.02),
  line('partner.example', 'affiliate', 0.02, ['00123']),
]

/** Keywords without number, of which each brought a few sessions: only the large view has them. */
const LONG_TAIL: readonly Traffic[] = Array.from({ length: 400 }, (_, index) =>
  line('google', 'cpc', 0.0015, ['long tail', `keyword ${String(index).padStart(4, '0')}`, 'Headline C']),
)

export const trafficOf = (view: View): readonly Traffic[] =>
  view.trait === 'large' ? [...TRAFFIC, ...LONG_TAIL] : TRAFFIC

export const UA_DEVICES = [
  { name: 'desktop', share: 0.34 },
  { name: 'mobile', share: 0.58 },
  { name: 'tablet', share: 0.08 },
] as const

/** Kinds of events, with the share of sessions that have one, and what one is worth. */
export const EVENTS = [
  { category: 'Video', action: 'play', label: 'film', rate: 0.12, worth: 0 },
  { category: 'Video', action: 'play', label: 'tutorial', rate: 0.07, worth: 0 },
  { category: 'Video', action: 'complete', label: 'film', rate: 0.04, worth: 1 },
  { category: 'Form', action: 'submit', label: 'contact', rate: 0.03, worth: 20 },
  { category: 'Form', action: 'submit', label: '=1+1', rate: 0.01, worth: 5 },
  { category: 'Ecommerce', action: 'add to cart', label: NOT_SET, rate: 0.09, worth: 3 },
  { category: '購物車', action: '結帳, "now"', label: NOT_SET, rate: 0.05, worth: 8 },
] as const

/** The counts of a traffic source, a device and a day; money is in the smallest unit of the currency. */
export const UA_COUNTS = [
  'sessions',
  'new_users',
  'bounces',
  'pageviews',
  'duration',
  'transactions',
  'revenue',
  'items',
  'item_revenue',
  'shipping',
  'tax',
  'goals',
  'goal_value',
  'impressions',
  'ad_clicks',
  'ad_cost',
] as const
export type UaCount = (typeof UA_COUNTS)[number]
export const uaSlot = Object.fromEntries(UA_COUNTS.map((name, slot) => [name, slot])) as Record<
  UaCount,
  number
>

const IN_DOLLARS: Record<Currency, number> = { USD: 1, TWD: 32, JPY: 150 }

/** Writes the counts of one traffic source, device and day; false when there were no sessions. */
export function readDay(
  view: View,
  at: { traffic: Traffic; traffic_index: number; device_index: number; day: number },
  into: Float64Array,
): boolean {
  const { traffic, day } = at
  if (view.trait === 'empty' || day < FIRST_DAY || day > LAST_DAY) return false
  const seed = seedOf(view, at)
  const sessions = Math.floor(
    view.daily *
      traffic.share *
      (UA_DEVICES[at.device_index]?.share ?? 0) *
      (DEMAND[day - FIRST_DAY] ?? 1) *
      between(seed, 0.7, 1.3) +
      unit(mix(seed, 1)),
  )
  if (sessions === 0) return false
  const some = (of: number, rate: number, salt: number) =>
    Math.min(of, Math.floor(of * rate + unit(mix(seed, salt))))
  const money = IN_DOLLARS[view.currency] * MINOR_UNITS[view.currency]
  const transactions = some(sessions, traffic.is_paid ? 0.03 : 0.016, 2)
  const revenue = Math.round(transactions * 46 * money * between(mix(seed, 3), 0.7, 1.4))
  const goals = some(sessions, 0.05, 4)
  const ad_clicks = traffic.is_paid ? sessions + some(sessions, 0.1, 5) : 0
  const counts: Record<UaCount, number> = {
    sessions,
    new_users: some(sessions, 0.55, 6),
    bounces: some(sessions, 0.44, 7),
    pageviews: sessions + Math.floor(sessions * between(mix(seed, 8), 1.5, 3)),
    duration: Math.floor(sessions * between(mix(seed, 9), 90, 190)),
    transactions,
    revenue,
    items: transactions * 2,
    item_revenue: Math.floor(revenue * 0.9),
    shipping: Math.round(transactions * 2 * money),
    tax: Math.floor(revenue * 0.05),
    goals,
    goal_value: Math.round(goals * 1.5 * money),
    impressions: ad_clicks * (20 + ((seed >>> 5) % 30)),
    ad_clicks,
    ad_cost: Math.round(ad_clicks * 0.4 * money * between(mix(seed, 10), 0.8, 1.2)),
  }
  for (const name of UA_COUNTS) into[uaSlot[name]] = counts[name]
  return true
}

/** Of those sessions, how many had an event of that kind, by index in EVENTS. */
export function sessionsWith(
  eventIndex: number,
  sessions: number,
  { view, at }: { view: View; at: { traffic_index: number; device_index: number; day: number } },
): number {
  const rate = EVENTS[eventIndex]?.rate ?? 0
  return Math.min(sessions, Math.floor(sessions * rate + unit(mix(seedOf(view, at), 50 + eventIndex))))
}

const seedOf = (view: View, at: { traffic_index: number; device_index: number; day: number }) =>
  mix(mix(view.seed, at.day), at.traffic_index * 8 + at.device_index)

const WEEKDAY = [1.04, 1.02, 1, 0.98, 0.95, 0.9, 1]
const DEMAND = Float64Array.from({ length: LAST_DAY - FIRST_DAY + 1 }, (_, index) => {
  const day = FIRST_DAY + index
  return (WEEKDAY[weekdayOf(day)] ?? 1) * (1 + 0.25 * Math.sin(2 * Math.PI * (seasonOf(day) - 0.2)))
})

const SEGMENTS = [0.45, 0.3, 0.15, 0.1]
export const noPeople = () => new Float64Array(SEGMENTS.length)

/** Adds the sessions of a traffic source to the segments of people that it reaches. */
export function addPeople(people: Float64Array, sessions: number, trafficIndex: number): void {
  for (let segment = 0; segment < SEGMENTS.length; segment++) {
    const weight = (1 + ((trafficIndex + segment) % 4)) / 10
    people[segment] = (people[segment] ?? 0) + sessions * weight
  }
}

/** How many different people had those sessions: at most as many, fewer the more there are. */
export function peopleIn(people: Float64Array, view: View): number {
  const population = view.daily * 25
  let met = 0
  for (const [segment, share] of SEGMENTS.entries()) {
    const size = population * share
    met += -size * Math.expm1(-(people[segment] ?? 0) / size)
  }
  return Math.ceil(met - 1e-9)
}
