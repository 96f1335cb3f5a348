import type { z } from 'zod'
import { PlatformFailure, type QuotaKey } from '#server/connectors/connector.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import {
  sendHttp,
  json,
  TransientError,
  withRetry,
  parseWith,
  utf8,
  type HttpLimits,
  type HttpResponse,
} from '#server/connectors/kit/http.ts'
import { withPermits } from '#server/connectors/kit/with-permits.ts'
import { withoutSecrets } from '#server/connectors/kit/secrets.ts'
import { TikTokRefusal, classify, windowOf, type Verdict } from './failures.ts'
import { Envelope, type TikTokIo } from './schema.ts'

export interface ApiCall {
  method?: 'GET' | 'POST'
  /** Below the version, with its last slash: without it TikTok knows no such path. */
  path: string
  /** Lists and objects go as JSON, in an address as the text of it. */
  params: Readonly<Record<string, unknown>>
  /** The advertiser that it is about; null for the login's own lists. */
  account: string | null
}

/** What one answer says beside its data. */
export interface Answer<Data> {
  data: Data
  /** TikTok tells of the newest 20,000 ids only, and says so in a header alone. */
  is_truncated: boolean
  /** TikTok's words about what is missing; null for a whole answer. */
  shortfall: string | null
}

/**
 * Asks TikTok one call and reads the answer by a schema. What lasts is a PlatformFailure, so that the run
 * waits and not the worker.
 */
export async function callApi<Schema extends z.ZodType>(
  call: ApiCall,
  schema: Schema,
  io: TikTokIo,
): Promise<Answer<z.output<Schema>>> {
  return answerTo(call, io, (response, envelope) => {
    const { code, message, data } = envelope ?? notInForm(response, call)
    return {
      data: parseWith(schema, data, `${call.path}: data`),
      is_truncated: Boolean(response.headers.get('x-tt-ads-throttle')),
      shortfall: code === PARTLY ? message : null,
    }
  })
}

/** A file of 20,000 ads and 30 days has 600,000 lines of about 200 bytes; a text of V8 ends at 512 MB. */
const FILE_LIMITS: HttpLimits = { timeout_ms: 300_000, max_bytes: 384 * 1024 * 1024 }

/** Asks for a file, which comes bare; only refusals are JSON. */
export async function downloadFile(call: ApiCall, io: TikTokIo): Promise<string> {
  return answerTo(
    call,
    io,
    response => (response.status === 200 && !isJson(response) ? utf8(response) : notInForm(response, call)),
    FILE_LIMITS,
  )
}

/** By status alone something in between says it; TikTok's own limits are told in envelopes of status 200. */
const TOO_FAST = { used_percent: 100, pause_ms: 60_000, is_guess: true }
const NOTHING_SAID = { used_percent: 0, pause_ms: 0 }

const DONE = 0
const PARTLY = 20001

async function answerTo<Result>(
  call: ApiCall,
  io: TikTokIo,
  read: (response: HttpResponse, envelope: Envelope | null) => Result,
  limits: HttpLimits = {},
): Promise<Result> {
  const callOnce = async () => {
    const keys = quotaKeysOf(call, io)
    const response = await withPermits(io.quota, keys, () =>
      sendHttp(io, urlOf(call, io), initOf(call, io), limits),
    )
    const state = response.status === 429 ? TOO_FAST : NOTHING_SAID
    for (const key of keys) await io.quota.after(key, state)
    const envelope = envelopeOf(response)
    // Handed back and not thrown: of what is not there, only what passes is worth quick attempts.
    if (envelope && envelope.code !== DONE && envelope.code !== PARTLY) return refusalOf(envelope, io)
    return { result: read(response, envelope) }
  }
  for (let refusals = 0; ; refusals += 1) {
    const outcome = await withRetry(io, callOnce)
    if ('result' in outcome) return outcome.result
    const wait_ms = await waitAfter(outcome, { refusals, call, io })
    if (wait_ms === null) throw outcome
    await io.sleep(wait_ms)
  }
}

const BASE = '/open_api/v1.3/'

function urlOf({ method, path, params }: ApiCall, { hosts }: TikTokIo): string {
  const url = `${hosts.tiktok}${BASE}${path}`
  if (method === 'POST') return url
  const texts = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return `${url}?${new URLSearchParams(texts)}`
}

function initOf({ method, params }: ApiCall, { login }: TikTokIo): RequestInit {
  const headers = { 'access-token': login.access_token, 'accept-encoding': 'gzip' }
  if (method !== 'POST') return { headers }
  const body = JSON.stringify(params)
  return { method, headers: { ...headers, 'content-type': 'application/json' }, body }
}

