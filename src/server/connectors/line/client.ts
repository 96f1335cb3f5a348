import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { PlatformFailure, type QuotaKey, type QuotaState } from '#server/connectors/connector.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import {
  sendHttp,
  json,
  TransientError,
  withRetry,
  parseWith,
  type HttpLimits,
  type HttpResponse,
} from '#server/connectors/kit/http.ts'
import { withPermits } from '#server/connectors/kit/with-permits.ts'
import { classifyStatus, classify } from './failures.ts'
import { ListPage, Refusals, type LineIo } from './schema.ts'
import { JSON_TYPE, signed } from './signature.ts'

export interface ApiCall {
  method?: 'GET' | 'POST' | 'DELETE'
  /** Below the version, its ids put in by `pathOf`. */
  path: string
  params?: readonly (readonly [name: string, value: string])[]
  body?: unknown
}

/** A path whose ids are data, whatever they hold. */
export const pathOf = (parts: TemplateStringsArray, ...ids: string[]): string =>
  String.raw({ raw: parts }, ...ids.map(encodeURIComponent))

const BASE = '/api/v3/'
const ATTEMPTS = 5
const PAGE_SIZE = 100
const MOST_PAGES = 1000
const PAUSE_MS = 1000
const QUOTA_WAIT_MS = 60_000
/** A file of a hundred columns has about 600 bytes a row, and as a text it needs two bytes for each. */
const FILE_LIMITS: HttpLimits = { max_bytes: 32 * 1024 * 1024, timeout_ms: 180_000 }

/** Asks LINE one call and reads the answer by a schema. */
export async function callApi<Schema extends z.ZodType>(
  call: ApiCall,
  schema: Schema,
  io: LineIo,
): Promise<z.output<Schema>> {
  return insistently(io, async in_time => {
    const answer = json(await send(call, in_time))
    // Half an answer looks like this, and a second try mends it.
    if (answer === undefined) throw new TransientError(unreadable(`${call.path}: no JSON`))
    return parseWith(schema, answer, call.path)
  })
}

/** The items of a list, page by page. */
export async function* pagesOf<Schema extends z.ZodType>(
  { path, params = [] }: ApiCall,
  schema: Schema,
  io: LineIo,
): AsyncGenerator<z.output<Schema>[]> {
  let items = 0
  for (let page = 1; ; page += 1) {
    const place = [
      ['page', String(page)],
      ['size', String(PAGE_SIZE)],
    ] as const
    const { paging, datas } = await callApi({ path, params: [...params, ...place] }, ListPage, io)
    yield datas.map((item, index) => parseWith(schema, item, `${path}: datas[${index}]`))
    items += datas.length
    // LINE may give shorter pages than it was asked for; one without items ends any list.
    if (datas.length === 0 || paging.page * paging.size >= paging.totalElements) {
      if (items === paging.totalElements) return
      throw unreadable(`${path}: ${items} of ${paging.totalElements} items`)
    }
    if (paging.page !== page) throw unreadable(`${path}: page ${paging.page} instead of ${page}`)
    if (items > paging.totalElements) throw unreadable(`${path}: more than ${paging.totalElements} items`)
    if (page === MOST_PAGES) throw unreadable(`${path}: pages without end`)
  }
}

