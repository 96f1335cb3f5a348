import type { FeeAgreement } from '#shared/billing/fee.ts'
import type { MediaBilling } from '#shared/billing/media-billing.ts'
import type { AccountCost, Adjustment } from '#shared/billing/media-line.ts'
import type { SpendChannel } from '#shared/billing/spend-channels.ts'
import { statementOf, type Statement, type StatementLine } from '#shared/billing/statement.ts'
import type { Tax } from '#shared/billing/tax.ts'
import type { MonthRates } from '#server/resources/insight-settings/rates.ts'

/** What of a customer decides what it is charged. */
export interface Customer {
  id: number
  name: string
  billing_currency: string | null
  tax: Tax
  media_billing: MediaBilling
}

/** The accounts of one advertiser, month, channel and currency; advertiser null: of nobody. */
export interface CostGroup {
  advertiser: number | null
  /** yyyy-MM */
  month: string
  channel: SpendChannel
  currency: string
  /** Millionths, as decimal text; null: not known of one of them. */
  spend: string | null
  /**
   * The same with the platforms' invoices instead; null: there is none, or one of the others is not known.
   */
  invoiced: string | null
  /** In the zone of one of them the month is not over. */
  is_running: boolean
}

export interface AdjustmentGroup {
  advertiser: number
  month: string
  channel: SpendChannel
  currency: string
  amount: string
}

export interface LiveInput {
  months: readonly string[]
  groups: readonly CostGroup[]
  adjustments: readonly AdjustmentGroup[]
  agreements: readonly (FeeAgreement & { advertiser: number })[]
  /** By month. */
  rates: ReadonlyMap<string, MonthRates>
  customers: readonly Customer[]
}

export interface LiveLine extends StatementLine {
  is_provisional: boolean
}

export interface LiveStatement extends Omit<Statement, 'lines'> {
  customer: Customer
  lines: LiveLine[]
  is_running: boolean
}

/**
 * What each customer owes for each month, by what is known now; in the order of months, then of customers.
 */
export function liveStatements(input: LiveInput): LiveStatement[] {
  const groups = Map.groupBy(input.groups, keyOf)
  const adjustments = Map.groupBy(input.adjustments, keyOf)
  const agreements = Map.groupBy(input.agreements, ({ advertiser }) => advertiser)
  return input.months.flatMap(month => {
    const rates = input.rates.get(month) ?? NO_RATES
    return input.customers.flatMap(customer => {
      const key = keyOf({ advertiser: customer.id, month })
      const parts: Parts = {
        groups: groups.get(key) ?? [],
        adjustments: adjustments.get(key) ?? [],
        agreements: agreements.get(customer.id) ?? [],
        rates,
      }
      return statementsOf(customer, month, parts)
    })
  })
}

const keyOf = ({ advertiser, month }: { advertiser: number | null; month: string }) =>
  `${month} ${advertiser}`
const NO_RATES: MonthRates = { rates: new Map(), provisional: new Set() }

interface Parts {
  groups: readonly CostGroup[]
  adjustments: readonly AdjustmentGroup[]
  agreements: readonly FeeAgreement[]
  rates: MonthRates
}

function statementsOf(
  customer: Customer,
  month: string,
  { groups, adjustments, agreements, rates }: Parts,
): LiveStatement[] {
  if (groups.length + adjustments.length + agreements.length === 0) return []
  const { billing_currency, tax, media_billing } = customer
  const statements = statementOf({
    month,
    billing_currency,
    tax,
    media_billing,
    accounts: groups.map(costOf),
    adjustments: adjustments.map(amountOf),
    rates: rates.rates,
    agreements,
  })
  return statements.map(statement => {
    const hasRunning = ({ channel, currency }: StatementLine) =>
      groups.some(group => group.is_running && group.channel === channel && group.currency === currency)
    const hasProvisionalRate = ({ rate, currency }: StatementLine) =>
      rate !== null && (rates.provisional.has(currency) || rates.provisional.has(statement.currency))
    return {
      ...statement,
      customer,
      is_running: statement.lines.some(hasRunning),
      lines: statement.lines.map(line => ({
        ...line,
        is_provisional: hasRunning(line) || hasProvisionalRate(line),
      })),
    }
  })
}

/** A group counts as one account: what is known of its sum is all that matters. */
const costOf = ({ channel, currency, spend, invoiced }: CostGroup): AccountCost => ({
  ad_account: 0,
  channel,
  currency,
  reported: spend === null ? null : BigInt(spend),
  invoice: invoiced === null ? null : BigInt(invoiced),
})

const amountOf = ({ channel, currency, amount }: AdjustmentGroup): Adjustment => ({
  channel,
  currency,
  amount: BigInt(amount),
})
