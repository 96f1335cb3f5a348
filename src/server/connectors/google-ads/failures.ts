import { PlatformFailure, type PlatformErrorCode } from '#server/connectors/connector.ts'
import { lookup } from '#server/connectors/kit/lookup.ts'
import { isAboutLogin } from '#server/connectors/kit/google-refusal.ts'
import type { Refusal } from './refusal.ts'

/** What a refusal means for us. */
export type Verdict =
  /** Worth a few quick attempts. */
  | { kind: 'retry' }
  /** The token is not taken; a new one may be. */
  | { kind: 'token' }
  /** Not through this manager. */
  | { kind: 'unreachable' }
  /** `short`: a quick attempt after the wait is what Google advises. */
  | { kind: 'quota'; pauses: 'asked' | 'nothing'; usual_wait_ms: number; short: boolean }
  | { kind: 'recover'; recovery: Recovery }
  | { kind: 'final'; code: PlatformErrorCode }

/** How the connector recovers by itself: page again from the start, ask for fewer days. */
export type Recovery = 'restart_paging' | 'fewer_days'

/**
 * A refusal from which the connector can recover. Where no way is left it ends the fetch as the failure that
 * it also is.
 */
export class RecoverableFailure extends PlatformFailure {
  readonly recovery: Recovery
  constructor(recovery: Recovery, facts: ConstructorParameters<typeof PlatformFailure>[1] = {}) {
    super(recovery === 'fewer_days' ? 'platform_timeout' : 'platform_error', facts)
    this.recovery = recovery
  }
}

/** The account is not reached through the manager that was named; another one may lead there. */
export class Unreachable extends PlatformFailure {
  constructor(facts: ConstructorParameters<typeof PlatformFailure>[1] = {}) {
    super('account_access_lost', facts)
  }
}

/** By the code of the service, or the reason of what stands in front of it. */
export function classify({ family, code, status, is_googles, facts }: Refusal): Verdict {
  // Whatever forbids in between knows nothing of accounts, and must not make one of them disappear.
  if (status === 403 && !is_googles) return final('platform_error')
  if (status === 403 && isAboutLogin({ reasons: [code], message: facts.platform_message })) return expired
  return lookup(byCode, code) ?? lookup(byFamily, family) ?? byStatus(status)
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const retry: Verdict = { kind: 'retry' }
const token: Verdict = { kind: 'token' }
const unreachable: Verdict = { kind: 'unreachable' }
const recover = (recovery: Recovery): Verdict => ({ kind: 'recover', recovery })
const final = (code: PlatformErrorCode): Verdict => ({ kind: 'final', code })
// The waits hold where Google states none.
const rush: Verdict = { kind: 'quota', pauses: 'asked', usual_wait_ms: 5 * SECOND, short: true }
const used_up: Verdict = { kind: 'quota', pauses: 'asked', usual_wait_ms: HOUR, short: false }
/** Only queries of this shape are held back: others may go on. */
const tooCostly = (usual_wait_ms: number): Verdict => ({
  kind: 'quota',
  pauses: 'nothing',
  usual_wait_ms,
  short: false,
})

const expired = final('credential_expired')
const lost = final('account_access_lost')
const apart = final('combination_not_allowed')

const byCode: Readonly<Record<string, Verdict>> = {
  OAUTH_TOKEN_EXPIRED: token,
  OAUTH_TOKEN_INVALID: token,
  ACCESS_TOKEN_EXPIRED: token,
  ACCESS_TOKEN_TYPE_UNSUPPORTED: token,
  OAUTH_TOKEN_REVOKED: expired,
  OAUTH_TOKEN_DISABLED: expired,
  GOOGLE_ACCOUNT_DELETED: expired,
  TWO_STEP_VERIFICATION_NOT_ENROLLED: expired,
  ADVANCED_PROTECTION_NOT_ENROLLED: expired,
  NOT_ADS_USER: expired,

  // What Google has granted to the Cloud project: only whoever keeps the shared login can mend it.
  DEVELOPER_TOKEN_NOT_APPROVED: expired,
  DEVELOPER_TOKEN_PROHIBITED: expired,
  CLOUD_PROJECT_NOT_APPROVED_FOR_PRODUCTION: expired,
  PROJECT_DISABLED: expired,

  USER_PERMISSION_DENIED: unreachable,
  INVALID_LOGIN_CUSTOMER_ID_SERVING_CUSTOMER_ID_COMBINATION: unreachable,
  INVALID_LOGIN_CUSTOMER_ID: unreachable,
  LOGIN_CUSTOMER_ID_PARAMETER_MISSING: unreachable,
  CUSTOMER_NOT_FOUND: lost,
  CLIENT_CUSTOMER_ID_INVALID: lost,
  INVALID_CUSTOMER_ID: lost,
  CUSTOMER_NOT_ENABLED: lost,
  ACTION_NOT_PERMITTED_FOR_SUSPENDED_ACCOUNT: lost,
  ACCESS_DENIED_FOR_ACCOUNT_TYPE: lost,
  METRIC_ACCESS_DENIED: apart,

  RESOURCE_TEMPORARILY_EXHAUSTED: rush,
  RESOURCE_EXHAUSTED: used_up,
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
  quotaError: used_up,
  internalError: retry,
  // Before version 24 it was INVALID_DATE: days are kept for 37 months.
  dateRangeError: final('history_limit'),
}

function byStatus(status: number): Verdict {
  if (status === 401) return token
  if (status === 403) return lost
  if (status === 429) return rush
  if (status === 504) return recover('fewer_days')
  return status >= 500 ? retry : final('platform_error')
}
