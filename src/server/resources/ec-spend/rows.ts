import type { EcSpend, EcSpendRow } from '#shared/api/ec-spend.ts'
import { convert } from '#shared/billing/rate.ts'
import { stepOf } from '#shared/billing/step.ts'
import type { CostGroup, LiveLine, LiveStatement } from './live.ts'
import type { MonthRates } from '#server/resources/insight-settings/rates.ts'

/** The lines of a statement that is computed now. */
export const rowsOf = ({ customer, month, currency, lines }: LiveStatement): EcSpendRow[] =>
  lines.map(line => ({
    advertiser: customer.id,
    advertiser_name: customer.name,
    channel: line.channel,
    ad_account: null,
    account_name: null,
    month,
    currency: line.currency,
    spend: wire(line.spend),
    invoiced: wire(line.invoiced),
    adjusted: Number(line.adjusted),
    billing_currency: currency,
    ...amountsOf(line),
    is_provisional: line.is_provisional,
    code: line.code,
  }))

const amountsOf = ({ billed, fee, tax_amount, total }: LiveLine) => ({
  billed: wire(billed),
  fee: wire(fee),
  tax_amount: wire(tax_amount),
  total: wire(total),
})

/** Spend that nobody is billed for; accounts of nobody that cost nothing are no news. */
export const rowsOfNobody = (groups: readonly CostGroup[]): EcSpendRow[] =>
  groups
    .filter(({ advertiser, spend, invoiced }) => advertiser === null && (invoiced ?? spend) !== '0')
    .map(({ channel, month, currency, spend, invoiced, is_running }) => ({
      advertiser: null,
      advertiser_name: null,
      channel,
      ad_account: null,
      account_name: null,
      month,
      currency,
      spend: spend === null ? null : Number(spend),
      invoiced: invoiced === null ? null : Number(invoiced),
      adjusted: 0,
      billing_currency: null,
      billed: null,
      fee: null,
      tax_amount: null,
      total: null,
      is_provisional: is_running,
      code: spend === null && invoiced === null ? 'days_unknown' : null,
    }))

/** The rows of a month with one for each advertiser and pair of currencies instead. */
export function byAdvertiser(rows: readonly EcSpendRow[]): EcSpendRow[] {
  const groups = Map.groupBy(rows, row => `${row.advertiser} ${row.currency} ${row.billing_currency}`)
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first || others.length === 0) return first ? [{ ...first, channel: null }] : []
    return [others.reduce(added, { ...first, channel: null })]
  })
}

const added = (sum: EcSpendRow, row: EcSpendRow): EcSpendRow => ({
  ...sum,
  spend: plus(sum.spend, row.spend),
  invoiced:
    sum.invoiced === null && row.invoiced === null
      ? null
      : plus(sum.invoiced ?? sum.spend, row.invoiced ?? row.spend),
  adjusted: sum.adjusted + row.adjusted,
  billed: plus(sum.billed, row.billed),
  fee: plus(sum.fee, row.fee),
  tax_amount: plus(sum.tax_amount, row.tax_amount),
  total: plus(sum.total, row.total),
  is_provisional: sum.is_provisional || row.is_provisional,
  code: sum.code ?? row.code,
})

const plus = (one: number | null, other: number | null) =>
  one === null || other === null ? null : one + other
const wire = (amount: bigint | null) => (amount === null ? null : Number(amount))

/** What is billed of a row in the base currency, each amount converted and rounded once. */
export function inBaseCurrency(
  row: EcSpendRow,
  { rates, provisional }: MonthRates,
  base: string,
): EcSpendRow {
  const { billing_currency } = row
  if (billing_currency === null || billing_currency === base) return row
  const rate = rates.get(billing_currency)
  const amount = (value: number | null) =>
    value === null || rate === undefined
      ? null
      : Number(convert(BigInt(value), { from: rate, to: '1', step: stepOf(base) }))
  return {
    ...row,
    billing_currency: base,
    billed: amount(row.billed),
    fee: amount(row.fee),
    tax_amount: amount(row.tax_amount),
    total: amount(row.total),
    is_provisional: row.is_provisional || provisional.has(billing_currency),
    code: row.code ?? (rate === undefined ? 'rate_missing' : null),
  }
}

type Total = EcSpend['totals'][number]

/** By month and billing currency, in the order of the rows. */
export function totalsOf(rows: readonly EcSpendRow[]): Total[] {
  const totals = new Map<string, Total>()
  for (const { month, billing_currency, billed, fee, tax_amount, total } of rows) {
    if (billing_currency === null) continue
    const key = `${month} ${billing_currency}`
    const sum = totals.get(key) ?? { month, billing_currency, ...NOTHING }
    totals.set(key, sum)
    if (billed === null || fee === null || tax_amount === null || total === null) sum.is_complete = false
    else {
      sum.billed += billed
      sum.fee += fee
      sum.tax_amount += tax_amount
      sum.total += total
    }
  }
  return [...totals.values()]
}

const NOTHING = { billed: 0, fee: 0, tax_amount: 0, total: 0, is_complete: true }
