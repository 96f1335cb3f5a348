import type { z } from 'zod'
import type { PlatformFailure, QuotaKey } from '#server/connectors/connector.ts'
import { callPlatform, halfResponse, refused, type Outcome } from '#server/connectors/kit/client.ts'
import { RecoverableFailure, unreadable, type Verdict } from '#server/connectors/kit/failures.ts'
import { googleSecrets, googleToken, projectOf } from '#server/connectors/kit/google-token.ts'
import { jsonWithRows, type RowReader } from '#server/connectors/kit/byte-rows.ts'
import { json, jsonRequest, parseWith, type HttpResponse } from '#server/connectors/kit/http.ts'
import { readAhead } from '#server/connectors/kit/read-ahead.ts'
import { resultWithRestarts } from '#server/connectors/kit/restarts.ts'
import { withoutSecrets } from '#server/connectors/kit/secrets.ts'
import { classify } from './failures.ts'
import { API_VERSION } from './fields.ts'
import { refusedIn, type Refused } from './refusal.ts'
import { RowSearchPage, SearchPage, type GoogleAdsIo } from './schema.ts'

/** A query of one customer, through a manager or directly. */
export interface Search {
  customer: string
  through: string | null
  query: string
  /** Hard enough that our timeout, or Google's, may end: then fewer days help, not the same once more. */
  heavy?: boolean
  /** Reads the rows of a page out of its bytes. */
  rows?: RowReader | null
}

interface ApiCall {
  path: string
  /** Sent as JSON; a call without one is a GET. */
  body?: object
  customer: string | null
  through: string | null
  heavy?: boolean
  rows?: RowReader | null
}

export const SCOPE = 'https://www.googleapis.com/auth/adwords'
const HEAVY_TIMEOUT_MS = 120_000
/** Of 10,000 rows: more than any table takes. */
const MOST_PAGES = 1000

/** The rows of a query, page by page. */
export const pagesOf = (search: Search, io: GoogleAdsIo) => listOf(search, SearchPage, io)

/** The same, of which each may have been read out of its bytes. */
export const rowPagesOf = (search: Search, io: GoogleAdsIo) => listOf(search, RowSearchPage, io)

interface ResultPage<Results> {
  results?: Results | undefined
  nextPageToken?: string | undefined
}

async function* listOf<Results>(
  search: Search,
  schema: z.ZodType<ResultPage<Results>>,
  io: GoogleAdsIo,
): AsyncGenerator<Results | never[]> {
  let count = 0
  const pages = readAhead(io, context => ({
    first: () => searchPage({ ...search, schema }, undefined, context),
    next({ nextPageToken }: ResultPage<Results>) {
      count += 1
      if (count === MOST_PAGES) throw unreadable(`${search.query}: pages without end`)
      // An empty token is none.
      return nextPageToken ? searchPage({ ...search, schema }, nextPageToken, context) : null
    },
  }))
  for await (const { results = [] } of pages) yield results
}

/** All rows of a small query, read by a schema; from the start again when its pages break off. */
export async function everyRow<Schema extends z.ZodType>(
  search: Search,
  schema: Schema,
  io: GoogleAdsIo,
): Promise<z.output<Schema>[]> {
  const pages = await resultWithRestarts(() => Array.fromAsync(pagesOf(search, io)))
  return pages.flat().map(row => parseWith(schema, row, search.query))
}

/** A list that is about the login and no customer. */
export async function ownList<Schema extends z.ZodType>(path: string, schema: Schema, io: GoogleAdsIo) {
  return parseWith(schema, await callApi({ path, customer: null, through: null }, io), path)
}

async function searchPage<Page>(
  { customer, through, query, heavy = false, rows = null, schema }: Search & { schema: z.ZodType<Page> },
  pageToken: string | undefined,
  io: GoogleAdsIo,
): Promise<Page> {
  const path = `customers/${customer}/googleAds:search`
  const body = { query, ...(pageToken !== undefined && { pageToken }) }
  return parseWith(schema, await callApi({ path, body, customer, through, heavy, rows }, io), path)
}

async function callApi(call: ApiCall, io: GoogleAdsIo): Promise<unknown> {
  return callPlatform(
    {
      url: `${io.hosts.google_ads}/${API_VERSION}/${call.path}`,
      init: token => initOf(call, token, io),
      signIn: () => googleToken(io.login, SCOPE, io),
      quotaKeys: quotaKeysOf(call, io),
      outcomeOf: (response, token) => outcomeOf(response, { call, token, io }),
      recoverFrom: failure => recoverFrom(failure, call),
      limits: call.heavy ? { timeout_ms: HEAVY_TIMEOUT_MS } : {},
    },
    io,
  )
}

function initOf({ body, through }: ApiCall, token: string, { login }: GoogleAdsIo): RequestInit {
  const { developer_token } = login
  return jsonRequest(body, {
    authorization: `Bearer ${token}`,
    'accept-encoding': 'gzip',
    ...(through !== null && { 'login-customer-id': through }),
    ...(developer_token !== undefined && { 'developer-token': developer_token }),
  })
}

function outcomeOf(
  response: HttpResponse,
  { call, token, io }: { call: ApiCall; token: string; io: GoogleAdsIo },
): Outcome<unknown> {
  const body = call.rows ? jsonWithRows(response, call.rows) : json(response)
  const secrets = [...googleSecrets(io.login, token), io.login.developer_token]
  const refusal = refusedIn(response, body, secrets)
  if (refusal !== null)
    return refused(verdictOf(refusal, call), {
      reason: withoutSecrets(refusal.code, secrets),
      ...refusal.facts,
    })
  return typeof body === 'object' && body !== null ? { value: body } : halfResponse(call.path)
}

function verdictOf(refusal: Refused, { heavy }: ApiCall): Verdict {
  const verdict = classify(refusal)
  const { retry_after_ms, is_of_project } = refusal
  if (verdict.kind === 'recover' && verdict.recovery === 'fewer_days' && !heavy)
    return { kind: 'retry', code: 'platform_timeout' }
  if (verdict.kind !== 'quota') return verdict
  const wait_ms = retry_after_ms ?? verdict.wait_ms
  const pauses = verdict.pauses === 'account' && is_of_project ? 'app' : verdict.pauses
  return { ...verdict, pauses, wait_ms, is_guess: retry_after_ms === null }
}

const recoverFrom = (failure: PlatformFailure, { heavy }: ApiCall) =>
  heavy && failure.code === 'platform_timeout' ? new RecoverableFailure('fewer_days') : failure

/**
 * Google counts per Cloud project, which the login belongs to, and per customer, in requests and operations.
 * How many changes with the load of its servers, so that none is documented and the rate adapts: one or two
 * at a time for a customer and five in all keep below it mostly.
 */
function quotaKeysOf({ customer }: ApiCall, { login }: GoogleAdsIo): QuotaKey[] {
  const platform = 'google_ads'
  const project: QuotaKey = { platform, kind: 'app', id: projectOf(login), at_once: 5 }
  return customer === null ? [project] : [project, { platform, kind: 'account', id: customer, at_once: 2 }]
}
