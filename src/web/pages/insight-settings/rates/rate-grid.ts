import type { ExchangeRate } from '#shared/api/insight-settings.ts'
import { monthsLater } from '#web/ui/month.ts'
import type { Rates } from './data.ts'

/** What there is for a month and currency. */
export type RateCell =
  | { kind: 'known'; rate: ExchangeRate }
  /** The month has not ended, or not long ago: the latest rate is taken for the time being. */
  | { kind: 'carried'; rate: ExchangeRate }
  | { kind: 'missing' }

export interface RateGrid {
  /** From the running month back. */
  months: readonly string[]
  currencies: readonly string[]
  cell: (month: string, currency: string) => RateCell
}

/** On the tenth the last month is expected to have its final rate. */
const LAST_PROVISIONAL_DAY = 10

/** Months by currencies: those of the accounts first, then those that have a rate, then `more`. */
export function rateGrid(
  { base, in_use: inUse, rates }: Rates,
  { today, months, more }: { today: string; months: readonly string[]; more: readonly string[] },
): RateGrid {
  const byPlace = new Map(rates.map(rate => [placeOf(rate.month, rate.currency), rate]))
  const others = rates.map(({ currency }) => currency).toSorted()
  const currencies = [...new Set([...inUse, ...others, ...more])].filter(currency => currency !== base)
  const running = today.slice(0, 7)
  const last = monthsLater(running, -1)
  const isProvisional = (month: string) =>
    month === running || (month === last && Number(today.slice(8)) <= LAST_PROVISIONAL_DAY)
  const cell = (month: string, currency: string): RateCell => {
    const rate = byPlace.get(placeOf(month, currency))
    if (rate) return { kind: 'known', rate }
    const latest = isProvisional(month) && latestBefore(rates, month, currency)
    return latest ? { kind: 'carried', rate: latest } : { kind: 'missing' }
  }
  return { months, currencies, cell }
}

const placeOf = (month: string, currency: string) => `${month} ${currency}`

function latestBefore(rates: Rates['rates'], month: string, currency: string): ExchangeRate | undefined {
  return rates
    .filter(rate => rate.currency === currency && rate.month < month)
    .toSorted((one, other) => (one.month < other.month ? 1 : -1))[0]
}

/** How many past months have no rate of a currency that accounts spend in. */
export const gapsIn = ({ months, cell }: RateGrid, inUse: readonly string[], base: string) =>
  inUse
    .filter(currency => currency !== base)
    .reduce(
      (sum, currency) => sum + months.filter(month => cell(month, currency).kind === 'missing').length,
      0,
    )

/** Decimal text above 0 as the server takes it; null: it is none. */
export function readRate(typed: string): string | null {
  const text = typed.trim()
  return /^\d{1,10}(\.\d{1,10})?$/.test(text) && Number(text) > 0 ? text : null
}
