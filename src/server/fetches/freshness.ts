import { todayIn } from '#shared/date-range.ts'
import { providers, type Provider } from '#shared/platforms.ts'
import type { ReportRequest } from '#server/connectors/connector.ts'

/**
 * For how many minutes a platform's response is as good as what it would respond now; 0: never shared. No
 * longer than from one quarter-hour, at which reports fall due, to the next but one, however slowly the
 * platform's numbers move.
 */
const TTL_MINUTES: Record<Provider, number> = {
  // Refreshed about every 15 minutes.
  meta: 15,
  // Clicks and cost lag by about three hours.
  google_ads: 30,
  ly_search: 15,
  // Preliminary numbers lag by four to five hours.
  ly_display: 30,
  // Nothing is documented of these three.
  yahoo_dsp: 10,
  tiktok: 10,
  line: 10,
  // Intraday numbers lag by four to eight hours.
  ga4: 30,
  // An archive of our own: asking it costs nothing.
  universal_analytics: 0,
}

/**
 * For days that lie behind the platform's attribution window. Their numbers stay for good; the names beside
 * them may change, and a login may be taken away: so a daily report does without asking every other time, and
 * no longer.
 */
const SETTLED_TTL_MINUTES = 26 * 60

export const isShared = ({ account }: ReportRequest) => TTL_MINUTES[account.provider] > 0

/** Whether the platform changes none of the days any more. */
export function isSettled({ account: { provider, timezone }, range }: ReportRequest, now: Date): boolean {
  const settledTo = Temporal.PlainDate.from(todayIn(timezone, now)).subtract({
    days: providers[provider].settles_after_days,
  })
  return range.end <= settledTo.toString()
}

export const ttlMinutes = (request: ReportRequest, now: Date) =>
  isSettled(request, now) ? SETTLED_TTL_MINUTES : TTL_MINUTES[request.account.provider]
