import { isRate, middleRate } from '#shared/billing/rate.ts'
import { hasSurplus } from '#server/import-file.ts'
import type { ReadRates } from './rate-files.ts'

/**
 * Bank of Taiwan's file of a day. A currency a line, TWD for one unit of it, in two blocks of the same
 * columns: what the bank buys for and what it sells for.
 *
 *   幣別,匯率,現金,即期,遠期10天,遠期30天,…,遠期180天,匯率,現金,即期,遠期10天,…
 *   USD,本行買入,31.10000,31.43000,31.44900,…,本行賣出,31.77000,31.58000,…
 *
 * In English `Currency,Rate,Cash,Spot,Forward-10Days,…` with `Buying` and `Selling`. Of a currency that the
 * bank does not trade so, the number is 0.
 */
export function readBankOfTaiwan(
  [header = [], ...lines]: readonly string[][],
  { month, price }: { month: string; price: Price },
): ReadRates {
  const columns = columnsOf(header)
  if (!columns) return { rates: [], problems: [{ row: 1, field: '即期', code: 'field_required' }] }
  const read: ReadRates = { rates: [], problems: [] }
  for (const [at, cells] of lines.entries()) {
    if (cells.every(cell => cell.trim() === '')) continue
    const row = at + 2
    const currency = /[A-Z]{3}/.exec(cells[columns.currency] ?? '')?.[0]
    const spot = hasSurplus(cells, header) ? undefined : spotOf(cells, columns, price)
    if (currency === undefined) read.problems.push({ row, field: 'currency', code: 'field_invalid' })
    else if (spot === undefined) read.problems.push({ row, field: 'rate', code: 'field_invalid' })
    else if (spot !== null) read.rates.push({ row, month, currency, rate: spot })
  }
  return read
}

export type Price = 'buy' | 'sell' | 'middle'

interface Columns {
  currency: number
  /** Of the spot rates, and how far before each its block says whether it is buying or selling. */
  buy: number
  sell: number
  offset: number
}

function columnsOf(header: readonly string[]): Columns | null {
  const titles = header.map(title => title.trim())
  const at = (pattern: RegExp) => titles.findIndex(title => pattern.test(title))
  const [currency, begin, buy] = [at(/^(幣別|currency)$/i), at(/^(匯率|rate)$/i), at(SPOT)]
  const sell = titles.findLastIndex(title => SPOT.test(title))
  return currency < 0 || begin < 0 || buy < begin || sell === buy
    ? null
    : { currency, buy, sell, offset: buy - begin }
}

export const SPOT = /^(即期|spot)$/i

/** null: the bank has none; undefined: it cannot be read. */
function spotOf(
  cells: readonly string[],
  { buy, sell, offset }: Columns,
  price: Price,
): string | null | undefined {
  const isInPlace =
    /買入|buying/i.test(cells[buy - offset] ?? '') && /賣出|selling/i.test(cells[sell - offset] ?? '')
  const textAt = (column: number) => (cells[column] ?? '').trim()
  const texts = { buy: [buy], sell: [sell], middle: [buy, sell] }[price].map(textAt)
  if (!isInPlace || texts.some(text => !NUMBER.test(text))) return undefined
  const [one = '', other = one] = texts
  return isRate(one) && isRate(other) ? middleRate(one, other) : null
}

const NUMBER = /^(?:-?|\d{1,10}(?:\.\d{1,10})?)$/
