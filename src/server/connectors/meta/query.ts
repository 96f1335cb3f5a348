import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import { fb } from '#shared/channels/fb.ts'
import type { ReportRequest, TimeGrain } from '#server/connectors/connector.ts'
import { actionsOf } from '#server/connectors/kit/actions.ts'
import type { Slice } from '#server/connectors/kit/slices.ts'
import { refuseBefore, refuseUnsupported, todayAt } from '#server/connectors/kit/unsupported.ts'
import type { ColumnSpec } from './columns.ts'
import {
  fieldOf,
  isFetched,
  levels,
  metricFields,
  reachMetrics,
  uniqueMetrics,
  type FetchedMetric,
  type Level,
} from './fields.ts'
import { filteringOf } from './filters.ts'
import { timeParams } from './ranges.ts'

/** What is requested of one account, whatever the days. */
export interface Insights {
  /** The account's bare number. */
  account: string
  time: TimeGrain
  /** Everything but the days and the page. */
  params: Readonly<Record<string, string>>
  spec: ColumnSpec
  /** Whether an account of ordinary size can have more rows than a synchronous response should. */
  may_be_large: boolean
  /** Whether these days can only be requested asynchronously. */
  mustWait: (slices: Slice[]) => boolean
}

export const paramsOf = ({ params, time }: Insights, slices: Slice[]) => ({
  ...params,
  ...timeParams(slices, time),
})

/**
 * Meta keeps people counted with a breakdown for 13 months; reach of longer ago it works out in a job only.
 */
const PEOPLE_MONTHS = 13
const DAYS_WITH_DEVICES = 31

/** Refuses, before anything is sent, what Meta would refuse or would return less for than was requested. */
export function insightsOf(request: ReportRequest, now: Date): Insights {
  const metrics = request.metrics.filter(isFetched)
  const today = todayAt(request.account, now)
  refuseUnsupported(request, fb)
  const countsPeople =
    request.dimensions.includes('device_type') && metrics.some(metric => uniqueMetrics.has(metric))
  refuseBefore(today.subtract({ months: countsPeople ? PEOPLE_MONTHS : fb.history_months }), request.range)
  const level = levelOf(request.dimensions)
  const breakdowns = breakdownsOf(request.dimensions)
  const filtering = filteringOf(request.filters, level)
  const hasReach = metrics.some(metric => reachMetrics.has(metric))
  return {
    account: request.account.external_id,
    time: request.time,
    params: {
      level,
      fields: fieldsOf(request.dimensions, metrics).join(','),
      use_unified_attribution_setting: 'true',
      ...(breakdowns.length > 0 && { breakdowns: breakdowns.join(',') }),
      ...(filtering.length > 0 && { filtering: JSON.stringify(filtering) }),
    },
    spec: { dimensions: request.dimensions, metrics, actions: actionsOf(request) },
    may_be_large: level === 'ad',
    mustWait: slices =>
      breakdowns.length > 0 &&
      ((request.time === 'date' && slices.length >= DAYS_WITH_DEVICES) ||
        (hasReach && startsBefore(slices, today.subtract({ months: PEOPLE_MONTHS })))),
  }
}

/** The finest level that a dimension needs. */
function levelOf(dimensions: PlatformDimension[]): Level {
  const needed = dimensions.map(fieldOf)
  return (
    levels.findLast(level => needed.some(field => 'level' in field && field.level === level)) ?? 'account'
  )
}

function breakdownsOf(dimensions: PlatformDimension[]): string[] {
  return dimensions.flatMap(dimension => {
    const field = fieldOf(dimension)
    return 'breakdown' in field ? [field.breakdown] : []
  })
}

function fieldsOf(dimensions: PlatformDimension[], metrics: FetchedMetric[]): string[] {
  const entities = dimensions.flatMap(dimension => {
    const field = fieldOf(dimension)
    return 'level' in field ? [field.id, field.name] : []
  })
  const numbers = metrics.map(metric => metricFields[metric].field)
  return [...new Set([...entities, ...(numbers.length > 0 ? numbers : ['impressions'])])]
}

const startsBefore = ([first]: Slice[], day: Temporal.PlainDate) =>
  first !== undefined && first.start < day.toString()
