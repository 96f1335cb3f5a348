import type { Channel } from '#shared/channels/all.ts'
import type { Filter, PlatformDimension } from '#shared/channels/catalogue.ts'
import type { ErrorCode } from '#shared/errors.ts'

/** A platform, seen from here: which accounts there are, and what happened in one of them. */
export interface Connector {
  /** Every account that the credential sees. */
  listAccounts(io: Io): AsyncIterable<PlatformAccount[]>
  /** Whether one account can be asked, right now, with this credential. Throws PlatformFailure when not. */
  checkAccount(account: AccountRef, io: Io): Promise<PlatformAccount>
  /**
   * The rows of one account, page by page, in any order, each combination of slice and dimensions at most once.
   * Filters only spare traffic: the connector may return more than they let through, never less; the table checks again.
   */
  fetchReport(request: ReportRequest, io: Io): AsyncIterable<Page>
}

export interface AccountRef {
  channel: Channel
  external_id: string
  currency: string
  timezone: string
}

export interface PlatformAccount extends AccountRef {
  name: string
  status: 'enabled' | 'disabled'
  /** The business or manager that owns it, as the platform calls it; null when it belongs to nobody. */
  owner_name: string | null
}

export interface ReportRequest {
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
}

/** month_week: weeks cut at the ends of months, for tables that show both. Weeks start on Monday. */
export type TimeGrain = 'total' | 'date' | 'week' | 'month' | 'month_week'

/** One page of an answer, column by column; every column has `length` entries. */
export interface Page {
  length: number
  /** First day of the row's slice, yyyy-MM-dd. */
  dates: string[]
  /** One per dimension of the request, in its order. */
  dimensions: PageDimension[]
  /** One per metric of the request, in its order. NaN: the platform says nothing. Money in millionths. */
  metrics: Float64Array[]
}

export interface PageDimension {
  /** What rows are grouped by: an entity's id, or the plain value. */
  keys: string[]
  /** What is printed, for entities; left out when the keys are printed themselves. */
  labels?: string[]
}

/** What a connector may touch of the world. */
export interface Io {
  fetch: typeof fetch
  base_url: string
  credential: Credential
  now: () => Date
  /** Waits, and ends early with an AbortError when the run is cancelled. */
  sleep: (ms: number) => Promise<void>
  signal: AbortSignal
  /**
   * Called before each request with what it will cost, and after each answer with what the platform says is left.
   * It may wait; it throws PlatformFailure `quota_exhausted` when the wait is too long to hold a worker for.
   */
  quota: QuotaGate
  /** Something that the run's page should show: sampling, a table that leaves something out, accounts in several zones. */
  note: (note: RunNote) => void
}

export interface Credential {
  access_token: string
  app_secret: string | null
  api_version: string
}

export interface QuotaGate {
  before(scope: QuotaScope): Promise<void>
  /** `pause_ms` > 0: nobody may ask in this scope until it has passed. */
  after(scope: QuotaScope, state: { used_percent: number; pause_ms: number }): Promise<void>
}
/** For example { platform: 'meta', kind: 'account', id: '1010…' } */
export interface QuotaScope {
  platform: string
  kind: 'app' | 'account'
  id: string
}

export interface RunNote {
  code: string
  detail: Record<string, string | number>
}

/** A failure in the words of errors.md; the platform's own words are kept for internal people, never a token. */
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
  | 'channel_retired'
  | 'combination_not_allowed'
  | 'history_limit'
  | 'too_large'
  | 'quota_exhausted'
  | 'platform_unavailable'
  | 'platform_timeout'
  | 'platform_error'
>
