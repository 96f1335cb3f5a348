import { createHash, createHmac } from 'node:crypto'
import type { z } from 'zod'
import type { PlatformFailure, QuotaKey } from '#server/connectors/connector.ts'
import { callPlatform, refused, strayResponse, type Outcome } from '#server/connectors/kit/client.ts'
import {
  canRecover,
  quota,
  recover,
  RecoverableFailure,
  unreadable,
} from '#server/connectors/kit/failures.ts'
import { json, parseWith, type HttpResponse } from '#server/connectors/kit/http.ts'
import { withoutSecrets } from '#server/connectors/kit/secrets.ts'
import { classify } from './failures.ts'
import { ErrorEnvelope, ListPage, type MetaError, type MetaIo } from './schema.ts'
import { quotaStates, usageOf } from './usage.ts'

export interface ApiCall {
  method?: 'GET' | 'POST'
  /** Below the version: `act_123/insights`. */
  path: string
  params?: Readonly<Record<string, string>>
  /** The bare number of the account that it is about; null for the login's own lists. */
  account: string | null
  /**
   * So hard that a gateway, or our timeout, may give up on it: then a smaller request helps, not another
   * attempt.
   */
  heavy?: boolean
  /**
   * Ids may stand there as bare numbers, beyond 2^53: they are kept as their digits. Costs time, so not for
   * insights.
   */
  bare_ids?: boolean
}

const PAGE_ROWS = 500
const FEWEST_ROWS = 20
/** One after another. */
const MOST_EMPTY_PAGES = 100
const TIMEOUT_MS = 60_000
const HEAVY_TIMEOUT_MS = 120_000

/**
 * Sends one call and reads the response by a schema. Throws RecoverableFailure where the caller can help
 * itself.
 */
export async function callApi<Schema extends z.ZodType>(
  call: ApiCall,
  schema: Schema,
  io: MetaIo,
): Promise<z.output<Schema>> {
  const body = await callPlatform(
    {
      url: urlOf(call, io),
      init: () => ({
        ...bodyOf(call, io),
        headers: { authorization: `Bearer ${io.login.access_token}`, 'accept-encoding': 'gzip' },
      }),
      quotaKeys: quotaKeysOf(call, io),
      quotaStates,
      outcomeOf: response => outcomeOf(response, call, io),
      recoverFrom: failure => recoverFrom(failure, call),
      limits: { timeout_ms: call.heavy ? HEAVY_TIMEOUT_MS : TIMEOUT_MS },
    },
    io,
  )
  return parseWith(schema, body, call.path)
}

/** The items of a list, page by page; each page is asked for while the one before is being read. */
export async function* pagesOf(call: ApiCall, io: MetaIo): AsyncGenerator<unknown[]> {
  const stop = new AbortController()
  const signal = AbortSignal.any([io.signal, stop.signal])
  const page = pageReader(call, { ...io, signal })
  try {
    let after: string | null = null
    let coming = page(after)
    let empty_pages = 0
    do {
      const { data, paging }: ListPage = await coming
      empty_pages = data.length === 0 ? empty_pages + 1 : 0
      if (empty_pages > MOST_EMPTY_PAGES) throw unreadable(`${call.path}: pages without end`)
      const next = nextCursor(paging)
      if (next !== null && next === after)
        throw new RecoverableFailure('restart_paging', {
          platform_message: `${call.path}: a page that follows itself`,
        })
      after = next
      if (after !== null) {
        coming = page(after)
        // It may fail before anybody waits for it.
        coming.catch(() => {})
      }
      yield data
    } while (after !== null)
  } finally {
    stop.abort()
  }
}

/** Asks for the page after a cursor; from the first page that is too large on, for shorter ones. */
function pageReader(call: ApiCall, io: MetaIo) {
  let limit = PAGE_ROWS
  return async (after: string | null): Promise<ListPage> => {
    for (;;) {
      const params = { ...call.params, limit: String(limit), ...(after !== null && { after }) }
      try {
        return await callApi({ ...call, params }, ListPage, io)
      } catch (error) {
        if (!canRecover(error, 'smaller_page') || limit <= FEWEST_ROWS) throw error
        limit = Math.max(FEWEST_ROWS, Math.floor(limit / 5))
      }
    }
  }
}

