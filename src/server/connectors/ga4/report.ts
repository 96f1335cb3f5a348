import { ga4 as catalogue } from '#shared/channels/ga4.ts'
import {
  PlatformFailure,
  type Connector,
  type Page,
  type ReportRequest,
  type TimeGrain,
} from '#server/connectors/connector.ts'
import { actionsOf } from '#server/connectors/kit/actions.ts'
import { canRecover } from '#server/connectors/kit/failures.ts'
import type { GoogleLogin } from '#server/connectors/kit/google-token.ts'
import { refuseBefore, refuseUnsupported } from '#server/connectors/kit/unsupported.ts'
import { slicesOf } from '#server/connectors/kit/slices.ts'
import { listActions } from './actions.ts'
import { listAudiences } from './audiences.ts'
import { checkAccount, listAccounts } from './accounts.ts'
import {
  fieldOf,
  isFetched,
  metricFieldOf,
  timeFields,
  type FetchedMetric,
  type MetricField,
} from './fields.ts'
import { filterOf, keyEventFilter } from './filters.ts'
import { addedUp, joined } from './merge.ts'
import { sheetsOf, type ReportQuery } from './pages.ts'
import { Ga4Login, type Ga4Io } from './schema.ts'
import { timesOf, type Times } from './ranges.ts'

/** Google Analytics 4 properties, through the Data API and the Admin API. */
export const ga4: Connector<GoogleLogin> = {
  login: Ga4Login,
  hosts: ['ga4_data', 'ga4_admin', 'google_token'],
  listAccounts,
  checkAccount,
  fetchReport,
  listActions,
  listAudiences,
}

async function* fetchReport(request: ReportRequest, io: Ga4Io): AsyncGenerator<Page> {
  const metrics = request.metrics.filter(isFetched)
  refuseUnsupported(request, catalogue)
  refuseBefore(EARLIEST, request.range)
  const isWide = timeFields[request.time].length + request.dimensions.length > MOST_DIMENSIONS
  const slices = slicesOf(request.range, request.time)
  yield* rowsOfSlices({ request, metrics, slices }, isWide ? 1 : slices.length, io)
}

/** The Data API takes no day before. */
const EARLIEST = Temporal.PlainDate.from('2015-08-14')
/** What one request takes, dimensions of time included. */
const MOST_DIMENSIONS = 9
const MOST_METRICS = 10

interface Scope {
  request: ReportRequest
  metrics: FetchedMetric[]
  slices: ReturnType<typeof slicesOf>
}

async function* rowsOfSlices(scope: Scope, slicesAtOnce: number, io: Ga4Io): AsyncGenerator<Page> {
  let hasYielded = false
  try {
    const is_long = slicesAtOnce > slicesInMonth[scope.request.time] || canBeSummed(scope)
    for (const times of timesOf(scope.slices, scope.request.time, slicesAtOnce)) {
      for await (const page of rowsOfRange(scope, { times, is_long }, io)) {
        hasYielded = true
        yield page
        io.signal.throwIfAborted()
      }
    }
  } catch (error) {
    const fewer = hasYielded ? null : fewerAtOnce(error, scope.request.time)
    if (fewer === null) throw error
    if (fewer < slicesAtOnce) yield* rowsOfSlices(scope, fewer, io)
    else if (canBeSummed(scope)) yield* summedOfMonths(scope, io)
    else throw error
  }
}

/** Whether a whole range says the same as its months together. */
const canBeSummed = ({ request: { time, range }, metrics }: Scope) =>
  time === 'total' &&
  slicesOf(range, 'month').length > 1 &&
  metrics.every(metric => catalogue.metrics[metric].kind === 'additive')

async function* summedOfMonths({ request, metrics }: Scope, io: Ga4Io): AsyncGenerator<Page> {
  const byMonth: Scope = {
    request: { ...request, time: 'month' },
    metrics,
    slices: slicesOf(request.range, 'month'),
  }
  const page = await addedUp(rowsOfSlices(byMonth, 1, io), {
    start: request.range.start,
    metrics: metrics.length,
  })
  if (page.length > 0) yield page
}

/**
 * How many slices to request instead. What timed out three times is cut into months once: each server error
 * brings the lock nearer.
 */
function fewerAtOnce(error: unknown, time: TimeGrain): number | null {
  if (canRecover(error, 'single_slices')) return 1
  const isMonths = canRecover(error, 'single_months') || isTimeout(error)
  return isMonths ? slicesInMonth[time] : null
}

const isTimeout = (error: unknown) => error instanceof PlatformFailure && error.code === 'platform_timeout'

const slicesInMonth: Record<TimeGrain, number> = { total: 1, date: 31, week: 4, month: 1, month_week: 5 }

/** The rows of one range: as they come, or put together where the metrics take several requests. */
async function* rowsOfRange(
  { request, metrics }: Scope,
  { times, is_long }: { times: Times; is_long: boolean },
  io: Ga4Io,
): AsyncGenerator<Page> {
  const dimensions = request.dimensions.map(fieldOf)
  const ownFilter = filterOf(request.filters)
  const actions = actionsOf(request)
  const parts = groupsOf(metrics, actions).map(({ family, columns, fields }) => {
    const spec = { times, dimensions, metrics: columns.flatMap(column => metrics[column] ?? []), actions }
    const filter = actions && family === 'key_event' ? keyEventFilter(actions, ownFilter) : ownFilter
    const query: ReportQuery = { property: request.account.external_id, spec, fields, filter, is_long }
    return { columns, sheets: sheetsOf(query, io) }
  })
  const [only, ...others] = parts
  if (only !== undefined && others.length === 0) {
    yield* only.sheets
    return
  }
  const page = await joined(parts, metrics.length)
  if (page.length > 0) yield page
}

interface Group {
  family: MetricField['family']
  /** GA4's names, each once, however many metrics are read from it. */
  fields: string[]
  /** Which of the report's metrics are read from it. */
  columns: number[]
}

/** The requests that the metrics take: of one family each, and no more than GA4 takes at once. */
function groupsOf(metrics: FetchedMetric[], actions: readonly string[] | null): Group[] {
  const groups: Group[] = []
  for (const [column, metric] of metrics.entries()) {
    const { family, field, less } = metricFieldOf(metric, actions)
    const needed = less === undefined ? [field] : [field, less]
    const open = groups.findLast(group => group.family === family)
    const fields = [...new Set([...(open?.fields ?? []), ...needed])]
    if (open === undefined || fields.length > MOST_METRICS) {
      groups.push({ family, fields: needed, columns: [column] })
      continue
    }
    open.fields = fields
    open.columns.push(column)
  }
  // Rows are requested even where no number is.
  return groups.length > 0 ? groups : [{ family: 'plain', fields: ['eventCount'], columns: [] }]
}
