import { KEY_EVENTS } from './dimensions.ts'

/** What is counted for a row. Money in the property's currency. */
export interface Tally {
  sums: Record<Count, number>
  events: Map<string, number>
  /** People by what makes them count. */
  people: Record<PeopleSegment, Set<number>>
  /** Visits with a key event. */
  converted: number
}

export type Count =
  | 'sessions'
  | 'engaged'
  | 'seconds'
  | 'engaged_seconds'
  | 'event_count'
  | 'event_value'
  | 'revenue'
  | 'refund'
  | 'shipping'
  | 'tax'
  | 'items_viewed'
  | 'items_added'
  | 'items_checked_out'
  | 'items_purchased'
  | 'item_revenue'
  | 'ad_impressions'
  | 'ad_clicks'
  | 'ad_cost'
  | 'organic_impressions'
  | 'organic_clicks'

export type PeopleSegment =
  | 'all'
  | 'active'
  | 'returning'
  | 'buyers'
  | 'first_buyers'
  | 'scrolled'
  | 'day'
  | 'week'
  | 'month'

export type MetricScope = 'plain' | 'item' | 'ads' | 'rolling' | 'organic'
type MetricType = 'TYPE_INTEGER' | 'TYPE_FLOAT' | 'TYPE_CURRENCY' | 'TYPE_SECONDS'

export interface Metric {
  name: string
  title: string
  type: MetricType
  scope: MetricScope
  /** What a login may be denied. */
  restricted: 'REVENUE_DATA' | 'COST_DATA' | null
  counts_people: boolean
  of(tally: Tally): number
}

type Of = Metric['of']
const metric = (
  name: string,
  title: string,
  { type, of, more = {} }: { type: MetricType; of: Of; more?: Partial<Metric> | undefined },
): Metric => ({
  name,
  title,
  type,
  scope: 'plain',
  restricted: null,
  counts_people: false,
  of,
  ...more,
})

const whole = (name: string, title: string, { of, more }: { of: Of; more?: Partial<Metric> | undefined }) =>
  metric(name, title, { type: 'TYPE_INTEGER', of, more })
const sum = (
  name: string,
  title: string,
  { count, more }: { count: Count; more?: Partial<Metric> | undefined },
) => whole(name, title, { of: ({ sums }) => sums[count], more })
const money = (
  name: string,
  title: string,
  { of, more = {} }: { of: Of; more?: Partial<Metric> | undefined },
) => metric(name, title, { type: 'TYPE_CURRENCY', of, more: { restricted: 'REVENUE_DATA', ...more } })
const peopleMetric = (
  name: string,
  title: string,
  { of, more = {} }: { of: PeopleSegment; more?: Partial<Metric> | undefined },
) => whole(name, title, { of: ({ people }) => people[of].size, more: { counts_people: true, ...more } })
const ratio = (part: number, of: number) => (of === 0 ? 0 : part / of)
const rate = (name: string, title: string, { of, more }: { of: Of; more?: Partial<Metric> | undefined }) =>
  metric(name, title, { type: 'TYPE_FLOAT', of, more })
const happened = ({ events }: Tally, name: string) => events.get(name) ?? 0
const keyEvents: Of = tally => [...KEY_EVENTS].reduce((total, name) => total + happened(tally, name), 0)
const item = { scope: 'item' } as const
const ads = { scope: 'ads' } as const
const rolling = { scope: 'rolling' } as const
const organic = { scope: 'organic' } as const
const cost = { scope: 'ads', restricted: 'COST_DATA' } as const
const net: Of = ({ sums }) => sums.revenue - sums.refund

