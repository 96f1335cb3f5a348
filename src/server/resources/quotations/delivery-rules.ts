import type { Delivery } from '#shared/api/quotations.ts'
import { convert } from '#shared/billing/rate.ts'
import type { AccountDays, DeliveryAccount } from './delivery-queries.ts'

export type DeliveryCode = Delivery['lines'][number]['code']

/** Within a month of a line: what an account has cost in these days. */
export interface MonthPart extends AccountDays {
  month: string
  /** Where that is known: by day, as a whole month, or not at all. */
  known: 'days' | 'month' | 'nowhere'
}

/** How old the newest days of an account may be before they count as missing. */
const MOST_LAG_DAYS = 3

const plus = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).toString()
const earlier = (one: string, other: string) => (one < other ? one : other)

/** The last day that is known as a whole: the newest one was not over when it was fetched. */
const lastWhole = ({ known_to }: Pick<DeliveryAccount, 'known_to'>) => known_to && plus(known_to, -1)

/** The last day that counts: yesterday, or the day before the ones that are still to be fetched. */
export function throughOf(
  running: readonly { end: string; account: Pick<DeliveryAccount, 'known_to'> }[],
  yesterday: string,
): string {
  const lags = running.flatMap(({ end, account }) => {
    const last = lastWhole(account)
    const isLate = last !== null && last < earlier(end, yesterday)
    return isLate && last >= plus(yesterday, -MOST_LAG_DAYS) ? [last] : []
  })
  return lags.reduce(earlier, yesterday)
}

/** A line's days in an account, month by month. */
export function monthsOf(
  line: { start: string; end: string },
  account: DeliveryAccount,
  through: string,
): MonthPart[] {
  const last = earlier(line.end, through)
  const parts: MonthPart[] = []
  for (let first = line.start; first <= last;) {
    const month = Temporal.PlainYearMonth.from(first.slice(0, 7))
    const lastOfMonth = month.toPlainDate({ day: month.daysInMonth }).toString()
    const end = earlier(lastOfMonth, last)
    const isWhole = first.endsWith('-01') && end === lastOfMonth
    const known = areDaysKnown(account, { first, end }) ? 'days' : isWhole ? 'month' : 'nowhere'
    parts.push({ ad_account: account.ad_account, month: month.toString(), start: first, end, known })
    first = plus(end, 1)
  }
  return parts
}

function areDaysKnown(account: DeliveryAccount, { first, end }: { first: string; end: string }) {
  const last = lastWhole(account)
  return account.known_from !== null && last !== null && account.known_from <= first && end <= last
}

/** A month's cost in the order's currency, to the millionth. */
export function inCurrency(
  cost: bigint,
  { from, to, rates }: { from: string; to: string; rates: ReadonlyMap<string, string> },
): bigint | null {
  if (from === to || cost === 0n) return cost
  const [own, other] = [rates.get(from), rates.get(to)]
  return own === undefined || other === undefined ? null : convert(cost, { from: own, to: other, step: 1n })
}

/** The days of a line in each month, until a day. */
export function daysByMonth(line: { start: string; end: string }, until: string): Map<string, number> {
  const days = new Map<string, number>()
  const last = earlier(line.end, until)
  for (let first = line.start; first <= last;) {
    const month = Temporal.PlainYearMonth.from(first.slice(0, 7))
    const end = earlier(month.toPlainDate({ day: month.daysInMonth }).toString(), last)
    days.set(month.toString(), Temporal.PlainDate.from(first).until(end, { largestUnit: 'days' }).days + 1)
    first = plus(end, 1)
  }
  return days
}
