import type { Property } from '#sandbox/dataset/ga4.ts'
import { type Happening, type Visit, visitsOf } from '#sandbox/dataset/visits.ts'
import { type Dimension, type Hit, KEY_EVENTS } from '#sandbox/ga4/dimensions.ts'
import type { Test } from '#sandbox/ga4/filter.ts'
import type { Count, PeopleSegment, Metric, Tally } from '#sandbox/ga4/metrics.ts'

export interface Scan {
  property: Property
  moment: { today: number; day_passed: number }
  first: number
  last: number
  dimensions: readonly Dimension[]
  /** The dimensions of a filter, and its predicate. */
  filtered: readonly Dimension[]
  test: Test | null
  metrics: readonly Metric[]
  /** Reads one visit in so many. */
  every: number
}

export interface Row extends Tally {
  values: readonly string[]
}

export interface Scanned {
  rows: Row[]
  /** All of it together, each person once. */
  total: Row
  /** Events before any filter. */
  events: number
}

interface Open extends Row {
  visit: Visit | null
  converted_visit: Visit | null
}

/** Goes through all visits of the days and counts them into rows, each person and visit once in every row. */
export function scan(request: Scan): Scanned {
  const { property, moment, first, last, dimensions, filtered, test, metrics, every } = request
  const used = [...dimensions, ...filtered]
  const byEvent = used.some(({ scope }) => scope === 'event' || scope === 'item')
  const byItem = used.some(({ scope }) => scope === 'item')
  const withPeople = metrics.some(({ counts_people }) => counts_people)
  const rows = new Map<string, Open>()
  const total = openRow([])
  let events = 0

  const rowOf = (hit: Hit, day: number): Open | null => {
    if (test && !test(name => filtered.find(each => each.name === name)?.of(hit, day) ?? '')) return null
    const values = dimensions.map(dimension => dimension.of(hit, day))
    const key = values.join('\u0000')
    const row = rows.get(key) ?? openRow(values)
    rows.set(key, row)
    return row
  }
  const count = (row: Open | null, hit: Hit) => {
    if (!row) return
    countHit(row, hit, withPeople)
    countHit(total, hit, withPeople)
  }

  for (let day = first; day <= Math.min(last, moment.today); day++) {
    for (const visit of visitsOf(property, day, moment)) {
      events += visit.happenings.length
      if (every > 1 && (visit.seed >>> 0) % every !== 0) continue
      const [opening] = visit.happenings
      const whole = byEvent || !opening ? null : rowOf({ visit, happening: opening, item: null }, day)
      for (const happening of visit.happenings) {
        const items = byItem ? happening.items : [null]
        for (const item of items) {
          const hit = { visit, happening, item }
          count(byEvent ? rowOf(hit, day) : whole, hit)
        }
      }
    }
  }
  if (metrics.some(({ scope }) => scope === 'rolling')) roll(request, rowOf, total)
  return { rows: [...rows.values()], total, events }
}

const NOBODY: ReadonlySet<number> = new Set()
const COUNTS: readonly Count[] = [
  'sessions',
  'engaged',
  'seconds',
  'engaged_seconds',
  'event_count',
  'event_value',
  'revenue',
  'refund',
  'shipping',
  'tax',
  'items_viewed',
  'items_added',
  'items_checked_out',
  'items_purchased',
  'item_revenue',
  'ad_impressions',
  'ad_clicks',
  'ad_cost',
  'organic_impressions',
  'organic_clicks',
]
const SEGMENTS: readonly PeopleSegment[] = [
  'all',
  'active',
  'returning',
  'buyers',
  'first_buyers',
  'scrolled',
  'day',
  'week',
  'month',
]

function openRow(values: readonly string[]): Open {
  return {
    values,
    sums: Object.fromEntries(COUNTS.map(name => [name, 0])) as Record<Count, number>,
    events: new Map(),
    people: Object.fromEntries(SEGMENTS.map(name => [name, NOBODY])) as Record<PeopleSegment, Set<number>>,
    converted: 0,
    visit: null,
    converted_visit: null,
  }
}

