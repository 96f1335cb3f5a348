import { hash } from 'node:crypto'
import type { z } from 'zod'
import type { Channel, Filter, PlatformDimension } from '#shared/channels/catalogue.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Provider } from '#shared/platforms.ts'
import type { NoteCode } from '#shared/run-notes.ts'
import type { BusinessReader } from './business.ts'
import type { PollRounds } from './kit/poll-rounds.ts'
import type { TextColumn } from './text-column.ts'

/**
 * A platform, seen from here: which accounts there are, and what happened in one of them. For a new one copy
 * `meta`: ARCHITECTURE.md, "A new channel".
 */
export interface Connector<Login> {
  /** Reads a login as it is stored: one text for each field of shared/platforms.ts that is filled in. */
  login: z.ZodType<Login>
  /** The addresses that it sends requests to: where platforms share one, a log names them by who asks. */
  hosts: readonly HostName[]
  /** Every account that the login sees, each once. */
  listAccounts(io: Io<Login>): AsyncIterable<PlatformAccount[]>
  /** One account as it is now, read with this login. Throws PlatformFailure when it cannot be read. */
  checkAccount(account: AccountRef, io: Io<Login>): Promise<PlatformAccount>
  /**
   * For platforms that prepare their reports asynchronously: submits all of them and returns once they are
   * finished. Throws ReportPending when that takes longer than a worker should wait; called again later, it
   * continues with what it has submitted.
   */
  prepare?(request: ReportRequest, io: Io<Login>): Promise<void>
  /**
   * The rows of one account, page by page, in any order, each combination of slice and dimensions at most
   * once. Filters only spare traffic: the connector may return more than they let through, never less; the
   * table checks again. May throw ReportPending, as `prepare` does.
   */
  fetchReport(request: ReportRequest, io: Io<Login>): AsyncIterable<Page>
  /**
   * Conversion actions of the last 90 days (up to and including today in the account's zone), most
   * conversions first. May throw ReportPending, as `prepare` does.
   */
  listActions?(account: AccountRef, io: Io<Login>): Promise<ConversionAction[]>
  /** Audiences of a property, which the platform carries to linked ad accounts by itself. */
  listAudiences?(account: AccountRef, io: Io<Login>): Promise<AnalyticsAudience[]>
  /** The businesses that the login has a role in, and whose accounts they reach; Meta alone has them. */
  businesses?(io: Io<Login>): BusinessReader
}

/** A connector together with a login: what the rest of the server sees of a platform. */
export interface Source {
  /**
   * Distinguishes logins without revealing what is in them: another one may see other numbers of the same
   * account.
   */
  login_id: string
  listAccounts(context: ConnectorContext): AsyncIterable<PlatformAccount[]>
  checkAccount(account: AccountRef, context: ConnectorContext): Promise<PlatformAccount>
  prepare(request: ReportRequest, context: ConnectorContext): Promise<void>
  fetchReport(request: ReportRequest, context: ConnectorContext): AsyncIterable<Page>
  /** Empty where the platform has none. */
  listActions(account: AccountRef, context: ConnectorContext): Promise<ConversionAction[]>
  /** Empty where the platform has none. */
  listAudiences(account: AccountRef, context: ConnectorContext): Promise<AnalyticsAudience[]>
  /** null where the platform has none. */
  businesses?(context: ConnectorContext): BusinessReader | null
}

/** Throws when what is stored is no login of the platform. */
export const sourceOf = <Login>(connector: Connector<Login>, stored: unknown): Source => {
  const login = connector.login.parse(stored)
  const rounds: PollRounds = new Map()
  const ioOf = (context: ConnectorContext): Io<Login> => ({
    ...context,
    login,
    rounds,
    fetch: (to, init) => context.fetch(to, init, connector.hosts),
  })
  return {
    login_id: hash('sha256', JSON.stringify(stored), 'base64url'),
    listAccounts: context => connector.listAccounts(ioOf(context)),
    checkAccount: (account, context) => connector.checkAccount(account, ioOf(context)),
    prepare: async (request, context) => connector.prepare?.(request, ioOf(context)),
    fetchReport: (request, context) => connector.fetchReport(request, ioOf(context)),
    listActions: async (account, context) => connector.listActions?.(account, ioOf(context)) ?? [],
    listAudiences: async (account, context) => connector.listAudiences?.(account, ioOf(context)) ?? [],
    businesses: context => connector.businesses?.(ioOf(context)) ?? null,
  }
}

