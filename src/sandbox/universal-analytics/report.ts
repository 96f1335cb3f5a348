import { MINOR_UNITS } from '#sandbox/dataset/agency.ts'
import { isoOf } from '#sandbox/dataset/calendar.ts'
import {
  LAST_DAY,
  noPeople,
  peopleIn,
  readDay,
  trafficOf,
  UA_COUNTS,
  UA_DEVICES,
  uaSlot,
  type View,
} from '#sandbox/dataset/universal-analytics.ts'
import { collect, nothing, plus, type Row, type Sums } from './collect.ts'
import { DIMENSIONS, type Figures, METRICS, windowOf } from './fields.ts'
import type { Query } from './request.ts'

/** Sessions that a standard property reads for one report. */
const MOST_SESSIONS = 500_000
const SAMPLE = { LARGE: 499_630, DEFAULT: 249_630, SMALL: 49_630 } as const
/** Different rows that a table may have; the rest is one row called (other). */
const MOST_ROWS = 75_000
const OTHER = '(other)'

export interface Reading {
  /** The day on which it is read, in the view's zone. */
  today: number
  /** Fewer rows than usual before (other). */
  most_rows: number | null
}

/** One report of the batch, as the reporting API shows it. */
export function reportOf(query: Query, { today, most_rows }: Reading): Record<string, unknown> {
  const sampled = samplingOf(query)
  const rows = withOther(collect(query), query, most_rows ?? MOST_ROWS)
  const values = (sums: (Sums | null)[], date: string | undefined) =>
    sums.map(each => valuesOf(each, { query, rate: sampled?.rate ?? 1, date }))
  const at = query.dimensions.indexOf('ga:date')
  const passing = [...rows.values()]
    .map(row => ({ ...row, values: values(row.sums, row.dimensions[at]) }))
    .filter(row => keeps(row.values, query))
    .toSorted(orderOf(query))
  const total = values(totalOf([...rows.values()], query), undefined)
  const page = passing.slice(query.page.from, query.page.from + query.page.size)
  const next = query.page.from + page.length
  const hasTotal = rows.size === passing.length || query.metric_clauses.length === 0
  const texts = (list: number[][]) =>
    list.map(each => ({ values: each.map((value, index) => text(value, query, index)) }))
  return {
    columnHeader: {
      ...(query.dimensions.length > 0 && { dimensions: query.dimensions }),
      metricHeader: { metricHeaderEntries: query.metrics.map(({ name, type }) => ({ name, type })) },
    },
    data: {
      ...(page.length > 0 && {
        rows: page.map(row => ({
          ...(query.dimensions.length > 0 && { dimensions: row.dimensions }),
          metrics: texts(row.values),
        })),
      }),
      ...(!query.hide_totals && { totals: texts(hasTotal ? total : sumOf(passing, query)) }),
      ...(passing.length > 0 && { rowCount: passing.length }),
      ...(!query.hide_ranges &&
        passing.length > 0 && {
          minimums: texts(extremes(passing, query, Math.min)),
          maximums: texts(extremes(passing, query, Math.max)),
        }),
      ...(sampled && {
        samplesReadCounts: query.ranges.map(() => String(sampled.read)),
        samplingSpaceSizes: query.ranges.map(() => String(sampled.space)),
      }),
      isDataGolden: query.ranges.every(({ last }) => last < today - 2 || today > LAST_DAY + 2),
      dataLastRefreshed: `${isoOf(Math.min(today, LAST_DAY + 1))}T03:00:00Z`,
    },
    ...(next < passing.length && { nextPageToken: String(next) }),
  }
}

/** How much of the sessions is read when there are too many; null when all are. */
function samplingOf({ view, ranges, sampling }: Query): { read: number; space: number; rate: number } | null {
  const space = Math.max(...ranges.map(range => sessionsIn(view, range)))
  if (space <= MOST_SESSIONS) return null
  const read = SAMPLE[sampling]
  return { read, space, rate: read / space }
}

function sessionsIn(view: View, { first, last }: { first: number; last: number }): number {
  const counts = new Float64Array(UA_COUNTS.length)
  let sessions = 0
  for (let day = first; day <= Math.min(last, LAST_DAY); day++)
    for (const [traffic_index, traffic] of trafficOf(view).entries())
      for (let device_index = 0; device_index < UA_DEVICES.length; device_index++)
        if (readDay(view, { traffic, traffic_index, device_index, day }, counts)) sessions += counts[0] ?? 0
  return sessions
}

const totalOf = (rows: Row[], { ranges }: Query): (Sums | null)[] =>
  ranges.map((_, index) =>
    rows.reduce<Sums>((sum, row) => (row.sums[index] ? plus(sum, row.sums[index]) : sum), nothing()),
  )

/**
 * Rows beyond the limit, those with the fewest sessions, become one that says (other) for all but days and
 * devices.
 */
