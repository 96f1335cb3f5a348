import type { Spend, SpendSeries } from '#shared/api/spend.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { currencyDecimals, MILLIONTHS } from '#shared/money.ts'
import type { PeriodDays } from './spend-periods.ts'

/** The spend of one channel, or of all, over the days of a period and over those before. */
export interface Compared {
  now: number
  /** null: not all of those days are known. */
  before: number | null
}

export interface CurrencySpend {
  currency: string
  /** Of the period. */
  days: string[]
  /** In currency units, the costliest channel first. */
  channels: (Compared & { channel: Channel; by_day: (number | null)[] })[]
  total: Compared
  /** All channels together, by day, over the days before; as many as the period has. */
  before_by_day: (number | null)[]
}

type Answer = Pick<Spend, 'days' | 'series' | 'complete' | 'home_currency'>

/**
 * Compares a period with the days before, separately for each currency, since there are no rates to convert
 * them with: the agency's own first, then that of the most accounts.
 */
export function comparePeriods(spend: Answer, period: PeriodDays): CurrencySpend[] {
  const weight = (series: readonly SpendSeries[]) => series.reduce((sum, row) => sum + row.accounts, 0)
  const home = (currency: string) => (currency === spend.home_currency ? 0 : 1)
  return [...Map.groupBy(spend.series, row => row.currency)]
    .toSorted(([a, ofA], [b, ofB]) => home(a) - home(b) || weight(ofB) - weight(ofA) || (a < b ? -1 : 1))
    .map(([currency, series]) => ofCurrency(currency, series, { spend, period }))
}

function ofCurrency(
  currency: string,
  series: readonly SpendSeries[],
  { spend: { days, complete }, period: { now, before } }: { spend: Answer; period: PeriodDays },
): CurrencySpend {
  const slice = <Value>(values: readonly Value[], range: { start: string; end: string } | null) =>
    range === null ? [] : values.filter((_, at) => isWithin(days[at], range))
  // Days that only some accounts have would make every comparison a rise.
  const isKnown = complete !== null && complete.from <= before.start
  const compared = (costs: readonly (readonly (number | null)[])[]): Compared => ({
    now: inUnits(sumOf(costs.flatMap(cost => slice(cost, now)))),
    before: isKnown ? inUnits(sumOf(costs.flatMap(cost => slice(cost, before)))) : null,
  })
  const channels = series.flatMap(({ channel, cost }) =>
    channel === null
      ? []
      : [{ channel, by_day: slice(cost, now).map(value => value && inUnits(value)), ...compared([cost]) }],
  )
  const costs = series.map(({ cost }) => slice(cost, before))
  return {
    currency,
    days: slice(days, now),
    channels: channels.toSorted((a, b) => b.now - a.now),
    total: compared(series.map(({ cost }) => cost)),
    before_by_day: slice(days, now).map((_, at) => {
      const known = costs.map(cost => cost[at] ?? null)
      return !isKnown || known.includes(null) ? null : inUnits(sumOf(known))
    }),
  }
}

const isWithin = (day: string | undefined, { start, end }: { start: string; end: string }) =>
  day !== undefined && start <= day && day <= end
const sumOf = (cost: readonly (number | null)[]) => cost.reduce<number>((sum, value) => sum + (value ?? 0), 0)
const inUnits = (millionths: number) => millionths / MILLIONTHS

/** By how much the days have changed, as a share; null where there is nothing to compare with. */
export const changeOf = ({ now, before }: Compared): number | null =>
  before === null || before === 0 ? null : (now - before) / before

/** "NT$12,345", with the currency's own decimals where there are few of them. */
export function moneyText(value: number, currency: string, language: string): string {
  const digits = Math.abs(value) >= 1000 ? 0 : currencyDecimals(currency)
  return value.toLocaleString(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}