/** The link to the next page carries the token and a host: only that it is there counts, and the cursor. */
function nextCursor(paging: ListPage['paging']): string | null {
  if (paging?.next === undefined) return null
  const after = paging.cursors?.after ?? URL.parse(paging.next)?.searchParams.get('after')
  if (!after) throw unreadable('a next page without a cursor')
  return after
}

function outcomeOf(response: HttpResponse, call: ApiCall, io: MetaIo): Outcome<unknown> {
  const body = json(response, call.bare_ids)
  const refusal = ErrorEnvelope.safeParse(body)
  if (refusal.success) return refusalOf(refusal.data.error, response, io)
  if (response.status === 200 && body !== undefined) return { value: body }
  return unexplained(response, call)
}

function refusalOf(error: MetaError, { headers }: HttpResponse, io: MetaIo): Outcome<unknown> {
  const verdict = classify(error)
  const facts = factsOf(error, io)
  if (verdict.kind !== 'quota') return refused(verdict, facts)
  const stated_ms = verdict.pauses === 'account' ? usageOf(headers).account.wait_ms : 0
  const wait_ms = stated_ms || verdict.wait_ms
  return refused({ ...verdict, wait_ms, is_guess: stated_ms === 0 }, facts)
}

/** What internal people may read about a refusal: Meta's words without anything secret in them. */
export function factsOf({ message, code, error_subcode, fbtrace_id }: MetaError, { login }: MetaIo) {
  const secrets = [login.access_token, login.app_secret, proofOf(login)['appsecret_proof']]
  const reason = `${code}${error_subcode === undefined ? '' : `/${error_subcode}`}`
  return {
    reason,
    platform_message: `${withoutSecrets(message, secrets)} [${reason}]`,
    platform_request_id: fbtrace_id === undefined ? null : withoutSecrets(fbtrace_id, secrets),
  }
}

function unexplained(response: HttpResponse, { heavy, path }: ApiCall): Outcome<unknown> {
  const { status } = response
  const facts = { reason: String(status), platform_message: `${path}: HTTP ${status}` }
  if (heavy && (status === 502 || status === 504)) return refused(recover('smaller_request'), facts)
  if (status === 429) return refused(quota('none', 60_000), facts)
  return strayResponse(response, path)
}

/** No page is as large as the limit of a response, and no list takes as long as a heavy call may. */
function recoverFrom(failure: PlatformFailure, { heavy }: ApiCall): PlatformFailure {
  if (failure.code === 'too_large') return new RecoverableFailure('smaller_page')
  return heavy && failure.code === 'platform_timeout' ? new RecoverableFailure('smaller_request') : failure
}

function urlOf({ method, path, params }: ApiCall, { hosts, login }: MetaIo): string {
  const url = `${hosts.meta}/${path}`
  return method === 'POST' ? url : `${url}?${new URLSearchParams({ ...params, ...proofOf(login) })}`
}

function bodyOf({ method, params }: ApiCall, { login }: MetaIo): RequestInit {
  return method === 'POST' ? { method, body: new URLSearchParams({ ...params, ...proofOf(login) }) } : {}
}

function proofOf({ access_token, app_secret }: MetaIo['login']): Record<string, string> {
  if (app_secret === undefined) return {}
  return { appsecret_proof: createHmac('sha256', app_secret).update(access_token).digest('hex') }
}

/** No number is documented: so many that one account, when it is slowed down, holds few workers. */
const AT_ONCE = 4

/**
 * Meta counts calls per app and per account. Which app a token belongs to only its secret tells; without one
 * they are taken for the same.
 */
function quotaKeysOf({ account }: ApiCall, { login: { app_secret } }: MetaIo): QuotaKey[] {
  const id =
    app_secret === undefined
      ? 'app'
      : createHash('sha256').update(app_secret).digest('base64url').slice(0, 22)
  const app: QuotaKey = { platform: 'meta', kind: 'app', id }
  return account === null
    ? [app]
    : [app, { platform: 'meta', kind: 'account', id: account, at_once: AT_ONCE }]
}
