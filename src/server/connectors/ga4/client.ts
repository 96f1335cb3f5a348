import type { z } from 'zod'
import { PlatformFailure, type HostName, type QuotaKey } from '#server/connectors/connector.ts'
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
import { withoutSecrets } from '#server/connectors/kit/secrets.ts'
import { HALF_HOUR, classify } from './failures.ts'
import { ErrorEnvelope, ReportResponse, type Ga4Error, type Ga4Io, type PropertyQuota } from './schema.ts'

const SCOPE = 'https://www.googleapis.com/auth/analytics.readonly'

export interface ApiCall {
  /** Below the host: `v1beta/properties/123:runReport`. */
  path: string
  host: Extract<HostName, 'ga4_data' | 'ga4_admin'>
  /** Sent as JSON; without one the call is a GET. */
  body?: object
  quota: QuotaKey
}

export interface CallContext {
  io: Ga4Io
  /** Ends earlier than the run's own signal, for answers that nobody waits for any more. */
  signal?: AbortSignal
}

/** One report of a property, with what is left of its quota. */
export async function callReport(
  property: string,
  body: object,
  asking: CallContext,
): Promise<ReportResponse> {
  const { io } = asking
  const quota = dataQuotaKey(property)
  const call = {
    host: 'ga4_data',
    path: `v1beta/properties/${encodeURIComponent(property)}:runReport`,
    body: { ...body, returnPropertyQuota: true },
    quota,
  } as const
  const answer = await callApi(call, ReportResponse, asking)
  await io.quota.after(quota, stateOf(answer.propertyQuota))
  return answer
}

/**
 * Asks one call and reads the answer by a schema. A transient failure is tried again twice, quickly: ten
 * server errors in an hour lock our whole project out of a property. One that lasts is a PlatformFailure, so
 * that the run waits and not the worker.
 */
export async function callApi<Schema extends z.ZodType>(
  call: ApiCall,
  schema: Schema,
  asking: CallContext,
): Promise<z.output<Schema>> {
  const answer = await withRetry(asking.io, () => callOnce(call, asking), ATTEMPTS)
  return parseWith(schema, answer, call.path)
}

const ATTEMPTS = 3
const TIMEOUT_MS = 120_000
/** A page of 50,000 rows takes 20 MB; nine long names in each of them three times as much. */
const MAX_BYTES = 128 * 1024 * 1024

/** The answer as JSON. A token that is refused is replaced once. */
async function callOnce(call: ApiCall, asking: CallContext, may_renew = true): Promise<unknown> {
  const { io, signal = asking.io.signal } = asking
  const { token, drop } = await googleToken(io.login, SCOPE, io)
  const url = `${io.hosts[call.host]}/${call.path}`
  const limits = { signal, timeout_ms: TIMEOUT_MS, max_bytes: MAX_BYTES }
  const response = await withPermits(io.quota, [call.quota], () =>
    sendHttp(io, url, requestOf(call, token), limits),
  )
  await io.quota.after(call.quota, { used_percent: 0, pause_ms: 0 })
  const answer = json(response)
  if (response.status === 200) {
    if (answer === undefined) throw new TransientError(unreadable(`${call.path}: no JSON`))
    return answer
  }
  const error = errorIn(answer, { response, call, secrets: secretsOf(io, token) })
  const verdict = classify(response.status, error, io.now())
  const facts = { platform_message: error.message }
  switch (verdict.kind) {
    case 'token':
      drop()
      if (may_renew) return callOnce(call, asking, false)
      throw new PlatformFailure('credential_expired', facts)
    case 'retry':
      throw new TransientError(new PlatformFailure(verdict.code, facts))
    case 'final':
      throw new PlatformFailure(verdict.code, facts)
    case 'quota':
      await io.quota.after(call.quota, { used_percent: 100, pause_ms: verdict.wait_ms })
      throw new PlatformFailure('quota_exhausted', { ...facts, retry_after_ms: verdict.wait_ms })
  }
}

function requestOf({ body }: ApiCall, token: string): RequestInit {
  const authorization = `Bearer ${token}`
  if (body === undefined) return { headers: { authorization } }
  return {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

/**
 * Google's refusal, for internal people without anything secret; of an answer in another form, from something
 * in between, only its status.
 */
function errorIn(
  answer: unknown,
  { response, call, secrets }: { response: HttpResponse; call: ApiCall; secrets: string[] },
): Ga4Error {
  const read = ErrorEnvelope.safeParse(answer)
  if (!read.success) return { message: `${call.path}: HTTP ${response.status}`, status: '', details: [] }
  const { error } = read.data
  return { ...error, message: withoutSecrets(error.message, secrets) }
}

const secretsOf = ({ login }: Ga4Io, token: string) =>
  'service_account_key' in login ? [token] : [token, login.client_secret, login.refresh_token]

/**
 * Every quota of a property counts for all of our customers together. At most 10 requests may be under way
 * (50 of a 360 property), whoever sends them: two are ours.
 */
const dataQuotaKey = (id: string): QuotaKey => ({
  platform: 'ga4',
  kind: 'account',
  id,
  rate: { per_minute: 120, burst: 8 },
  at_once: 2,
})

/** The Admin API has a quota of its own, by project: 1,200 requests a minute, 600 of one person. */
export const adminQuotaKey = ({ login }: Ga4Io): QuotaKey => ({
  platform: 'ga4',
  kind: 'app',
  id: projectOf(login),
  rate: { per_minute: 500, burst: 50 },
  at_once: 4,
})

/**
 * Sizes of an ordinary property; one of Analytics 360 has five or ten times as much, and is slowed down a
 * little early.
 */
const SIZES: Record<keyof PropertyQuota, number> = {
  tokensPerDay: 200_000,
  tokensPerHour: 40_000,
  tokensPerProjectPerHour: 14_000,
  serverErrorsPerProjectPerHour: 10,
  potentiallyThresholdedRequestsPerHour: 120,
}
const HOURLY = [
  'tokensPerHour',
  'tokensPerProjectPerHour',
  'serverErrorsPerProjectPerHour',
  'potentiallyThresholdedRequestsPerHour',
] as const
const NEARLY_ALL_PERCENT = 95

/** An empty quota fails everything at the property: before it is, the property rests. */
function stateOf(quota: PropertyQuota = {}): { used_percent: number; pause_ms: number } {
  const usedOf = (name: keyof PropertyQuota) =>
    Math.max(0, 100 - (100 * (quota[name]?.remaining ?? SIZES[name])) / SIZES[name])
  const daily = usedOf('tokensPerDay')
  const hourly = Math.max(...HOURLY.map(usedOf))
  return {
    used_percent: Math.max(hourly, daily),
    pause_ms: hourly > NEARLY_ALL_PERCENT ? HALF_HOUR : 0,
  }
}
