import type { z } from 'zod'
import type { QuotaKey } from '#server/connectors/connector.ts'
import {
  callPlatform,
  refused,
  type Outcome,
  type PlatformCall,
  type RefusedCall,
} from '#server/connectors/kit/client.ts'
import { final, quota, retry, unreadable, type Verdict } from '#server/connectors/kit/failures.ts'
import { json, parseWith, utf8, type HttpLimits, type HttpResponse } from '#server/connectors/kit/http.ts'
import { withoutSecrets } from '#server/connectors/kit/secrets.ts'
import { classify, windowOf } from './failures.ts'
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

/** What a response says beside its data. */
export interface ApiResponse<Data> {
  data: Data
  /** TikTok sends the newest 20,000 ids only, and says so in a header alone. */
  is_truncated: boolean
  /** TikTok's words about what is missing; null for a whole response. */
  shortfall: string | null
}

/** Sends one call and reads the response by a schema. Refusals have TikTok's own code as their reason. */
export async function callApi<Schema extends z.ZodType>(
  call: ApiCall,
  schema: Schema,
  io: TikTokIo,
): Promise<ApiResponse<z.output<Schema>>> {
  const { headers, envelope } = await callPlatform(
    platformCall(call, io, (response, inForm) =>
      inForm === null
        ? strayResponse(response, call)
        : { value: { headers: response.headers, envelope: inForm } },
    ),
    io,
  )
  return {
    data: parseWith(schema, envelope.data, `${call.path}: data`),
    is_truncated: Boolean(headers.get('x-tt-ads-throttle')),
    shortfall: envelope.code === PARTLY ? envelope.message : null,
  }
}

/** A file of 20,000 ads and 30 days has 600,000 lines of about 200 bytes; a text of V8 ends at 512 MB. */
const FILE_LIMITS: HttpLimits = { timeout_ms: 300_000, max_bytes: 384 * 1024 * 1024 }

/** Fetches a file, which comes bare; only refusals are JSON. */
export async function downloadFile(call: ApiCall, io: TikTokIo): Promise<string> {
  const outcomeOf = (response: HttpResponse): Outcome<string> =>
    response.status === 200 && !isJson(response) ? { value: utf8(response) } : strayResponse(response, call)
  return callPlatform({ ...platformCall(call, io, outcomeOf), limits: FILE_LIMITS }, io)
}

const DONE = 0
const PARTLY = 20001

function platformCall<Value>(
  call: ApiCall,
  io: TikTokIo,
  read: (response: HttpResponse, envelope: Envelope | null) => Outcome<Value>,
): PlatformCall<Value> {
  let refusals = 0
  return {
    url: urlOf(call, io),
    init: () => initOf(call, io),
    quotaKeys: quotaKeysOf(call, io),
    outcomeOf: response => {
      const envelope = envelopeOf(response)
      if (!envelope || envelope.code === DONE || envelope.code === PARTLY) return read(response, envelope)
      return refusalOf(envelope, { refusals: refusals++, io })
    },
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

/** null for a file, and for what something in between has sent. */
function envelopeOf(response: HttpResponse): Envelope | null {
  return isJson(response) ? (Envelope.safeParse(json(response)).data ?? null) : null
}

/**
 * TikTok's own limits are told in envelopes of status 200: by its status alone something in between says it.
 */
function strayResponse({ status }: HttpResponse, { path }: ApiCall): RefusedCall {
  const facts = { reason: String(status), platform_message: `${path}: HTTP ${status}` }
  if (status === 429) return refused({ ...quota('all', 60_000), is_guess: true }, facts)
  // TikTok's own advice for what lasts is to come back after five minutes.
  if (status >= 500) return refused(retry, { ...facts, retry_after_ms: 5 * 60_000 })
  if (status === 200) return { verdict: retry, failure: unreadable(`${path}: not in the form of an answer`) }
  return refused(final('platform_error'), facts)
}

function refusalOf(
  { code, message, request_id }: Envelope,
  { refusals, io }: { refusals: number; io: TikTokIo },
): RefusedCall {
  const secrets = [io.login.access_token, io.login.app_secret]
  const facts = {
    reason: String(code),
    platform_message: `${withoutSecrets(message, secrets)} [${code}]`,
    platform_request_id: request_id === undefined ? null : withoutSecrets(request_id, secrets),
  }
  const verdict = classify(code, message)
  if (verdict.kind !== 'quota') return refused(verdict, facts)
  const retry_after_ms = lockOf(verdict.pauses, message, io)
  const wait_ms = windowOf(message) === null ? (waitsOf(verdict.pauses)[refusals] ?? null) : null
  return wait_ms === null
    ? refused({ ...verdict, wait_ms: retry_after_ms }, facts)
    : refused({ ...verdict, wait_ms, retries: 'after_wait' }, { ...facts, retry_after_ms })
}

const MINUTE_LOCK_MS = 5 * 60_000 + 5000
const PATH_LOCK_MS = 60_000
const DAY_MS = 86_400_000

/**
 * When to come back after a limit has outlasted our waits. TikTok states no time: a minute's limit locks for
 * five, a day's until 00:00 UTC.
 */
function lockOf(pauses: QuotaVerdict['pauses'], message: string, { now }: TikTokIo): number {
  if (pauses === 'account') return PATH_LOCK_MS
  return windowOf(message) === 'day' ? DAY_MS - (now().getTime() % DAY_MS) : MINUTE_LOCK_MS
}

type QuotaVerdict = Extract<Verdict, { kind: 'quota' }>

/** Waits for limits of a second, one after another; what they do not mend is another limit. */
const waitsOf = (pauses: QuotaVerdict['pauses']) => (pauses === 'account' ? [1500, 3000] : [2000, 10_000])

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
