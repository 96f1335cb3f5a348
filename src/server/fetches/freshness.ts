import { todayIn } from '#shared/date-range.ts'
import { providers, type Provider } from '#shared/platforms.ts'
import type { ReportRequest } from '#server/connectors/connector.ts'

/**
 * For how many minutes a platform's response is considered current; 0: never shared. No longer than two
 * quarter-hours, at which reports fall due, however slowly the platform's numbers change.
 */
const TTL_MINUTES: Record<Provider, number> = {
  // Refreshed about every 15 minutes.
  meta: 15,
  // Clicks and cost lag by about three hours.
  google_ads: 30,
  ly_search: 15,
  // Preliminary numbers lag by four to five hours.
  ly_display: 30,
  // These three document nothing.
  yahoo_dsp: 10,
  tiktok: 10,
  line: 10,
  // Intraday numbers lag by four to eight hours.
  ga4: 30,
  // An archive of our own: reading it costs nothing.
  universal_analytics: 0,
}

/**
 * For days behind the platform's attribution window. Their numbers are final; the names beside them may
 * change, and a login may be revoked: so a daily report skips every other fetch, and no more.
 */
const SETTLED_TTL_MINUTES = 26 * 60

export const isShared = ({ account }: ReportRequest) => TTL_MINUTES[account.provider] > 0

/** Whether all of the days are final at the platform. */
export function isSettled({ account: { provider, timezone }, range }: ReportRequest, now: Date): boolean {
  const settledTo = Temporal.PlainDate.from(todayIn(timezone, now)).subtract({
    days: providers[provider].settles_after_days,
  })
  return range.end <= settledTo.toString()
}

export const ttlMinutes = (request: ReportRequest, now: Date) =>
  isSettled(request, now) ? SETTLED_TTL_MINUTES : TTL_MINUTES[request.account.provider]
