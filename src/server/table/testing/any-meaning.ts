import * as fc from 'fast-check'
import type { FeeAgreement } from '#shared/billing/fee.ts'
import { anyFormula } from './formula-trees.ts'

/* Random meanings of numbers: formulas, names, definitions, rates, fees and compared periods. */

export const channelMetrics = [
  'clicks',
  'cost',
  'ctr',
  'impressions',
  'cpc',
  'cpm',
  'conversions',
  'cvr',
  'value',
  'roas',
  'sessions',
  'client_cost',
]
export const currencies = ['TWD', 'USD', 'JPY'] as const

const operand = fc.constantFrom(
  'clicks',
  'cost',
  'value',
  'conversions',
  'sessions',
  'client_cost',
  'ctr',
  'roas',
)
const unit = fc.constantFrom('count' as const, 'money' as const, 'ratio' as const, 'percent' as const)

const calculated = fc.record({
  advertiser: fc.constantFrom(null, null, 1),
  tree: anyFormula(operand.map(metric => ({ kind: 'metric', metric, block: null }))),
  unit,
})

const blend = fc.record({
  tree: anyFormula(
    fc.record({
      kind: fc.constant('metric' as const),
      metric: operand,
      block: fc.constantFrom(0, 1, 1, 2, 'all' as const),
    }),
  ),
  unit,
})

/** Ten decimals, from a thousandth to a hundred. */
const rate = fc
  .oneof(
    fc.bigInt({ min: 10n ** 7n, max: 10n ** 9n }),
    fc.bigInt({ min: 10n ** 9n, max: 10n ** 12n }),
    fc.constantFrom(10n ** 10n, 5n * 10n ** 9n),
  )
  .map(scaled => `${scaled / 10n ** 10n}.${String(scaled % 10n ** 10n).padStart(10, '0')}`)

const agreement = fc.record({
  advertiser: fc.constantFrom(1, 2),
  channel: fc.constantFrom(null, 'fb' as const, 'aw' as const),
  currency: fc.constantFrom(...currencies),
  /** Counted from the month of the range's first day. */
  from: fc.integer({ min: -13, max: 1 }),
  months: fc.option(fc.integer({ min: 1, max: 13 })),
  rate: fc.constantFrom(0, 1, 333, 1250, 1500, 9999),
  basis: fc.constantFrom('on_top' as const, 'within' as const),
  amount: fc.oneof(
    { weight: 9, arbitrary: fc.constant(0n) },
    { weight: 1, arbitrary: fc.constant(5_000_000n) },
  ),
})
export type DrawnAgreement = typeof agreement extends fc.Arbitrary<infer T> ? T : never

const label = fc.record({
  advertiser: fc.constantFrom(null, 1, 2),
  channel: fc.constantFrom(null, 'fb' as const, 'aw' as const),
  metric: fc.constantFrom('clicks', 'cost', 'cvr', 'conversions'),
  label: fc.constantFrom('Hits', '=1+1', 'Spend "net"'),
  label_zh: fc.constantFrom('點擊', '=1+1', '花費（淨）'),
})

const often = <T>(each: fc.Arbitrary<T>) => fc.option(each, { freq: 2, nil: null })

export const meaning = fc.record({
  calculated: fc.array(calculated, { minLength: 2, maxLength: 2 }),
  blends: fc.array(blend, { maxLength: 2 }),
  currency: often(fc.constantFrom(...currencies)),
  rates: fc.array(rate, { minLength: 5, maxLength: 5 }),
  /** One of its rates is not known. */
  lacks: fc.option(fc.record({ month: fc.nat({ max: 3 }), currency: fc.constantFrom(...currencies) }), {
    freq: 15,
    nil: null,
  }),
  billing_currencies: fc.record({
    1: fc.constantFrom(null, ...currencies),
    2: fc.constantFrom(null, ...currencies),
  }),
  agreements: fc.array(agreement, { maxLength: 4 }),
  comparison: often(
    fc.record({
      to: fc.constantFrom('previous_period' as const, 'last_year' as const),
      align: fc.constantFrom('date' as const, 'weekday' as const),
      show: fc.shuffledSubarray(['value' as const, 'change' as const, 'percent' as const], { minLength: 1 }),
    }),
  ),
  labels: fc.array(label, { maxLength: 4 }),
  counted: fc.shuffledSubarray(['clicks' as const, 'sessions' as const, 'conversions' as const], {
    minLength: 1,
  }),
  language: fc.constantFrom('en' as const, 'zh-TW' as const),
})
export type DrawnMeaning = typeof meaning extends fc.Arbitrary<infer T> ? T : never

/** Whole months after that of a day, yyyy-MM. */
export function monthAfter(day: string, months: number): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  const at = year * 12 + month - 1 + months
  return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`
}

export function agreementOf(drawn: DrawnAgreement, start: string): FeeAgreement {
  const { channel, currency, from, months, rate: drawnRate, basis, amount } = drawn
  return {
    channel,
    currency,
    from_month: monthAfter(start, from),
    to_month: months === null ? null : monthAfter(start, from + months - 1),
    amount,
    tiers: [{ up_to: null, rate: drawnRate }],
    tier_mode: 'marginal',
    basis,
    minimum: 0n,
    charges_idle_months: false,
  }
}
