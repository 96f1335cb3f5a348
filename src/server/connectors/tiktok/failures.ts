import { final, isRefusal, quota, retry, type Verdict } from '#server/connectors/kit/failures.ts'

export const TASK_ERROR = '40200'
export const TASK_NOT_READY = '40201'
export const NOT_FOUND = '40007'

export function classify(code: number, message: string): Verdict {
  if (code === 40000 || code === 40002) return ofParameters(message)
  return byCode[code] ?? final('platform_error')
}

/** One code for whatever is wrong with a request, a deleted account included: only the text says which. */
function ofParameters(message: string): Verdict {
  if (/doesn't exist or has been deleted/i.test(message)) return final('account_access_lost')
  if (/\b(metric|dimension)s?\b/i.test(message)) return final('combination_not_allowed')
  return final('platform_error')
}

/** Which of the three limits of an app was hit is in the text alone: a second's, a minute's, a day's. */
export function windowOf(message: string): 'minute' | 'day' | null {
  if (/\bQPM\b|per minute/i.test(message)) return 'minute'
  return /\bQPD\b|daily|per day/i.test(message) ? 'day' : null
}

/** What refusals mean where audiences are concerned. */
export const byReasonOfAudiences = {
  [NOT_FOUND]: 'audience_gone',
  40300: 'account_inactive',
  40301: 'account_inactive',
} as const

/** An update is refused in words alone: when an audience would be too small to be used … */
export const leavesTooFew = (error: unknown) =>
  isRefusal(error, '40002') && /(less|fewer|lower|smaller) than 1,?000\b/i.test(error.message)
/** … and while another one is under way. */
export const isBeingUpdated = (error: unknown) =>
  isRefusal(error, '40002') && /being (updated|replaced|calculated|processed)/i.test(error.message)

const MINUTE = 60_000
const byCode: Readonly<Record<string, Verdict>> = {
  40001: final('account_access_lost'),
  40106: final('account_access_lost'),
  40119: final('account_access_lost'),
  40125: final('account_access_lost'),
  40300: final('account_access_lost'),
  40301: final('account_access_lost'),
  40101: final('credential_expired'),
  40102: final('credential_expired'),
  40104: final('credential_expired'),
  40105: final('credential_expired'),
  40107: final('credential_expired'),
  40110: final('credential_expired'),
  40113: final('credential_expired'),
  40202: retry,
  50000: retry,
  50002: retry,
  51305: retry,
  // Maintenance.
  60001: { kind: 'final', code: 'platform_unavailable', retry_after_ms: 15 * MINUTE },
  [TASK_ERROR]: final('platform_unavailable'),
  [TASK_NOT_READY]: final('platform_unavailable'),
  40016: quota('app', MINUTE),
  40100: quota('app', MINUTE),
  40132: quota('account', MINUTE),
  40133: quota('account', MINUTE),
}
