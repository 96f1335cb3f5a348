import { final, quota, recover, renew, retry, type Verdict } from '#server/connectors/kit/failures.ts'
import { isAboutLogin } from '#server/connectors/kit/google-refusal.ts'
import { lookup } from '#server/connectors/kit/lookup.ts'
import type { Refused } from './refusal.ts'

/** By the code of the service, or the reason of the gateway in front of it. */
export function classify({ family, code, status, is_googles, facts }: Refused): Verdict {
  // A proxy that forbids knows nothing of accounts, and must not make one of them disappear.
  if (status === 403 && !is_googles) return final('platform_error')
  if (status === 403 && isAboutLogin({ reasons: [code], message: facts.platform_message })) return expired
  return lookup(byCode, code) ?? lookup(byFamily, family) ?? byStatus(status)
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

// The waits hold where Google states none.
/**
 * A quick attempt after the wait is what Google advises. The limiter keeps it: it ends the attempt on a long
 * one.
 */
const rush: Verdict = { ...quota('account', 5 * SECOND), retries: 'soon' }
const usedUp = quota('app', HOUR)
/** Only queries of this shape are held back: others may go on. */
const tooCostly = (waitMs: number) => quota('none', waitMs)

const expired = final('credential_expired')
const lost = final('account_access_lost')
const apart = final('combination_not_allowed')

const byCode: Readonly<Record<string, Verdict>> = {
  OAUTH_TOKEN_EXPIRED: renew,
  OAUTH_TOKEN_INVALID: renew,
  ACCESS_TOKEN_EXPIRED: renew,
  ACCESS_TOKEN_TYPE_UNSUPPORTED: renew,
  OAUTH_TOKEN_REVOKED: expired,
  OAUTH_TOKEN_DISABLED: expired,
  GOOGLE_ACCOUNT_DELETED: expired,
  TWO_STEP_VERIFICATION_NOT_ENROLLED: expired,
  ADVANCED_PROTECTION_NOT_ENROLLED: expired,
  NOT_ADS_USER: expired,

  // What Google has granted to the Cloud project: only the administrators of the shared login can fix it.
  DEVELOPER_TOKEN_NOT_APPROVED: expired,
  DEVELOPER_TOKEN_PROHIBITED: expired,
  CLOUD_PROJECT_NOT_APPROVED_FOR_PRODUCTION: expired,
  PROJECT_DISABLED: expired,

  USER_PERMISSION_DENIED: recover('other_manager'),
  INVALID_LOGIN_CUSTOMER_ID_SERVING_CUSTOMER_ID_COMBINATION: recover('other_manager'),
  INVALID_LOGIN_CUSTOMER_ID: recover('other_manager'),
  LOGIN_CUSTOMER_ID_PARAMETER_MISSING: recover('other_manager'),
  CUSTOMER_NOT_FOUND: lost,
  CLIENT_CUSTOMER_ID_INVALID: lost,
  INVALID_CUSTOMER_ID: lost,
  CUSTOMER_NOT_ENABLED: lost,
  ACTION_NOT_PERMITTED_FOR_SUSPENDED_ACCOUNT: lost,
  ACCESS_DENIED_FOR_ACCOUNT_TYPE: lost,
  METRIC_ACCESS_DENIED: apart,

  RESOURCE_TEMPORARILY_EXHAUSTED: rush,
  RESOURCE_EXHAUSTED: usedUp,
  EXCESSIVE_SHORT_TERM_QUERY_RESOURCE_CONSUMPTION: tooCostly(5 * MINUTE),
  EXCESSIVE_LONG_TERM_QUERY_RESOURCE_CONSUMPTION: tooCostly(24 * HOUR),

  EXPIRED_PAGE_TOKEN: recover('restart_paging'),
  INVALID_PAGE_TOKEN: recover('restart_paging'),

  DATE_RANGE_TOO_WIDE: final('too_large'),
  REQUESTED_METRICS_FOR_MANAGER: apart,
  PROHIBITED_SEGMENT_WITH_METRIC_IN_SELECT_OR_WHERE_CLAUSE: apart,
  PROHIBITED_METRIC_IN_SELECT_OR_WHERE_CLAUSE: apart,
  PROHIBITED_SEGMENT_IN_SELECT_OR_WHERE_CLAUSE: apart,
  PROHIBITED_RESOURCE_TYPE_IN_SELECT_CLAUSE: apart,
  PROHIBITED_RESOURCE_TYPE_IN_WHERE_CLAUSE: apart,

  DEADLINE_EXCEEDED: recover('fewer_days'),
}

const byFamily: Readonly<Record<string, Verdict>> = {
  authenticationError: expired,
  authorizationError: lost,
  quotaError: usedUp,
  internalError: retry,
  // Before version 24 it was INVALID_DATE: days are available for 37 months.
  dateRangeError: final('history_limit'),
}

function byStatus(status: number): Verdict {
  if (status === 401) return renew
  if (status === 403) return lost
  if (status === 429) return rush
  if (status === 504) return recover('fewer_days')
  return status >= 500 ? retry : final('platform_error')
}
