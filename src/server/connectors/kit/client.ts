import {
  PlatformFailure,
  type ConnectorContext,
  type QuotaKey,
  type QuotaState,
} from '#server/connectors/connector.ts'
import { failureOf, final, retry, unreadable, type RefusalFacts, type Verdict } from './failures.ts'
import { sendHttp, type HttpLimits, type HttpResponse } from './http.ts'
import { withPermits } from './with-permits.ts'

/** One call of a platform's API: what is sent, which quotas it counts for, and what its response means. */
export interface PlatformCall<Value> {
  url: string
  /** Called when every quota permits the call: a signature is good for a few minutes only. */
  init: (token: string) => RequestInit
  /** For platforms with short-lived tokens. One that is not taken is replaced, once. */
  signIn?: () => Promise<AccessGrant>
  quotaKeys: readonly QuotaKey[]
  /** What the response says of each quota, in the order of `quotaKeys`; left out: nothing. */
  quotaStates?: (response: HttpResponse) => readonly QuotaState[]
  /** Reads the response. A PlatformFailure that it throws ends the call. */
  outcomeOf: (response: HttpResponse, token: string) => Outcome<Value>
  /** What becomes of a timeout or of a response that is too large; left out: the failure itself. */
  recoverFrom?: (failure: PlatformFailure) => PlatformFailure
  limits?: HttpLimits
  attempts?: number
}

/** A token of the login, and a way to drop it when the platform refuses it. */
export interface AccessGrant {
  token: string
  drop: () => void
}

export type Outcome<Value> = { value: Value } | RefusedCall
export interface RefusedCall {
  verdict: Verdict
  failure: PlatformFailure
}

export const refused = (verdict: Verdict, facts: RefusalFacts): RefusedCall => ({
  verdict,
  failure: failureOf(verdict, facts),
})

const ATTEMPTS = 4
const FIRST_BACKOFF_MS = 500

/**
 * Calls until there is a value. What fails for a moment is tried again a few times, quickly; what lasts is
 * thrown as a PlatformFailure, so that the run waits and not the worker.
 */
export async function callPlatform<Value>(
  call: PlatformCall<Value>,
  context: Pick<ConnectorContext, 'fetch' | 'signal' | 'sleep' | 'limiter'>,
): Promise<Value> {
  const { attempts = ATTEMPTS } = call
  let hasRenewed = false
  for (let attempt = 1; ;) {
    const grant = await call.signIn?.()
    const outcome = await sendOnce(call, grant?.token ?? '', context)
    if ('value' in outcome) return outcome.value
    const { verdict, failure } = outcome
    if (verdict.kind === 'renew') {
      grant?.drop()
      if (hasRenewed) throw failure
      hasRenewed = true
      continue
    }
    const waitMs = waitBefore(verdict, attempt)
    if (waitMs === null || attempt === attempts) throw failure
    await context.sleep(waitMs)
    attempt += 1
  }
}

/** null: another attempt right away would not help. */
function waitBefore(verdict: Verdict, attempt: number): number | null {
  const backoffMs = FIRST_BACKOFF_MS * 2 ** (attempt - 1)
  if (verdict.kind === 'retry') return backoffMs
  if (verdict.kind !== 'quota' || verdict.retries === undefined) return null
  return verdict.retries === 'soon' ? backoffMs : verdict.wait_ms
}

async function sendOnce<Value>(
  call: PlatformCall<Value>,
  token: string,
  context: Pick<ConnectorContext, 'fetch' | 'signal' | 'limiter'>,
): Promise<Outcome<Value>> {
  const { url, quotaKeys, limits, recoverFrom = failure => failure } = call
  const response = await withPermits(context.limiter, quotaKeys, () =>
    sendHttp(context, url, call.init(token), limits).catch((error: unknown) => {
      if (error instanceof PlatformFailure) return error
      throw error
    }),
  )
  if (response instanceof PlatformFailure) {
    if (response.code === 'platform_unavailable') return { verdict: retry, failure: response }
    throw recoverFrom(response)
  }
  const outcome = readOutcome(call, response, token)
  const states = call.quotaStates?.(response) ?? []
  for (const [index, key] of quotaKeys.entries())
    await context.limiter.report(key, pauseOf(outcome, key, quotaKeys) ?? states[index] ?? NOTHING_USED)
  return outcome
}

/** Every response is reported to the limiter, an unreadable one too. */
function readOutcome<Value>(
  { outcomeOf }: PlatformCall<Value>,
  response: HttpResponse,
  token: string,
): Outcome<Value> {
  try {
    return outcomeOf(response, token)
  } catch (error) {
    if (error instanceof PlatformFailure) return { verdict: final(error.code), failure: error }
    throw error
  }
}

const NOTHING_USED: QuotaState = { used_percent: 0, pause_ms: 0 }

/** The pause that a refusal means for a quota; null when it means none. */
function pauseOf(
  outcome: Outcome<unknown>,
  key: QuotaKey,
  quotaKeys: readonly QuotaKey[],
): QuotaState | null {
  if ('value' in outcome || outcome.verdict.kind !== 'quota') return null
  const { pauses, wait_ms, is_guess } = outcome.verdict
  const paused = quotaKeys.find(({ kind }) => kind === pauses) ?? quotaKeys[0]
  if (pauses === 'none' || (pauses !== 'all' && key !== paused)) return null
  return { used_percent: 100, pause_ms: wait_ms, ...(is_guess && { is_guess }) }
}

/**
 * A response that is neither the expected one nor a refusal in the platform's form: a proxy or gateway sent
 * it.
 */
export function strayResponse({ status }: HttpResponse, what: string): RefusedCall {
  const facts = { reason: String(status), platform_message: `${what}: HTTP ${status}` }
  if (status === 504) return refused({ kind: 'retry', code: 'platform_timeout' }, facts)
  if (status >= 500) return refused(retry, facts)
  return status === 200 ? halfResponse(what) : refused(final('platform_error'), facts)
}

/** What was cut off on its way is no JSON; a second attempt helps. */
export const halfResponse = (what: string): RefusedCall => ({
  verdict: retry,
  failure: unreadable(`${what}: no JSON`),
})
