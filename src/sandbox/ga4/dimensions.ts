import { isoOf, weekdayOf } from '#sandbox/dataset/calendar.ts'
import type { Property } from '#sandbox/dataset/ga4.ts'
import type { Happening, Item, Visit } from '#sandbox/dataset/visits.ts'

/** What a row can be about: something that happened in a visit, and an item of it. */
export interface Hit {
  visit: Visit
  happening: Happening
  item: Item | null
}

export type Scope = 'time' | 'source' | 'user' | 'session' | 'event' | 'item'

export interface Dimension {
  name: string
  title: string
  scope: Scope
  /** Only where it was registered. */
  is_custom: boolean
  /** `day` is the visit's own, unless a rolling metric counts it on a later one. */
  of(hit: Hit, day: number): string
}

type Of = Dimension['of']
const dimension = (name: string, title: string, { scope, of }: { scope: Scope; of: Of }): Dimension => ({
  name,
  title,
  scope,
  is_custom: false,
  of,
})

const compact = (day: number) => isoOf(day).replaceAll('-', '')
const pad = (number: number) => String(number).padStart(2, '0')

/** Year and week, weeks beginning on Monday, the first being the one with 4 January. */
function isoWeek(day: number): { year: string; week: string } {
  const thursday = day - weekdayOf(day) + 3
  const year = isoOf(thursday).slice(0, 4)
  const first = Date.parse(`${year}-01-01T00:00:00Z`) / 86_400_000
  return { year, week: pad(Math.floor((thursday - first) / 7) + 1) }
}

/** Weeks beginning on Sunday, the first being the one with 1 January. */
function sundayWeek(day: number): string {
  const first = Date.parse(`${isoOf(day).slice(0, 4)}-01-01T00:00:00Z`) / 86_400_000
  const offset = (weekdayOf(first) + 1) % 7
  return pad(Math.floor((day - first + offset) / 7) + 1)
}

const TIMES: Dimension[] = [
  dimension('date', 'Date', { scope: 'time', of: (_, day) => compact(day) }),
  dimension('year', 'Year', { scope: 'time', of: (_, day) => compact(day).slice(0, 4) }),
  dimension('month', 'Month', { scope: 'time', of: (_, day) => compact(day).slice(4, 6) }),
  dimension('day', 'Day', { scope: 'time', of: (_, day) => compact(day).slice(6) }),
  dimension('week', 'Week', { scope: 'time', of: (_, day) => sundayWeek(day) }),
  dimension('yearMonth', 'Year month', { scope: 'time', of: (_, day) => compact(day).slice(0, 6) }),
  dimension('yearWeek', 'Year week', {
    scope: 'time',
    of: (_, day) => compact(day).slice(0, 4) + sundayWeek(day),
  }),
  dimension('isoWeek', 'ISO week of the year', { scope: 'time', of: (_, day) => isoWeek(day).week }),
  dimension('isoYear', 'ISO year', { scope: 'time', of: (_, day) => isoWeek(day).year }),
  dimension('isoYearIsoWeek', 'ISO week of ISO year', {
    scope: 'time',
    of: (_, day) => isoWeek(day).year + isoWeek(day).week,
  }),
  dimension('dayOfWeek', 'Day of week', { scope: 'time', of: (_, day) => String((weekdayOf(day) + 1) % 7) }),
  dimension('hour', 'Hour', { scope: 'session', of: ({ visit }) => pad(visit.hour) }),
  dimension('dateHour', 'Date + hour (YYYYMMDDHH)', {
    scope: 'session',
    of: ({ visit }, day) => compact(day) + pad(visit.hour),
  }),
]

const adGroup = ({ campaign, term }: Visit['traffic']) => (term === '(not set)' ? term : `${campaign} group`)
const platform = ({ medium }: Visit['traffic']) => (medium === 'cpc' ? 'Google Ads' : 'Manual')

