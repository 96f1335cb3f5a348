import type { z } from 'zod'
import { PlatformFailure, type QuotaKey } from '#server/connectors/connector.ts'
import {
  exchange,
  json,
  TransientError,
  withRetry,
  readBy,
  unreadable,
  utf8,
  type ExchangeLimits,
  type Reply,
} from '#server/connectors/exchange.ts'
import { withPermits } from '#server/connectors/with-permits.ts'
import { withoutSecrets } from '#server/connectors/secrets.ts'
import { TikTokRefusal, classify, windowOf, type Verdict } from './failures.ts'
import { Envelope, type TikTokIo } from './schema.ts'

export interface Question {
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
 * Asks TikTok one question and reads the answer by a schema. What lasts is a PlatformFailure, so that the run
 * waits and not the worker.
 */
export async function ask<Schema extends z.ZodType>(
  question: Question,
  schema: Schema,
  io: TikTokIo,
): Promise<Answer<z.output<Schema>>> {
  return answerTo(question, io, (reply, envelope) => {
    const { code, message, data } = envelope ?? notInForm(reply, question)
    return {
      data: readBy(schema, data, `${question.path}: data`),
      is_truncated: Boolean(reply.headers.get('x-tt-ads-throttle')),
      shortfall: code === PARTLY ? message : null,
    }
  })
}

/** A file of 20,000 ads and 30 days has 600,000 lines of about 200 bytes; a text of V8 ends at 512 MB. */
const FILE_LIMITS: ExchangeLimits = { patience_ms: 300_000, max_bytes: 384 * 1024 * 1024 }

/** Asks for a file, which comes bare; only refusals are JSON. */
export async function askForFile(question: Question, io: TikTokIo): Promise<string> {
  return answerTo(
    question,
    io,
    reply => (reply.status === 200 && !isJson(reply) ? utf8(reply) : notInForm(reply, question)),
    FILE_LIMITS,
  )
}

/** By status alone something in between says it; TikTok's own limits are told in envelopes of status 200. */
const TOO_FAST = { used_percent: 100, pause_ms: 60_000, is_guess: true }
const NOTHING_SAID = { used_percent: 0, pause_ms: 0 }

const DONE = 0
const PARTLY = 20001

async function answerTo<Result>(
  question: Question,
  io: TikTokIo,
  read: (reply: Reply, envelope: Envelope | null) => Result,
  limits: ExchangeLimits = {},
): Promise<Result> {
  const askOnce = async () => {
    const keys = quotaKeysOf(question, io)
    const reply = await withPermits(io.quota, keys, () =>
      exchange(io, urlOf(question, io), initOf(question, io), limits),
    )
    const state = reply.status === 429 ? TOO_FAST : NOTHING_SAID
    for (const key of keys) await io.quota.after(key, state)
    const envelope = envelopeOf(reply)
    // Handed back and not thrown: of what is not there, only what passes is worth quick attempts.
    if (envelope && envelope.code !== DONE && envelope.code !== PARTLY) return refusalOf(envelope, io)
    return { result: read(reply, envelope) }
  }
  for (let refusals = 0; ; refusals += 1) {
    const outcome = await withRetry(io, askOnce)
    if ('result' in outcome) return outcome.result
    const wait_ms = await waitAfter(outcome, { refusals, question, io })
    if (wait_ms === null) throw outcome
    await io.sleep(wait_ms)
  }
}

const BASE = '/open_api/v1.3/'

function urlOf({ method, path, params }: Question, { hosts }: TikTokIo): string {
  const url = `${hosts.tiktok}${BASE}${path}`
  if (method === 'POST') return url
  const texts = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return `${url}?${new URLSearchParams(texts)}`
}

function initOf({ method, params }: Question, { login }: TikTokIo): RequestInit {
  const headers = { 'access-token': login.access_token, 'accept-encoding': 'gzip' }
  if (method !== 'POST') return { headers }
  const body = JSON.stringify(params)
  return { method, headers: { ...headers, 'content-type': 'application/json' }, body }
}

const isJson = ({ headers }: Reply) => /\bjson\b/i.test(headers.get('content-type') ?? '')

/** null for a file, and for what something in between has answered. */
function envelopeOf(reply: Reply): Envelope | null {
  return isJson(reply) ? (Envelope.safeParse(json(reply)).data ?? null) : null
}

function notInForm({ status }: Reply, { path }: Question): never {
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
 * How long to wait before the same question is asked again; null when the run should wait. Tells everybody
 * else, too.
 */
async function waitAfter(
  refusal: TikTokRefusal,
  { refusals, question, io }: { refusals: number; question: Question; io: TikTokIo },
): Promise<number | null> {
  const verdict = classify(refusal.tiktok_code, '')
  if (verdict.kind !== 'too_fast') return null
  const is_known = windowOf(refusal.platform_message ?? '') !== null
  const wait_ms = is_known ? null : (WAITS_MS[verdict.scope][refusals] ?? null)
  const pause_ms = wait_ms ?? refusal.retry_after_ms ?? MINUTE_LOCK_MS
  const key = quotaKeysOf(question, io).find(({ kind }) => kind === verdict.scope)
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

function quotaKeysOf({ path, account }: Question, { login }: TikTokIo): QuotaKey[] {
  const app: QuotaKey = { platform: 'tiktok', kind: 'app', id: login.app_id, rate: APP_RATE, at_once: 8 }
  return [
    app,
    ...(path === NEW_TASK ? [{ ...app, id: `${login.app_id} tasks`, rate: TASK_RATE, at_once: 2 }] : []),
    ...(account === null ? [] : [{ platform: 'tiktok', kind: 'account' as const, id: account, at_once: 4 }]),
  ]
}
