import { PlatformFailure, type PlatformErrorCode } from '#server/connectors/connector.ts'
import type { MetaError } from './schema.ts'

/**
 * What one answer of Meta's means for us. Never decided by the HTTP status or by `type`, which is
 * OAuthException even for quotas.
 */
export type Verdict =
  /** Worth a few quick attempts. */
  | { kind: 'retry' }
  | { kind: 'quota'; scope: 'app' | 'account'; usual_wait_ms: number }
  | { kind: 'recover'; recovery: Recovery }
  | { kind: 'final'; code: PlatformErrorCode }

/**
 * What the connector can do about a refusal by itself: ask for fewer rows a page, ask another way
 * (asynchronously, for fewer days), page again from the start, submit the job again.
 */
export type Recovery = 'smaller_page' | 'smaller_request' | 'restart_paging' | 'submit_again'

/**
 * A refusal from which the connector can recover. Where no way is left it ends the fetch as the failure that
 * it also is.
 */
export class RecoverableFailure extends PlatformFailure {
  readonly recovery: Recovery
  constructor(recovery: Recovery, facts: ConstructorParameters<typeof PlatformFailure>[1] = {}) {
    super(finalCodes[recovery], facts)
    this.recovery = recovery
  }
}

export function canRecover(error: unknown, ...recoveries: Recovery[]): error is RecoverableFailure {
  return error instanceof RecoverableFailure && recoveries.includes(error.recovery)
}

const finalCodes: Record<Recovery, PlatformErrorCode> = {
  smaller_page: 'too_large',
  smaller_request: 'too_large',
  restart_paging: 'platform_error',
  submit_again: 'platform_unavailable',
}

export function classify({ code, error_subcode, message, is_transient }: MetaError): Verdict {
  if (/reach-related metric breakdowns are unavailable/i.test(message)) return account(HOUR)
  if (code === 1 && /reduce the amount of data/i.test(message)) return recover('smaller_page')
  if (code === 100 && /combination|breakdown/i.test(message)) return final('combination_not_allowed')
  return (
    (error_subcode !== undefined && bySubcode[`${code}/${error_subcode}`]) ||
    byCode[code] ||
    (code >= 200 && code <= 299
      ? final('account_access_lost')
      : is_transient
        ? retry
        : final('platform_error'))
  )
}

/** An answer in another form than documented; `what` is the path to it. */
export const unreadable = (what: string) =>
  new PlatformFailure('platform_error', { platform_message: `unreadable answer, ${what}` })

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const retry: Verdict = { kind: 'retry' }
const recover = (recovery: Recovery): Verdict => ({ kind: 'recover', recovery })
const final = (code: PlatformErrorCode): Verdict => ({ kind: 'final', code })
// The waits hold where Meta's headers state none.
const app = (usual_wait_ms: number): Verdict => ({ kind: 'quota', scope: 'app', usual_wait_ms })
const account = (usual_wait_ms: number): Verdict => ({ kind: 'quota', scope: 'account', usual_wait_ms })

const bySubcode: Record<string, Verdict> = {
  '2/1504038': recover('smaller_request'),
  '100/1504018': recover('smaller_request'),
  '100/1487534': recover('smaller_request'),
  '-3/1504045': recover('smaller_request'),
  '-2/2490547': recover('submit_again'),
  '2/1504041': final('combination_not_allowed'),
  '2/1504042': final('combination_not_allowed'),
  '100/33': final('account_access_lost'),
  '100/3191001': final('account_access_lost'),
  '613/1487742': account(5 * MINUTE),
  '613/5044001': retry,
}

const byCode: Record<number, Verdict> = {
  1: retry,
  2: retry,
  99: retry,
  104: retry,
  341: retry,
  960: retry,
  '-2': recover('submit_again'),
  '-3': recover('smaller_request'),
  2642: recover('restart_paging'),
  4: app(5 * MINUTE),
  32: app(5 * MINUTE),
  17: account(5 * MINUTE),
  // Abuse protection: asking on makes it worse.
  613: account(HOUR),
  80_000: account(5 * MINUTE),
  80_003: account(5 * MINUTE),
  80_004: account(5 * MINUTE),
  80_014: account(5 * MINUTE),
  102: final('credential_expired'),
  190: final('credential_expired'),
  10: final('account_access_lost'),
  3018: final('history_limit'),
}