const SOURCES: Dimension[] = (
  [
    ['session', 'Session', (visit: Visit) => visit.traffic, 'source'],
    ['firstUser', 'First user', (visit: Visit) => visit.first, 'user'],
    ['', '', (visit: Visit) => visit.traffic, 'event'],
  ] as const
).flatMap(([prefix, title, of, scope]) => {
  const one = (name: string, words: string, read: (traffic: Visit['traffic']) => string) =>
    dimension(
      prefix === '' ? name : `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      `${title} ${words}`.trim(),
      { scope, of: ({ visit }) => read(of(visit)) },
    )
  return [
    one('source', 'source', traffic => traffic.source),
    one('medium', 'medium', traffic => traffic.medium),
    one('sourceMedium', 'source / medium', traffic => `${traffic.source} / ${traffic.medium}`),
    one('campaignName', 'campaign', traffic => traffic.campaign),
    one('manualTerm', 'manual term', traffic => traffic.term),
    one('manualAdContent', 'manual ad content', traffic => traffic.content),
    one('defaultChannelGroup', 'default channel group', traffic => traffic.channel),
    one('sourcePlatform', 'source platform', platform),
    one('googleAdsKeyword', 'Google Ads keyword text', traffic => traffic.term),
    one('googleAdsAdGroupName', 'Google Ads ad group name', adGroup),
  ]
})

const path = (page: string) => page.split('?')[0] ?? page
const OTHERS: Dimension[] = [
  dimension('deviceCategory', 'Device category', { scope: 'session', of: ({ visit }) => visit.device }),
  dimension('operatingSystem', 'Operating system', { scope: 'session', of: ({ visit }) => visit.system }),
  dimension('browser', 'Browser', { scope: 'session', of: ({ visit }) => visit.browser }),
  dimension('country', 'Country', { scope: 'user', of: ({ visit }) => visit.country }),
  dimension('city', 'City', { scope: 'user', of: ({ visit }) => visit.city }),
  dimension('newVsReturning', 'New / established', {
    scope: 'user',
    of: ({ visit }) => (visit.is_new ? 'new' : 'returning'),
  }),
  dimension('hostName', 'Hostname', { scope: 'session', of: () => 'shop.example' }),
  dimension('streamId', 'Stream ID', { scope: 'session', of: () => '3141590001' }),
  dimension('streamName', 'Stream name', { scope: 'session', of: () => 'Web' }),
  dimension('landingPage', 'Landing page', { scope: 'session', of: ({ visit }) => path(visit.landing) }),
  dimension('landingPagePlusQueryString', 'Landing page + query string', {
    scope: 'session',
    of: ({ visit }) => visit.landing,
  }),
  dimension('userAgeBracket', 'Age', {
    scope: 'user',
    of: ({ visit }) => (visit.person % 3 === 0 ? '25-34' : 'unknown'),
  }),
  dimension('userGender', 'Gender', {
    scope: 'user',
    of: ({ visit }) => (visit.person % 5 < 2 ? 'female' : 'unknown'),
  }),
  dimension('eventName', 'Event name', { scope: 'event', of: ({ happening }) => happening.name }),
  dimension('isKeyEvent', 'Is key event', {
    scope: 'event',
    of: ({ happening }) => String(KEY_EVENTS.has(happening.name)),
  }),
  dimension('pagePath', 'Page path', { scope: 'event', of: ({ happening }) => path(happening.page) }),
  dimension('pagePathPlusQueryString', 'Page path + query string', {
    scope: 'event',
    of: ({ happening }) => happening.page,
  }),
  dimension('pageTitle', 'Page title', {
    scope: 'event',
    of: ({ happening }) => `Shop | ${path(happening.page)}`,
  }),
  dimension('transactionId', 'Transaction ID', {
    scope: 'event',
    of: ({ visit, happening }) =>
      happening.name === 'purchase' ? (visit.transaction ?? '(not set)') : '(not set)',
  }),
  dimension('itemName', 'Item name', { scope: 'item', of: ({ item }) => item?.name ?? '(not set)' }),
  dimension('itemCategory', 'Item category', {
    scope: 'item',
    of: ({ item }) => item?.category ?? '(not set)',
  }),
  {
    ...dimension('customEvent:event_category', 'Event category', {
      scope: 'event',
      of: ({ happening }) => happening.category,
    }),
    is_custom: true,
  },
]

export const KEY_EVENTS = new Set(['purchase', 'generate_lead'])

const DIMENSIONS: readonly Dimension[] = [...TIMES, ...SOURCES, ...OTHERS]

/**
 * The dimension of that name in a property; without one (metadata of property 0) only those that all have.
 */
export const findDimension = (name: string, property: Property | null): Dimension | null =>
  dimensionsOf(property).find(each => each.name === name) ?? null

export const dimensionsOf = (property: Property | null) =>
  DIMENSIONS.filter(({ is_custom }) => !is_custom || property?.has_category)
