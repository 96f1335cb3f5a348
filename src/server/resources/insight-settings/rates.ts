import { plusMonths } from '#shared/month.ts'

export interface RateRow {
  /** yyyy-MM */
  month: string
  currency: string
  /** Base units for one, as decimal text. */
  rate: string
  kind: 'final' | 'provisional'
}

export interface MonthRates {
  rates: ReadonlyMap<string, string>
  /** Currencies whose rate can still change. */
  provisional: ReadonlySet<string>
}

/** Until this day of a month the one before may lack its rates. */
const LAST_DAY_WITHOUT = 10

/**
 * The rates of a month. The running month, and the last one until the tenth, take the latest earlier rate
 * of a currency that has none of its own.
 */
export function ratesOf(
  rows: readonly RateRow[],
  { month, today, base }: { month: string; today: string; base: string },
): MonthRates {
  const rates = new Map<string, string>()
  const provisional = new Set<string>()
  const latest = rows
    .filter(row => row.month <= month)
    .toSorted((one, other) => (one.month < other.month ? -1 : 1))
  for (const row of latest) {
    if (row.month < month && !mayLackRates(month, today)) continue
    rates.set(row.currency, row.rate)
    if (row.month < month || row.kind === 'provisional') provisional.add(row.currency)
    else provisional.delete(row.currency)
  }
  rates.set(base, '1')
  provisional.delete(base)
  return { rates, provisional }
}

function mayLackRates(month: string, today: string): boolean {
  const running = today.slice(0, 7)
  return month >= running || (month === plusMonths(running, -1) && Number(today.slice(8)) <= LAST_DAY_WITHOUT)
}
