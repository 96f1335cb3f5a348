import { catalogueOf } from '#shared/channels/all.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { channelIds } from '#shared/channels/ids.ts'
import type { DayRange } from '#shared/date-range.ts'
import { providers, type Provider } from '#shared/platforms.ts'

/** The metrics stored for each day; every ad channel has all of them. */
export const spendMetrics = ['cost', 'impressions', 'clicks', 'conversions'] as const

/** Channels with costs of their own: analytics only repeat what is imported. */
export const spendChannels: readonly Channel[] = channelIds.filter(channel => {
  const { accounts, accounts_of, metrics } = catalogueOf(channel)
  return accounts === 'ad_account' && accounts_of === undefined && spendMetrics.every(id => id in metrics)
})

/**
 * The overview's 30 days and the 30 before, each account’s first request; a day more for those whose zone is
 * ahead.
 */
const FIRST_DAYS = 62
/** As far back as days are kept: a year, and its first month a second time. */
export const RETENTION_DAYS = 400

/**
 * Further back a quarter at a time. LINE counts requests, and not what is in its files, which may cover five
 * years: all at once.
 */
const sliceOf = ({ provider }: Pick<KnownDays, 'provider'>) =>
  provider === 'line' ? { days: RETENTION_DAYS, months: MONTHS_BACK } : { days: 92, months: 3 }

/** The known days of an account. */
export interface KnownDays {
  provider: Provider
  known_from: string | null
  known_to: string | null
  settled_to: string | null
  refreshed_at: Date | null
}

/**
 * The days of an account to fetch next: first those that can still change and new ones, then older ones until
 * there are enough; null when there are. `is_fresh`: the newest ones have just been fetched.
 */
export function daysToAsk(
  { provider, known_from, known_to, settled_to }: KnownDays,
  { today, is_fresh }: { today: string; is_fresh: boolean },
): DayRange | null {
  const floor = minus(today, RETENTION_DAYS - 1)
  if (known_from === null || known_to === null) return { start: minus(today, FIRST_DAYS - 1), end: today }
  if (!is_fresh) {
    const unsettled = settled_to === null ? known_from : minus(settled_to, -1)
    return { start: latest(floor, known_from, unsettled < known_to ? unsettled : known_to), end: today }
  }
  if (known_from <= floor) return null
  return { start: latest(floor, minus(known_from, sliceOf({ provider }).days)), end: minus(known_from, 1) }
}

/**
 * Statements go back further than days are kept: so many whole months before the running one are asked for,
 * as long as the charts of two years and the month before them need.
 */
export const MONTHS_BACK = 25

export interface KnownMonths {
  /** First days of the months before the kept days of which the cost is known, or known not to be told. */
  known_months: readonly string[]
}

/**
 * The months to ask for as such, from the newest back, once there are enough days: those that begin before
 * the first known day; the first days of one slice, null when there is none.
 */
export function monthsToAsk(
  { provider, known_from, known_months }: Pick<KnownDays, 'provider' | 'known_from'> & KnownMonths,
  today: string,
): string[] | null {
  if (known_from === null || known_from > minus(today, RETENTION_DAYS - 1)) return null
  const slice: string[] = []
  for (const month of olderMonths({ known_from, today })) {
    if (!known_months.includes(month)) slice.unshift(month)
    else if (slice.length > 0) return slice
    if (slice.length === sliceOf({ provider }).months) return slice
  }
  return slice.length > 0 ? slice : null
}

/** The months that days do not cover, the newest first. */
function olderMonths({ known_from, today }: { known_from: string; today: string }): string[] {
  const running = Temporal.PlainYearMonth.from(today)
  const months = Array.from({ length: MONTHS_BACK }, (_, back) =>
    firstDayOf(running.subtract({ months: back + 1 })),
  )
  return months.filter(month => month < known_from)
}

/** Those that a platform without data before the first of some months cannot tell either. */
export const monthsUpTo = (
  month: string,
  { known_from, today }: { known_from: string; today: string },
): string[] => olderMonths({ known_from, today }).filter(older => older <= month)

const firstDayOf = (month: Temporal.PlainYearMonth) => month.toPlainDate({ day: 1 }).toString()

/** The days of whole months, one after another. */
export const daysOfMonths = (months: readonly string[]): DayRange => {
  const last = Temporal.PlainDate.from(months.at(-1) ?? '')
  return { start: months[0] ?? '', end: last.with({ day: last.daysInMonth }).toString() }
}

/** The known days once a range was fetched. */
export function knownAfter(
  before: KnownDays,
  { start, end }: DayRange,
  { provider, today }: { provider: Provider; today: string },
): Pick<KnownDays, 'known_from' | 'known_to' | 'settled_to'> {
  const { known_from, known_to, settled_to } = before
  if (end < today) return { known_from: start, known_to: known_to ?? end, settled_to }
  // After a long downtime there may be days between that are not fetched any more.
  const joins = known_from !== null && known_to !== null && start <= minus(known_to, -1)
  return {
    known_from: joins && known_from < start ? known_from : start,
    known_to: end,
    settled_to: latest(settled_to ?? '', minus(today, providers[provider].settles_after_days)),
  }
}

/**
 * The days that are known of all accounts and over in each of their zones: the newest known day of an account
 * was not, when it was fetched. Without those that have never been fetched or could not be lately, which are
 * counted on their own.
 */
export function completeDays(
  accounts: readonly (Pick<KnownDays, 'known_from' | 'known_to'> & { code: string | null })[],
): { from: string; to: string } | null {
  const known = accounts.filter(({ code, known_to }) => code === null && known_to !== null)
  if (known.length === 0) return null
  const from = latest(...known.map(({ known_from }) => known_from ?? ''))
  const to = minus(known.map(({ known_to }) => known_to ?? '').toSorted()[0] ?? '', 1)
  return from <= to ? { from, to } : null
}

const minus = (day: string, days: number) => Temporal.PlainDate.from(day).subtract({ days }).toString()
const latest = (...days: string[]) => days.toSorted().at(-1) ?? ''
