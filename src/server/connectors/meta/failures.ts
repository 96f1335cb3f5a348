import { PlatformFailure, type PlatformErrorCode } from '#server/connectors/connector.ts'
import type { MetaError } from './schema.ts'

/** What one answer of Meta's means for us. Never decided by the HTTP status or by `type`, which is OAuthException even for quotas. */
export type Verdict =
  /** Worth a few quick attempts. */
  | { kind: 'again' }
  | { kind: 'quota'; scope: 'app' | 'account'; usual_wait_ms: number }
  | { kind: 'mend'; remedy: Remedy }
  | { kind: 'final'; code: PlatformErrorCode }

/**
 * What the connector can do about a refusal by itself: ask for fewer rows a page, ask another way (asynchronously, for fewer days),
 * page again from the start, submit the job again.
 */
export type Remedy = 'smaller_page' | 'smaller_question' | 'restart_paging' | 'submit_again'

/** A refusal that has a remedy. Where none is left it ends the fetch as the failure that it also is. */
export class Mendable extends PlatformFailure {
  readonly remedy: Remedy
  constructor(remedy: Remedy, facts: ConstructorParameters<typeof PlatformFailure>[1] = {}) {
    super(whenNothingHelps[remedy], facts)
    this.remedy = remedy
  }
}

export function hasRemedy(error: unknown, ...remedies: Remedy[]): error is Mendable {
  return error instanceof Mendable && remedies.includes(error.remedy)
}

const whenNothingHelps: Record<Remedy, PlatformErrorCode> = {
  smaller_page: 'too_large',
  smaller_question: 'too_large',
  restart_paging: 'platform_error',
  submit_again: 'platform_unavailable',
}

export function verdictOn({ code, error_subcode, message, is_transient }: MetaError): Verdict {
  if (/reach-related metric breakdowns are unavailable/i.test(message)) return account(HOUR)
  if (code === 1 && /reduce the amount of data/i.test(message)) return mend('smaller_page')
  if (code === 100 && /combination|breakdown/i.test(message)) return final('combination_not_allowed')
  return (
    (error_subcode !== undefined && bySubcode[`${code}/${error_subcode}`]) ||
    byCode[code] ||
    (code >= 200 && code <= 299
      ? final('account_access_lost')
      : is_transient
        ? again
        : final('platform_error'))
  )
}

/** An answer in another form than documented; `what` is the path to it. */
export const unreadable = (what: string) =>
  new PlatformFailure('platform_error', { platform_message: `unreadable answer, ${what}` })

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const again: Verdict = { kind: 'again' }
const mend = (remedy: Remedy): Verdict => ({ kind: 'mend', remedy })
const final = (code: PlatformErrorCode): Verdict => ({ kind: 'final', code })
// The waits hold where Meta's headers state none.
const app = (usual_wait_ms: number): Verdict => ({ kind: 'quota', scope: 'app', usual_wait_ms })
const account = (usual_wait_ms: number): Verdict => ({ kind: 'quota', scope: 'account', usual_wait_ms })

const bySubcode: Record<string, Verdict> = {
  '2/1504038': mend('smaller_question'),
  '100/1504018': mend('smaller_question'),
  '100/1487534': mend('smaller_question'),
  '-3/1504045': mend('smaller_question'),
  '-2/2490547': mend('submit_again'),
  '2/1504041': final('combination_not_allowed'),
  '2/1504042': final('combination_not_allowed'),
  '100/33': final('account_access_lost'),
  '100/3191001': final('account_access_lost'),
  '613/1487742': account(5 * MINUTE),
  '613/5044001': again,
}

const byCode: Record<number, Verdict> = {
  1: again,
  2: again,
  99: again,
  104: again,
  341: again,
  960: again,
  '-2': mend('submit_again'),
  '-3': mend('smaller_question'),
  2642: mend('restart_paging'),
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
