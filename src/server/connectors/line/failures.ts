import { PlatformFailure, type PlatformErrorCode } from '#server/connectors/connector.ts'
import { lookup } from '#server/connectors/kit/lookup.ts'
import type { Refusals } from './schema.ts'

/** A refusal in LINE's own words; the connector can help itself against some of them. */
export class Refusal extends PlatformFailure {
  readonly reason: string
  constructor(code: PlatformErrorCode, { reason, property, status }: RefusalFacts) {
    const where = property === undefined ? '' : ` (${property})`
    super(code, { platform_message: `${reason}${where} [HTTP ${status}]` })
    this.reason = reason
  }
}

interface RefusalFacts {
  reason: string
  property?: string | undefined
  status: number
}

export const isRefusal = (error: unknown, ...reasons: string[]): error is Refusal =>
  error instanceof Refusal && reasons.includes(error.reason)

/** retry: worth a few quick attempts. unsigned: the key, or our clock; once more tells. */
export interface Verdict {
  kind: 'retry' | 'unsigned' | 'final'
  failure: PlatformFailure
}

/** What a refusal means: told by its reason, and by its status only where the reason is nobody's. */
export function classify(status: number, refusals: Refusals): Verdict {
  const known = refusals.find(({ reason }) => Object.hasOwn(byReason, reason))
  const { reason, property } = known ?? refusals[0] ?? { reason: 'without a reason' }
  const code = lookup(byReason, reason) ?? byStatus(status)
  const facts = { reason: spoken(reason), property: property && spoken(property), status }
  if (code === 'unsigned') return { kind: 'unsigned', failure: new Refusal('credential_expired', facts) }
  if (code === 'retry') return { kind: 'retry', failure: new Refusal('platform_unavailable', facts) }
  return { kind: 'final', failure: new Refusal(code, facts) }
}

/** An answer that is neither the one wanted nor a refusal in LINE's form comes from something in between. */
export function classifyStatus(status: number, path: string): Verdict {
  const facts = { platform_message: `${path}: HTTP ${status}` }
  if (status === 504) return { kind: 'retry', failure: new PlatformFailure('platform_timeout', facts) }
  const code = byStatus(status)
  if (code === 'unsigned')
    return { kind: 'unsigned', failure: new PlatformFailure('credential_expired', facts) }
  if (code === 'retry') return { kind: 'retry', failure: new PlatformFailure('platform_unavailable', facts) }
  return { kind: 'final', failure: new PlatformFailure(code, facts) }
}

/** Reasons and properties are words of LINE's; what looks otherwise is not repeated, whatever it may hold. */
const spoken = (word: string) => (/^[\w .[\]-]{1,100}$/.test(word) ? word : '…')

function byStatus(status: number): PlatformErrorCode | 'retry' | 'unsigned' {
  if (status === 401) return 'unsigned'
  if (status === 403) return 'account_access_lost'
  return status >= 500 ? 'retry' : 'platform_error'
}

const byReason: Readonly<Record<string, PlatformErrorCode | 'retry' | 'unsigned'>> = {
  AUTHENTICATION_FAILED: 'unsigned',
  AUTHORIZATION_FAILED: 'account_access_lost',
  PARTNER_PERMISSION_DENIED: 'account_access_lost',
  ACCOUNT_NOT_ALLOWED: 'account_access_lost',
  V2_API_AUTHORIZATION_FAILED: 'platform_error',

  ENTITY_NOT_FOUND_INVALID_ID: 'account_access_lost',
  INVALID_ACCOUNT_ID: 'account_access_lost',
  INVALID_GROUP_ID: 'account_access_lost',
  INVALID_CAMPAIGN_ID: 'account_access_lost',
  REMOVED_ENTITY: 'account_access_lost',

  REQUEST_INPUT_START_DATE_TOO_PAST: 'history_limit',
  REQUEST_INPUT_PERIOD_LONGER_THAN_ONE_MONTH: 'too_large',
  REQUEST_INPUT_START_END_DATE_REVERSED: 'platform_error',
  REQUEST_INPUT_FUTURE: 'platform_error',
  CANNOT_SPECIFY_DELIVERY_TYPE_ON_AD_REPORT: 'combination_not_allowed',

  CANNOT_DOWNLOAD_REPORT: 'platform_error',
  LOCK_DEFAULT: 'retry',
  BLOCKED_BY_EXCEEDING_TIME_LIMIT: 'retry',
  UNKNOWN: 'retry',
}
