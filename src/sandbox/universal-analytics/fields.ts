import { isoOf, weekdayOf } from '#sandbox/dataset/calendar.ts'
import {
  EVENTS,
  type Traffic,
  type UaCount,
  UA_DEVICES,
  uaSlot,
} from '#sandbox/dataset/universal-analytics.ts'

/** One counted cell, which a dimension reads. */
export interface Cell {
  traffic: Traffic
  device_index: number
  day: number
  /** The kind of event, when a dimension or filter of the request is about events. */
  event: (typeof EVENTS)[number] | null
}

export interface UaDimension {
  kind: 'time' | 'traffic' | 'device' | 'event' | 'ads'
  of(cell: Cell): string
}

const compact = (day: number) => isoOf(day).replaceAll('-', '')

/** 202318: year and number of the ISO week. */
function isoWeek(day: number): string {
  const date = Temporal.PlainDate.from(isoOf(day))
  return `${date.yearOfWeek}${String(date.weekOfYear).padStart(2, '0')}`
}

/** Weeks from Sunday, the first of January in week 1. */
function sundayWeek(day: number): string {
  const iso = isoOf(day)
  const date = Temporal.PlainDate.from(iso)
  const first = Temporal.PlainDate.from(`${iso.slice(0, 4)}-01-01`)
  const week = Math.floor((date.dayOfYear - 1 + (first.dayOfWeek % 7)) / 7) + 1
  return `${iso.slice(0, 4)}${String(week).padStart(2, '0')}`
}

const time = (of: (day: number) => string): UaDimension => ({ kind: 'time', of: ({ day }) => of(day) })
const traffic = (of: (traffic: Traffic) => string): UaDimension => ({
  kind: 'traffic',
  of: cell => of(cell.traffic),
})
const event = (name: 'category' | 'action' | 'label'): UaDimension => ({
  kind: 'event',
  of: cell => cell.event?.[name] ?? '(not set)',
})

export const DIMENSIONS: Record<string, UaDimension> = {
  'ga:date': time(compact),
  'ga:yearMonth': time(day => compact(day).slice(0, 6)),
  'ga:isoYearIsoWeek': time(isoWeek),
  'ga:yearWeek': time(sundayWeek),
  'ga:year': time(day => compact(day).slice(0, 4)),
  'ga:month': time(day => compact(day).slice(4, 6)),
  'ga:dayOfWeek': time(day => String((weekdayOf(day) + 1) % 7)),
  'ga:source': traffic(({ source }) => source),
  'ga:medium': traffic(({ medium }) => medium),
  'ga:sourceMedium': traffic(({ source, medium }) => `${source} / ${medium}`),
  'ga:campaign': traffic(({ campaign }) => campaign),
  'ga:keyword': traffic(({ keyword }) => keyword),
  'ga:adContent': traffic(({ ad_content }) => ad_content),
  'ga:deviceCategory': { kind: 'device', of: cell => UA_DEVICES[cell.device_index]?.name ?? '' },
  'ga:adGroup': {
    kind: 'ads',
    of: cell => (cell.traffic.is_paid ? `${cell.traffic.campaign} group` : '(not set)'),
  },
  'ga:adwordsCreativeID': {
    kind: 'ads',
    of: cell => (cell.traffic.is_paid ? String(500_000 + cell.traffic.keyword.length) : '(not set)'),
  },
  'ga:eventCategory': event('category'),
  'ga:eventAction': event('action'),
  'ga:eventLabel': event('label'),
}

export type MetricType = 'INTEGER' | 'FLOAT' | 'CURRENCY' | 'PERCENT' | 'TIME'

/** What a row has added up. */
export interface Figures {
  counts: Float64Array
  users: number
  total_events: number
  unique_events: number
  event_value: number
  sessions_with_event: number
  /** How many of the smallest unit make one main unit of money. */
  minor: number
}

