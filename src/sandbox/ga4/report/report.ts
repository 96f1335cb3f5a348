import type { Currency } from '#sandbox/dataset/agency.ts'
import { IN_DOLLARS, type Property } from '#sandbox/dataset/ga4.ts'
import { audienceRows, isAboutAudiences } from '#sandbox/ga4/audiences.ts'
import { invalid } from '#sandbox/ga4/errors.ts'
import type { Metric } from '#sandbox/ga4/metrics.ts'
import type { RunReport } from '#sandbox/ga4/request.ts'
import { type Range, rangesOf } from './dates.ts'
import { type ReportRow, ordered } from './order.ts'
import { type Plan, planOf } from './plan.ts'
import { type Row, scan } from './scan.ts'

/** Settings that make the flags visible. */
export interface Flags {
  /** Rows of one response before the rest becomes (other). */
  cardinality: number
  /** Rows of fewer people are withheld, where people or their demographics are requested; null for never. */
  threshold: number | null
  /** Events that are read before the response becomes an estimate. */
  sampling: number
  is_truncated: boolean
  /** Rows of one page at most, whatever was requested. */
  page_rows: number
}

export interface Situation {
  property: Property
  moment: { today: number; day_passed: number }
  restricted: boolean
  flags: Flags
}

export interface Report {
  /** Everything but the quota. */
  body: Record<string, unknown>
  rows: number
  is_thresholded: boolean
}

/** Handles a request about a property; refuses it with Google's texts. */
export function runReport(request: RunReport, situation: Situation): Report {
  if (isAboutAudiences(request)) return audienceReport(request, situation)
  const plan = planOf(request, situation.property)
  if (plan.dimensions.length + plan.metrics.length === 0) {
    throw invalid('Requests must have at least one dimension or metric.')
  }
  if (request.offset < 0 || request.limit < 0) throw invalid('The offset and limit must not be negative.')
  const { property, moment } = situation
  const rate = rateOf(request.currencyCode, property.currency)
  const ranges = rangesOf(request, moment.today)
  const many = ranges.length > 1
  const parts = ranges.map(range =>
    partOf(range, { plan, situation, rate, keep: request.keepEmptyRows, many }),
  )
  const dimension_names = [...plan.dimensions.map(({ name }) => name), ...(many ? ['dateRange'] : [])]
  const metric_names = plan.metrics.map(({ name }) => name)
  const all = ordered(
    parts.flatMap(({ rows }) => rows),
    { orders: request.orderBys, dimensions: dimension_names, metrics: metric_names, offset: request.offset },
  )
  const limit = Math.min(request.limit === 0 ? 10_000 : request.limit, situation.flags.page_rows)
  const page = all.slice(request.offset, request.offset + limit)
  const is_thresholded = parts.some(part => part.is_thresholded)
  const body = {
    ...(all.length > 0 && {
      ...(dimension_names.length > 0 && { dimensionHeaders: dimension_names.map(name => ({ name })) }),
      ...(plan.metrics.length > 0 && {
        metricHeaders: plan.metrics.map(({ name, type }) => ({ name, type })),
      }),
      ...(page.length > 0 && { rows: page.map(rowMessage) }),
      ...aggregated(request, { parts, all, dimension_names, metric_names }),
      rowCount: all.length,
    }),
    metadata: {
      currencyCode: request.currencyCode || property.currency,
      timeZone: property.time_zone,
      ...(is_thresholded && { subjectToThresholding: true }),
      ...(parts.some(part => part.has_other) && { dataLossFromOtherRow: true }),
      ...(parts.some(part => part.sampling) && {
        samplingMetadatas: parts.flatMap(({ sampling }) => sampling ?? []),
      }),
      ...(situation.flags.is_truncated && TRUNCATION),
      ...restrictions(plan.metrics, situation.restricted),
    },
  }
  return { body, rows: page.length, is_thresholded }
}

function audienceReport(request: RunReport, { property, moment }: Situation): Report {
  const all = audienceRows(request, property, moment.today)
  const page = all.slice(request.offset, request.offset + (request.limit || 10_000))
  const body = {
    ...(all.length > 0 && {
      dimensionHeaders: request.dimensions.map(({ name }) => ({ name })),
      metricHeaders: request.metrics.map(({ name }) => ({ name, type: 'TYPE_INTEGER' })),
      rows: page.map(rowMessage),
      rowCount: all.length,
    }),
    metadata: { currencyCode: request.currencyCode || property.currency, timeZone: property.time_zone },
  }
  return { body, rows: page.length, is_thresholded: false }
}

const TRUNCATION = {
  dataTruncationReasons: [
    { truncationType: 'DATE_RANGE_TRUNCATED', message: 'Some of the requested dates were truncated.' },
  ],
}

interface Part {
  rows: ReportRow[]
  total: string[]
  is_thresholded: boolean
  has_other: boolean
  sampling: { samplesReadCount: string; samplingSpaceSize: string } | null
}

interface Making {
  plan: Plan
  situation: Situation
  rate: number
  keep: boolean
  many: boolean
}

