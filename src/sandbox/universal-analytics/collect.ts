import {
  addPeople,
  EVENTS,
  LAST_DAY,
  noPeople,
  readDay,
  sessionsWith,
  trafficOf,
  UA_COUNTS,
  UA_DEVICES,
  uaSlot,
  type View,
} from '#sandbox/dataset/universal-analytics.ts'
import { type Cell, DIMENSIONS, METRICS, windowOf } from './fields.ts'
import type { Query } from './request.ts'

/** What a row adds up in one of the ranges. */
export interface Sums {
  counts: Float64Array
  people: Float64Array
  /** The people of each day, for metrics that include earlier days. */
  by_day: Map<number, Float64Array>
  total_events: number
  unique_events: number
  event_value: number
  sessions_with_event: number
}

export interface Row {
  dimensions: string[]
  sums: (Sums | null)[]
}

/** The rows of a report by their dimensions, added up over its days. */
export function collect(query: Query): Map<string, Row> {
  const rows = new Map<string, Row>()
  const names = new Set([
    ...query.dimensions,
    ...query.clauses.flatMap(({ filters }) => filters.map(({ dimensionName }) => dimensionName)),
  ])
  const by_event = [...names].some(name => DIMENSIONS[name]?.kind === 'event')
  const look_back = Math.max(
    0,
    ...query.metrics.flatMap(({ expression }) => expression.metrics.map(name => (windowOf(name) ?? 1) - 1)),
  )
  for (const [range_index, { first, last }] of query.ranges.entries()) {
    for (let day = first - look_back; day <= Math.min(last, LAST_DAY); day++)
      collectDay(query, { day, is_before: day < first, range_index, by_event, rows, look_back })
  }
  if (look_back > 0) for (const [key, row] of rows) if (row.sums.every(sums => !sums)) rows.delete(key)
  return rows
}

interface DayWork {
  day: number
  /** Before the range: only for metrics that include earlier days. */
  is_before: boolean
  range_index: number
  by_event: boolean
  rows: Map<string, Row>
  look_back: number
}

function collectDay(query: Query, work: DayWork): void {
  const { view } = query
  const { day } = work
  const wantsEvents = query.metrics.some(({ expression }) =>
    expression.metrics.some(name => METRICS[name]?.kind === 'event'),
  )
  const counts = new Float64Array(UA_COUNTS.length)
  for (const [traffic_index, traffic] of trafficOf(view).entries()) {
    for (let device_index = 0; device_index < UA_DEVICES.length; device_index++) {
      const at = { traffic, traffic_index, device_index, day }
      if (!readDay(view, at, counts)) continue
      const cell = { traffic, device_index, day, event: null }
      if (!work.by_event) {
        if (holds(query, cell))
          put(query, work, {
            cell,
            counts,
            traffic_index,
            events: wantsEvents ? eventsIn(view, at, { counts, isIncluded: () => true }) : NO_EVENTS,
            share: null,
          })
        continue
      }
      const groups = Map.groupBy(
        EVENTS.filter(event => holds(query, { ...cell, event })),
        event => query.dimensions.map(name => DIMENSIONS[name]?.of({ ...cell, event })).join('\0'),
      )
      for (const group of groups.values()) {
        const events = eventsIn(view, at, { counts, isIncluded: event => group.includes(event) })
        const [event] = group
        if (event && events.with_one > 0)
          put(query, work, {
            cell: { ...cell, event },
            counts,
            traffic_index,
            events,
            share: events.with_one,
          })
      }
    }
  }
}

const holds = ({ clauses }: Query, cell: Cell) =>
  clauses.every(({ all, filters }) => {
    const passes = ({ dimensionName, test }: (typeof filters)[number]) =>
      test(DIMENSIONS[dimensionName]?.of(cell) ?? '')
    return all ? filters.every(passes) : filters.some(passes)
  })

interface EventSums {
  total: number
  unique: number
  value: number
  /** Sessions with at least one of them. */
  with_one: number
}

const NO_EVENTS: EventSums = { total: 0, unique: 0, value: 0, with_one: 0 }

