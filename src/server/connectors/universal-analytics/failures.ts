import { final, quota, renew, retry, type Verdict } from '#server/connectors/kit/failures.ts'
import { isAboutLogin } from '#server/connectors/kit/google-refusal.ts'

/** What was refused, as far as it counts. */
export interface Refused {
  status: number
  /** The platform's own words; null when the response is not its JSON. */
  message: string | null
  /** The word of the management API, such as userRateLimitExceeded. */
  reason: string | null
}

/**
 * How the hosts respond after the shutdown is documented nowhere, so every way of being gone counts: 410, a
 * path that exists no more, a page instead of JSON, or a refusal that says so. None of them is ever retried.
 */
export function classify(refusal: Refused): Verdict {
  const { status, message, reason } = refusal
  const words = message ?? ''
  const isGone = status === 403 && (message === null || SHUT_DOWN.test(message))
  if (status === 404 || status === 410 || isGone) return final('channel_retired')
  if (status === 401) return renew
  if (status === 429 || isQuota(refusal)) return quotaVerdict(`${reason} ${words}`)
  if (status === 403) {
    const reasons = reason === null ? [] : [reason]
    return final(isAboutLogin({ reasons, message: words }) ? 'credential_expired' : 'account_access_lost')
  }
  if (status === 400 && /cannot be queried together/i.test(words)) return final('combination_not_allowed')
  if (status === 400 && /earliest date|start ?date/i.test(words)) return final('history_limit')
  return status >= 500 ? retry : final('platform_error')
}

const SHUT_DOWN = /shut ?down|turned (down|off)|sunset|discontinued|no longer (available|supported|exists)/i

/** The management API refuses by 403 what the reporting API refuses by 429. */
const isQuota = ({ status, reason }: Refused) =>
  status === 403 && /(limit|quota)exceeded$/i.test(reason ?? '')

/**
 * No response says how long to wait. The windows are a day and 100 seconds; ten requests may be about one
 * view at once.
 */
function quotaVerdict(words: string): Verdict {
  if (/concurrent/i.test(words)) return quota('account', 10_000)
  const isDaily = /per ?day|daily|quotaExceeded/i.test(words)
  const key = /view|profile/i.test(words) ? 'account' : /user/i.test(words) ? 'credential' : 'app'
  return quota(key, isDaily ? 3_600_000 : 100_000)
}
