import type { ChannelCatalogue, Dimension, Metric } from '#shared/channels/catalogue.ts'
import { metricIn } from '#shared/metrics.ts'
import {
  PlatformFailure,
  type AccountRef,
  type ReportRequest,
  type TimeGrain,
} from '#server/connectors/connector.ts'
import { actionMetrics, actionsOf } from './actions.ts'
import type { Slice } from './slices.ts'

/**
 * Refuses, before anything is sent, what the platform would refuse or would return something else for: what
 * its catalogue does not offer.
 */
export function refuseUnsupported(
  request: Pick<ReportRequest, 'time' | 'dimensions' | 'metrics' | 'actions'>,
  catalogue: ChannelCatalogue,
): void {
  const { time, dimensions, metrics } = request
  const splits: readonly Dimension[] = [...dimensions, ...timeDimensions[time]]
  const unsupported =
    dimensions.find(dimension => !catalogue.dimensions.includes(dimension)) ??
    metrics.find(id => !standsBeside(metricIn(catalogue, id), splits)) ??
    catalogue.apart?.find(pair => pair.every(dimension => splits.includes(dimension)))?.join(', ')
  if (unsupported !== undefined)
    throw new PlatformFailure('combination_not_allowed', { platform_message: unsupported })
  refuseActions(request, catalogue)
}

/** Refuses to count by actions where the platform cannot, or not beside everything else that is requested. */
export function refuseActions(
  request: Pick<ReportRequest, 'metrics' | 'actions'>,
  { actions }: Pick<ChannelCatalogue, 'actions'>,
): void {
  if (actionsOf(request) === null || actions === 'beside_cost') return
  const other = request.metrics.find(metric => !actionMetrics.has(metric))
  if (actions === undefined || other !== undefined)
    throw new PlatformFailure('combination_not_allowed', {
      platform_message: `${other ?? 'conversions'} by actions`,
    })
}

const timeDimensions: Record<TimeGrain, readonly Dimension[]> = {
  total: [],
  date: ['date'],
  week: ['week'],
  month: ['month'],
  month_week: ['month', 'week'],
}

/** Derived metrics are never requested: they are computed here. */
function standsBeside(metric: Metric | undefined, splits: readonly Dimension[]): boolean {
  if (!metric || metric.kind === 'derived') return false
  const { not_with = [], only_with = [] } = metric
  return (
    only_with.every(dimension => splits.includes(dimension)) &&
    !not_with.some(dimension => splits.includes(dimension))
  )
}

/** Refuses a range that begins before the first day of which the platform knows, or still knows, anything. */
export function refuseBefore(earliest: Temporal.PlainDate, { start }: Pick<Slice, 'start'>): void {
  if (start < earliest.toString())
    throw new PlatformFailure('history_limit', { platform_message: `the earliest day is ${earliest}` })
}

/** The account's own day. */
export const todayAt = ({ timezone }: Pick<AccountRef, 'timezone'>, now: Date): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone).toPlainDate()
