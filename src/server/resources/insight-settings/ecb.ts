import { crossRate, isRate } from '#shared/billing/rate.ts'
import { hasSurplus } from '#server/import-file.ts'
import type { ReadRates } from './rate-files.ts'
import type { RateRow } from './rates.ts'

/**
 * The history of the European Central Bank: a day a line, the newest first, units of each currency for one
 * euro. N/A where there is none. The last day of each month counts.
 *
 *   Date,USD,JPY,BGN,…
 *   2026-11-20,1.1532,180.41,N/A,…
 */
export function readEcb(lines: readonly string[][], options: EcbOptions): ReadRates {
  const [header = []] = lines
  const read: ReadRates = { rates: [], problems: [] }
  for (const day of lastDays(lines, options)) {
    if (hasSurplus(day.cells, header)) {
      read.problems.push({ row: day.row, field: 'Date', code: 'field_invalid' })
      continue
    }
    const euros = new Map<string, string>([['EUR', '1']])
    for (const [at, cell] of day.cells.entries()) {
      const currency = (header[at] ?? '').trim()
      const text = cell.trim()
      if (at === 0 || text === '' || text === 'N/A') continue
      if (/^[A-Z]{3}$/.test(currency) && isRate(text)) euros.set(currency, text)
      else read.problems.push({ row: day.row, field: currency.slice(0, 100), code: 'field_invalid' })
    }
    addMonth(read, { ...day, euros }, options)
  }
  return read
}

interface EcbOptions {
  base: string
  /** Those that are there already: from the euro to a base that the file does not have. */
  stored: readonly RateRow[]
  /** The only month that is read. */
  month: string | undefined
  /** The first month that is read. */
  from: string | undefined
}

interface LastDay {
  row: number
  day: string
  cells: readonly string[]
}

/** Of each requested month, whatever the order of the lines. */
function lastDays([, ...lines]: readonly string[][], { month, from }: EcbOptions): LastDay[] {
  const byMonth = new Map<string, LastDay>()
  for (const [at, cells] of lines.entries()) {
    const day = (cells[0] ?? '').trim()
    const of = day.slice(0, 7)
    if (!DAY.test(day) || (month ?? of) !== of || of < (from ?? '')) continue
    if (day > (byMonth.get(of)?.day ?? '')) byMonth.set(of, { row: at + 2, day, cells })
  }
  return [...byMonth.values()]
}

const DAY = /^20\d\d-\d\d-\d\d$/

/** Converted from euros to the base: by the file, or by the month's own rate of the euro. */
function addMonth(
  read: ReadRates,
  { row, day, euros }: LastDay & { euros: ReadonlyMap<string, string> },
  { base, stored }: EcbOptions,
): void {
  const month = day.slice(0, 7)
  const euro = stored.find(rate => rate.month === month && rate.currency === 'EUR')
  const inFile = euros.get(base)
  const perEuro = inFile ?? euro?.rate
  if (perEuro === undefined) {
    read.problems.push({ row, field: 'EUR', code: 'rate_missing' })
    return
  }
  for (const [currency, units] of euros) {
    if (currency === base || (inFile === undefined && currency === 'EUR')) continue
    const isProvisional = inFile === undefined && euro?.kind === 'provisional'
    const rate = crossRate(perEuro, units)
    read.rates.push({ row, month, currency, rate, day, ...(isProvisional && { kind: 'provisional' }) })
  }
}
