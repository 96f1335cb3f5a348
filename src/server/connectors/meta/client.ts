import { createHmac } from 'node:crypto'
import type { z } from 'zod'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { callPlatform, refused, strayResponse, type Outcome } from '#server/connectors/kit/client.ts'
import {
  canRecover,
  quota,
  recover,
  RecoverableFailure,
  unreadable,
} from '#server/connectors/kit/failures.ts'
import { jsonWithRows, type RowList, type RowReader } from '#server/connectors/kit/byte-rows.ts'
import { json, parseWith, type HttpResponse } from '#server/connectors/kit/http.ts'
import { readAhead } from '#server/connectors/kit/read-ahead.ts'
import { redactedFacts } from '#server/connectors/kit/secrets.ts'
import { classify, classifyAudience } from './failures.ts'
import { quotaKeysOf, quotaStates, usageOf } from './quotas.ts'
import { ErrorEnvelope, ListPage, RowPage, type MetaError, type MetaIo, type Paging } from './schema.ts'

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
  /** Calls about audiences have a quota of their own, and refusals that only they know. */
  use?: 'audiences'
  /** Not again by itself where the response is lost: what it makes would be made twice. */
  once?: boolean
  /**
   * Ids may be bare numbers beyond 2^53: they are read as their digits. Costs time, so not for insights.
   */
  bare_ids?: boolean
  /** Reads the rows of the response out of its bytes. */
  rows?: RowReader
  onBytes?: (bytes: number) => void
}

const FIRST_ROWS = 500
const FEWEST_ROWS = 20
/** Meta documents no bound; the sandbox has this one. */
const MOST_ROWS = 5000
/** Up to this size pages grow: one of twice as much, with long lists of actions, is 2,000 rows. */
const GROWING_BYTES = 1_500_000
/** A page of twice the rows then takes seconds, too, and not minutes. */
const AT_ONCE_MS = 5000
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
      quotaStates: response => quotaStates(response, call.use),
      outcomeOf: response => {
        call.onBytes?.(response.bytes.length)
        return outcomeOf(response, call, io)
      },
      recoverFrom: failure => recoverFrom(failure, call),
      limits: { timeout_ms: call.heavy ? HEAVY_TIMEOUT_MS : TIMEOUT_MS },
      ...(call.once && { attempts: 1 }),
    },
    io,
  )
  return parseWith(schema, body, call.path)
}

/** The items of a list, page by page. */
export const pagesOf = (call: ApiCall, io: MetaIo) => listOf(call, ListPage, io)

/** The same for rows that a reader looks for in the bytes. */
export const rowPagesOf = (call: ApiCall & { rows: RowReader }, io: MetaIo) => listOf(call, RowPage, io)

interface DataPage<Data> {
  data: Data
  paging?: Paging | undefined
}

async function* listOf<Data extends RowList>(
  call: ApiCall,
  schema: z.ZodType<DataPage<Data>>,
  io: MetaIo,
): AsyncGenerator<Data> {
  let after: string | null = null
  let emptyPages = 0
  const pages = readAhead(io, context => {
    const page = pageReader(call, schema, context)
    return {
      first: () => page(null),
      next({ data, paging }: DataPage<Data>) {
        emptyPages = data.length === 0 ? emptyPages + 1 : 0
        if (emptyPages > MOST_EMPTY_PAGES) throw unreadable(`${call.path}: pages without end`)
        const cursor = nextCursor(paging)
        if (cursor !== null && cursor === after)
          throw new RecoverableFailure('restart_paging', {
            platform_message: `${call.path}: a page that follows itself`,
          })
        after = cursor
        return cursor === null ? null : page(cursor)
      },
    }
  })
  for await (const { data } of pages) yield data
}

/**
 * Requests the page after a cursor: of twice the rows each time, as long as full ones come at once and are
 * small. The first that fails is requested again in the size that has worked, which stays; without one, in
 * shorter ones.
 */
function pageReader<Data extends RowList>(call: ApiCall, schema: z.ZodType<DataPage<Data>>, io: MetaIo) {
  let limit = FIRST_ROWS
  let most = MOST_ROWS
  let worked = FIRST_ROWS
  let bytes = 0
  const onBytes = (count: number) => void (bytes = count)
  return async (after: string | null): Promise<DataPage<Data>> => {
    for (;;) {
      const params = { ...call.params, limit: String(limit), ...(after !== null && { after }) }
      const began = performance.now()
      try {
        const page = await callApi({ ...call, params, onBytes }, schema, io)
        worked = limit
        const isAtOnce = performance.now() - began < AT_ONCE_MS
        if (page.data.length >= limit && isAtOnce && bytes < GROWING_BYTES) limit = Math.min(most, limit * 2)
        return page
      } catch (error) {
        if (limit > worked && isPerhapsOfSize(error)) limit = worked
        else if (canRecover(error, 'smaller_page') && limit > FEWEST_ROWS)
          limit = Math.max(FEWEST_ROWS, Math.floor(limit / 5))
        else throw error
        most = limit
      }
    }
  }
}

/** What a page that is too large may end in: Meta documents no refusal for it. */
const isPerhapsOfSize = (error: unknown) =>
  error instanceof PlatformFailure &&
  ['too_large', 'platform_timeout', 'platform_error', 'platform_unavailable'].includes(error.code) &&
  !canRecover(error, 'restart_paging')

/** The link to the next page carries the token and a host: only that it is there counts, and the cursor. */
function nextCursor(paging: Paging | undefined): string | null {
  if (paging?.next === undefined) return null
  const after = paging.cursors?.after ?? URL.parse(paging.next)?.searchParams.get('after')
  if (!after) throw unreadable('a next page without a cursor')
  return after
}

function outcomeOf(response: HttpResponse, call: ApiCall, io: MetaIo): Outcome<unknown> {
  const body = call.rows ? jsonWithRows(response, call.rows) : json(response, call.bare_ids)
  const refusal = ErrorEnvelope.safeParse(body)
  if (refusal.success) return refusalOf(refusal.data.error, response, { call, io })
  if (response.status === 200 && body !== undefined) return { value: body }
  return unexplained(response, call)
}

function refusalOf(
  error: MetaError,
  { headers }: HttpResponse,
  { call: { use }, io }: { call: ApiCall; io: MetaIo },
): Outcome<unknown> {
  const verdict = (use === 'audiences' && classifyAudience(error)) || classify(error)
  const facts = factsOf(error, io)
  if (verdict.kind !== 'quota') return refused(verdict, facts)
  const statedMs = verdict.pauses === 'account' ? usageOf(headers, use).account.wait_ms : 0
  const wait_ms = statedMs || verdict.wait_ms
  return refused({ ...verdict, wait_ms, is_guess: statedMs === 0 }, facts)
}

/** What internal people may read about a refusal: Meta's words without anything secret in them. */
export function factsOf({ message, code, error_subcode, fbtrace_id }: MetaError, { login }: MetaIo) {
  const secrets = [login.access_token, login.app_secret, proofOf(login)['appsecret_proof']]
  const reason = `${code}${error_subcode === undefined ? '' : `/${error_subcode}`}`
  return redactedFacts({ reason, words: message, code: reason, request_id: fbtrace_id }, secrets)
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