function withOther(rows: Map<string, Row>, query: Query, most: number): Map<string, Row> {
  if (rows.size <= most) return rows
  const sessions = (row: Row) => row.sums.reduce((sum, each) => sum + (each?.counts[uaSlot.sessions] ?? 0), 0)
  const ranked = [...rows.entries()].toSorted(([, left], [, right]) => sessions(right) - sessions(left))
  const passing = new Map(ranked.slice(0, most - 1))
  for (const [, row] of ranked.slice(most - 1)) {
    const dimensions = query.dimensions.map((name, index) => {
      const kind = DIMENSIONS[name]?.kind
      return kind === 'time' || kind === 'device' ? (row.dimensions[index] ?? '') : OTHER
    })
    const key = dimensions.join('\0')
    const other = passing.get(key) ?? { dimensions, sums: query.ranges.map(() => null) }
    other.sums = other.sums.map((sums, index) => {
      const more = row.sums[index]
      return more ? plus(sums ?? nothing(), more) : sums
    })
    passing.set(key, other)
  }
  return passing
}

/** The numbers of a row; of a sample, what the sample has, blown up to the whole. */
function valuesOf(
  sums: Sums | null,
  { query, rate, date }: { query: Query; rate: number; date: string | undefined },
): number[] {
  const { counts, people, ...events } = sums ?? nothing()
  const figures: Figures = {
    ...events,
    counts,
    users: peopleIn(people, query.view),
    minor: MINOR_UNITS[query.view.currency],
  }
  const valueOf = (name: string): number => {
    const metric = METRICS[name]
    if (!metric) return 0
    const days = windowOf(name)
    const value = days === null ? metric.of(figures) : recentUsers(sums, { view: query.view, days, date })
    if (rate === 1 || metric.type === 'PERCENT' || name === 'ga:avgSessionDuration') return value
    const blownUp = Math.round(value * rate) / rate
    return metric.type === 'CURRENCY' ? blownUp : Math.round(blownUp)
  }
  return query.metrics.map(({ expression }) => expression.valueOf(valueOf))
}

/** Users of the days up to the row's own. */
function recentUsers(
  sums: Sums | null,
  { view, days, date }: { view: View; days: number; date: string | undefined },
): number {
  if (!sums || date === undefined) return 0
  const met = noPeople()
  const newest = Math.max(...sums.by_day.keys())
  for (const [day, people] of sums.by_day)
    if (day > newest - days) people.forEach((count, segment) => (met[segment] = (met[segment] ?? 0) + count))
  return peopleIn(met, view)
}

const keeps = (values: number[][], { metric_clauses, metrics }: Query) =>
  metric_clauses.every(({ all, filters }) => {
    const passes = ({ metric, test }: (typeof filters)[number]) =>
      test(values[0]?.[metrics.findIndex(({ name }) => name === metric)] ?? 0)
    return all ? filters.every(passes) : filters.some(passes)
  })

interface ReportRow {
  dimensions: string[]
  values: number[][]
}

/** In the requested order, then by the dimensions. */
const orderOf = (query: Query) => (left: ReportRow, right: ReportRow) => {
  for (const { field, as_integer, descending } of query.order) {
    const dimension = query.dimensions.indexOf(field)
    const metric = query.metrics.findIndex(({ name }) => name === field)
    const [one, other] = [left, right].map(row =>
      dimension < 0 ? (row.values[0]?.[metric] ?? 0) : (row.dimensions[dimension] ?? ''),
    )
    const order = as_integer ? Number(one) - Number(other) : compare(one, other)
    if (order !== 0) return descending ? -order : order
  }
  return compare(left.dimensions.join('\0'), right.dimensions.join('\0'))
}

function compare(left: string | number | undefined, right: string | number | undefined): number {
  if (left === undefined || right === undefined || left === right) return 0
  return left < right ? -1 : 1
}

const sumOf = (rows: ReportRow[], { ranges, metrics }: Query): number[][] =>
  ranges.map((_, range) =>
    metrics.map((__, index) => rows.reduce((sum, row) => sum + (row.values[range]?.[index] ?? 0), 0)),
  )

const extremes = (
  rows: ReportRow[],
  { ranges, metrics }: Query,
  of: (left: number, right: number) => number,
) =>
  ranges.map((_, range) =>
    metrics.map((__, index) =>
      rows.map(row => row.values[range]?.[index] ?? 0).reduce((left, right) => of(left, right)),
    ),
  )

/** Whole numbers bare, all others with decimals, as many as they have. */
function text(value: number, { metrics }: Query, index: number): string {
  if (metrics[index]?.type === 'INTEGER') return String(Math.round(value))
  const rounded = Number(value.toFixed(12))
  return Number.isInteger(rounded) ? rounded.toFixed(1) : String(rounded)
}