/** A file, as its bytes and the character set that it claims. */
export async function download(path: string, io: LineIo): Promise<{ bytes: Buffer; charset: string | null }> {
  return insistently(io, async in_time => {
    const { bytes, headers } = await send({ path }, in_time, FILE_LIMITS)
    const charset = /charset=["']?([\w-]+)/i.exec(headers.get('content-type') ?? '')?.[1] ?? null
    return { bytes, charset }
  })
}

/** Throws away what LINE still keeps for us. It tidies up by itself as well: a refusal harms nobody. */
export async function remove(path: string, io: LineIo): Promise<void> {
  try {
    await send({ method: 'DELETE', path }, io)
  } catch (error) {
    if (!(error instanceof PlatformFailure) && !(error instanceof TransientError)) throw error
  }
}

/**
 * A signature is only good within 15 minutes of LINE's clock: one that is refused is made once more, by the
 * time that LINE says it is.
 */
async function insistently<T>(io: LineIo, attempt: (io: LineIo) => Promise<T>): Promise<T> {
  let refusal: Unsigned | null = null
  return withRetry(
    io,
    async () => {
      const { their_now } = refusal ?? { their_now: null }
      try {
        return await attempt(their_now ? { ...io, now: () => their_now } : io)
      } catch (error) {
        if (!(error instanceof Unsigned)) throw error
        if (refusal) throw error.failure
        refusal = error
        throw error
      }
    },
    ATTEMPTS,
  )
}

/** The signature was refused: for the key, or for the clock. */
class Unsigned extends TransientError {
  readonly their_now: Date | null
  constructor(failure: PlatformFailure, { headers }: HttpResponse) {
    super(failure)
    const said = Date.parse(headers.get('date') ?? '')
    this.their_now = Number.isNaN(said) ? null : new Date(said)
  }
}

/** One signed request, each with a date of its own. */
async function send(
  { method = 'GET', path, params = [], body }: ApiCall,
  io: LineIo,
  limits: HttpLimits = {},
): Promise<HttpResponse> {
  const key = quotaKeyOf(io)
  const text = body === undefined ? undefined : JSON.stringify(body)
  const query = params.length === 0 ? '' : `?${new URLSearchParams(params.map(each => [...each]))}`
  const init = (): RequestInit => ({
    method,
    headers: {
      ...signed(io.login, {
        path: `${BASE}${path}`,
        now: io.now(),
        ...(text !== undefined && { body: text }),
      }),
      ...(text !== undefined && { 'content-type': JSON_TYPE }),
    },
    ...(text !== undefined && { body: text }),
  })
  const url = `${io.hosts.line_ads}${BASE}${path}${query}`
  // Signed when its turn has come: a signature is good for a quarter of an hour.
  const response = await withPermits(io.quota, [key], () => sendHttp(io, url, init(), limits))
  const is_done = response.status >= 200 && response.status < 300
  const state = stateOf(response)
  await io.quota.after(key, state)
  if (is_done) return response
  throw state.pause_ms > 0 ? new TransientError(tooFast(response)) : refused(response, path)
}

/**
 * Online reports tell how many of them run at once; which of the two headers says that it is one too many is
 * not documented.
 */
function stateOf({ status, headers }: HttpResponse): QuotaState {
  const [limit, used] = ['limit', 'used'].map(name => headers.get(`x-request-quota-${name}`))
  if (status === 429 || limit === EXCEEDED || used === EXCEEDED)
    return { used_percent: 100, pause_ms: PAUSE_MS, is_guess: true }
  const used_percent = (100 * Number(used)) / Number(limit)
  return { used_percent: Number.isFinite(used_percent) ? used_percent : 0, pause_ms: 0 }
}

const EXCEEDED = 'EXCEED_LIMIT'

/** LINE says neither why nor how long: the body is empty and there is no Retry-After. */
const tooFast = ({ status }: HttpResponse) =>
  new PlatformFailure('quota_exhausted', {
    platform_message: `HTTP ${status}`,
    retry_after_ms: QUOTA_WAIT_MS,
  })

function refused(response: HttpResponse, path: string): PlatformFailure | TransientError {
  const refusals = Refusals.safeParse(json(response))
  const { kind, failure } = refusals.success
    ? classify(response.status, refusals.data)
    : classifyStatus(response.status, path)
  if (kind === 'final') return failure
  return kind === 'unsigned' ? new Unsigned(failure, response) : new TransientError(failure)
}

/**
 * A key may ask twice a second at each endpoint, or ten times. All workers together stay below that over all
 * endpoints: at 1.6 a second and never a third one within a second, or at 8 and never an eleventh.
 */
function quotaKeyOf({ login }: LineIo): QuotaKey {
  const id = createHash('sha256').update(login.access_key).digest('base64url').slice(0, 22)
  return { platform: 'line', kind: 'credential', id, ...RATES[login.requests_per_second] }
}

const RATES = {
  2: { rate: { per_minute: 96, burst: 1 }, at_once: 3 },
  // Online reports take three seconds; thirty of them may run.
  10: { rate: { per_minute: 480, burst: 2 }, at_once: 12 },
} as const
