import { createHash, createHmac } from 'node:crypto'
import type { z } from 'zod'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { causeOf } from '#server/connectors/kit/http.ts'
import { withPermits } from '#server/connectors/kit/with-permits.ts'
import { withoutSecrets } from '#server/connectors/kit/secrets.ts'
import { RecoverableFailure, unreadable, classify } from './failures.ts'
import { ErrorEnvelope, ListPage, type MetaError, type MetaIo } from './schema.ts'
import { reportUsage, usageOf, type QuotaKeys, type Usage } from './usage.ts'

export interface ApiCall {
  method?: 'GET' | 'POST'
  /** Below the version: `act_123/insights`. */
  path: string
  params?: Readonly<Record<string, string>>
  /** The bare number of the account that it is about; null for the login's own lists. */
  account: string | null
  /**
   * Hard enough that a gateway, or our own timeout, may give up on it: then a smaller call helps, not
   * the same once more.
   */
  heavy?: boolean
  /**
   * Ids may stand there as bare numbers, beyond 2^53: they are kept as their digits. Costs time, so not for
   * insights.
   */
  bare_ids?: boolean
}

export interface CallContext {
  io: MetaIo
  /** Ends earlier than the run's own signal, for answers that nobody waits for any more. */
  signal?: AbortSignal
}

const PAGE_ROWS = 500
const FEWEST_ROWS = 20
/** One after another. */
const MOST_EMPTY_PAGES = 100
const ATTEMPTS = 4
const FIRST_BACKOFF_MS = 500
const TIMEOUT_MS = 60_000
const HEAVY_TIMEOUT_MS = 120_000
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Asks Meta one call and reads the answer by a schema. A transient failure is tried again a few times,
 * quickly; one that lasts is a PlatformFailure, so that the run waits and not the worker. Throws
 * RecoverableFailure where the caller can help itself.
 */
export async function callApi<Schema extends z.ZodType>(
  call: ApiCall,
  schema: Schema,
  { io, signal = io.signal }: CallContext,
): Promise<z.output<Schema>> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await callOnce(call, { io, signal })
    if ('answer' in outcome) return parseWith(schema, outcome.answer, call)
    if (attempt === ATTEMPTS) throw outcome.trouble
    await io.sleep(FIRST_BACKOFF_MS * 2 ** (attempt - 1))
  }
}

