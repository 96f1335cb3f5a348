import type { Spend, SpendSeries } from '#shared/api/spend.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { currencyDecimals, MILLIONTHS } from '#shared/money.ts'

/** The spend of one channel, or of all, over the last days and over as many before. */
export interface Compared {
  now: number
  /** null: not all of those days are known. */
  before: number | null
}

export interface CurrencySpend {
  currency: string
  accounts: number
  /** The last half of the response's days. */
  days: string[]
  /** In currency units, the costliest channel first. */
  channels: (Compared & { channel: Channel; by_day: (number | null)[] })[]
  total: Compared
  /** All channels together, by day, over the half before. */
  before_by_day: (number | null)[]
}

/**
 * Compares the two halves of a response, separately for each currency; the currency of the most accounts
 * comes first.
 */
export function compareHalves({ days, series }: Pick<Spend, 'days' | 'series'>): CurrencySpend[] {
  const half = days.length / 2
  return [...Map.groupBy(series, row => row.currency)]
    .map(([currency, own]) => ofCurrency(currency, own, { days, half }))
    .toSorted((a, b) => b.accounts - a.accounts || (a.currency < b.currency ? -1 : 1))
}

function ofCurrency(
  currency: string,
  series: readonly SpendSeries[],
  { days, half }: { days: readonly string[]; half: number },
): CurrencySpend {
  const channels = series.flatMap(({ channel, cost }) =>
    channel === null
      ? []
      : [
          {
            channel,
            by_day: cost.slice(half).map(inUnits),
            now: inUnits(sumOf(cost.slice(half))) ?? 0,
            before: cost.slice(0, half).includes(null) ? null : inUnits(sumOf(cost.slice(0, half))),
          },
        ],
  )
  const before = series.map(({ cost }) => cost.slice(0, half))
  const isKnown = before.every(cost => !cost.includes(null))
  return {
    currency,
    accounts: series.reduce((sum, row) => sum + row.accounts, 0),
    days: days.slice(half),
    channels: channels.toSorted((a, b) => b.now - a.now),
    total: {
      now: inUnits(series.reduce((sum, { cost }) => sum + sumOf(cost.slice(half)), 0)) ?? 0,
      before: isKnown ? inUnits(before.reduce((sum, cost) => sum + sumOf(cost), 0)) : null,
    },
    before_by_day: days.slice(0, half).map((_, at) => {
      const known = before.map(cost => cost[at] ?? null)
      return known.includes(null) ? null : inUnits(sumOf(known))
    }),
  }
}

const sumOf = (cost: readonly (number | null)[]) => cost.reduce<number>((sum, value) => sum + (value ?? 0), 0)
const inUnits = (millionths: number | null) => (millionths === null ? null : millionths / MILLIONTHS)

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
