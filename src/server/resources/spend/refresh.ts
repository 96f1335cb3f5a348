import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { todayIn, type DayRange } from '#shared/date-range.ts'
import { errorFacts } from '#shared/errors.ts'
import { backoffMs } from '#server/backoff.ts'
import {
  ReportPending,
  PlatformFailure,
  type ConnectorContext,
  type Page,
  type ReportRequest,
  type Source,
} from '#server/connectors/connector.ts'
import { withDeadline } from '#server/connectors/deadline.ts'
import { textAt } from '#server/connectors/text-column.ts'
import type { Db } from '#server/db/connect.ts'
import { databaseNow } from '#server/db/now.ts'
import type { MonthCost } from './month-queries.ts'
import {
  claimAccount,
  saveDays,
  saveMonths,
  msUntilDue,
  postponeAccount,
  spendJobs,
  type ClaimedAccount,
  type SpendDay,
} from './queries.ts'
import { daysOfMonths, daysToAsk, knownAfter, monthsToAsk, monthsUpTo, spendMetrics } from './rules.ts'

export interface SpendEffects
  extends
    Pick<ConnectorContext, 'fetch' | 'hosts' | 'tokens' | 'limiter'>,
    Partial<Pick<ConnectorContext, 'sleep'>> {
  sourceOf: (
    account: Pick<ClaimedAccount, 'provider' | 'public_account' | 'external_id'>,
  ) => Promise<Source | null>
  now: () => Date
  /** Aborted when the process shuts down. */
  stopping: AbortSignal
  /** How often the newest days are fetched again. */
  every_ms: number
}

/**
 * Fetches all accounts that are due, a few at a time, and those that will be within seconds since a platform
 * is preparing their reports: otherwise each of them would need a process of its own. Ends at once while runs
 * wait, or when the process shuts down.
 */
