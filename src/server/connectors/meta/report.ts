import {
  filterFields,
  type Dimension,
  type Filter,
  type Metric,
  type PlatformDimension,
} from '#shared/channels/catalogue.ts'
import { fbMetrics } from '#shared/channels/fb-metrics.ts'
import { fb } from '#shared/channels/fb.ts'
import {
  PlatformFailure,
  type AccountRef,
  type Connector,
  type PlatformAccount,
  type ReportRequest,
} from '#server/connectors/connector.ts'
import { callApi, pagesOf } from './client.ts'
import {
  everyStatus,
  fieldOf,
  isFetched,
  levels,
  metricFields,
  reachMetrics,
  uniqueMetrics,
  type FetchedMetric,
  type Level,
} from './fields.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { prepareJobs, rowsOf } from './pages.ts'
import type { Insights } from './query.ts'
import { AD_ACCOUNT_FIELDS, AdAccount, MetaLogin, type MetaIo } from './schema.ts'
import { slicesOf, type Slice } from '#server/connectors/kit/slices.ts'
import { groupsOf } from './ranges.ts'

/** Facebook and Instagram ads, through Meta's Marketing API. */
export const meta: Connector<MetaLogin> = {
  login: MetaLogin,
  listAccounts,
  checkAccount,
  prepare,
  fetchReport,
}

async function prepare(request: ReportRequest, io: MetaIo): Promise<void> {
  await prepareJobs(insightsOf(request, todayAt(request.account, io.now())), groupsFor(request), io)
}

async function* fetchReport(request: ReportRequest, io: MetaIo) {
  yield* rowsOf(insightsOf(request, todayAt(request.account, io.now())), groupsFor(request), io)
}

const groupsFor = ({ range, time }: ReportRequest) => groupsOf(slicesOf(range, time), time)

async function* listAccounts(io: MetaIo): AsyncGenerator<PlatformAccount[]> {
  const params = { fields: AD_ACCOUNT_FIELDS }
  const seen = new Set<string>()
  for await (const accounts of pagesOf(
    { path: 'me/adaccounts', params, account: null, bare_ids: true },
    io,
  )) {
    const fresh = accounts.map(accountOf).filter(({ external_id }) => seen.size < seen.add(external_id).size)
    if (fresh.length === 0 && accounts.length > 0) throw unreadable('me/adaccounts: a page that came twice')
    if (fresh.length > 0) yield fresh
  }
}

async function checkAccount({ external_id }: AccountRef, io: MetaIo): Promise<PlatformAccount> {
  const params = { fields: AD_ACCOUNT_FIELDS }
  const call = { path: `act_${external_id}`, params, account: external_id, bare_ids: true }
  const account = await callApi(call, AdAccount, io)
  if (account.external_id !== external_id) throw unreadable(`${call.path}: another account`)
  return account
}

function accountOf(account: unknown, index: number): PlatformAccount {
  const read = AdAccount.safeParse(account)
  if (!read.success) throw unreadable(`me/adaccounts: data[${index}].${read.error.issues[0]?.path.join('.')}`)
  return read.data
}

/**
 * Meta keeps people counted with a breakdown for 13 months; reach of longer ago it works out in a job only.
 */
const PEOPLE_MONTHS = 13
const DAYS_WITH_DEVICES = 31

function insightsOf(request: ReportRequest, today: Temporal.PlainDate): Insights {
  const metrics = request.metrics.filter(isFetched)
  refuseUnsupported(request, metrics, today)
  const level = levelOf(request.dimensions)
  const breakdowns = breakdownsOf(request.dimensions)
  const filtering = filteringOf(request.filters, level)
  const has_reach = metrics.some(metric => reachMetrics.has(metric))
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
    wanted: { dimensions: request.dimensions, metrics },
    may_be_large: level === 'ad',
    mustWait: slices =>
      breakdowns.length > 0 &&
      ((request.time === 'date' && slices.length >= DAYS_WITH_DEVICES) ||
        (has_reach && startsBefore(slices, monthsBefore(today, PEOPLE_MONTHS)))),
  }
}

/** Refuses before asking what Meta would refuse, or would answer with less than was asked for. */
function refuseUnsupported(
  { range, dimensions, metrics }: ReportRequest,
  known: FetchedMetric[],
  today: Temporal.PlainDate,
) {
  const unknown = metrics.find(metric => !isFetched(metric))
  const apart = unknown ?? known.find(metric => !standsBeside(metric, dimensions))
  if (apart !== undefined) throw new PlatformFailure('combination_not_allowed', { platform_message: apart })
  const counts_people = dimensions.includes('device_type') && known.some(metric => uniqueMetrics.has(metric))
  const earliest = monthsBefore(today, counts_people ? PEOPLE_MONTHS : fb.history_months)
  if (range.start < earliest) {
    throw new PlatformFailure('history_limit', { platform_message: `the earliest day is ${earliest}` })
  }
}

function standsBeside(metric: FetchedMetric, dimensions: readonly Dimension[]): boolean {
  const { not_with = [], only_with = [] }: Metric = fbMetrics[metric]
  return (
    only_with.every(dimension => dimensions.includes(dimension)) &&
    !not_with.some(dimension => dimensions.includes(dimension))
  )
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

interface Condition {
  field: string
  operator: 'CONTAIN' | 'IN'
  value: string | readonly string[]
}

/** The filters that Meta can apply without losing a row that ours would keep. */
function filteringOf(filters: Filter[], level: Level): Condition[] {
  const names = filters.flatMap(filter => nameCondition(filter, level) ?? [])
  if (names.length === 0 || level === 'account') return []
  return [...names, { field: `${level}.effective_status`, operator: 'IN', value: everyStatus[level] }]
}

function nameCondition({ field, rule, values }: Filter, level: Level): Condition | null {
  const { of } = filterFields[field]
  const [value, ...others] = values
  if (of === 'account' || rule === 'NOT_CONTAINS') return null
  // Conditions are ANDed, values are ORed: Meta can be told of a single one only.
  if (value === undefined || others.length > 0) return null
  const entity = fieldOf(of)
  if ('breakdown' in entity) return null
  if (levels.indexOf(entity.level) > levels.indexOf(level)) return null
  const part = plainPart(value)
  return part === '' ? null : { field: `${entity.filter}.name`, operator: 'CONTAIN', value: part }
}

/**
 * The longest part of a text that looks the same under every rule of comparing. How Meta's CONTAIN treats
 * case, width and composed letters (ｶﾞ, ガ) is not documented, and ours ignores case alone; Han, digits and
 * punctuation have neither. Of a text without such a part Meta is told nothing, and its answer is keepNewRows
 * here only.
 */
function plainPart(text: string): string {
  const parts = text.match(/[[\p{Script=Han}\p{Nd}\p{P} ]--\\]+/gv) ?? []
  return parts
    .map(part => part.trim())
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '')
}

const startsBefore = ([first]: Slice[], day: string) => first !== undefined && first.start < day

const monthsBefore = (day: Temporal.PlainDate, months: number) => day.subtract({ months }).toString()

const todayAt = ({ timezone }: AccountRef, now: Date) =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone).toPlainDate()
