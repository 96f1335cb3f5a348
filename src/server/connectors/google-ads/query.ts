import { aw } from '#shared/channels/aw.ts'
import { aw_keyword } from '#shared/channels/aw_keyword.ts'
import {
  filterFields,
  type Channel,
  type ChannelCatalogue,
  type Filter,
  type PlatformDimension,
} from '#shared/channels/catalogue.ts'
import { PlatformFailure, type ReportRequest } from '#server/connectors/connector.ts'
import { actionsOf } from '#server/connectors/kit/actions.ts'
import { refuseBefore, refuseUnsupported, todayAt } from '#server/connectors/kit/unsupported.ts'
import { slicesOf, type Slice } from '#server/connectors/kit/slices.ts'
import {
  ACTION_NAME,
  actionFields,
  AD_TYPE,
  byAction,
  fieldOf,
  IMPRESSIONS,
  isFetched,
  metricFields,
  resources,
  timeSegments,
  type FetchedMetric,
  type MetricField,
  type Resource,
} from './fields.ts'
import { conditionOf, oneOf } from './gaql.ts'

/** What is requested of Google Ads, whatever the days. */
export interface ReportQuery {
  resource: Resource
  select: string[]
  /** What Google may leave out by itself; the table looks at every row again. */
  conditions: string[]
  /** Which conversions are counted; null: those that Google counts itself. */
  action_condition: string | null
  dimensions: PlatformDimension[]
  metrics: FetchedMetric[]
  segments: readonly string[]
  /** Any segment makes Google hide the rows in which all is zero. */
  hides_zeros: boolean
  /** Whether several rows of a response can be about the same. */
  merges: boolean
  /** Groups of neighbouring slices, each short enough for one request. */
  groups: Slice[][]
}

const catalogues: Partial<Record<Channel, ChannelCatalogue>> = { aw, aw_keyword }

/** Refuses, before anything is sent, what Google would refuse or would return less for than was requested. */
export function queryOf(request: ReportRequest, now: Date): ReportQuery {
  const { account, channel, dimensions, filters, range, time } = request
  const actions = actionsOf(request)
  const requested = request.metrics.filter(isFetched)
  const metrics = actions === null ? requested : requested.map(byAction)
  const catalogue = catalogues[channel]
  if (!catalogue) throw new PlatformFailure('combination_not_allowed', { platform_message: channel })
  refuseUnsupported(request, catalogue)
  refuseBefore(todayAt(account, now).subtract({ months: catalogue.history_months }), range)
  const resource = channel === 'aw_keyword' ? 'keyword_view' : coarsest(dimensions)
  const segments = timeSegments[time]
  return {
    resource,
    select: [
      ...segments,
      ...dimensions.flatMap(fieldsOf),
      // Always included: whether a row is there must not depend on the requested metrics.
      ...(actions === null ? [IMPRESSIONS] : [ACTION_NAME, ...actionFields]),
      ...metrics.map(metric => metricFields[metric].field),
    ],
    conditions: filters.flatMap(filter => conditionFor(filter, dimensions) ?? []),
    action_condition: actions && oneOf(ACTION_NAME, actions),
    dimensions,
    metrics,
    segments,
    hides_zeros: segments.length > 0 || dimensions.includes('device_type') || actions !== null,
    merges: resource === 'keyword_view' || actions !== null,
    groups: groupsOf(slicesOf(range, time), metrics),
  }
}

/**
 * The coarsest resource that has every dimension: what is finer would leave out more campaigns than it must.
 */
function coarsest(dimensions: readonly PlatformDimension[]): Resource {
  const needed = new Set(dimensions.map(dimension => fieldOf(dimension).resource))
  return resources.findLast(resource => needed.has(resource)) ?? 'customer'
}

function fieldsOf(dimension: PlatformDimension): string[] {
  const { key, label } = fieldOf(dimension)
  return [...key, ...(label === undefined ? [] : [label]), ...(dimension === 'ad' ? [AD_TYPE] : [])]
}

function conditionFor(filter: Filter, dimensions: readonly PlatformDimension[]): string | null {
  const { of } = filterFields[filter.field]
  if (of === 'account' || !dimensions.includes(of)) return null
  const { filter: field } = fieldOf(of)
  return field === undefined ? null : conditionOf(field, filter)
}

/** People are counted over a quarter or a month of days at most, in one query as in one row. */
function groupsOf(slices: Slice[], metrics: readonly FetchedMetric[]): Slice[][] {
  const limits = metrics.flatMap(metric => {
    const { days }: MetricField = metricFields[metric]
    return days === undefined ? [] : [{ metric, days }]
  })
  const [tightest] = limits.toSorted((one, other) => one.days - other.days)
  if (!tightest) return [slices]
  const groups: Slice[][] = []
  for (const slice of slices) {
    if (daysOf(slice, slice) > tightest.days) {
      const platform_message = `${tightest.metric} of more than ${tightest.days} days`
      throw new PlatformFailure('too_large', { platform_message })
    }
    const group = groups.at(-1)
    const [first] = group ?? []
    if (group && first && daysOf(first, slice) <= tightest.days) group.push(slice)
    else groups.push([slice])
  }
  return groups
}

const daysOf = (first: Slice, last: Slice) =>
  Temporal.PlainDate.from(first.start).until(last.end, { largestUnit: 'days' }).days + 1
