import type { PlatformErrorCode } from '#server/connectors/connector.ts'
import { final, quota, renew, retry, type Verdict } from '#server/connectors/kit/failures.ts'
import { isAboutLogin } from '#server/connectors/kit/google-refusal.ts'
import type { Ga4Error } from './schema.ts'

/**
 * By the HTTP status, Google's own name of it, and how the message begins: there is nothing better. Without a
 * name it is not Google who refuses.
 */
export function classify(httpStatus: number, error: Ga4Error, now: Date): Verdict {
  if (httpStatus === 429 || error.status === 'RESOURCE_EXHAUSTED')
    return quota('all', waitFor(error.message, now))
  if (httpStatus === 401) return renew
  if (httpStatus === 504) return { kind: 'retry', code: 'platform_timeout' }
  if (httpStatus >= 500) return retry
  if (httpStatus === 400) return final(whyInvalid(error.message))
  if (error.status === 'PERMISSION_DENIED') return final(whyForbidden(error))
  if (error.status === 'NOT_FOUND') return final('account_access_lost')
  return final('platform_error')
}

/**
 * Google states no wait but in words. Hourly quotas come back within the hour; the daily one at midnight
 * Pacific.
 */
function waitFor(message: string, now: Date): number {
  if (/concurrent requests/i.test(message)) return 30_000
  // The Admin API, which has a quota a minute.
  if (/per minute/i.test(message)) return 60_000
  if (/per day/i.test(message)) return untilMidnightPacific(now)
  if (/server errors/i.test(message)) return HOUR
  return HALF_HOUR
}

const HOUR = 3_600_000
/** For what an unknown quota is taken as, too. */
export const HALF_HOUR = HOUR / 2

function untilMidnightPacific(now: Date): number {
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('America/Los_Angeles')
  return here.add({ days: 1 }).startOfDay().epochMilliseconds - now.getTime()
}

function whyForbidden({ message, details }: Ga4Error): PlatformErrorCode {
  const reasons = details.flatMap(({ reason }) => reason ?? [])
  return isAboutLogin({ reasons, message }) ? 'credential_expired' : 'account_access_lost'
}

function whyInvalid(message: string): PlatformErrorCode {
  // A custom dimension is registered in some properties only, and a metric may be missing from a property.
  if (/is not a valid (dimension|metric)/i.test(message)) return 'combination_not_allowed'
  if (/incompatible/i.test(message)) return 'combination_not_allowed'
  if (/earliest supported date|start ?date/i.test(message)) return 'history_limit'
  return 'platform_error'
}
