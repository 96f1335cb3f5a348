import type { z } from 'zod'
import type { HostName, QuotaKey } from '#server/connectors/connector.ts'
import { jsonWithRows, type RowReader } from '#server/connectors/kit/byte-rows.ts'
import { callPlatform, halfResponse, refused, type Outcome } from '#server/connectors/kit/client.ts'
import { googleSecrets, googleToken } from '#server/connectors/kit/google-token.ts'
import { json, jsonRequest, parseWith, type HttpResponse } from '#server/connectors/kit/http.ts'
import { redactedFacts } from '#server/connectors/kit/secrets.ts'
import { classify } from './failures.ts'
import { dataQuotaKey, quotaStateOf } from './quotas.ts'
import { ErrorEnvelope, ReportResponse, type Ga4Io } from './schema.ts'

export const SCOPE = 'https://www.googleapis.com/auth/analytics.readonly'
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
  /** Reads the rows of a report out of its bytes. */
  rows?: RowReader
}

interface ReportCall {
  property: string
  body: object
  rows?: RowReader
}

/** One report of a property, with what is left of its quota. */
export async function callReport({ property, body, rows }: ReportCall, io: Ga4Io): Promise<ReportResponse> {
  const quota = dataQuotaKey(property)
  const call = {
    host: 'ga4_data',
    path: `v1beta/properties/${encodeURIComponent(property)}:runReport`,
    body: { ...body, returnPropertyQuota: true },
    quota,
    ...(rows && { rows }),
  } as const
  const report = await callApi(call, ReportResponse, io)
  await io.limiter.report(quota, quotaStateOf(report.propertyQuota))
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
      init: token => jsonRequest(call.body, { authorization: `Bearer ${token}` }),
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
  const body = call.rows ? jsonWithRows(response, call.rows) : json(response)
  if (status === 200) return body === undefined ? halfResponse(call.path) : { value: body }
  // Of a response in another form, from something in between, there is only its status.
  const { error } = ErrorEnvelope.safeParse(body).data ?? {
    error: { message: `${call.path}: HTTP ${status}`, status: '', details: [] },
  }
  const secrets = googleSecrets(io.login, token)
  const facts = redactedFacts({ reason: error.status, words: error.message }, secrets)
  return refused(classify(status, error, io.now()), facts)
}
