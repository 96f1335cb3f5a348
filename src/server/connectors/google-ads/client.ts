import type { z } from 'zod'
import { PlatformFailure, type QuotaKey } from '#server/connectors/connector.ts'
import {
  sendHttp,
  json,
  TransientError,
  withRetry,
  parseWith,
  unreadable,
  type HttpResponse,
} from '#server/connectors/kit/http.ts'
import { googleToken, projectOf } from '#server/connectors/kit/google-token.ts'
import { withPermits } from '#server/connectors/kit/with-permits.ts'
import { RecoverableFailure, Unreachable, classify, type Verdict } from './failures.ts'
import { API_VERSION } from './fields.ts'
import { refusalIn, type Refusal } from './refusal.ts'
import { SearchPage, type GoogleAdsIo } from './schema.ts'

/** A query of one customer, through a manager or directly. */
export interface Search {
  customer: string
  through: string | null
  query: string
  /** Hard enough that our timeout, or Google's, may end: then fewer days help, not the same once more. */
  heavy?: boolean
}

interface ApiCall {
  path: string
  /** Posted as JSON; asked for with GET when there is none. */
  body?: object
  customer: string | null
  through: string | null
  heavy?: boolean
}

const SCOPE = 'https://www.googleapis.com/auth/adwords'
const HEAVY_TIMEOUT_MS = 120_000
const WALKS = 3
/** Of 10,000 rows: more than any table takes. */
const MOST_PAGES = 1000

/** The rows of a query, page by page; each page is asked for while the one before is being read. */
export async function* pagesOf(search: Search, io: GoogleAdsIo): AsyncGenerator<unknown[]> {
  const stop = new AbortController()
  const asking = { ...io, signal: AbortSignal.any([io.signal, stop.signal]) }
  const page = (pageToken: string | undefined) => searchPage(search, pageToken, asking)
  try {
    let coming: Promise<SearchPage> | null = page(undefined)
    for (let pages = 1; coming !== null; pages += 1) {
      const { results = [], nextPageToken }: SearchPage = await coming
      if (pages === MOST_PAGES) throw unreadable(`${search.query}: pages without end`)
      // An empty token is none.
      coming = nextPageToken ? page(nextPageToken) : null
      // It may fail before anybody waits for it.
      coming?.catch(() => {})
      yield results
    }
  } finally {
    stop.abort()
  }
}

/** All rows of a small query, read by a schema; from the start again when its pages break off. */
export async function everyRow<Schema extends z.ZodType>(
  search: Search,
  schema: Schema,
  io: GoogleAdsIo,
): Promise<z.output<Schema>[]> {
  for (let walk = 1; ; walk += 1) {
    try {
      const pages = await Array.fromAsync(pagesOf(search, io))
      return pages.flat().map(row => parseWith(schema, row, search.query))
    } catch (error) {
      if (walk === WALKS || !(error instanceof RecoverableFailure)) throw error
    }
  }
}

/** A list that is about the login and no customer. */
export async function ownList<Schema extends z.ZodType>(path: string, schema: Schema, io: GoogleAdsIo) {
  return parseWith(schema, await callApi({ path, customer: null, through: null }, io), path)
}

type SearchPage = z.output<typeof SearchPage>

async function searchPage(
  { customer, through, query, heavy = false }: Search,
  pageToken: string | undefined,
  io: GoogleAdsIo,
): Promise<SearchPage> {
  const path = `customers/${customer}/googleAds:search`
  const body = { query, ...(pageToken !== undefined && { pageToken }) }
  return parseWith(SearchPage, await callApi({ path, body, customer, through, heavy }, io), path)
}

/** Asks once, with as many quick attempts as help; a token that is not taken is replaced a single time. */
async function callApi(call: ApiCall, io: GoogleAdsIo): Promise<unknown> {
  let has_renewed = false
  return withRetry(io, async () => {
    for (;;) {
      const { token, drop } = await googleToken(io.login, SCOPE, io)
      const response = await send(call, token, io)
      const answer = json(response)
      const refusal = refusalIn(response, answer, secretsOf(io, token))
      if (refusal === null) return isObject(answer) ? answer : transient(unreadable(`${call.path}: no JSON`))
      const verdict = classify(refusal)
      if (verdict.kind !== 'token' || has_renewed) throw await failureOf(verdict, refusal, { call, io })
      drop()
      has_renewed = true
    }
  })
}

const secretsOf = ({ login }: GoogleAdsIo, token: string) => [
  token,
  login.developer_token,
  ...('refresh_token' in login ? [login.refresh_token, login.client_secret] : []),
]

const transient = (failure: PlatformFailure): never => {
  throw new TransientError(failure)
}
const isObject = (answer: unknown) => typeof answer === 'object' && answer !== null

async function send(call: ApiCall, token: string, io: GoogleAdsIo): Promise<HttpResponse> {
  const { path, body, heavy, through } = call
  const { developer_token } = io.login
  const keys = quotaKeysOf(call, io)
  const url = `${io.hosts.google_ads}/${API_VERSION}/${path}`
  const init: RequestInit = {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      'accept-encoding': 'gzip',
      ...(through !== null && { 'login-customer-id': through }),
      ...(developer_token !== undefined && { 'developer-token': developer_token }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }
  const limits = heavy ? { timeout_ms: HEAVY_TIMEOUT_MS } : {}
  try {
    const response = await withPermits(io.quota, keys, () => sendHttp(io, url, init, limits))
    for (const key of keys) await io.quota.after(key, { used_percent: 0, pause_ms: 0 })
    return response
  } catch (error) {
    if (heavy && error instanceof PlatformFailure && error.code === 'platform_timeout')
      throw new RecoverableFailure('fewer_days')
    throw error
  }
}

async function failureOf(
  verdict: Verdict,
  { facts, retry_after_ms, is_of_project }: Refusal,
  { call, io }: { call: ApiCall; io: GoogleAdsIo },
): Promise<Error> {
  switch (verdict.kind) {
    case 'retry':
      return new TransientError(new PlatformFailure('platform_unavailable', facts))
    case 'token':
      return new PlatformFailure('credential_expired', facts)
    case 'unreachable':
      return new Unreachable(facts)
    case 'recover':
      if (verdict.recovery === 'fewer_days' && !call.heavy)
        return new TransientError(new PlatformFailure('platform_timeout', facts))
      return new RecoverableFailure(verdict.recovery, facts)
    case 'final':
      return new PlatformFailure(verdict.code, facts)
    case 'quota': {
      const pause_ms = retry_after_ms ?? verdict.usual_wait_ms
      const failure = new PlatformFailure('quota_exhausted', { ...facts, retry_after_ms: pause_ms })
      if (verdict.pauses === 'nothing') return failure
      const [project, account = project] = quotaKeysOf(call, io)
      const key = is_of_project || !verdict.short ? project : account
      await io.quota.after(key, { used_percent: 100, pause_ms, is_guess: retry_after_ms === null })
      // The gate keeps the wait: it sits a short one out and ends the attempt on a long one.
      return verdict.short ? new TransientError(failure) : failure
    }
  }
}

/**
 * Google counts per Cloud project, which the login belongs to, and per customer, in requests and operations.
 * How many changes with the load of its servers: one or two at a time for a customer and five in all keep
 * below it.
 */
function quotaKeysOf({ customer }: ApiCall, { login }: GoogleAdsIo): [QuotaKey, ...QuotaKey[]] {
  const platform = 'google_ads'
  const project: QuotaKey = { platform, kind: 'app', id: projectOf(login), at_once: 5 }
  return customer === null ? [project] : [project, { platform, kind: 'account', id: customer, at_once: 2 }]
}