const METRICS: readonly Metric[] = [
  sum('sessions', 'Sessions', { count: 'sessions' }),
  sum('engagedSessions', 'Engaged sessions', { count: 'engaged' }),
  peopleMetric('totalUsers', 'Total users', { of: 'all' }),
  peopleMetric('activeUsers', 'Active users', { of: 'active' }),
  peopleMetric('returningUsers', 'Returning users', { of: 'returning' }),
  peopleMetric('totalPurchasers', 'Total purchasers', { of: 'buyers' }),
  peopleMetric('firstTimePurchasers', 'First time purchasers', { of: 'first_buyers' }),
  peopleMetric('scrolledUsers', 'Scrolled users', { of: 'scrolled' }),
  peopleMetric('active1DayUsers', '1-day active users', { of: 'day', more: rolling }),
  peopleMetric('active7DayUsers', '7-day active users', { of: 'week', more: rolling }),
  peopleMetric('active28DayUsers', '28-day active users', { of: 'month', more: rolling }),
  whole('newUsers', 'New users', { of: tally => happened(tally, 'first_visit') }),
  sum('eventCount', 'Event count', { count: 'event_count' }),
  rate('eventValue', 'Event value', { of: ({ sums }) => sums.event_value }),
  rate('keyEvents', 'Key events', { of: keyEvents }),
  rate('conversions', 'Key events', { of: keyEvents }),
  rate('sessionKeyEventRate', 'Session key event rate', {
    of: ({ converted, sums }) => ratio(converted, sums.sessions),
  }),
  rate('engagementRate', 'Engagement rate', { of: ({ sums }) => ratio(sums.engaged, sums.sessions) }),
  rate('bounceRate', 'Bounce rate', { of: ({ sums }) => ratio(sums.sessions - sums.engaged, sums.sessions) }),
  metric('averageSessionDuration', 'Average session duration', {
    type: 'TYPE_SECONDS',
    of: ({ sums }) => ratio(sums.seconds, sums.sessions),
  }),
  metric('userEngagementDuration', 'User engagement', {
    type: 'TYPE_SECONDS',
    of: ({ sums }) => sums.engaged_seconds,
  }),
  rate('sessionsPerUser', 'Sessions per user', {
    of: ({ sums, people }) => ratio(sums.sessions, people.active.size),
    more: {
      counts_people: true,
    },
  }),
  rate('eventCountPerUser', 'Event count per user', {
    of: ({ sums, people }) => ratio(sums.event_count, people.active.size),
    more: {
      counts_people: true,
    },
  }),
  whole('screenPageViews', 'Views', { of: tally => happened(tally, 'page_view') }),
  rate('screenPageViewsPerSession', 'Views per session', {
    of: tally => ratio(happened(tally, 'page_view'), tally.sums.sessions),
  }),
  whole('transactions', 'Transactions', { of: tally => happened(tally, 'purchase') }),
  whole('ecommercePurchases', 'Ecommerce purchases', { of: tally => happened(tally, 'purchase') }),
  whole('addToCarts', 'Add to carts', { of: tally => happened(tally, 'add_to_cart') }),
  whole('checkouts', 'Checkouts', { of: tally => happened(tally, 'begin_checkout') }),
  money('purchaseRevenue', 'Purchase revenue', { of: net }),
  money('totalRevenue', 'Total revenue', { of: net }),
  money('grossPurchaseRevenue', 'Gross purchase revenue', { of: ({ sums }) => sums.revenue }),
  money('refundAmount', 'Refund amount', { of: ({ sums }) => sums.refund }),
  money('shippingAmount', 'Shipping amount', { of: ({ sums }) => sums.shipping }),
  money('taxAmount', 'Tax amount', { of: ({ sums }) => sums.tax }),
  money('averageRevenuePerUser', 'ARPU', {
    of: tally => ratio(net(tally), tally.people.active.size),
    more: {
      counts_people: true,
    },
  }),
  money('averagePurchaseRevenue', 'Average purchase revenue', {
    of: tally => ratio(net(tally), happened(tally, 'purchase')),
  }),
  sum('itemsViewed', 'Items viewed', { count: 'items_viewed', more: item }),
  sum('itemsAddedToCart', 'Items added to cart', { count: 'items_added', more: item }),
  sum('itemsCheckedOut', 'Items checked out', { count: 'items_checked_out', more: item }),
  sum('itemsPurchased', 'Items purchased', { count: 'items_purchased', more: item }),
  money('itemRevenue', 'Item revenue', { of: ({ sums }) => sums.item_revenue, more: item }),
  sum('advertiserAdImpressions', 'Ads impressions', { count: 'ad_impressions', more: ads }),
  sum('advertiserAdClicks', 'Ads clicks', { count: 'ad_clicks', more: ads }),
  money('advertiserAdCost', 'Ads cost', { of: ({ sums }) => sums.ad_cost, more: cost }),
  money('advertiserAdCostPerClick', 'Ads cost per click', {
    of: ({ sums }) => ratio(sums.ad_cost, sums.ad_clicks),
    more: cost,
  }),
  money('advertiserAdCostPerKeyEvent', 'Cost per key event', {
    of: tally => ratio(tally.sums.ad_cost, keyEvents(tally)),
    more: cost,
  }),
  rate('returnOnAdSpend', 'Return on ad spend', {
    of: tally => ratio(net(tally), tally.sums.ad_cost),
    more: cost,
  }),
  sum('organicGoogleSearchClicks', 'Organic Google Search clicks', {
    count: 'organic_clicks',
    more: organic,
  }),
  sum('organicGoogleSearchImpressions', 'Organic Google Search impressions', {
    count: 'organic_impressions',
    more: organic,
  }),
]

/** The metric of that name; key events have one of their own each (keyEvents:purchase). */
export function findMetric(name: string): Metric | null {
  const event = /^(?:keyEvents|conversions):(\w+)$/.exec(name)?.[1]
  if (event !== undefined)
    return KEY_EVENTS.has(event)
      ? rate(name, `Key event count for ${event}`, { of: tally => happened(tally, event) })
      : null
  return METRICS.find(each => each.name === name) ?? null
}

/** Those that metadata lists; `conversions` is an old name of key events. */
export const listedMetrics = () => [
  ...METRICS.filter(({ name }) => name !== 'conversions'),
  ...[...KEY_EVENTS].flatMap(event => findMetric(`keyEvents:${event}`) ?? []),
]
