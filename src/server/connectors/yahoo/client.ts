import { createHash } from 'node:crypto'
import {
  PlatformFailure,
  type Io,
  type QuotaKey,
  type ConnectorContext,
} from '#server/connectors/connector.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import {
  boundedWait,
  sendHttp,
  json,
  TransientError,
  withRetry,
  type HttpLimits,
  type HttpResponse,
} from '#server/connectors/kit/http.ts'
import { withPermits } from '#server/connectors/kit/with-permits.ts'
import { Granted, NotGranted } from './schema.ts'

// What the products of Yahoo have in common on the wire: tokens of an hour, and answers that are judged by
// what stands in them.

export interface Call<T> {
  url: string
  init: (token: string) => RequestInit
  quotaKeys: QuotaKey[]
  limits?: HttpLimits
  judge: (response: SignedReply) => Verdict<T>
}

/** An answer, and what it must not be heard to repeat. */
export type SignedReply = HttpResponse & { token: string }

export type Verdict<T> =
  | { kind: 'answer'; answer: T }
  /** Worth a few quick attempts. */
  | { kind: 'retry'; failure: PlatformFailure }
  /** A new token may help, once. */
  | { kind: 'token_refused'; failure: PlatformFailure }
  | { kind: 'quota'; failure: PlatformFailure }
  | { kind: 'final'; failure: PlatformFailure }

/** A token of the login, and a way to say that the platform does not take it any more. */
export interface SignedIn {
  token: string
  drop: () => void
}

/**
 * Asks until there is an answer that counts: a transient failure is tried again a few times, quickly, a
 * refused token once.
 */
export async function answered<T>(
  call: Call<T>,
  signIn: () => Promise<SignedIn>,
  context: ConnectorContext,
): Promise<T> {
  let renewed = false
  return withRetry(context, async () => {
    const { token, drop } = await signIn()
    const response = await withPermits(context.quota, call.quotaKeys, () =>
      sendHttp(context, call.url, call.init(token), call.limits),
    )
    const verdict = call.judge({ ...response, token })
    const is_full = verdict.kind === 'quota'
    const state = {
      used_percent: is_full ? 100 : 0,
      pause_ms: is_full ? (verdict.failure.retry_after_ms ?? 0) : 0,
      is_guess: !response.headers.has('retry-after'),
    }
    for (const key of call.quotaKeys) await context.quota.after(key, state)
    if (verdict.kind === 'answer') return verdict.answer
    if (verdict.kind === 'token_refused') {
      drop()
      if (!renewed) {
        renewed = true
        throw new TransientError(verdict.failure)
      }
    }
    throw verdict.kind === 'retry' ? new TransientError(verdict.failure) : verdict.failure
  })
}

/** A token from an endpoint that takes a form; kept until it is about to end. */
export async function signedIn(
  { url, form }: { url: string; form: () => Promise<Record<string, string>> },
  io: Io<object>,
): Promise<SignedIn> {
  const key = loginKey(url, io.login)
  const token = await io.tokens.get(key, () => granted(url, form, io))
  return { token, drop: () => io.tokens.drop(key, token) }
}

/** Names a login without telling it; also in quota keys. */
export const loginKey = (url: string, login: object) =>
  createHash('sha256')
    .update(JSON.stringify([url, login]))
    .digest('base64url')
    .slice(0, 22)

async function granted(url: string, form: () => Promise<Record<string, string>>, io: Io<object>) {
  const body = new URLSearchParams(await form())
  const headers = { accept: 'application/json' }
  return withRetry(io, async () => {
    const response = await sendHttp(io, url, { method: 'POST', body, headers })
    const answer = json(response)
    const read = Granted.safeParse(answer)
    if (response.status === 200 && read.success)
      return { token: read.data.access_token, expires_in_s: read.data.expires_in }
    throw notGranted(response, answer)
  })
}

/** Of a refusal only the name of the error is told on: it holds nothing secret. */
function notGranted({ status, headers }: HttpResponse, answer: unknown): Error {
  const refused = NotGranted.safeParse(answer)
  const facts = { platform_message: refused.data?.error ?? `token endpoint: HTTP ${status}` }
  const is_named = refused.success && LOGIN_ERRORS.has(refused.data.error)
  if (is_named || status === 401 || status === 403) return new PlatformFailure('credential_expired', facts)
  if (status === 429)
    return new PlatformFailure('quota_exhausted', { ...facts, retry_after_ms: retryAfter(headers) })
  if (status >= 500) return new TransientError(new PlatformFailure('platform_unavailable', facts))
  return status === 200
    ? new TransientError(unreadable('token endpoint'))
    : new PlatformFailure('platform_error', facts)
}

const LOGIN_ERRORS: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client'])
const USUAL_WAIT_MS = 10_000

/** The wait that the platform asks for; Yahoo documents none, so mostly the usual one. */
export function retryAfter(headers: Headers): number {
  const seconds = headers.get('retry-after') ?? ''
  return /^\d{1,6}$/.test(seconds) ? boundedWait(Number(seconds) * 1000) : USUAL_WAIT_MS
}

/** An answer in no form that the platform has: it comes from something in between. */
export function classifyStatus<T>({ status }: HttpResponse, what: string): Verdict<T> {
  const facts = { platform_message: `${what}: HTTP ${status}` }
  if (status === 504) return { kind: 'retry', failure: new PlatformFailure('platform_timeout', facts) }
  if (status >= 500) return { kind: 'retry', failure: new PlatformFailure('platform_unavailable', facts) }
  if (status === 200) return { kind: 'retry', failure: unreadable(`${what}: no JSON`) }
  return { kind: 'final', failure: new PlatformFailure('platform_error', facts) }
}

/** A refusal whose own code decides what is done about it. */
export class Refused extends PlatformFailure {
  readonly reason: string
  constructor(reason: string, ...[code, facts]: ConstructorParameters<typeof PlatformFailure>) {
    super(code, facts)
    this.reason = reason
  }
}

export const isRefused = (error: unknown, ...reasons: string[]): error is Refused =>
  error instanceof Refused && reasons.includes(error.reason)
