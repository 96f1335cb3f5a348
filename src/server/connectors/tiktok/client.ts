import type { z } from 'zod'
import { jsonWithRows, type RowReader } from '#server/connectors/kit/byte-rows.ts'
import {
  callPlatform,
  refused,
  type Outcome,
  type PlatformCall,
  type RefusedCall,
} from '#server/connectors/kit/client.ts'
import { final, quota, retry, unreadable } from '#server/connectors/kit/failures.ts'
import {
  json,
  jsonRequest,
  parseWith,
  utf8,
  type HttpLimits,
  type HttpResponse,
} from '#server/connectors/kit/http.ts'
import { redactedFacts } from '#server/connectors/kit/secrets.ts'
import { classify, windowOf } from './failures.ts'
import { lockOf, quotaKeysOf, waitsOf } from './quotas.ts'
import { Envelope, type TikTokIo } from './schema.ts'

export interface ApiCall {
  method?: 'GET' | 'POST'
  /** Below the version, with its last slash: without it TikTok knows no such path. */
  path: string
  /** Lists and objects go as JSON, in an address as the text of it. */
  params: Readonly<Record<string, unknown>>
  /** The advertiser that it is about; null for the login's own lists. */
  account: string | null
  /** Goes in a form together with the parameters, which are texts then. */
  file?: { name: string; bytes: Buffer }
  /** Reads the rows of a page out of its bytes. */
  rows?: RowReader
  /** Never sent again by itself: it would make a second one of what a lost response has made. */
  is_once?: boolean
}

/** What a response says beside its data. */
export interface ApiResponse<Data> {
  data: Data
  /** TikTok sends the newest 20,000 ids only, and says so in a header alone. */
  is_truncated: boolean
  /** TikTok's words about what is missing; null for a whole response. */
  shortfall: string | null
  request_id: string | null
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
    request_id: envelope.request_id ?? null,
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
    ...(call.file && { limits: FILE_LIMITS }),
    ...(call.is_once && { attempts: 1 }),
    outcomeOf: response => {
      const envelope = envelopeOf(response, call)
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

function initOf({ method, params, file }: ApiCall, { login }: TikTokIo): RequestInit {
  const headers = { 'access-token': login.access_token, 'accept-encoding': 'gzip' }
  if (file) return { method: 'POST', headers, body: formOf(params, file) }
  return jsonRequest(method === 'POST' ? params : undefined, headers)
}

function formOf(params: ApiCall['params'], { name, bytes }: NonNullable<ApiCall['file']>): FormData {
  const form = new FormData()
  for (const [field, text] of Object.entries(params)) form.set(field, String(text))
  form.set('file', new Blob([new Uint8Array(bytes)]), name)
  return form
}

const isJson = ({ headers }: HttpResponse) => /\bjson\b/i.test(headers.get('content-type') ?? '')

/** null for a file, and for what something in between has sent. */
function envelopeOf(response: HttpResponse, { rows }: ApiCall): Envelope | null {
  if (!isJson(response)) return null
  return Envelope.safeParse(rows ? jsonWithRows(response, rows) : json(response)).data ?? null
}

/**
 * TikTok's own limits come in envelopes of status 200: one that has only the status comes from a proxy or
 * gateway.
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
  const reason = String(code)
  const secrets = [io.login.access_token, io.login.app_secret]
  const facts = redactedFacts({ reason, words: message, code: reason, request_id }, secrets)
  const verdict = classify(code, message)
  if (verdict.kind !== 'quota') return refused(verdict, facts)
  const retry_after_ms = lockOf(verdict.pauses, message, io)
  const wait_ms = windowOf(message) === null ? (waitsOf(verdict.pauses)[refusals] ?? null) : null
  return wait_ms === null
    ? refused({ ...verdict, wait_ms: retry_after_ms }, facts)
    : refused({ ...verdict, wait_ms, retries: 'after_wait' }, { ...facts, retry_after_ms })
}
