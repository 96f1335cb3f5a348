import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import { ttMetrics } from '#shared/channels/tt-metrics.ts'
import { tt } from '#shared/channels/tt.ts'
import type { Connector, Page, ReportRequest } from '#server/connectors/connector.ts'
import { refuseBefore, refuseUnsupported, todayAt } from '#server/connectors/kit/unsupported.ts'
import { checkAccount, listAccounts } from './accounts.ts'
import { fieldOf, isFetched, levels, peopleMetrics, type Level } from './fields.ts'
import type { ReportQuery } from './query.ts'
import { readerOf } from './columns.ts'
import { sliceMerger } from './merge.ts'
import { canNarrow } from './filters.ts'
import { pageOf, TooManyIds } from './pages.ts'
import { groupsOf, type Group, type Part } from './ranges.ts'
import { TikTokLogin, type TikTokIo } from './schema.ts'
import { synchronousReader } from './synchronous.ts'
import { finishedTasks, hasTask, rowsOfTask, type TaskQuery } from './jobs.ts'

/** TikTok ads, through TikTok's API for Business. */
export const tiktok: Connector<TikTokLogin> = {
  login: TikTokLogin,
  hosts: ['tiktok'],
  listAccounts,
  checkAccount,
  prepare,
  fetchReport,
}

/**
 * Only ads may be too many for a synchronous report: then tasks are submitted for all of it, before anything
 * is read.
 */
async function prepare(request: ReportRequest, io: TikTokIo): Promise<void> {
  const query = queryOf(request, io)
  const taskQuery = { query, narrowing: null }
  const parts = partsOf(groupsFor(request, query))
  const [part] = parts
  if (query.spec.level !== 'ad' || canNarrow(request.filters) || !part) return
  const isKnown = await hasTask(taskQuery, part, io)
  const partQuery = { ...taskQuery, part, reader: readerOf(query.spec, part.by_day) }
  const hasTooMany = isKnown || (await pageOf(partQuery, { page: 1, page_size: 1 }, io)).is_truncated
  if (hasTooMany) await finishedTasks(taskQuery, parts, io)
}

/** Reads group by group synchronously; from the first one on that has too many ids, in tasks. */
async function* fetchReport(request: ReportRequest, io: TikTokIo): AsyncGenerator<Page> {
  const query = queryOf(request, io)
  const groups = groupsFor(request, query)
  const parts = partsOf(groups)
  noteLimits({ request, query, groups }, io)
  const whole = { query, narrowing: null }
  if (parts[0] && (await hasTask(whole, parts[0], io))) return yield* rowsInTasks(whole, groups, io)
  const reader = synchronousReader({ query, parts, filters: request.filters }, io)
  try {
    for (const [at, group] of groups.entries()) {
      try {
        yield* mergedRows(group, query, reader.rowsOf)
      } catch (error) {
        if (!(error instanceof TooManyIds)) throw error
        return yield* rowsInTasks({ query, narrowing: reader.narrowing() }, groups.slice(at), io)
      }
    }
  } finally {
    reader.stop()
  }
}

async function* rowsInTasks(taskQuery: TaskQuery, groups: Group[], io: TikTokIo): AsyncGenerator<Page> {
  const tasks = await finishedTasks(taskQuery, partsOf(groups), io)
  for (const group of groups) {
    yield* mergedRows(group, taskQuery.query, part =>
      rowsOfTask(taskQuery, { part, task: tasks.get(part) ?? '' }, io),
    )
  }
}

async function* mergedRows(
  { parts, slice_starts }: Group,
  { spec }: ReportQuery,
  rowsOf: (part: Part) => AsyncGenerator<Page>,
): AsyncGenerator<Page> {
  const merger = slice_starts && sliceMerger(spec.metrics, slice_starts)
  for (const part of parts) {
    for await (const page of rowsOf(part)) {
      if (merger) merger.add(page)
      else yield page
    }
  }
  const merged = merger?.page()
  if (merged && merged.length > 0) yield merged
}

const partsOf = (groups: Group[]) => groups.flatMap(({ parts }) => parts)

function groupsFor({ range, time }: ReportRequest, { spec }: ReportQuery): Group[] {
  const additive = spec.metrics.every(metric => ttMetrics[metric].kind === 'additive')
  // Of ad groups and ads, weeks are fewer pages than days.
  const few = spec.level === 'advertiser' || spec.level === 'campaign'
  return groupsOf(range, { time, rolls_up: additive && few })
}

function queryOf(request: ReportRequest, { now }: TikTokIo): ReportQuery {
  const { account, dimensions } = request
  const metrics = request.metrics.filter(isFetched)
  refuseUnsupported(request, tt)
  refuseBefore(todayAt(account, now()).subtract({ months: tt.history_months }), request.range)
  const byDevice = dimensions.some(dimension => 'breakdown' in fieldOf(dimension))
  return {
    account: account.external_id,
    report_type: byDevice ? 'AUDIENCE' : 'BASIC',
    spec: { level: levelOf(dimensions), dimensions, metrics },
  }
}

/** The finest level that a dimension needs. */
function levelOf(dimensions: PlatformDimension[]): Level {
  const spec = dimensions.map(dimension => {
    const field = fieldOf(dimension)
    return 'level' in field ? order.indexOf(field.level) : 0
  })
  return order[Math.max(0, ...spec)] ?? 'advertiser'
}

const order = Object.keys(levels).filter((level): level is Level => Object.hasOwn(levels, level))

const COUNTED_AFTER_HOURS = 16

/** What the run's page should say of a response that is right, but could be misunderstood. */
function noteLimits(
  { request, query, groups }: { request: ReportRequest; query: ReportQuery; groups: Group[] },
  io: TikTokIo,
): void {
  const { timezone, external_id } = request.account
  const { metrics } = query.spec
  const late = query.report_type === 'AUDIENCE' || metrics.some(metric => peopleMetrics.has(metric))
  const countedAt = Temporal.PlainDate.from(request.range.end)
    .add({ days: 1 })
    .toZonedDateTime(timezone)
    .add({ hours: COUNTED_AFTER_HOURS })
  if (late && countedAt.epochMilliseconds > io.now().getTime())
    io.note({ code: 'counted_late', detail: { account: external_id } })
  const single = metrics.some(metric => ttMetrics[metric].kind === 'non_additive')
  if (single && groups.some(({ parts }) => parts.length > 1))
    io.note({ code: 'longer_than_a_year', detail: { account: external_id } })
}
