import { errorFacts, type ErrorCode } from '#shared/errors.ts'
import { backoffMs } from '#server/backoff.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'

/** A share cannot go on for a reason of our own. */
export class ShareFailure extends Error {
  override readonly name = 'ShareFailure'
  readonly code: ErrorCode
  constructor(code: ErrorCode) {
    super(code)
    this.code = code
  }
}

/** Rows that were about to be sent have been erased or replaced, or are destroyed: look again. */
export class ChunkGone extends Error {
  override readonly name = 'ChunkGone'
}

export interface FailureFacts {
  code: ErrorCode
  message: string | null
  request_id: string | null
}

export function failureFacts(error: unknown): FailureFacts {
  if (error instanceof PlatformFailure)
    return { code: error.code, message: error.platform_message, request_id: error.platform_request_id }
  return {
    code: error instanceof ShareFailure ? error.code : 'internal_error',
    message: null,
    request_id: null,
  }
}

/** When to try again after so many failures in a row; null: only a person can go on. */
export function retryAt(error: unknown, { failures, now }: { failures: number; now: Date }): Date | null {
  if (!errorFacts(failureFacts(error).code).retried || failures > MOST_FAILURES) return null
  const pause = backoffMs(failures, { first_ms: FIRST_PAUSE_MS, longest_ms: LONGEST_PAUSE_MS })
  const least = error instanceof PlatformFailure ? (error.retry_after_ms ?? 0) : 0
  return new Date(now.getTime() + Math.max(pause, least))
}

const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 3600_000
/** A day and a half. */
const MOST_FAILURES = 40

/** Found by a daily check, these end a share; anything else says nothing about the audience itself. */
export const stopsShare = (code: ErrorCode): boolean => stopping.has(code)

const stopping = new Set<ErrorCode>([
  'audience_gone',
  'audience_flagged',
  'account_inactive',
  'account_access_lost',
  'terms_not_accepted',
  'no_access',
  'read_only',
  'role_missing',
  'not_claimed_by_business',
  'not_eligible',
])
