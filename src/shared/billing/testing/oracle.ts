import type { FeeAgreement } from '#shared/billing/fee.ts'
import {
  by,
  cut,
  fraction,
  isBelow,
  isEqual,
  minus,
  ONE,
  plus,
  size,
  times,
  total,
  ZERO,
} from './fraction.ts'
import type { Fraction } from './fraction.ts'

// The rules of money a second time, from the specification's text: of the product it knows the types alone.
// Amounts go in and come out as decimal text in units.

/** The same with decimal text for every amount. */
export type InText<Value> = Value extends bigint
  ? string
  : Value extends ReadonlyMap<string, string>
    ? Value
    : Value extends readonly (infer Item)[]
      ? InText<Item>[]
      : Value extends object
        ? { [Key in keyof Value]: InText<Value[Key]> }
        : Value

export type TextAgreement = InText<FeeAgreement>

export interface TaxDay {
  day: string
  currency: string
}

export const decimals: Record<string, number> = { TWD: 0, JPY: 0, KRW: 0, VND: 0, USD: 2, EUR: 2, KWD: 3 }

export const stepOf = (currency: string): Fraction =>
  by(ONE, fraction(`1${'0'.repeat(decimals[currency] ?? 6)}`))

export const percent = (basisPoints: number): Fraction => by(fraction(basisPoints), fraction(10_000))

const HALF = fraction('0.5')

export class Oracle {
  /** How often an amount was half a step, so that the rule of halves decided. */
  halves = 0

  rounded(exact: Fraction, currency: string): Fraction {
    const steps = by(exact, stepOf(currency))
    const whole = cut(steps)
    const rest = size(minus(steps, whole))
    if (isEqual(rest, HALF)) this.halves++
    if (isBelow(rest, HALF)) return times(whole, stepOf(currency))
    return times(isBelow(steps, ZERO) ? minus(whole, ONE) : plus(whole, ONE), stepOf(currency))
  }

  tax(kind: string, taxable: Fraction, { day, currency }: TaxDay): Fraction {
    if (kind === 'tw_vat') return this.rounded(times(taxable, fraction('0.05')), currency)
    if (kind !== 'jp_ct') return ZERO
    const rate = fraction(day < '2019-10-01' ? '0.08' : '0.1')
    return times(cut(by(times(taxable, rate), stepOf(currency))), stepOf(currency))
  }

  fee(agreement: TextAgreement, media: Fraction): Fraction {
    const [amount, minimum] = [fraction(agreement.amount), fraction(agreement.minimum)]
    const isCharged = agreement.charges_idle_months
    if (isEqual(media, ZERO) && !isCharged) return ZERO
    const rateFee = this.#rateFee(agreement, media)
    if (isBelow(media, ZERO)) return isCharged ? plus(amount, rateFee) : rateFee
    const fee = plus(amount, rateFee)
    return isBelow(fee, minimum) ? minimum : fee
  }

  #rateFee({ tiers, tier_mode, basis, currency }: TextAgreement, media: Fraction): Fraction {
    const rates = tiers.map(({ rate }) => percent(rate))
    const [first = ZERO] = rates
    if (basis === 'within') return this.rounded(minus(by(media, minus(ONE, first)), media), currency)
    const edges = tiers.flatMap(({ up_to }) => (up_to === null ? [] : [fraction(up_to)]))
    const over = edges.filter(edge => isBelow(edge, media))
    if (tier_mode === 'whole') return this.rounded(times(media, rates[over.length] ?? ZERO), currency)
    // What is over an edge has the difference of the rates there.
    const differences = over.map((edge, index) =>
      times(minus(media, edge), minus(rates[index + 1] ?? ZERO, rates[index] ?? ZERO)),
    )
    return this.rounded(plus(times(media, first), total(differences)), currency)
  }

  /** Hands out step by step, each to the one that lacks most of its exact share. */
  shares(amount: Fraction, weights: readonly Fraction[], currency: string): Fraction[] {
    if (isBelow(amount, ZERO))
      return this.shares(minus(ZERO, amount), weights, currency).map(share => minus(ZERO, share))
    const step = stepOf(currency)
    const exact = exactShares(amount, weights)
    const shares = exact.map(share => {
      const whole = times(cut(by(share, step)), step)
      return isBelow(share, whole) ? minus(whole, step) : whole
    })
    while (isBelow(total(shares), amount)) {
      const lacks = exact.map((share, index) => minus(share, shares[index] ?? ZERO))
      const most = lacks.reduce((best, lack, index) => (isBelow(lacks[best] ?? ZERO, lack) ? index : best), 0)
      shares[most] = plus(shares[most] ?? ZERO, step)
    }
    return shares
  }
}

function exactShares(amount: Fraction, weights: readonly Fraction[]): Fraction[] {
  const sum = total(weights)
  const isMixed =
    weights.some(weight => isBelow(weight, ZERO)) && weights.some(weight => isBelow(ZERO, weight))
  const isFar = isMixed && (isBelow(size(sum), amount) || isEqual(sum, ZERO))
  const isEven = weights.every(weight => isEqual(weight, ZERO))
  const ratio = isEven ? weights.map(() => ONE) : isFar ? weights.map(size) : weights
  return ratio.map(weight => times(amount, by(weight, total(ratio))))
}