/** The same, with a call of `onCall` for each request that it sends. */
export function countingSource(source: Source, onCall: () => void): Source {
  const counting = (context: ConnectorContext): ConnectorContext => ({
    ...context,
    fetch: (...request) => {
      onCall()
      return context.fetch(...request)
    },
  })
  return {
    login_id: source.login_id,
    listAccounts: context => source.listAccounts(counting(context)),
    checkAccount: (account, context) => source.checkAccount(account, counting(context)),
    prepare: (request, context) => source.prepare(request, counting(context)),
    fetchReport: (request, context) => source.fetchReport(request, counting(context)),
    listActions: (account, context) => source.listActions(account, counting(context)),
    listAudiences: (account, context) => source.listAudiences(account, counting(context)),
    businesses: context => source.businesses?.(counting(context)) ?? null,
  }
}

export interface AccountRef {
  provider: Provider
  external_id: string
  currency: string
  timezone: string
  /**
   * Through what the login reaches it, where the platform needs to know (a manager, a base account, a group),
   * as listAccounts found it.
   */
  via: string | null
}

export interface PlatformAccount extends AccountRef {
  name: string
  status: 'enabled' | 'disabled'
  /** The business or manager that owns it, as the platform calls it; null when it has none. */
  owner_name: string | null
  /** Where a view or property stands in its tree; null for ad accounts. */
  analytics: AnalyticsPlace | null
}

export interface AnalyticsPlace {
  account_id: string
  account_name: string
  property_id: string
  property_name: string
}

export interface ReportRequest {
  /** aw and aw_keyword, ga and ga_event send the same accounts different requests. */
  channel: Channel
  account: AccountRef
  /** First and last day, yyyy-MM-dd, both included, in the account's time zone. */
  range: { start: string; end: string }
  /** How days are put together: each row says in `dates` the first day of its slice, clipped to the range. */
  time: TimeGrain
  /** Those of the table, and those that only a filter looks at. */
  dimensions: PlatformDimension[]
  /** Additive and non-additive metrics of the catalogue; never derived ones. */
  metrics: string[]
  filters: Filter[]
  /**
   * The platform's conversion actions that `conversions` and `conversion_value` count, one at least; left
   * out: those that the platform counts itself.
   */
  actions?: readonly string[]
}

/** month_week: weeks cut at the ends of months, for tables that show both. Weeks start on Monday. */
export type TimeGrain = 'total' | 'date' | 'week' | 'month' | 'month_week'

/** What a platform counts as a conversion, under the name by which reports ask for it. */
export interface ConversionAction {
  name: string
  conversions: number
  /** In millionths; null where the platform says nothing. */
  value: number | null
}

export interface AnalyticsAudience {
  id: string
  name: string
  /** For how long people stay in it. */
  window_days: number
  /** In the last 30 days. */
  users: number
}

/** One page of a response, column by column; every column has `length` entries at least. */
export interface Page {
  length: number
  /** First day of the row's slice, yyyy-MM-dd. */
  dates: TextColumn
  /** One per dimension of the request, in its order. */
  dimensions: PageDimension[]
  /** One per metric of the request, in its order. NaN: the platform says nothing. Money in millionths. */
  metrics: Float64Array[]
}

export interface PageDimension {
  /** What rows are grouped by: an entity's id, or the plain value. */
  keys: TextColumn
  /** What is printed, for entities; left out when the keys are printed themselves. */
  labels?: TextColumn
}

/** All that a connector may touch. */
export interface ConnectorContext {
  fetch: PlatformFetch
  /** Where each platform is, without a slash at the end; Meta's with the version of its API. */
  hosts: Hosts
  now: () => Date
  /** Waits, and ends early with an AbortError when the run is cancelled. */
  sleep: (ms: number) => Promise<void>
  signal: AbortSignal
  /**
   * A permit is acquired before each request; after each response what the platform says is left is reported.
   * To acquire may wait; it throws PlatformFailure `quota_exhausted` when the wait is too long to hold a
   * worker for.
   */
  limiter: Limiter
  /** Short-lived tokens that a login was exchanged for, shared by everything in this process. */
  tokens: TokenCache
  /** Reports that the platform makes for this run, remembered from attempt to attempt. */
  jobs: Jobs
  /**
   * Something that the run's page should show: sampling, a table that leaves something out, accounts in
   * several zones.
   */
  note: (note: RunNote) => void
  /**
   * Called before rows are read that no cache keeps: after a wait of the run they would have to be read
   * again. Left out: they are read at once.
   */
  beforeUncached?: () => Promise<void>
}

export type Io<Login> = ConnectorContext & {
  login: Login
  /** Of all requests of one source; left out: each polls for itself. */
  rounds?: PollRounds
}

/** `fetch` itself, and the addresses of the connector that sends the request. */
export type PlatformFetch = (
  ...request: [...Parameters<typeof fetch>, own?: readonly HostName[]]
) => Promise<Response>

