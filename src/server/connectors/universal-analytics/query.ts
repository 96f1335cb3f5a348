import { chunked } from '#shared/chunked.ts'
import type { Metric, PlatformDimension } from '#shared/channels/catalogue.ts'
import { gaMetrics } from '#shared/channels/ga-metrics.ts'
import { PlatformFailure, type ReportRequest, type TimeGrain } from '#server/connectors/connector.ts'
import type { Slice } from '#server/connectors/kit/slices.ts'
import { apartFromItems, fieldOf, isFetched, itemMetrics, timeFields, type FetchedMetric } from './fields.ts'
import { clausesOf, type Clause } from './filters.ts'

/** What is requested of one view, whatever the days. */
export interface ReportQuery {
  view: string
  time: TimeGrain
  /** Those of the request, in its order. */
  dimensions: readonly PlatformDimension[]
  metrics: readonly FetchedMetric[]
  /** The metrics of each request that it takes. */
  groups: readonly (readonly FetchedMetric[])[]
  clauses: readonly Clause[]
}

/** One request: the names of its columns, and how to read time from them. */
export interface Layout {
  body: {
    viewId: string
    dateRanges: [{ startDate: string; endDate: string }]
    dimensions: { name: string }[]
    metrics: { expression: string }[]
    [setting: string]: unknown
  }
  /** The metrics of the response, in its order; empty when none were requested. */
  metrics: readonly FetchedMetric[]
  /** The slices of the response, by the values of its first `time_fields` dimensions. */
  time_fields: number
  starts: ReadonlyMap<string, string>
  /**
   * The position of each dimension of the request among those of the response; two for one that is put
   * together.
   */
  positions: readonly (readonly number[])[]
}

const MOST_DIMENSIONS = 9
const MOST_METRICS = 10
const EARLIEST = '2005-01-01'

/** Throws for what the platform would refuse. */
export function queryOf(request: ReportRequest): ReportQuery {
  const { account, range, time, dimensions, filters } = request
  const known = knownMetrics(request)
  if (range.start < EARLIEST)
    throw new PlatformFailure('history_limit', { platform_message: `the earliest day is ${EARLIEST}` })
  return {
    view: account.external_id,
    time,
    dimensions,
    metrics: known,
    groups: groupsOf(known),
    clauses: clausesOf(filters),
  }
}

/** Throws when one of them is unknown, or cannot be combined with the dimensions. */
export function knownMetrics({ metrics, dimensions }: ReportRequest): FetchedMetric[] {
  const known = metrics.filter(isFetched)
  const unsupported =
    metrics.find(metric => !isFetched(metric)) ?? known.find(metric => !standsBeside(metric, dimensions))
  if (unsupported !== undefined)
    throw new PlatformFailure('combination_not_allowed', { platform_message: unsupported })
  return known
}

function standsBeside(metric: FetchedMetric, dimensions: readonly PlatformDimension[]): boolean {
  const { not_with = [] }: Metric = gaMetrics[metric]
  return !dimensions.some(dimension => not_with.includes(dimension))
}

/**
 * As few requests as the limit of ten metrics and the quarrel of items with ads and events allow; one at
 * least.
 */
function groupsOf(metrics: readonly FetchedMetric[]): FetchedMetric[][] {
  if (metrics.length === 0) return [[]]
  const items = metrics.filter(metric => itemMetrics.has(metric))
  const others = metrics.filter(metric => !itemMetrics.has(metric))
  const mayMix = !others.some(metric => apartFromItems.has(metric))
  return mayMix
    ? chunked(metrics, MOST_METRICS)
    : [...chunked(others, MOST_METRICS), ...chunked(items, MOST_METRICS)]
}

/** Whether a row of a response can say its slice; else each slice is requested by itself. */
export const saysTime = ({ dimensions, time }: ReportQuery) =>
  columnsFor(dimensions).length + timeFields[time].length <= MOST_DIMENSIONS

export function layoutOf(
  query: ReportQuery,
  slices: readonly [Slice, ...Slice[]],
  metrics: readonly FetchedMetric[],
): Layout {
  const timeNames = slices.length === 1 ? [] : timeFields[query.time]
  const columns = columnsFor(query.dimensions)
  const names = [...timeNames, ...columns.map(fieldOf)]
  const last = slices.at(-1) ?? slices[0]
  return {
    body: {
      viewId: query.view,
      dateRanges: [{ startDate: slices[0].start, endDate: last.end }],
      dimensions: names.map(name => ({ name })),
      metrics: fieldsOf(metrics, query.dimensions).map(expression => ({ expression })),
      // Without an order over all of them, pages may overlap.
      orderBys: names.map(fieldName => ({ fieldName, orderType: 'VALUE', sortOrder: 'ASCENDING' })),
      ...(query.clauses.length > 0 && { dimensionFilterClauses: query.clauses }),
      samplingLevel: 'LARGE',
      includeEmptyRows: false,
      hideTotals: true,
      hideValueRanges: true,
    },
    metrics,
    time_fields: timeNames.length,
    starts: new Map(
      slices.map(({ start }) => [timeNames.map(name => timeKey(name, start)).join(' '), start]),
    ),
    positions: query.dimensions.map(dimension =>
      positionsOf(dimension, columns).map(position => position + timeNames.length),
    ),
  }
}

/** A request needs a metric, even when only its rows count. */
function fieldsOf(metrics: readonly FetchedMetric[], dimensions: readonly PlatformDimension[]): string[] {
  if (metrics.length > 0) return metrics.map(metric => gaMetrics[metric].platform_field)
  const isAboutEvents = dimensions.includes('event_category') || dimensions.includes('event_action')
  return [gaMetrics[isAboutEvents ? 'total_events' : 'sessions'].platform_field]
}

/**
 * Source and medium together say what both say: leaving it out keeps a request of everything within nine
 * dimensions.
 */
function columnsFor(dimensions: readonly PlatformDimension[]): PlatformDimension[] {
  const hasBoth = dimensions.includes('source') && dimensions.includes('medium')
  return dimensions.filter(dimension => !(hasBoth && dimension === 'source_medium'))
}

/** The position of a dimension among columns; two where it is put together. */
export function positionsOf(dimension: PlatformDimension, columns: readonly PlatformDimension[]): number[] {
  const position = columns.indexOf(dimension)
  return position >= 0 ? [position] : [columns.indexOf('source'), columns.indexOf('medium')]
}

/** What the platform calls the bucket that a day is in. */
function timeKey(field: string, day: string): string {
  const date = Temporal.PlainDate.from(day)
  switch (field) {
    case 'ga:yearMonth':
      return day.slice(0, 7).replace('-', '')
    case 'ga:isoYearIsoWeek':
      return `${date.yearOfWeek}${String(date.weekOfYear).padStart(2, '0')}`
    default:
      return day.replaceAll('-', '')
  }
}
