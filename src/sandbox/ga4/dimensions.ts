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
const dimension = (name: string, title: string, scope: Scope, of: Of): Dimension => ({
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
  dimension('date', 'Date', 'time', (_, day) => compact(day)),
  dimension('year', 'Year', 'time', (_, day) => compact(day).slice(0, 4)),
  dimension('month', 'Month', 'time', (_, day) => compact(day).slice(4, 6)),
  dimension('day', 'Day', 'time', (_, day) => compact(day).slice(6)),
  dimension('week', 'Week', 'time', (_, day) => sundayWeek(day)),
  dimension('yearMonth', 'Year month', 'time', (_, day) => compact(day).slice(0, 6)),
  dimension('yearWeek', 'Year week', 'time', (_, day) => compact(day).slice(0, 4) + sundayWeek(day)),
  dimension('isoWeek', 'ISO week of the year', 'time', (_, day) => isoWeek(day).week),
  dimension('isoYear', 'ISO year', 'time', (_, day) => isoWeek(day).year),
  dimension(
    'isoYearIsoWeek',
    'ISO week of ISO year',
    'time',
    (_, day) => isoWeek(day).year + isoWeek(day).week,
  ),
  dimension('dayOfWeek', 'Day of week', 'time', (_, day) => String((weekdayOf(day) + 1) % 7)),
  dimension('hour', 'Hour', 'session', ({ visit }) => pad(visit.hour)),
  dimension(
    'dateHour',
    'Date + hour (YYYYMMDDHH)',
    'session',
    ({ visit }, day) => compact(day) + pad(visit.hour),
  ),
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
      scope,
      ({ visit }) => read(of(visit)),
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
  dimension('deviceCategory', 'Device category', 'session', ({ visit }) => visit.device),
  dimension('operatingSystem', 'Operating system', 'session', ({ visit }) => visit.system),
  dimension('browser', 'Browser', 'session', ({ visit }) => visit.browser),
  dimension('country', 'Country', 'user', ({ visit }) => visit.country),
  dimension('city', 'City', 'user', ({ visit }) => visit.city),
  dimension('newVsReturning', 'New / established', 'user', ({ visit }) =>
    visit.is_new ? 'new' : 'returning',
  ),
  dimension('hostName', 'Hostname', 'session', () => 'shop.example'),
  dimension('streamId', 'Stream ID', 'session', () => '3141590001'),
  dimension('streamName', 'Stream name', 'session', () => 'Web'),
  dimension('landingPage', 'Landing page', 'session', ({ visit }) => path(visit.landing)),
  dimension(
    'landingPagePlusQueryString',
    'Landing page + query string',
    'session',
    ({ visit }) => visit.landing,
  ),
  dimension('userAgeBracket', 'Age', 'user', ({ visit }) => (visit.person % 3 === 0 ? '25-34' : 'unknown')),
  dimension('userGender', 'Gender', 'user', ({ visit }) => (visit.person % 5 < 2 ? 'female' : 'unknown')),
  dimension('eventName', 'Event name', 'event', ({ happening }) => happening.name),
  dimension('isKeyEvent', 'Is key event', 'event', ({ happening }) => String(KEY_EVENTS.has(happening.name))),
  dimension('pagePath', 'Page path', 'event', ({ happening }) => path(happening.page)),
  dimension(
    'pagePathPlusQueryString',
    'Page path + query string',
    'event',
    ({ happening }) => happening.page,
  ),
  dimension('pageTitle', 'Page title', 'event', ({ happening }) => `Shop | ${path(happening.page)}`),
  dimension('transactionId', 'Transaction ID', 'event', ({ visit, happening }) =>
    happening.name === 'purchase' ? (visit.transaction ?? '(not set)') : '(not set)',
  ),
  dimension('itemName', 'Item name', 'item', ({ item }) => item?.name ?? '(not set)'),
  dimension('itemCategory', 'Item category', 'item', ({ item }) => item?.category ?? '(not set)'),
  {
    ...dimension(
      'customEvent:event_category',
      'Event category',
      'event',
      ({ happening }) => happening.category,
    ),
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