function eventsIn(
  view: View,
  at: { traffic_index: number; device_index: number; day: number },
  { counts, isIncluded }: { counts: Float64Array; isIncluded: (event: (typeof EVENTS)[number]) => boolean },
): EventSums {
  const sessions = counts[uaSlot.sessions] ?? 0
  const sums = { total: 0, unique: 0, value: 0, with_one: 0 }
  let without = 1
  let most = 0
  for (const [index, event] of EVENTS.entries()) {
    if (!isIncluded(event)) continue
    const having = sessionsWith(index, sessions, { view, at })
    const total = having + Math.floor(having * 0.6)
    sums.total += total
    sums.unique += having
    sums.value += total * event.worth
    without *= 1 - having / sessions
    most = Math.max(most, having)
  }
  sums.with_one = Math.max(most, Math.min(sums.unique, Math.ceil(sessions * (1 - without) - 1e-9)))
  return sums
}

interface Found {
  cell: Cell
  counts: Float64Array
  traffic_index: number
  events: EventSums
  /** Of the sessions, those with the event that the row is about; null when it is about none. */
  share: number | null
}

/** A row about an event counts as sessions only those that began with it: one in ten. */
const FIRST_HITS = 0.1

function put(query: Query, work: DayWork, { cell, counts, traffic_index, events, share }: Found): void {
  const names = query.dimensions
  const dimensions = names.map(name => DIMENSIONS[name]?.of(cell) ?? '')
  // A row from before the range belongs to all days: it is found again by its dimensions without the day.
  const key = dimensions.join('\0')
  const sessions = counts[uaSlot.sessions] ?? 0
  const ofSessions = share ?? sessions
  if (work.look_back > 0) {
    for (let day = work.is_before ? cell.day + 1 : cell.day; day <= cell.day + work.look_back; day++) {
      const range = query.ranges[work.range_index]
      if (!range || day < range.first || day > Math.min(range.last, LAST_DAY)) continue
      const later = names.map(name => DIMENSIONS[name]?.of({ ...cell, day }) ?? '')
      const people = rowAt(work, later.join('\0'), { query, dimensions: later }).by_day
      const ofDay = people.get(cell.day) ?? noPeople()
      addPeople(ofDay, ofSessions, traffic_index)
      people.set(cell.day, ofDay)
    }
    if (work.is_before) return
  }
  const sums = rowAt(work, key, { query, dimensions })
  for (let slot = 0; slot < counts.length; slot++) {
    const count = counts[slot] ?? 0
    const rate = slot === uaSlot.sessions ? FIRST_HITS : 1
    sums.counts[slot] =
      (sums.counts[slot] ?? 0) + (share === null ? count : Math.floor((count * share * rate) / sessions))
  }
  addPeople(sums.people, ofSessions, traffic_index)
  sums.total_events += events.total
  sums.unique_events +=
    query.dimensions.includes('ga:eventLabel') || share === null ? events.unique : events.with_one
  sums.event_value += events.value
  sums.sessions_with_event += events.with_one
}

function rowAt(
  { rows, range_index }: DayWork,
  key: string,
  { query, dimensions }: { query: Query; dimensions: string[] },
): Sums {
  const row = rows.get(key) ?? { dimensions, sums: query.ranges.map(() => null) }
  rows.set(key, row)
  return (row.sums[range_index] ??= nothing())
}

export const nothing = (): Sums => ({
  counts: new Float64Array(UA_COUNTS.length),
  people: noPeople(),
  by_day: new Map(),
  total_events: 0,
  unique_events: 0,
  event_value: 0,
  sessions_with_event: 0,
})

export function plus(left: Sums, right: Sums): Sums {
  return {
    counts: left.counts.map((count, slot) => count + (right.counts[slot] ?? 0)),
    people: left.people.map((count, segment) => count + (right.people[segment] ?? 0)),
    by_day: left.by_day,
    total_events: left.total_events + right.total_events,
    unique_events: left.unique_events + right.unique_events,
    event_value: left.event_value + right.event_value,
    sessions_with_event: left.sessions_with_event + right.sessions_with_event,
  }
}