export interface UaMetric {
  type: MetricType
  kind: 'session' | 'users' | 'event' | 'item' | 'ads'
  of(figures: Figures): number
}

const count = (
  name: UaCount,
  kind: UaMetric['kind'] = 'session',
  type: MetricType = 'INTEGER',
): UaMetric => ({
  type,
  kind,
  of: ({ counts }) => counts[uaSlot[name]] ?? 0,
})
const money = (name: UaCount, kind: UaMetric['kind'] = 'session'): UaMetric => ({
  type: 'CURRENCY',
  kind,
  of: ({ counts, minor }) => (counts[uaSlot[name]] ?? 0) / minor,
})
const ratio = (
  top: UaCount,
  bottom: UaCount,
  { type, times }: { type: MetricType; times: number },
): UaMetric => ({
  type,
  kind: 'session',
  of({ counts }) {
    const below = counts[uaSlot[bottom]] ?? 0
    return below === 0 ? 0 : ((counts[uaSlot[top]] ?? 0) / below) * times
  },
})
const users = (): UaMetric => ({ type: 'INTEGER', kind: 'users', of: figures => figures.users })

const NO_GOAL: UaMetric = { type: 'INTEGER', kind: 'session', of: () => 0 }

export const METRICS: Record<string, UaMetric> = {
  'ga:sessions': count('sessions'),
  'ga:users': users(),
  'ga:1dayUsers': users(),
  'ga:7dayUsers': users(),
  'ga:14dayUsers': users(),
  'ga:28dayUsers': users(),
  'ga:30dayUsers': users(),
  'ga:newUsers': count('new_users', 'users'),
  'ga:bounces': count('bounces'),
  'ga:bounceRate': ratio('bounces', 'sessions', { type: 'PERCENT', times: 100 }),
  'ga:sessionDuration': count('duration', 'session', 'TIME'),
  'ga:avgSessionDuration': ratio('duration', 'sessions', { type: 'TIME', times: 1 }),
  'ga:pageviews': count('pageviews'),
  'ga:uniquePageviews': {
    type: 'INTEGER',
    kind: 'session',
    of: ({ counts }) => Math.floor((counts[uaSlot.pageviews] ?? 0) * 0.78),
  },
  'ga:entrances': count('sessions'),
  'ga:exits': count('sessions'),
  'ga:transactions': count('transactions'),
  'ga:transactionRevenue': money('revenue'),
  'ga:transactionsPerSession': ratio('transactions', 'sessions', { type: 'PERCENT', times: 100 }),
  'ga:transactionShipping': money('shipping'),
  'ga:transactionTax': money('tax'),
  'ga:itemQuantity': count('items', 'item'),
  'ga:itemRevenue': money('item_revenue', 'item'),
  'ga:goalCompletionsAll': count('goals'),
  'ga:goalValueAll': money('goal_value'),
  // Of the twenty goals that a view may have, these views have the first.
  'ga:goal1Completions': count('goals'),
  ...Object.fromEntries(
    Array.from({ length: 19 }, (_, index) => [`ga:goal${index + 2}Completions`, NO_GOAL] as const),
  ),
  'ga:impressions': count('impressions', 'ads'),
  'ga:adClicks': count('ad_clicks', 'ads'),
  'ga:adCost': money('ad_cost', 'ads'),
  'ga:totalEvents': { type: 'INTEGER', kind: 'event', of: figures => figures.total_events },
  'ga:uniqueEvents': { type: 'INTEGER', kind: 'event', of: figures => figures.unique_events },
  'ga:eventValue': { type: 'INTEGER', kind: 'event', of: figures => figures.event_value },
  'ga:sessionsWithEvent': { type: 'INTEGER', kind: 'event', of: figures => figures.sessions_with_event },
}

/** 7 of ga:7dayUsers; null for everything else. */
export const windowOf = (metric: string): number | null => {
  const days = /^ga:(\d+)dayUsers$/.exec(metric)?.[1]
  return days === undefined ? null : Number(days)
}
