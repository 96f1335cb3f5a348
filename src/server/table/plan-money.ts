import { agreementFor, flatRate, type FeeAgreement } from '#shared/billing/fee.ts'
import { rateOf } from '#shared/billing/rate.ts'
import { spendChannels, type SpendChannel } from '#shared/billing/spend-channels.ts'
import { BASIS_POINTS } from '#shared/billing/step.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { DayRange } from '#shared/date-range.ts'
import type { MonthFactors } from './factors.ts'
import type { AccountFacts, ComparedPeriod, PlannedBlock } from './plan.ts'

/** The rates and fees that a plan copies. */
export interface MoneyFacts {
  /** Base units for one of a currency, as decimal text, and those whose rate can still change. */
  ratesOf: (month: string) => { rates: ReadonlyMap<string, string>; provisional: ReadonlySet<string> }
  /** What an advertiser is billed in (null: each account's own currency), and what it pays the agency. */
  feesOf: (advertiser: number | null) => {
    billing_currency: string | null
    agreements: readonly FeeAgreement[]
  }
}

export const noMoney: MoneyFacts = {
  ratesOf: () => ({ rates: new Map(), provisional: new Set() }),
  feesOf: () => ({ billing_currency: null, agreements: [] }),
}

type Refusal = NonNullable<PlannedBlock['refusal']>
type Step = { step: number } | { refusal: Refusal }

export interface PlannedMoney {
  /** What the table's money is converted to; null: it is not. */
  currency: string | null
  /** The factors by which an account's currency is converted; null: it is that one. */
  conversionOf: (currency: string) => Step | null
  /** The factors that add the service fee to an account's cost. */
  feeOf: (account: Pick<AccountFacts, 'advertiser' | 'currency'>, channel: Channel) => Step
  factors: () => MonthFactors[]
  provisional: () => string[]
}

/** Collects what the money of a plan is multiplied by; the same factors are kept once. */
export function planMoney(
  facts: MoneyFacts,
  {
    currency,
    range,
    compared,
  }: { currency: string | null; range: DayRange; compared: ComparedPeriod | null },
): PlannedMoney {
  const months = [...new Set([...monthsOf(range), ...(compared ? monthsOf(compared.range) : [])])].toSorted()
  const factors: MonthFactors[] = []
  const provisional = new Set<string>()
  const keep = (found: MonthFactors): Step => {
    const known = factors.findIndex(other => JSON.stringify(other) === JSON.stringify(found))
    return { step: known >= 0 ? known : factors.push(found) - 1 }
  }
  const settle = (found: MonthFactors | Refusal): Step =>
    isRefusal(found) ? { refusal: found } : keep(found)
  return {
    currency,
    conversionOf: from =>
      currency === null || from === currency
        ? null
        : settle(conversionFactors(months, { from, to: currency, facts, provisional })),
    feeOf: (account, channel) => settle(feeFactors(months, { account, channel, facts })),
    factors: () => factors,
    provisional: () => [...provisional].toSorted(),
  }
}

const isRefusal = (found: MonthFactors | Refusal): found is Refusal => typeof found['code'] === 'string'

function conversionFactors(
  months: readonly string[],
  { from, to, facts, provisional }: { from: string; to: string; facts: MoneyFacts; provisional: Set<string> },
): MonthFactors | Refusal {
  const factors: MonthFactors = {}
  for (const month of months) {
    const rates = facts.ratesOf(month)
    const [own, other] = [rates.rates.get(from), rates.rates.get(to)]
    if (own === undefined || other === undefined) return { code: 'rate_missing', detail: { month, from, to } }
    factors[month] = [String(rateOf(own)), String(rateOf(other))]
    for (const code of [from, to]) if (rates.provisional.has(code)) provisional.add(`${month} ${code}`)
  }
  return factors
}

/** A month without an agreement has no fee. */
function feeFactors(
  months: readonly string[],
  {
    account,
    channel,
    facts,
  }: { account: Pick<AccountFacts, 'advertiser' | 'currency'>; channel: Channel; facts: MoneyFacts },
): MonthFactors | Refusal {
  const { billing_currency, agreements } = facts.feesOf(account.advertiser)
  const currency = billing_currency ?? account.currency
  const factors: MonthFactors = {}
  for (const month of months) {
    const agreement = isSpendChannel(channel) ? agreementFor(agreements, { channel, currency, month }) : null
    const rate = agreement ? flatRate(agreement) : 0
    if (rate === null) return { code: 'fee_not_flat', detail: { month, channel } }
    const part = BigInt(rate)
    factors[month] =
      agreement?.basis === 'within'
        ? [String(BASIS_POINTS), String(BASIS_POINTS - part)]
        : [String(BASIS_POINTS + part), String(BASIS_POINTS)]
  }
  return factors
}

const isSpendChannel = (channel: string): channel is SpendChannel =>
  spendChannels.some(each => each === channel)

/** yyyy-MM, from the first to the last that a range touches. */
function monthsOf({ start, end }: DayRange): string[] {
  const last = Temporal.PlainYearMonth.from(end.slice(0, 7))
  const months: string[] = []
  for (
    let month = Temporal.PlainYearMonth.from(start.slice(0, 7));
    Temporal.PlainYearMonth.compare(month, last) <= 0;
    month = month.add({ months: 1 })
  )
    months.push(month.toString())
  return months
}
