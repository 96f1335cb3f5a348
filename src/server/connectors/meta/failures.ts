import { final, quota, recover, retry, type Verdict } from '#server/connectors/kit/failures.ts'
import type { MetaError } from './schema.ts'

/**
 * What a refusal of Meta's means. Never decided by the HTTP status or by `type`, which is OAuthException even
 * for quotas.
 */
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

/** What a refusal means that only calls about audiences get; null: the same as everywhere. */
export function classifyAudience({ code, error_subcode }: MetaError): Verdict | null {
  const subcode = error_subcode === undefined ? undefined : audiencesBySubcode[`${code}/${error_subcode}`]
  const noAccess = code === 10 || (code >= 200 && code <= 299)
  return subcode ?? audiencesByCode[code] ?? (noAccess ? final('no_access') : null)
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
// The waits hold where Meta's headers state none.
const app = (waitMs: number) => quota('app', waitMs)
const account = (waitMs: number) => quota('account', waitMs)

const bySubcode: Readonly<Record<string, Verdict>> = {
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

const byCode: Readonly<Record<number, Verdict>> = {
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
  // Abuse protection: further requests make it worse.
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

const audiencesBySubcode: Readonly<Record<string, Verdict>> = {
  '200/1870090': final('terms_not_accepted'),
  '200/2663': final('terms_not_accepted'),
  '200/2664': final('terms_not_accepted'),
  '200/1870050': final('not_claimed_by_business'),
  '100/33': final('no_access'),
  '100/1713230': final('audience_flagged'),
  '100/1713231': final('audience_flagged'),
  '100/1713228': final('audience_flagged'),
  '100/1713232': final('audience_flagged'),
  // Another change is under way: it takes minutes, and often an hour.
  '2650/1870145': { kind: 'final', code: 'platform_unavailable', retry_after_ms: 5 * MINUTE },
  '2650/1870144': final('too_large'),
}

const audiencesByCode: Readonly<Record<number, Verdict>> = {
  2656: final('has_lookalikes'),
}
