import type { z } from 'zod'
import { PlatformFailure, type QuotaKey } from '#server/connectors/connector.ts'
import { callPlatform, halfResponse, refused, type Outcome } from '#server/connectors/kit/client.ts'
import { final, quota, renew, retry, type Verdict } from '#server/connectors/kit/failures.ts'
import { isAboutLogin } from '#server/connectors/kit/google-refusal.ts'
import { googleSecrets, googleToken, projectOf } from '#server/connectors/kit/google-token.ts'
import { json, jsonRequest, parseWith, type HttpResponse } from '#server/connectors/kit/http.ts'
import { lookup } from '#server/connectors/kit/lookup.ts'
import { redactedFacts } from '#server/connectors/kit/secrets.ts'
import { DataManagerRefusal } from './data-manager-schema.ts'
import type { GoogleAdsIo } from './schema.ts'

// The Data Manager API, which is the only way to Customer Match: since April 2026 the Google Ads API takes
// nobody new for it.

const SCOPE = 'https://www.googleapis.com/auth/datamanager'

export interface DataManagerCall {
  /** Below the host: `v1/audienceMembers:ingest`. */
  path: string
  method?: 'PATCH' | 'DELETE'
  body?: object
  /** In which account the login's person is a user, where that is not the account of the address. */
  through?: string | null
}

/** What Google responded, and when by its own clock. */
export interface Answer<Value> {
  value: Value
  at: Date | null
}

/** Sends one call and reads the response by a schema. Every call may be sent twice. */
export async function callDataManager<Schema extends z.ZodType>(
  call: DataManagerCall,
  schema: Schema,
  io: GoogleAdsIo,
): Promise<Answer<z.output<Schema>>> {
  const { value, at } = await callPlatform<Answer<unknown>>(
    {
      url: `${io.hosts.google_data_manager}/${call.path}`,
      init: token => initOf(call, token),
      signIn: () => googleToken(io.login, SCOPE, io),
      quotaKeys: [quotaKeyOf(call, io)],
      outcomeOf: (response, token) => outcomeOf(response, { call, token, io }),
    },
    io,
  )
  return { value: parseWith(schema, value, call.path), at }
}

export const accountName = (id: string) => `accountTypes/GOOGLE_ADS/accounts/${id}`

function initOf({ method, body, through = null }: DataManagerCall, token: string): RequestInit {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(through !== null && { 'login-account': accountName(through) }),
  }
  return { ...jsonRequest(body, headers), ...(method && { method }) }
}

/** Documented: a Cloud project may change members 300 times a minute, and send everything else as often. */
function quotaKeyOf({ path }: DataManagerCall, { login }: GoogleAdsIo): QuotaKey {
  const kind = path.startsWith('v1/audienceMembers:') ? 'ingestion' : 'others'
  const rate = { per_minute: 270, burst: 20 }
  return { platform: 'google_data_manager', kind: 'app', id: `${projectOf(login)} ${kind}`, rate, at_once: 5 }
}

function outcomeOf(
  response: HttpResponse,
  { call, token, io }: { call: DataManagerCall; token: string; io: GoogleAdsIo },
): Outcome<Answer<unknown>> {
  const { status, headers } = response
  const body = json(response)
  if (status === 200) {
    const at = Date.parse(headers.get('date') ?? '')
    const value = { value: body, at: Number.isNaN(at) ? null : new Date(at) }
    return body === undefined ? halfResponse(call.path) : { value }
  }
  const error = DataManagerRefusal.safeParse(body).data?.error
  const reason = error?.reason || String(status)
  const words = error
    ? `${error.message}${error.field && ` (${error.field})`}`
    : `${call.path}: HTTP ${status}`
  const facts = redactedFacts(
    { reason, words, code: reason, request_id: error?.request_id },
    googleSecrets(io.login, token),
  )
  return refused(verdictOf(status, reason, words), facts)
}

function verdictOf(status: number, reason: string, message: string): Verdict {
  if (status === 403 && isAboutLogin({ reasons: [reason], message }))
    return final(/scope/i.test(`${reason} ${message}`) ? 'scope_missing' : 'credential_expired')
  return lookup(byReason, reason) ?? byStatus(status)
}

const MINUTE = 60_000

const exhausted: Verdict = { ...quota('app', MINUTE), is_guess: true }
const terms = final('terms_not_accepted')
const noAccess = final('no_access')
const notEligible = final('not_eligible')
const gone = final('audience_gone')

const byReason: Readonly<Record<string, Verdict>> = {
  TERMS_AND_CONDITIONS_NOT_SIGNED: terms,
  EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED: terms,

  PERMISSION_DENIED: noAccess,
  INVALID_DESTINATION: noAccess,
  OPERATING_ACCOUNT_LOGIN_ACCOUNT_MISMATCH: noAccess,
  DESTINATION_ACCOUNT_TYPE_MISMATCH: noAccess,
  INVALID_RESOURCE_NAME: noAccess,

  NOT_ALLOWLISTED: notEligible,
  ADVERTISER_NOT_ALLOWLISTED_FOR_UPLOADED_DATA: notEligible,
  USER_LIST_TYPE_NOT_SUPPORTED_FOR_ACCOUNT: notEligible,

  SENSITIVE_USER_LIST_IMMUTABLE: final('audience_flagged'),
  NOT_FOUND: gone,
  INVALID_USER_LIST_ID: gone,
  OWNERSHIP_REQUIRED_FOR_UPDATE: gone,

  RESOURCE_EXHAUSTED: exhausted,
  RATE_LIMIT_EXCEEDED: exhausted,
  INTERNAL_ERROR: retry,
  DEADLINE_EXCEEDED: { kind: 'retry', code: 'platform_timeout' },
}

function byStatus(status: number): Verdict {
  if (status === 401) return renew
  // A proxy that forbids knows nothing of accounts.
  if (status === 429) return exhausted
  if (status === 504) return { kind: 'retry', code: 'platform_timeout' }
  return status >= 500 && status !== 501 ? retry : final('platform_error')
}

/** Whether it is a failure of one of these kinds. */
export const isFailure = (error: unknown, ...codes: PlatformFailure['code'][]): error is PlatformFailure =>
  error instanceof PlatformFailure && codes.includes(error.code)
