import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import { ln } from '#shared/channels/ln.ts'
import type { ReportRequest } from '#server/connectors/connector.ts'
import { refuseBefore, refuseUnsupported, todayAt } from '#server/connectors/kit/unsupported.ts'
import { slicesOf, type Slice } from '#server/connectors/kit/slices.ts'
import {
  fieldOf,
  isFetched,
  levels,
  metricFields,
  peopleMetrics,
  type FetchedMetric,
  type Level,
} from './fields.ts'
import type { ReportSpec } from './jobs.ts'

/** What is requested of LINE for a report. */
export interface ReportQuery {
  files: FileQuery[]
  online: OnlineQuery[]
  /** Every row of every file is a row of the response; else rows are added up. */
  is_direct: boolean
}

export interface FileQuery {
  spec: ReportSpec
  metrics: FetchedMetric[]
  /**
   * The first day of the slice that a row is of: by its day, or the same for all; undefined for a day that
   * was not requested.
   */
  startOf: (day: string) => string | undefined
}

export interface OnlineQuery {
  level: Exclude<Level, 'ADACCOUNT'>
  slice: Slice
  metrics: FetchedMetric[]
}

/** Throws for what LINE cannot give; null when it has no data yet for any of the days. */
export function queryOf(request: ReportRequest, now: Date): ReportQuery | null {
  const metrics = request.metrics.filter(isFetched)
  refuseUnsupported(request, ln)
  const range = availableRange(request, now)
  if (range === null) return null
  const level = levelOf(request.dimensions)
  const isOnline = (metric: FetchedMetric) => ['online', 'share'].includes(metricFields[metric].read)
  const online = metrics.filter(isOnline)
  const inFiles = metrics.filter(metric => !isOnline(metric))
  const groups = inFiles.length > 0 || online.length === 0 ? groupsOf(inFiles, level) : []
  const subject = { request, range, request_key: requestKeyOf(request) }
  const files = groups.flatMap(group => filesOf(group, subject))
  const [only, ...others] = groups
  return {
    files,
    online: online.length === 0 ? [] : onlineOf(online, level, subject),
    is_direct:
      only?.level === level &&
      others.length === 0 &&
      online.length === 0 &&
      (request.time === 'date' || hasPeople(only)),
  }
}

/** Metrics that can be had of the same files. */
interface Group {
  level: Level
  metrics: FetchedMetric[]
}
interface Subject {
  request: ReportRequest
  range: Slice
  request_key: string
}

/**
 * Friends are counted by the objective of a campaign, which a row of the account does not have; people of
 * campaigns cannot be added up to it.
 */
function groupsOf(metrics: FetchedMetric[], level: Level): Group[] {
  const friends = metrics.filter(metric => metricFields[metric].read === 'friends')
  if (friends.length === 0 || level !== 'ADACCOUNT') return [{ level, metrics }]
  if (!hasPeople({ metrics })) return [{ level: 'CAMPAIGN', metrics }]
  const others = metrics.filter(metric => !friends.includes(metric))
  return [
    { level, metrics: others },
    { level: 'CAMPAIGN', metrics: friends },
  ]
}

const hasPeople = ({ metrics }: Pick<Group, 'metrics'>) => metrics.some(metric => peopleMetrics.has(metric))

/**
 * LINE knows days and whole ranges only: other slices are added up from days, but for people, who get a
 * report for each slice.
 */
function filesOf({ level, metrics }: Group, { request, range, request_key }: Subject): FileQuery[] {
  const { account, time, dimensions } = request
  const report = {
    account: account.external_id,
    level,
    by_os: dimensions.includes('device_type'),
    request_key,
  }
  if (hasPeople({ metrics }) && time !== 'date') {
    return slicesOf(range, time).map(days => ({
      spec: { ...report, days, is_daily: false, may_be_split: false },
      metrics,
      startOf: () => days.start,
    }))
  }
  const is_daily = time !== 'total'
  const spec = { ...report, days: range, is_daily, may_be_split: true }
  return [{ spec, metrics, startOf: is_daily ? sliceStarts(range, time) : () => range.start }]
}

/** From the days of the range to the first days of their slices. */
function sliceStarts(range: Slice, time: ReportRequest['time']): FileQuery['startOf'] {
  const starts = new Map<string, string>()
  for (const slice of slicesOf(range, time))
    for (const day of slicesOf(slice, 'date')) starts.set(day.start, slice.start)
  return day => starts.get(day)
}

function onlineOf(metrics: FetchedMetric[], level: Level, { request, range }: Subject): OnlineQuery[] {
  const requestLevel = level === 'ADACCOUNT' ? 'CAMPAIGN' : level
  return slicesOf(range, request.time).map(slice => ({ level: requestLevel, slice, metrics }))
}

/** The finest level that a dimension needs. */
function levelOf(dimensions: PlatformDimension[]): Level {
  const needed = dimensions.map(fieldOf)
  return (
    levels.findLast(level => needed.some(field => 'level' in field && field.level === level)) ?? 'ADACCOUNT'
  )
}

/** LINE refuses ranges that reach into the future of the account's zone, where it may still be yesterday. */
function availableRange({ range, account }: ReportRequest, now: Date): Slice | null {
  const today = todayAt(account, now)
  refuseBefore(today.subtract({ months: ln.history_months }), range)
  const last = today.toString()
  if (range.start > last) return null
  return { start: range.start, end: range.end < last ? range.end : last }
}

/** Everything that makes one query of a run another one. */
const requestKeyOf = ({ time, dimensions, metrics, filters }: ReportRequest) =>
  JSON.stringify([time, dimensions, metrics, filters])