export async function refreshDueAccounts(db: Db, effects: RefreshEffects): Promise<void> {
  const work = async () => {
    for (let wait_ms: number | null = 0; wait_ms !== null && !effects.stopping.aborted;) {
      await sleep(wait_ms, undefined, { signal: effects.stopping }).catch(() => undefined)
      const now = await databaseNow(db)
      const is_more = await refreshNextAccount(db, { ...effects, now: () => now })
      wait_ms = is_more ? 0 : await msUntilDue(db, { now, within_ms: LINGER_MS })
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
  const failed = ends.find(end => end.status === 'rejected')
  if (failed) throw failed.reason
}

/** Most of the time is spent waiting for platforms that prepare reports. */
const AT_ONCE = 4
const LINGER_MS = 30_000

export type RefreshEffects = Omit<SpendEffects, 'now'>

/**
 * Fetches those days of one account that are missing or can still change, and stores them; false when there
 * is nothing to do now. A process that dies meanwhile leaves a claim that expires; nothing is stored in part,
 * and a report in preparation is continued.
 */
export async function refreshNextAccount(db: Db, effects: SpendEffects): Promise<boolean> {
  const now = effects.now()
  const until = new Date(now.getTime() + 2 * PATIENCE_MS)
  const account = await claimAccount(db, { claim: randomUUID(), now, until })
  if (!account) return false
  try {
    await refresh(db, account, { effects, now })
  } catch (error) {
    await postponeAccount(db, account, afterFailure(error, account, { effects, now }))
    if (!(error instanceof PlatformFailure || error instanceof ReportPending)) throw error
  }
  return true
}

/** One request takes a second or two; a platform without a response for so long is tried again later. */
const PATIENCE_MS = 60_000

type When = { effects: SpendEffects; now: Date }

async function refresh(db: Db, account: ClaimedAccount, { effects, now }: When) {
  const today = todayIn(account.timezone, now)
  const after = (since: Date | null) => new Date((since ?? now).getTime() + effects.every_ms)
  const is_fresh = account.refreshed_at !== null && now < after(account.refreshed_at)
  const missing = daysToAsk(account, { today, is_fresh })
  const months = missing === null ? monthsToAsk(account, today) : null
  // Older days and months come a slice at a time, after every account's newest ones.
  if (months) {
    const known_months = [...account.known_months, ...months]
    const isLast = monthsToAsk({ ...account, known_months }, today) === null
    const request = { months, next_at: isLast ? after(account.refreshed_at) : now }
    return await refreshMonths(db, account, { ...request, effects, now })
  }
  const range = missing ?? daysToAsk(account, { today, is_fresh: false })
  if (!range) return
  const days = await readDays(db, account, { range, effects })
  const known = knownAfter(account, range, { provider: account.provider, today })
  const refreshed_at = range.end === today ? now : (account.refreshed_at ?? now)
  const isLast =
    daysToAsk({ ...account, ...known, refreshed_at }, { today, is_fresh: true }) === null &&
    monthsToAsk({ ...account, ...known }, today) === null
  const next_at = isLast ? after(refreshed_at) : now
  await saveDays(db, account, { range, days, as_of: now, known, refreshed_at, next_at })
}

/** Months before the days that are kept. A platform without data of them any more is not asked again. */
async function refreshMonths(
  db: Db,
  account: ClaimedAccount,
  { months, next_at, effects, now }: When & { months: string[]; next_at: Date },
) {
  try {
    const costs = await readMonths(db, account, { months, effects })
    await saveMonths(db, account, { months: costs, as_of: now, next_at })
  } catch (error) {
    if (!(error instanceof PlatformFailure && error.code === 'history_limit')) throw error
    const [oldest = '', ...others] = months
    const today = todayIn(account.timezone, now)
    const missing = monthsUpTo(oldest, { known_from: account.known_from ?? today, today })
    const costs = missing.map(month => ({ month, cost: null }))
    await saveMonths(db, account, { months: costs, as_of: now, next_at: others.length > 0 ? now : next_at })
  }
}

/** A month without a row is one without spend. */
async function readMonths(
  db: Db,
  account: ClaimedAccount,
  { months, effects }: { months: readonly string[]; effects: SpendEffects },
): Promise<MonthCost[]> {
  const request = { range: daysOfMonths(months), time: 'month' as const, metrics: ['cost'] }
  const costs = new Map<string, number | null>(months.map(month => [month, 0]))
  const add = ({ length, dates, metrics }: Page) => {
    for (let at = 0; at < length; at += 1) costs.set(textAt(dates, at), whole(numberOrNull(metrics[0]?.[at])))
  }
  await readPages(db, account, { request, effects, add })
  return months.map(month => ({ month, cost: costs.get(month) ?? null }))
}

async function readDays(
  db: Db,
  account: ClaimedAccount,
  { range, effects }: { range: DayRange; effects: SpendEffects },
): Promise<SpendDay[]> {
  const request = { range, time: 'date' as const, metrics: [...spendMetrics] }
  const days: SpendDay[] = []
  const add = ({ length, dates, metrics }: Page) => {
    for (let at = 0; at < length; at += 1) {
      const [cost, impressions, clicks, conversions] = metrics.map(column => numberOrNull(column[at]))
      days.push({
        day: textAt(dates, at),
        cost: whole(cost),
        impressions: whole(impressions),
        clicks: whole(clicks),
        conversions: conversions ?? null,
      })
    }
  }
  await readPages(db, account, { request, effects, add })
  return days
}

/** All of an account, within the time that a platform has. */
async function readPages(
  db: Db,
  account: ClaimedAccount,
  { request: fields, effects, add }: PagesRequest,
): Promise<void> {
  const source = await effects.sourceOf(account)
  if (!source) throw new PlatformFailure('credential_missing')
  const { channel, provider, external_id, currency, timezone, via } = account
  const request = {
    channel,
    account: { provider, external_id, currency, timezone, via },
    ...fields,
    dimensions: [],
    filters: [],
  }
  const context = { ...effects, jobs: spendJobs(db, account) }
  await withDeadline(PATIENCE_MS, context, async io => {
    await source.prepare(request, io)
    for await (const page of source.fetchReport(request, io)) add(page)
  })
}

interface PagesRequest {
  request: Pick<ReportRequest, 'range' | 'time' | 'metrics'>
  effects: SpendEffects
  add: (page: Page) => void
}

const numberOrNull = (value: number | undefined) =>
  value === undefined || Number.isNaN(value) ? null : value
const whole = (value: number | null | undefined) =>
  value === null || value === undefined ? null : Math.round(value)

/** When to fetch again: a report in preparation when it may be ready, else later and later. */
function afterFailure(error: unknown, { failures }: ClaimedAccount, { effects, now }: When) {
  const after = (ms: number) => new Date(now.getTime() + ms)
  if (effects.stopping.aborted) return { next_at: now, code: null, failures }
  if (error instanceof ReportPending) return { next_at: after(error.poll_after_ms), code: null, failures }
  const code = error instanceof PlatformFailure ? error.code : ('internal_error' as const)
  const longest_ms = errorFacts(code).retried ? LONGEST_PAUSE_MS : effects.every_ms
  const pause_ms = backoffMs(failures + 1, { first_ms: FIRST_PAUSE_MS, longest_ms })
  const retryAfterMs = error instanceof PlatformFailure ? (error.retry_after_ms ?? 0) : 0
  return { next_at: after(Math.max(pause_ms, retryAfterMs)), code, failures: failures + 1 }
}

const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 3600_000
