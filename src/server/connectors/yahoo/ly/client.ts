import type { z } from 'zod'
import { PlatformFailure, type PlatformErrorCode, type QuotaKey } from '#server/connectors/connector.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { utf8, type HttpResponse } from '#server/connectors/kit/http.ts'
import { lookup } from '#server/connectors/kit/lookup.ts'
import { withoutSecrets } from '#server/connectors/kit/secrets.ts'
import {
  answered,
  loginKey,
  Refused,
  retryAfter,
  signedIn,
  classifyStatus,
  type Call,
  type SignedReply,
  type Verdict,
} from '#server/connectors/yahoo/client.ts'
import { LyEnvelope, type LyIo, type LyProblem } from '#server/connectors/yahoo/schema.ts'

export type LyProvider = 'ly_search' | 'ly_display'

export interface ApiCall {
  provider: LyProvider
  /** Service and operation. */
  operation: string
  /** JSON, written by hand where ids stand in it: they may lie beyond 2^53. */
  body: string
  /**
   * The account through which rights are held: a manager, or the ad account itself; null where none is
   * wanted.
   */
  base: string | null
  /** The ad account that it is about; null for the login's own lists. */
  account: string | null
}

// Four versions are online at once, two new ones come a year.
const VERSIONS = { ly_search: 'api/v20', ly_display: 'api/v19' } as const
const FILE_BYTES = 256 * 1024 * 1024
const FILE_TIMEOUT_MS = 300_000

/**
 * Asks LY Ads one call and reads the answer by a schema. Refusals are thrown as `Refused`, with LY's own
 * code.
 */
export async function callApi<Schema extends z.ZodType>(
  call: ApiCall,
  schema: Schema,
  io: LyIo,
): Promise<z.output<Schema>> {
  return answered(
    callOf(call, io, response => resultIn(response, call, schema, io)),
    () => signIn(io),
    io,
  )
}

/** The text of a report. `isWhole` tells a file that was cut off from one that is all there. */
export async function download(
  apiCall: ApiCall,
  isWhole: (text: string) => boolean,
  io: LyIo,
): Promise<string> {
  const judged = (response: SignedReply): Verdict<string> => {
    // A failing download answers JSON, at status 200 too.
    if (response.status !== 200 || response.bytes[0] === OPENING_BRACE)
      return refusalIn(response, apiCall, io)
    const text = utf8(response)
    if (isWhole(text)) return { kind: 'answer', answer: text }
    return { kind: 'retry', failure: unreadable('a report without its last row') }
  }
  const call = callOf(apiCall, io, judged)
  const limits = { max_bytes: FILE_BYTES, timeout_ms: FILE_TIMEOUT_MS }
  return answered({ ...call, limits }, () => signIn(io), io)
}

/** What an element of an answer was refused for. */
export const refusedElement = (problems: readonly LyProblem[], io: LyIo): Refused =>
  refused(problems, { io, token: '', request_id: null })

const OPENING_BRACE = 123

const signIn = (io: LyIo) =>
  signedIn(
    {
      url: io.hosts.ly_token,
      form: async () => ({
        grant_type: 'refresh_token',
        client_id: io.login.client_id,
        client_secret: io.login.client_secret,
        refresh_token: io.login.refresh_token,
      }),
    },
    io,
  )

function callOf<T>(call: ApiCall, io: LyIo, judge: Call<T>['judge']): Call<T> {
  const { provider, operation, body, base } = call
  return {
    url: `${io.hosts[provider]}/${VERSIONS[provider]}/${operation}`,
    init: token => ({
      method: 'POST',
      body,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, application/octet-stream',
        ...(base !== null && { 'x-z-base-account-id': base }),
      },
    }),
    quotaKeys: quotaKeysOf(call, io),
    judge,
  }
}

/**
 * There is a limit, which is not public: one request a second for an account, and four accounts at a time, is
 * a careful guess.
 */
function quotaKeysOf({ account }: ApiCall, io: LyIo): QuotaKey[] {
  const credential: QuotaKey = {
    platform: 'ly_ads',
    kind: 'credential',
    id: loginKey(io.hosts.ly_token, io.login),
    rate: { per_minute: 240, burst: 8 },
    at_once: 4,
  }
  if (account === null) return [credential]
  return [
    credential,
    {
      platform: 'ly_ads',
      kind: 'account',
      id: account,
      rate: { per_minute: 60, burst: 8 },
      at_once: 2,
    },
  ]
}