function join(row: Open, segment: PeopleSegment, person: number): void {
  if (row.people[segment] === NOBODY) row.people[segment] = new Set()
  row.people[segment].add(person)
}

function countHit(row: Open, { visit, happening, item }: Hit, withPeople: boolean): void {
  if (row.visit !== visit) {
    row.visit = visit
    countVisit(row, visit)
    if (withPeople) countPerson(row, visit)
  }
  // Time is counted at the event that ends the visit, so that events add up to it.
  if (visit.is_engaged && item === null && happening === visit.happenings.at(-1))
    row.sums.engaged_seconds += visit.seconds
  countHappening(row, visit, happening)
  if (withPeople) countEvent(row, visit, happening)
  for (const each of item ? [item] : happening.items) {
    const bought = happening.name === 'purchase'
    const kind = ITEM_COUNTS[happening.name]
    if (kind) row.sums[kind] += each.quantity
    if (bought) row.sums.item_revenue += each.revenue
  }
}

const ITEM_COUNTS: Record<string, Count> = {
  view_item: 'items_viewed',
  add_to_cart: 'items_added',
  begin_checkout: 'items_checked_out',
  purchase: 'items_purchased',
}

function countVisit({ sums }: Open, visit: Visit): void {
  sums.sessions++
  sums.seconds += visit.seconds
  if (visit.is_engaged) sums.engaged++
  sums.ad_impressions += visit.ad.impressions
  sums.ad_clicks += visit.ad.clicks
  sums.ad_cost += visit.ad.cost
  if (visit.traffic.source === 'google' && visit.traffic.medium === 'organic') {
    sums.organic_clicks++
    sums.organic_impressions += 10 + ((visit.seed >>> 4) % 40)
  }
}

function countPerson(row: Open, visit: Visit): void {
  join(row, 'all', visit.person)
  if (visit.is_engaged || visit.is_new) join(row, 'active', visit.person)
  if (!visit.is_new) join(row, 'returning', visit.person)
}

function countHappening(row: Open, visit: Visit, { name, value }: Happening): void {
  const { sums, events } = row
  sums.event_count++
  sums.event_value += value
  events.set(name, (events.get(name) ?? 0) + 1)
  if (KEY_EVENTS.has(name) && row.converted_visit !== visit) {
    row.converted_visit = visit
    row.converted++
  }
  if (name !== 'purchase') return
  sums.revenue += value
  sums.refund += visit.refund
  sums.shipping += visit.shipping
  sums.tax += visit.tax
}

function countEvent(row: Open, visit: Visit, { name }: Happening): void {
  if (name === 'scroll') join(row, 'scrolled', visit.person)
  if (name !== 'purchase') return
  join(row, 'buyers', visit.person)
  if (visit.is_new) join(row, 'first_buyers', visit.person)
}

const WINDOWS: readonly [PeopleSegment, number][] = [
  ['day', 1],
  ['week', 7],
  ['month', 28],
]

/**
 * Counts each active person on every day until the window closes; without a time in the row, on the last day
 * alone.
 */
function roll(request: Scan, rowOf: (hit: Hit, day: number) => Open | null, total: Open): void {
  const { property, moment, first, dimensions } = request
  const last = Math.min(request.last, moment.today)
  const dated = dimensions.some(({ scope }) => scope === 'time')
  for (let day = first - 27; day <= last; day++) {
    for (const visit of visitsOf(property, day, moment)) {
      const [happening] = visit.happenings
      if (!happening || !(visit.is_engaged || visit.is_new)) continue
      for (const [segment, days] of WINDOWS) {
        const until = Math.min(last, day + days - 1)
        for (let at = dated ? Math.max(first, day) : last; at <= until; at++) {
          const row = rowOf({ visit, happening, item: null }, at)
          if (row) join(row, segment, visit.person)
          if (row && at === last) join(total, segment, visit.person)
        }
      }
    }
  }
}