/** The items of a list, page by page; each page is asked for while the one before is being read. */
export async function* pagesOf(call: ApiCall, { io }: CallContext): AsyncGenerator<unknown[]> {
  const stop = new AbortController()
  const signal = AbortSignal.any([io.signal, stop.signal])
  const page = pageAsker(call, { io, signal })
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
function pageAsker(call: ApiCall, asking: CallContext) {
  let limit = PAGE_ROWS
  return async (after: string | null): Promise<ListPage> => {
    for (;;) {
      const params = { ...call.params, limit: String(limit), ...(after !== null && { after }) }
      try {
        return await callApi({ ...call, params }, ListPage, asking)
      } catch (error) {
        if (
          !(error instanceof RecoverableFailure) ||
          error.recovery !== 'smaller_page' ||
          limit <= FEWEST_ROWS
        )
          throw error
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

/** What may be gone a moment later. */
type Trouble = { trouble: PlatformFailure }
type Outcome = { answer: unknown } | Trouble
type HttpResponse = { status: number; headers: Headers; text: string }

async function callOnce(call: ApiCall, { io, signal }: Required<CallContext>): Promise<Outcome> {
  const keys = quotaKeysOf(call, io)
  const both = keys.account === null ? [keys.app] : [keys.app, keys.account]
  const response = await withPermits(io.quota, both, () => send(call, { io, signal }))
  if ('trouble' in response) return response
  const usage = usageOf(response.headers)
  await reportUsage(io.quota, keys, usage)
  const answer = parsed(response.text, call)
  const refusal = ErrorEnvelope.safeParse(answer)
  if (refusal.success) return refused(refusal.data.error, { io, keys, usage })
  if (response.status === 200 && answer !== undefined) return { answer }
  return classifyStatus(response.status, call)
}

/**
 * One request on the wire. Only what never reached an answer is trouble; cancelling throws the signal's
 * reason.
 */
async function send(call: ApiCall, { io, signal }: Required<CallContext>): Promise<HttpResponse | Trouble> {
  const timeout = AbortSignal.timeout(call.heavy ? HEAVY_TIMEOUT_MS : TIMEOUT_MS)
  try {
    const response = await io.fetch(urlOf(call, io), {
      ...bodyOf(call, io),
      headers: { authorization: `Bearer ${io.login.access_token}`, 'accept-encoding': 'gzip' },
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    })
    return { status: response.status, headers: response.headers, text: await textOf(response) }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof PlatformFailure) throw error
    if (timeout.aborted) throw timedOut(call)
    return { trouble: new PlatformFailure('platform_unavailable', { cause: causeOf(error) }) }
  }
}

const timedOut = ({ heavy }: ApiCall) =>
  heavy ? new RecoverableFailure('smaller_request') : new PlatformFailure('platform_timeout')

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

/**
 * The body as text. Bytes that are no UTF-8 would silently become other names, and no page is as large as the
 * limit. Read by hand: iterating over a stream costs as much as reading the numbers of a page.
 */
async function textOf({ body }: Response): Promise<string> {
  if (body === null) return ''
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let bytes = 0
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.byteLength
    if (bytes > MAX_BYTES) {
      await reader.cancel()
      throw new RecoverableFailure('smaller_page')
    }
    chunks.push(part.value)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw unreadable('not UTF-8')
  }
}

function parsed(text: string, { bare_ids }: ApiCall): unknown {
  try {
    if (!bare_ids) return JSON.parse(text)
    // TypeScript does not know yet that a reviver is told the source of a number.
    return (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, keepingDigits)
  } catch {
    return undefined
  }
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

function keepingDigits(_key: string, value: unknown, context: { source?: string }): unknown {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? context.source : value
}

async function refused(
  error: MetaError,
  { io, keys, usage }: { io: MetaIo; keys: QuotaKeys; usage: Usage },
): Promise<Outcome> {
  const facts = factsOf(error, io)
  const verdict = classify(error)
  switch (verdict.kind) {
    case 'retry':
      return { trouble: new PlatformFailure('platform_unavailable', facts) }
    case 'recover':
      throw new RecoverableFailure(verdict.recovery, facts)
    case 'final':
      throw new PlatformFailure(verdict.code, facts)
    case 'quota': {
      const key = (verdict.scope === 'account' && keys.account) || keys.app
      const stated_ms = verdict.scope === 'account' ? usage.account.wait_ms : 0
      const retry_after_ms = stated_ms || verdict.usual_wait_ms
      await io.quota.after(key, {
        used_percent: 100,
        pause_ms: retry_after_ms,
        ...(stated_ms === 0 && { is_guess: true }),
      })
      throw new PlatformFailure('quota_exhausted', { ...facts, retry_after_ms })
    }
  }
}

/** What internal people may read about a refusal: Meta's words without anything secret in them. */
export function factsOf({ message, code, error_subcode, fbtrace_id }: MetaError, { login }: MetaIo) {
  const secrets = [login.access_token, login.app_secret, proofOf(login)['appsecret_proof']]
  return {
    platform_message: `${withoutSecrets(message, secrets)} [${code}${error_subcode === undefined ? '' : `/${error_subcode}`}]`,
    platform_request_id: fbtrace_id === undefined ? null : withoutSecrets(fbtrace_id, secrets),
  }
}

/**
 * An answer that is neither the one wanted nor a refusal in Meta's form: it comes from something in between.
 */
function classifyStatus(status: number, { heavy, path }: ApiCall): Outcome {
  if (heavy && (status === 502 || status === 504)) throw new RecoverableFailure('smaller_request')
  const facts = { platform_message: `${path}: HTTP ${status}` }
  if (status === 429) throw new PlatformFailure('quota_exhausted', { ...facts, retry_after_ms: 60_000 })
  if (status === 504) return { trouble: new PlatformFailure('platform_timeout', facts) }
  if (status >= 500) return { trouble: new PlatformFailure('platform_unavailable', facts) }
  if (status === 200) return { trouble: unreadable(`${path}: no JSON`) }
  throw new PlatformFailure('platform_error', facts)
}

function parseWith<Schema extends z.ZodType>(schema: Schema, answer: unknown, { path }: ApiCall) {
  const read = schema.safeParse(answer)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw unreadable(`${path}: ${issue?.path.map(String).join('.') ?? ''} ${issue?.message ?? ''}`)
}

/** No number is documented: so many that one account, when it is slowed down, holds few workers. */
const AT_ONCE = 4

/**
 * Meta counts calls per app and per account. Which app a token belongs to only its secret tells; without one
 * they are taken for the same.
 */
function quotaKeysOf({ account }: ApiCall, { login: { app_secret } }: MetaIo): QuotaKeys {
  const id =
    app_secret === undefined
      ? 'app'
      : createHash('sha256').update(app_secret).digest('base64url').slice(0, 22)
  return {
    app: { platform: 'meta', kind: 'app', id },
    account: account === null ? null : { platform: 'meta', kind: 'account', id: account, at_once: AT_ONCE },
  }
}
