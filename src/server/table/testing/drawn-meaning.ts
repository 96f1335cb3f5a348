import { noMeanings, type Meanings } from '#shared/block-catalogue.ts'
import type { MoneyFacts } from '#server/table/plan-money.ts'
import type { Dataset } from './any-dataset.ts'
import { agreementOf, currencies, monthAfter, type DrawnMeaning } from './any-meaning.ts'
import { textOf } from './formula-trees.ts'
import type { OracleMoney } from './oracle.ts'

/* What was drawn, as a plan gets it, and as the oracle does. */

export const meaningsOf = ({ calculated, labels, counted }: DrawnMeaning): Meanings => ({
  ...noMeanings,
  metrics: calculated.map(({ advertiser, tree, unit }, at) => ({
    id: at + 1,
    advertiser,
    ...calculatedNames(at),
    explanation: '',
    formula: textOf(tree),
    unit,
    decimals: 2,
    is_active: true,
  })),
  labels,
  conversions: [
    {
      id: 1,
      advertiser: 1,
      ...definition,
      is_default: true,
      entries: counted.map(metric => ({ channel: 'fb', metric })),
    },
  ],
})

export const calculatedNames = (at: number) => ({ name: `Calculated ${at + 1}`, name_zh: `計算 ${at + 1}` })
export const definition = { name: 'Leads "1"', name_zh: '名單' }

type Money = Pick<Dataset, 'start' | 'meaning'>

/** Rates and fees, as a plan gets them. */
export function moneyFacts(drawn: Money): MoneyFacts {
  const { meaning, start } = drawn
  return {
    ratesOf: month => ({
      rates: new Map(
        currencies.flatMap(code => {
          const rate = rateOf(drawn, month, code)
          return rate === null ? [] : [[code, rate] as const]
        }),
      ),
      provisional: new Set(),
    }),
    feesOf: advertiser => ({
      billing_currency: billingCurrency(meaning, advertiser),
      agreements: meaning.agreements
        .filter(agreement => agreement.advertiser === advertiser)
        .map(agreement => agreementOf(agreement, start)),
    }),
  }
}

/** Of each month and currency another one of those that were drawn. */
function rateOf({ start, meaning: { rates, lacks } }: Money, month: string, currency: string): string | null {
  if (lacks && lacks.currency === currency && month === monthAfter(start, lacks.month - 1)) return null
  const [year = 0, number = 0] = month.split('-').map(Number)
  const at = year * 12 + number + currencies.findIndex(code => code === currency) * 2
  return rates[at % rates.length] ?? null
}

const billingCurrency = ({ billing_currencies }: DrawnMeaning, advertiser: number | null) =>
  advertiser === 1 || advertiser === 2 ? billing_currencies[advertiser] : null

export function oracleMoney(drawn: Money): OracleMoney {
  const { meaning: meant, start } = drawn
  return {
    currency: meant.currency,
    rateOf: (month, currency) => rateOf(drawn, month, currency),
    feeOf: ({ advertiser, currency }, month) => {
      const billed = billingCurrency(meant, advertiser) ?? currency
      const inForce = meant.agreements.filter(
        each =>
          each.advertiser === advertiser &&
          each.currency === billed &&
          monthAfter(start, each.from) <= month &&
          (each.months === null || month <= monthAfter(start, each.from + each.months - 1)),
      )
      const found =
        inForce.find(({ channel }) => channel === 'fb') ?? inForce.find(({ channel }) => channel === null)
      return found ? { rate: found.rate, basis: found.basis, is_flat: found.amount === 0n } : null
    },
  }
}
