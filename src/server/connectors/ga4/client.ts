import type { z } from 'zod'
import type { HostName, QuotaKey, QuotaState } from '#server/connectors/connector.ts'
import { callPlatform, refused, type Outcome } from '#server/connectors/kit/client.ts'
import { retry, unreadable } from '#server/connectors/kit/failures.ts'
import { googleSecrets, googleToken, projectOf } from '#server/connectors/kit/google-token.ts'
import { json, parseWith, type HttpResponse } from '#server/connectors/kit/http.ts'
import { withoutSecrets } from '#server/connectors/kit/secrets.ts'
import { classify, HALF_HOUR } from './failures.ts'
import { ErrorEnvelope, ReportResponse, type Ga4Io, type PropertyQuota } from './schema.ts'

const SCOPE = 'https://www.googleapis.com/auth/analytics.readonly'
/** Ten server errors in an hour lock our whole project out of a property. */
const ATTEMPTS = 3
const TIMEOUT_MS = 120_000
/** A page of 50,000 rows takes 20 MB; nine long names in each of them three times as much. */
const MAX_BYTES = 128 * 1024 * 1024

export interface ApiCall {
  /** Below the host: `v1beta/properties/123:runReport`. */
  path: string
  host: Extract<HostName, 'ga4_data' | 'ga4_admin'>
  /** Sent as JSON; without one the call is a GET. */
  body?: object
  quota: QuotaKey
}

/** One report of a property, with what is left of its quota. */
export async function callReport(property: string, body: object, io: Ga4Io): Promise<ReportResponse> {
  const quota = dataQuotaKey(property)
  const call = {
    host: 'ga4_data',
    path: `v1beta/properties/${encodeURIComponent(property)}:runReport`,
    body: { ...body, returnPropertyQuota: true },
    quota,
  } as const
  const report = await callApi(call, ReportResponse, io)
  await io.limiter.report(quota, stateOf(report.propertyQuota))
  return report
}

/** Sends one call and reads the response by a schema. */
export async function callApi<Schema extends z.ZodType>(
  call: ApiCall,
  schema: Schema,
  io: Ga4Io,
): Promise<z.output<Schema>> {
  const body = await callPlatform(
    {
      url: `${io.hosts[call.host]}/${call.path}`,
      init: token => initOf(call, token),
      signIn: () => googleToken(io.login, SCOPE, io),
      quotaKeys: [call.quota],
      outcomeOf: (response, token) => outcomeOf(response, { call, token, io }),
      limits: { timeout_ms: TIMEOUT_MS, max_bytes: MAX_BYTES },
      attempts: ATTEMPTS,
    },
    io,
  )
  return parseWith(schema, body, call.path)
}

function outcomeOf(
  response: HttpResponse,
  { call, token, io }: { call: ApiCall; token: string; io: Ga4Io },
): Outcome<unknown> {
  const { status } = response
  const body = json(response)
  if (status === 200)
    return body === undefined
      ? { verdict: retry, failure: unreadable(`${call.path}: no JSON`) }
      : { value: body }
  // Of a response in another form, from something in between, there is only its status.
  const { error } = ErrorEnvelope.safeParse(body).data ?? {
    error: { message: `${call.path}: HTTP ${status}`, status: '', details: [] },
  }
  const secrets = googleSecrets(io.login, token)
  return refused(classify(status, error, io.now()), {
    reason: withoutSecrets(error.status, secrets),
    platform_message: withoutSecrets(error.message, secrets),
  })
}

function initOf({ body }: ApiCall, token: string): RequestInit {
  const authorization = `Bearer ${token}`
  if (body === undefined) return { headers: { authorization } }
  return {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

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
function stateOf(quota: PropertyQuota = {}): QuotaState {
  const usedOf = (name: keyof PropertyQuota) =>
    Math.max(0, 100 - (100 * (quota[name]?.remaining ?? SIZES[name])) / SIZES[name])
  const daily = usedOf('tokensPerDay')
  const hourly = Math.max(...HOURLY.map(usedOf))
  return {
    used_percent: Math.max(hourly, daily),
    pause_ms: hourly > NEARLY_ALL_PERCENT ? HALF_HOUR : 0,
  }
}
