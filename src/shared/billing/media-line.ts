import { convert, crossRate } from './rate.ts'
import { spendChannels, type SpendChannel } from './spend-channels.ts'
import { round, stepOf, sumOf } from './step.ts'

export interface AccountCost {
  ad_account: number
  channel: SpendChannel
  currency: string
  /** null: not known, or not for all days. */
  reported: bigint | null
  /** The amount of the platform's invoice, which then counts instead; null: there is none. */
  invoice: bigint | null
}

export interface Adjustment {
  channel: SpendChannel
  currency: string
  /** Below zero: a credit. */
  amount: bigint
}

/** A month's media of the accounts of one channel and currency. */
export interface MediaLine {
  channel: SpendChannel
  /** Of the accounts, and of the next three amounts. */
  currency: string
  /** As reported; null: not known. */
  spend: bigint | null
  /** With the platforms' invoices instead, where there are some; null: there is none. */
  invoiced: bigint | null
  /** The sum of the adjustments. */
  adjusted: bigint
  /** Billed units for one of the accounts', as decimal text; null: the same currency, or it is missing. */
  rate: string | null
  /** In the currency that is billed; null: not known. */
  billed: bigint | null
  code: LineCode | null
}

/** Why an amount is not known. */
export type LineCode = 'days_unknown' | 'rate_missing'

export interface MediaRequest {
  accounts: readonly AccountCost[]
  adjustments: readonly Adjustment[]
  /** Of the month, as decimal text by currency; the base currency has '1'. */
  rates: ReadonlyMap<string, string>
}

/** The lines of all accounts and adjustments, in the order of the channels, each converted once. */
export function mediaLines(request: MediaRequest, billingCurrency: string): MediaLine[] {
  const entries = new Map([...request.accounts, ...request.adjustments].map(entry => [keyOf(entry), entry]))
  const accounts = Map.groupBy(request.accounts, keyOf)
  const adjustments = Map.groupBy(request.adjustments, keyOf)
  return [...entries]
    .map(([key, { channel, currency }]) => {
      const cost = costOf(accounts.get(key) ?? [])
      const adjusted = sumOf((adjustments.get(key) ?? []).map(({ amount }) => amount))
      const amount = totalOf([cost.invoiced ?? cost.spend, adjusted])
      const to = billedIn(amount, { from: currency, to: billingCurrency, rates: request.rates })
      return { channel, currency, ...cost, adjusted, ...to }
    })
    .toSorted(byChannel)
}

const keyOf = ({ channel, currency }: { channel: SpendChannel; currency: string }) => `${channel} ${currency}`

function costOf(accounts: readonly AccountCost[]): Pick<MediaLine, 'spend' | 'invoiced'> {
  const isInvoiced = accounts.some(({ invoice }) => invoice !== null)
  return {
    spend: totalOf(accounts.map(({ reported }) => reported)),
    invoiced: isInvoiced ? totalOf(accounts.map(({ reported, invoice }) => invoice ?? reported)) : null,
  }
}

/** An amount as it is billed: converted and rounded once. */
function billedIn(
  amount: bigint | null,
  { from, to, rates }: { from: string; to: string; rates: ReadonlyMap<string, string> },
): Pick<MediaLine, 'rate' | 'billed' | 'code'> {
  const step = stepOf(to)
  const isSame = from === to
  const [own, other] = [rates.get(from), rates.get(to)]
  const isConvertible = own !== undefined && other !== undefined
  const rate = isConvertible && !isSame ? crossRate(own, other) : null
  if (amount === null) return { rate, billed: null, code: 'days_unknown' }
  if (isSame) return { rate, billed: round(amount, 1n, { step }), code: null }
  if (!isConvertible) return { rate, billed: null, code: 'rate_missing' }
  return { rate, billed: convert(amount, { from: own, to: other, step }), code: null }
}

/** Of one channel by currency. */
const byChannel = (one: MediaLine, other: MediaLine) =>
  spendChannels.indexOf(one.channel) - spendChannels.indexOf(other.channel) ||
  (one.currency < other.currency ? -1 : 1)

/** null where an amount is not known: what is not known is never 0. */
export const totalOf = (amounts: readonly (bigint | null)[]): bigint | null =>
  amounts.reduce((sum, amount) => (sum === null || amount === null ? null : sum + amount), 0n)