function resultIn<Schema extends z.ZodType>(
  response: SignedReply,
  call: ApiCall,
  schema: Schema,
  io: LyIo,
): Verdict<z.output<Schema>> {
  const envelope = LyEnvelope.safeParse(parsed(response))
  if (response.status !== 200 || !envelope.success || envelope.data.errors?.length)
    return refusalIn(response, call, io)
  const read = schema.safeParse(envelope.data.rval)
  if (read.success) return { kind: 'answer', answer: read.data }
  const [issue] = read.error.issues
  const path = `${call.operation}: rval.${issue?.path.map(String).join('.')}`
  return { kind: 'final', failure: unreadable(`${path} ${issue?.message ?? ''}`) }
}

/** undefined when it is no JSON. Numbers beyond 2^53 stay the digits that they were written in. */
function parsed(response: HttpResponse): unknown {
  try {
    // TypeScript does not know yet that a reviver is told the source of a number.
    return (JSON.parse as (text: string, reviver: Reviver) => unknown)(utf8(response), keepingDigits)
  } catch {
    return undefined
  }
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

const keepingDigits: Reviver = (_key, value, { source }) =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? source : value

function refusalIn<T>(response: SignedReply, { operation }: ApiCall, io: LyIo): Verdict<T> {
  const envelope = LyEnvelope.safeParse(parsed(response))
  const problems = envelope.success ? (envelope.data.errors ?? []) : []
  if (problems.length === 0) return classifyStatus(response, operation)
  const failure = refused(problems, {
    io,
    token: response.token,
    request_id: envelope.data?.rid ?? null,
    retry_after_ms: retryAfter(response.headers),
  })
  return { kind: kindOf(failure), failure }
}

function kindOf({ code, reason }: Refused) {
  if (reason === '0110' || reason === '0111') return 'token_refused'
  if (code === 'quota_exhausted') return 'quota'
  // Maintenance (0099) takes hours.
  return reason === '0002' ? 'retry' : 'final'
}

function refused(
  problems: readonly LyProblem[],
  {
    io,
    token,
    request_id,
    retry_after_ms,
  }: { io: LyIo; token: string; request_id: string | null; retry_after_ms?: number },
): Refused {
  const [first] = problems
  const secrets = [token, io.login.client_secret, io.login.refresh_token]
  const reason = withoutSecrets(first?.code ?? '', secrets)
  const code = codeOf(problems)
  return new Refused(reason, code, {
    platform_message: withoutSecrets(problems.map(textOf).join('; '), secrets),
    platform_request_id: request_id && withoutSecrets(request_id, secrets),
    ...(code === 'quota_exhausted' && { retry_after_ms: retry_after_ms ?? null }),
  })
}

const textOf = ({ code, message, details }: LyProblem) =>
  [
    `[${code}] ${message ?? ''}`,
    ...(details ?? []).map(({ requestKey, requestValue }) => `${requestKey}=${requestValue}`),
  ].join(' ')

function codeOf(problems: readonly LyProblem[]): PlatformErrorCode {
  const about = problems.flatMap(({ details }) => details ?? []).map(({ requestKey }) => requestKey ?? '')
  for (const { code } of problems) {
    const known = lookup(byCode, code)
    if (known) return known
    if ((code === 'V0001' || code === 'RL001') && about.some(key => key.startsWith('dateRange')))
      return 'history_limit'
    if (code === 'RL001') return 'combination_not_allowed'
  }
  return 'platform_error'
}

const byCode: Readonly<Record<string, PlatformErrorCode>> = {
  '0002': 'platform_unavailable',
  // At status 403: a frequency, no matter of rights.
  '0003': 'quota_exhausted',
  '0098': 'account_access_lost',
  '0099': 'platform_unavailable',
  '0110': 'credential_expired',
  '0111': 'credential_expired',
  '0112': 'account_access_lost',
  '0113': 'account_access_lost',
  '0114': 'credential_expired',
  LT001: 'quota_exhausted',
}

/** An account's number, as it may be written into JSON. */
export function numberOf(id: string): string {
  if (/^\d{1,19}$/.test(id)) return id
  throw new PlatformFailure('account_access_lost', { platform_message: 'not a number of an account' })
}