/** The rows of one range. */
function partOf(range: Range, { plan, situation, rate, keep, many }: Making): Part {
  const { property, moment, restricted, flags } = situation
  const query = { ...plan, property, moment, first: range.first, last: range.last }
  const whole = scan({ ...query, every: 1 })
  const every = Math.ceil(whole.events / flags.sampling)
  const { rows, total, events } = every > 1 ? scan({ ...query, every }) : whole
  const { merged, has_other } = withOther(rows, plan, flags.cardinality)
  const asksPeople =
    plan.metrics.some(metric => metric.counts_people) ||
    [...plan.dimensions, ...plan.filtered].some(({ name }) => DEMOGRAPHIC.has(name))
  const least = asksPeople ? (flags.threshold ?? (property.trait === 'signals' ? 3 : null)) : null
  const passing = least === null ? merged : merged.filter(row => peopleOf(row) >= least)
  const valuesOf = (row: Row) =>
    plan.metrics.map(metric =>
      written(metric, restricted && metric.restricted ? 0 : metric.of(row), { every, rate }),
    )
  const visible = passing
    .map(row => ({
      dimensions: many ? [...row.values, range.name] : [...row.values],
      metrics: valuesOf(row),
    }))
    .filter(({ metrics }) => keep || metrics.length === 0 || metrics.some(value => Number(value) !== 0))
    .filter(
      ({ metrics }) =>
        !plan.metric_test ||
        plan.metric_test(name => metrics[plan.metrics.findIndex(metric => metric.name === name)] ?? '0'),
    )
  return {
    rows: visible,
    total: valuesOf(total),
    is_thresholded: passing.length < merged.length,
    has_other,
    sampling:
      every > 1
        ? { samplesReadCount: String(Math.floor(events / every)), samplingSpaceSize: String(events) }
        : null,
  }
}

const DEMOGRAPHIC = new Set(['userAgeBracket', 'userGender'])
const peopleOf = ({ people, sums }: Row) => people.all.size || sums.sessions

/**
 * The largest rows stay, the rest is merged into one: times keep their values, everything else is (other).
 */
function withOther(
  rows: Row[],
  { dimensions }: Plan,
  cardinality: number,
): { merged: Row[]; has_other: boolean } {
  if (rows.length <= cardinality) return { merged: rows, has_other: false }
  const bySize = rows.toSorted((left, right) => right.sums.event_count - left.sums.event_count)
  const others = new Map<string, Row>()
  for (const row of bySize.slice(cardinality)) {
    const values = row.values.map((value, index) => (dimensions[index]?.scope === 'time' ? value : '(other)'))
    const key = values.join('\u0000')
    const into = others.get(key)
    if (into) mergeInto(into, row)
    else others.set(key, { ...row, values })
  }
  return { merged: [...bySize.slice(0, cardinality), ...others.values()], has_other: true }
}

function mergeInto(into: Row, row: Row): void {
  for (const name of Object.keys(row.sums) as (keyof Row['sums'])[]) into.sums[name] += row.sums[name]
  for (const [name, count] of row.events) into.events.set(name, (into.events.get(name) ?? 0) + count)
  for (const name of Object.keys(row.people) as (keyof Row['people'])[]) {
    into.people[name] = into.people[name].union(row.people[name])
  }
  into.converted += row.converted
}

const RATIO = new Set(['TYPE_FLOAT', 'TYPE_SECONDS'])
const ADDS = new Set(['eventValue', 'keyEvents', 'conversions', 'userEngagementDuration'])

/** A value as text; an estimate is scaled up for the events that were not read. */
function written(
  { name, type, scope }: Metric,
  value: number,
  { every, rate }: { every: number; rate: number },
): string {
  const isRatio =
    (RATIO.has(type) && !ADDS.has(name) && !name.startsWith('keyEvents:')) ||
    /(?:Per|average)[A-Z]/.test(name)
  const estimated = isRatio || scope === 'rolling' ? value : value * every
  if (type === 'TYPE_INTEGER') return String(Math.round(estimated))
  const money = type === 'TYPE_CURRENCY' ? estimated * rate : estimated
  return String(Math.round(money * 1e6) / 1e6)
}

const rowMessage = ({ dimensions, metrics }: ReportRow) => ({
  ...(dimensions.length > 0 && { dimensionValues: dimensions.map(value => ({ value })) }),
  ...(metrics.length > 0 && { metricValues: metrics.map(value => ({ value })) }),
})

interface Aggregation {
  parts: Part[]
  all: ReportRow[]
  dimension_names: string[]
  metric_names: string[]
}

function aggregated(
  { metricAggregations }: RunReport,
  { parts, all, dimension_names, metric_names }: Aggregation,
) {
  const line = (reserved: string, values: string[]) =>
    rowMessage({ dimensions: dimension_names.map(() => reserved), metrics: values })
  const ends = (pick: (...values: number[]) => number) =>
    metric_names.map((_, index) => String(pick(...all.map(({ metrics }) => Number(metrics[index])))))
  return {
    ...(metricAggregations.includes('TOTAL') && {
      totals: parts.map(({ total }) => line('RESERVED_TOTAL', total)),
    }),
    ...(metricAggregations.includes('MAXIMUM') && { maximums: [line('RESERVED_MAX', ends(largest))] }),
    ...(metricAggregations.includes('MINIMUM') && { minimums: [line('RESERVED_MIN', ends(smallest))] }),
  }
}

const largest = (...values: number[]) => values.reduce((most, value) => Math.max(most, value), -Infinity)
const smallest = (...values: number[]) => values.reduce((least, value) => Math.min(least, value), Infinity)

function restrictions(metrics: Metric[], restricted: boolean) {
  const active = metrics.flatMap(({ name, restricted: kind }) =>
    restricted && kind ? [{ metricName: name, restrictedMetricTypes: [kind] }] : [],
  )
  return active.length > 0 && { schemaRestrictionResponse: { activeMetricRestrictions: active } }
}

function rateOf(code: string, own: Currency): number {
  if (code === '') return 1
  const rates: Record<string, number> = { ...IN_DOLLARS, EUR: 0.9 }
  const rate = rates[code]
  if (rate === undefined) throw invalid(`Invalid currency code: ${code}.`)
  return rate / IN_DOLLARS[own]
}