export type HostName =
  | 'meta'
  | 'meta_dialog'
  | 'meta_business'
  | 'google_ads'
  | 'google_data_manager'
  | 'google_token'
  | 'google_consent'
  | 'ga4_data'
  | 'ga4_admin'
  | 'ua'
  | 'ua_management'
  | 'ly_search'
  | 'ly_display'
  | 'ly_token'
  | 'ly_consent'
  | 'yahoo_dsp'
  | 'yahoo_dsp_reports'
  | 'yahoo_dsp_token'
  | 'tiktok'
  | 'line_ads'
export type Hosts = Readonly<Record<HostName, string>>

/** Gives leave to send a request, one quota at a time. */
export interface Limiter {
  acquire(key: QuotaKey): Promise<void>
  report(key: QuotaKey, state: QuotaState): Promise<void>
  /**
   * The request that `acquire` permitted is over, whatever came of it. Left out: requests under way are not
   * counted.
   */
  release?(key: QuotaKey): Promise<void>
}
export interface QuotaState {
  used_percent: number
  /** > 0: no request may be sent under this key until it has passed. */
  pause_ms: number
  /** The platform does not say for how long: next time it is longer. */
  is_guess?: boolean
}
/** Names one quota of a platform, and the limits that we keep there. */
export interface QuotaKey {
  platform: string
  /**
   * app: of the product at the platform; credential: of one login; account: of one account, view or property.
   */
  kind: 'app' | 'credential' | 'account'
  /** Never a secret itself. */
  id: string
  /**
   * Counted by itself within this quota: its rate and its pauses are its own, and the slots are those of all.
   */
  endpoint?: string
  /**
   * How fast requests may be sent there, by all workers together: the documented rate, or window. Left out:
   * nothing is documented, and the rate adapts to what the platform refuses.
   */
  rate?: { per_minute: number; burst: number } | { most: number; window_ms: number }
  /**
   * Requests of all workers that may be under way there at the same time; a quota with a rate has it, so that
   * permits come soon to those who hold a slot.
   */
  at_once?: number
}

export interface TokenCache {
  /**
   * The stored token while it is good for another minute, else a new one; two callers at the same time share
   * one request.
   */
  get(key: string, mint: () => Promise<{ token: string; expires_in_s: number }>): Promise<string>
  /** The platform refuses this token: the next caller gets a new one. */
  drop(key: string, token: string): void
}

export interface Jobs {
  /** The job that is stored under `key`; null when there is none. */
  find(key: string): Promise<string | null>
  /**
   * The platform's id of the job that this run has started under `key`; starts it when there is none. The key
   * holds the whole request. `note`: nothing is started at the platform, and the result is only stored for
   * the next attempt.
   */
  startOnce(key: string, start: () => Promise<string>, kind?: 'note'): Promise<string>
  /** It has failed or is gone: the next call starts another one. */
  forget(key: string): Promise<void>
}

/** The platform is still preparing a report. The run waits, not the worker: it is no failure. */
export class ReportPending extends Error {
  readonly poll_after_ms: number
  constructor(pollAfterMs: number) {
    super(`the platform is still preparing a report; poll again in ${pollAfterMs} ms`)
    this.name = 'ReportPending'
    this.poll_after_ms = pollAfterMs
  }
}

export interface RunNote {
  code: NoteCode
  detail: Record<string, string | number>
}

/**
 * A failure in the words of shared/errors.ts; the platform's own words are for internal people and never hold
 * a token.
 */
export class PlatformFailure extends Error {
  readonly code: PlatformErrorCode
  readonly retry_after_ms: number | null
  readonly platform_message: string | null
  readonly platform_request_id: string | null
  constructor(
    code: PlatformErrorCode,
    facts: {
      retry_after_ms?: number | null
      platform_message?: string | null
      platform_request_id?: string | null
      cause?: unknown
    } = {},
  ) {
    super(`${code}${facts.platform_message ? `: ${facts.platform_message}` : ''}`, { cause: facts.cause })
    this.name = 'PlatformFailure'
    this.code = code
    this.retry_after_ms = facts.retry_after_ms ?? null
    this.platform_message = facts.platform_message ?? null
    this.platform_request_id = facts.platform_request_id ?? null
  }
}

export type PlatformErrorCode = Extract<
  ErrorCode,
  | 'account_access_lost'
  | 'credential_expired'
  | 'credential_missing'
  | 'credential_unreadable'
  | 'no_access'
  | 'read_only'
  | 'not_claimed_by_business'
  | 'terms_not_accepted'
  | 'role_missing'
  | 'not_eligible'
  | 'account_inactive'
  | 'audience_flagged'
  | 'audience_gone'
  | 'has_lookalikes'
  | 'scope_missing'
  | 'connect_failed'
  | 'channel_retired'
  | 'combination_not_allowed'
  | 'history_limit'
  | 'too_large'
  | 'quota_exhausted'
  | 'platform_unavailable'
  | 'platform_timeout'
  | 'platform_error'
>
