import { catalogueOf } from '#shared/channels/all.ts'
import type { Channel, ChannelCatalogue, PlatformDimension } from '#shared/channels/catalogue.ts'
import { whyNotAsk } from '#shared/block-rules.ts'
import { todayIn } from '#shared/date-range.ts'
import { metricIn } from '#shared/metrics.ts'
import {
  ReportPending,
  PlatformFailure,
  type ReportRequest,
  type Source,
  type ConnectorContext,
} from '#server/connectors/connector.ts'
import { jobsInMemory } from '#server/connectors/memory-jobs.ts'
import { withDeadline } from '#server/connectors/deadline.ts'
import { textsOf } from '#server/connectors/text-column.ts'
import type { PlatformNamesRequest } from '#server/http/effects.ts'

interface NamesEffects {
  sourceOf: (account: PlatformNamesRequest['account']) => Promise<Source | null>
  platforms: Pick<ConnectorContext, 'fetch' | 'hosts' | 'tokens' | 'limiter'>
}

/** A person waits while a filter is typed. */
const PATIENCE_MS = 8000
/** So many names of one account are enough to choose from; a large account has hundreds of thousands. */
const MOST_NAMES = 5000

/**
 * The names that an account has had under a dimension lately, as its platform returns them; null when it does
 * not respond in time. Where a platform prepares reports asynchronously, the next identical request continues
 * with the same one.
 */
export function createPlatformNames({ sourceOf, platforms }: NamesEffects) {
  const jobs_of = new Map<string, Map<string, string>>()
  return async (namesRequest: PlatformNamesRequest): Promise<string[] | null> => {
    const request = requestFor(namesRequest)
    if (!request) return []
    const key = JSON.stringify(request)
    const jobs = jobs_of.get(key) ?? new Map<string, string>()
    jobs_of.set(key, jobs)
    if (jobs_of.size > MOST_UNDER_WAY) jobs_of.delete(jobs_of.keys().next().value ?? key)
    const context = { ...platforms, jobs: jobsInMemory(jobs) }
    try {
      const source = await sourceOf(namesRequest.account)
      if (!source) return null
      const names = await withDeadline(PATIENCE_MS, context, io => readNames(source, request, io))
      jobs_of.delete(key)
      return names
    } catch (error) {
      if (error instanceof ReportPending) return null
      if (!(error instanceof PlatformFailure)) throw error
      // What was begun before the time was over is still being prepared.
      if (error.code !== 'platform_timeout') jobs_of.delete(key)
      return null
    }
  }
}

/** Reports in preparation that may never be requested again. */
const MOST_UNDER_WAY = 1000

const DAYS = 30
/**
 * Universal Analytics counted until 1 July 2023, and a year longer for paying customers: the latest data
 * there is from then.
 */
const LAST_COUNTED = { start: '2022-07-01', end: '2024-06-30' }

/**
 * One metric over all of the days, by the dimension; null where the account's product does not have the
 * dimension.
 */
function requestFor({ channel, dimension, account, now }: PlatformNamesRequest): ReportRequest | null {
  const sourceChannel = channelWithAccounts(channel, dimension)
  const catalogue = catalogueOf(sourceChannel)
  const metric = metricBeside(dimension, { channel: sourceChannel, catalogue, account })
  if (metric === undefined) return null
  const today = todayIn(account.timezone, now)
  const start = Temporal.PlainDate.from(today)
    .subtract({ days: DAYS - 1 })
    .toString()
  const { provider, external_id, currency, timezone, via } = account
  return {
    channel: sourceChannel,
    account: { provider, external_id, currency, timezone, via },
    range: catalogue.archive ? LAST_COUNTED : { start, end: today },
    // Two years as one slice would be sampled, which the connector avoids by requesting each day.
    time: catalogue.archive ? 'month' : 'total',
    dimensions: [dimension],
    metrics: [metric],
    filters: [],
  }
}

/**
 * Keywords belong to fewer campaigns than the account has: of two channels over the same accounts, the one
 * that owns the accounts has all names.
 */
function channelWithAccounts(channel: Channel, dimension: PlatformDimension): Channel {
  const { accounts_of } = catalogueOf(channel)
  return accounts_of && catalogueOf(accounts_of).dimensions.includes(dimension) ? accounts_of : channel
}

/** The first of the channel's metrics that can be combined with the dimension. */
function metricBeside(
  dimension: PlatformDimension,
  {
    channel,
    catalogue,
    account,
  }: { channel: Channel; catalogue: ChannelCatalogue; account: PlatformNamesRequest['account'] },
): string | undefined {
  return [...catalogue.usual_metrics, ...Object.keys(catalogue.metrics)].find(metric => {
    if (metricIn(catalogue, metric)?.kind !== 'additive') return false
    const block = { channel, metrics: [metric], filters: [] }
    return (
      whyNotAsk({ index: 0, block, dimensions: [dimension], catalogue, accounts: [account] }).length === 0
    )
  })
}

async function readNames(
  source: Source,
  request: ReportRequest,
  context: ConnectorContext,
): Promise<string[]> {
  await source.prepare(request, context)
  const names = new Set<string>()
  for await (const { dimensions, length } of source.fetchReport(request, context)) {
    const [column] = dimensions
    const texts = column?.labels ?? column?.keys
    if (texts) for (const name of textsOf(texts, length)) names.add(name)
    if (names.size >= MOST_NAMES) break
  }
  return [...names].slice(0, MOST_NAMES)
}
