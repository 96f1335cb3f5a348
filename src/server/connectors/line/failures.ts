import { refused, type RefusedCall } from '#server/connectors/kit/client.ts'
import { final, renew, retry, type Verdict } from '#server/connectors/kit/failures.ts'
import { lookup } from '#server/connectors/kit/lookup.ts'
import type { Refusals } from './schema.ts'

export const NOT_FOUND = 'ENTITY_NOT_FOUND_INVALID_ID'

/** What a refusal means: by its reason, and by its status only where the reason is none of LINE's. */
export function classify(status: number, refusals: Refusals): RefusedCall {
  const known = refusals.find(({ reason }) => Object.hasOwn(byReason, reason))
  const { reason, property } = known ?? refusals[0] ?? { reason: 'without a reason' }
  const where = property === undefined ? '' : ` (${spoken(property)})`
  return refused(lookup(byReason, reason) ?? byStatus(status), {
    reason: spoken(reason),
    platform_message: `${spoken(reason)}${where} [HTTP ${status}]`,
  })
}

/** A response that is neither the expected one nor a refusal in LINE's form comes from a proxy or gateway. */
export function classifyStatus(status: number, path: string): RefusedCall {
  const facts = { reason: String(status), platform_message: `${path}: HTTP ${status}` }
  const verdict: Verdict = status === 504 ? { kind: 'retry', code: 'platform_timeout' } : byStatus(status)
  return refused(verdict, facts)
}

/** Reasons and properties are words of LINE's; what looks otherwise is not repeated, whatever it may hold. */
const spoken = (word: string) => (/^[\w .[\]-]{1,100}$/.test(word) ? word : '…')

/** What refusals mean where audiences are concerned. */
export const byReasonOfAudiences = {
  PARTNER_PERMISSION_DENIED: 'role_missing',
  [NOT_FOUND]: 'audience_gone',
  REMOVED_ENTITY: 'account_inactive',
} as const

function byStatus(status: number): Verdict {
  // The key, or our clock: a new signature shows which.
  if (status === 401) return renew
  if (status === 403) return final('account_access_lost')
  return status >= 500 ? retry : final('platform_error')
}

const byReason: Readonly<Record<string, Verdict>> = {
  AUTHENTICATION_FAILED: renew,
  AUTHORIZATION_FAILED: final('account_access_lost'),
  PARTNER_PERMISSION_DENIED: final('account_access_lost'),
  ACCOUNT_NOT_ALLOWED: final('account_access_lost'),
  V2_API_AUTHORIZATION_FAILED: final('platform_error'),

  [NOT_FOUND]: final('account_access_lost'),
  INVALID_ACCOUNT_ID: final('account_access_lost'),
  INVALID_GROUP_ID: final('account_access_lost'),
  INVALID_CAMPAIGN_ID: final('account_access_lost'),
  REMOVED_ENTITY: final('account_access_lost'),

  REQUEST_INPUT_START_DATE_TOO_PAST: final('history_limit'),
  REQUEST_INPUT_PERIOD_LONGER_THAN_ONE_MONTH: final('too_large'),
  REQUEST_INPUT_START_END_DATE_REVERSED: final('platform_error'),
  REQUEST_INPUT_FUTURE: final('platform_error'),
  CANNOT_SPECIFY_DELIVERY_TYPE_ON_AD_REPORT: final('combination_not_allowed'),

  CANNOT_DOWNLOAD_REPORT: final('platform_error'),
  LOCK_DEFAULT: retry,
  BLOCKED_BY_EXCEEDING_TIME_LIMIT: retry,
  UNKNOWN: retry,
}
