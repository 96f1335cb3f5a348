import { KEY_EVENTS } from './dimensions.ts'

/** What is counted for a row. Money in the property's currency. */
export interface Tally {
  sums: Record<Count, number>
  events: Map<string, number>
  /** People by what makes them count. */
  people: Record<Crowd, Set<number>>
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

export type Crowd =
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
  /** What a login may not be allowed to see. */
  restricted: 'REVENUE_DATA' | 'COST_DATA' | null
  counts_people: boolean
  of(tally: Tally): number
}

type Of = Metric['of']
const metric = (
  name: string,
  title: string,
  type: MetricType,
  of: Of,
  more: Partial<Metric> = {},
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

const whole = (name: string, title: string, of: Of, more?: Partial<Metric>) =>
  metric(name, title, 'TYPE_INTEGER', of, more)
const sum = (name: string, title: string, count: Count, more?: Partial<Metric>) =>
  whole(name, title, ({ sums }) => sums[count], more)
const money = (name: string, title: string, of: Of, more: Partial<Metric> = {}) =>
  metric(name, title, 'TYPE_CURRENCY', of, { restricted: 'REVENUE_DATA', ...more })
const crowd = (name: string, title: string, of: Crowd, more: Partial<Metric> = {}) =>
  whole(name, title, ({ people }) => people[of].size, { counts_people: true, ...more })
const ratio = (part: number, of: number) => (of === 0 ? 0 : part / of)
const rate = (name: string, title: string, of: Of, more?: Partial<Metric>) =>
  metric(name, title, 'TYPE_FLOAT', of, more)
const happened = ({ events }: Tally, name: string) => events.get(name) ?? 0
const keyEvents: Of = tally => [...KEY_EVENTS].reduce((total, name) => total + happened(tally, name), 0)
const item = { scope: 'item' } as const
const ads = { scope: 'ads' } as const
const rolling = { scope: 'rolling' } as const
const organic = { scope: 'organic' } as const
const cost = { scope: 'ads', restricted: 'COST_DATA' } as const
const net: Of = ({ sums }) => sums.revenue - sums.refund

const METRICS: readonly Metric[] = [
  sum('sessions', 'Sessions', 'sessions'),
  sum('engagedSessions', 'Engaged sessions', 'engaged'),
  crowd('totalUsers', 'Total users', 'all'),
  crowd('activeUsers', 'Active users', 'active'),
  crowd('returningUsers', 'Returning users', 'returning'),
  crowd('totalPurchasers', 'Total purchasers', 'buyers'),
  crowd('firstTimePurchasers', 'First time purchasers', 'first_buyers'),
  crowd('scrolledUsers', 'Scrolled users', 'scrolled'),
  crowd('active1DayUsers', '1-day active users', 'day', rolling),
  crowd('active7DayUsers', '7-day active users', 'week', rolling),
  crowd('active28DayUsers', '28-day active users', 'month', rolling),
  whole('newUsers', 'New users', tally => happened(tally, 'first_visit')),
  sum('eventCount', 'Event count', 'event_count'),
  rate('eventValue', 'Event value', ({ sums }) => sums.event_value),
  rate('keyEvents', 'Key events', keyEvents),
  rate('conversions', 'Key events', keyEvents),
  rate('sessionKeyEventRate', 'Session key event rate', ({ converted, sums }) =>
    ratio(converted, sums.sessions),
  ),
  rate('engagementRate', 'Engagement rate', ({ sums }) => ratio(sums.engaged, sums.sessions)),
  rate('bounceRate', 'Bounce rate', ({ sums }) => ratio(sums.sessions - sums.engaged, sums.sessions)),
  metric('averageSessionDuration', 'Average session duration', 'TYPE_SECONDS', ({ sums }) =>
    ratio(sums.seconds, sums.sessions),
  ),
  metric('userEngagementDuration', 'User engagement', 'TYPE_SECONDS', ({ sums }) => sums.engaged_seconds),
  rate(
    'sessionsPerUser',
    'Sessions per user',
    ({ sums, people }) => ratio(sums.sessions, people.active.size),
    {
      counts_people: true,
    },
  ),
  rate(
    'eventCountPerUser',
    'Event count per user',
    ({ sums, people }) => ratio(sums.event_count, people.active.size),
    {
      counts_people: true,
    },
  ),
  whole('screenPageViews', 'Views', tally => happened(tally, 'page_view')),
  rate('screenPageViewsPerSession', 'Views per session', tally =>
    ratio(happened(tally, 'page_view'), tally.sums.sessions),
  ),
  whole('transactions', 'Transactions', tally => happened(tally, 'purchase')),
  whole('ecommercePurchases', 'Ecommerce purchases', tally => happened(tally, 'purchase')),
  whole('addToCarts', 'Add to carts', tally => happened(tally, 'add_to_cart')),
  whole('checkouts', 'Checkouts', tally => happened(tally, 'begin_checkout')),
  money('purchaseRevenue', 'Purchase revenue', net),
  money('totalRevenue', 'Total revenue', net),
  money('grossPurchaseRevenue', 'Gross purchase revenue', ({ sums }) => sums.revenue),
  money('refundAmount', 'Refund amount', ({ sums }) => sums.refund),
  money('shippingAmount', 'Shipping amount', ({ sums }) => sums.shipping),
  money('taxAmount', 'Tax amount', ({ sums }) => sums.tax),
  money('averageRevenuePerUser', 'ARPU', tally => ratio(net(tally), tally.people.active.size), {
    counts_people: true,
  }),
  money('averagePurchaseRevenue', 'Average purchase revenue', tally =>
    ratio(net(tally), happened(tally, 'purchase')),
  ),
  sum('itemsViewed', 'Items viewed', 'items_viewed', item),
  sum('itemsAddedToCart', 'Items added to cart', 'items_added', item),
  sum('itemsCheckedOut', 'Items checked out', 'items_checked_out', item),
  sum('itemsPurchased', 'Items purchased', 'items_purchased', item),
  money('itemRevenue', 'Item revenue', ({ sums }) => sums.item_revenue, item),
  sum('advertiserAdImpressions', 'Ads impressions', 'ad_impressions', ads),
  sum('advertiserAdClicks', 'Ads clicks', 'ad_clicks', ads),
  money('advertiserAdCost', 'Ads cost', ({ sums }) => sums.ad_cost, cost),
  money(
    'advertiserAdCostPerClick',
    'Ads cost per click',
    ({ sums }) => ratio(sums.ad_cost, sums.ad_clicks),
    cost,
  ),
  money(
    'advertiserAdCostPerKeyEvent',
    'Cost per key event',
    tally => ratio(tally.sums.ad_cost, keyEvents(tally)),
    cost,
  ),
  rate('returnOnAdSpend', 'Return on ad spend', tally => ratio(net(tally), tally.sums.ad_cost), cost),
  sum('organicGoogleSearchClicks', 'Organic Google Search clicks', 'organic_clicks', organic),
  sum('organicGoogleSearchImpressions', 'Organic Google Search impressions', 'organic_impressions', organic),
]

/** The metric of that name; key events have one of their own each (keyEvents:purchase). */
export function findMetric(name: string): Metric | null {
  const event = /^(?:keyEvents|conversions):(\w+)$/.exec(name)?.[1]
  if (event !== undefined)
    return KEY_EVENTS.has(event)
      ? rate(name, `Key event count for ${event}`, tally => happened(tally, event))
      : null
  return METRICS.find(each => each.name === name) ?? null
}

/** Those that metadata lists; `conversions` is an old name of key events. */
export const listedMetrics = () => [
  ...METRICS.filter(({ name }) => name !== 'conversions'),
  ...[...KEY_EVENTS].flatMap(event => findMetric(`keyEvents:${event}`) ?? []),
]