const isJson = ({ headers }: HttpResponse) => /\bjson\b/i.test(headers.get('content-type') ?? '')

/** null for a file, and for what something in between has answered. */
function envelopeOf(response: HttpResponse): Envelope | null {
  return isJson(response) ? (Envelope.safeParse(json(response)).data ?? null) : null
}

function notInForm({ status }: HttpResponse, { path }: ApiCall): never {
  const facts = { platform_message: `${path}: HTTP ${status}` }
  if (status === 429)
    throw new PlatformFailure('quota_exhausted', { ...facts, retry_after_ms: TOO_FAST.pause_ms })
  // TikTok's own advice for what lasts is to come back after five minutes.
  if (status >= 500)
    throw new TransientError(
      new PlatformFailure('platform_unavailable', { ...facts, retry_after_ms: 5 * 60_000 }),
    )
  if (status === 200) throw new TransientError(unreadable(`${path}: not in the form of an answer`))
  throw new PlatformFailure('platform_error', facts)
}

/** Throws what may have passed a moment later. */
function refusalOf({ code, message, request_id }: Envelope, io: TikTokIo): TikTokRefusal {
  const verdict = classify(code, message)
  const secrets = [io.login.access_token, io.login.app_secret]
  const facts = {
    tiktok_code: code,
    platform_message: `${withoutSecrets(message, secrets)} [${code}]`,
    platform_request_id: request_id === undefined ? null : withoutSecrets(request_id, secrets),
  }
  switch (verdict.kind) {
    case 'retry':
      throw new TransientError(new TikTokRefusal('platform_unavailable', facts))
    case 'too_fast':
      return new TikTokRefusal('quota_exhausted', { ...facts, retry_after_ms: lockOf(verdict, message, io) })
    case 'final':
      return new TikTokRefusal(verdict.code, { ...facts, retry_after_ms: verdict.retry_after_ms ?? null })
  }
}

const MINUTE_LOCK_MS = 5 * 60_000 + 5000
const PATH_LOCK_MS = 60_000

/**
 * When to come back after a limit has outlasted our waits. TikTok states no time: a minute's limit locks for
 * five, a day's until 00:00 UTC.
 */
function lockOf({ scope }: Verdict & { kind: 'too_fast' }, message: string, { now }: TikTokIo): number {
  if (scope === 'account') return PATH_LOCK_MS
  if (windowOf(message) !== 'day') return MINUTE_LOCK_MS
  const DAY_MS = 86_400_000
  return DAY_MS - (now().getTime() % DAY_MS)
}

/** Waits for limits of a second, one after another; what they do not mend is another limit. */
const WAITS_MS = { app: [2000, 10_000], account: [1500, 3000] } as const

/**
 * How long to wait before the same call is asked again; null when the run should wait. Tells everybody
 * else, too.
 */
async function waitAfter(
  refusal: TikTokRefusal,
  { refusals, call, io }: { refusals: number; call: ApiCall; io: TikTokIo },
): Promise<number | null> {
  const verdict = classify(refusal.tiktok_code, '')
  if (verdict.kind !== 'too_fast') return null
  const is_known = windowOf(refusal.platform_message ?? '') !== null
  const wait_ms = is_known ? null : (WAITS_MS[verdict.scope][refusals] ?? null)
  const pause_ms = wait_ms ?? refusal.retry_after_ms ?? MINUTE_LOCK_MS
  const key = quotaKeysOf(call, io).find(({ kind }) => kind === verdict.scope)
  if (key) await io.quota.after(key, { used_percent: 100, pause_ms })
  return wait_ms
}

const NEW_TASK = 'report/task/create/'

/**
 * Of 10 requests a second and 600 a minute that the lowest tier of an app has: never more than 10 in any
 * second, 482 in any minute.
 */
const APP_RATE = { per_minute: 480, burst: 2 }
/** Of 2 tasks a second and 60 a minute that each tier has. */
const TASK_RATE = { per_minute: 55, burst: 1 }

function quotaKeysOf({ path, account }: ApiCall, { login }: TikTokIo): QuotaKey[] {
  const app: QuotaKey = { platform: 'tiktok', kind: 'app', id: login.app_id, rate: APP_RATE, at_once: 8 }
  return [
    app,
    ...(path === NEW_TASK ? [{ ...app, id: `${login.app_id} tasks`, rate: TASK_RATE, at_once: 2 }] : []),
    ...(account === null ? [] : [{ platform: 'tiktok', kind: 'account' as const, id: account, at_once: 4 }]),
  ]
}
