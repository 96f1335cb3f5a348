import type { PaymentPart } from '#shared/billing/payment-schedule.ts'
import type { Quotation, QuotationLine } from '#shared/billing/quotation.ts'
import { by, fraction, isBelow, minus, plus, textOf, times, total, ZERO, type Fraction } from './fraction.ts'
import { percent, type InText, type Oracle, type TaxDay } from './oracle.ts'

export type TextQuotation = InText<Quotation>

/** The sums of a quotation. */
export function oracleQuotation(oracle: Oracle, order: TextQuotation) {
  const lines = order.lines.map(line => lineOf(oracle, line, order.currency))
  const media = total(lines.map(line => line.media))
  const fees = total(lines.map(({ fee }) => fee))
  const least = fraction(order.fee_minimum)
  const fee = isBelow(fees, least) ? least : fees
  const untaxed = order.media_billing === 'advance' ? media : ZERO
  const charged = order.media_billing === 'agency' ? plus(fee, media) : fee
  const taxable = minus(charged, fraction(order.discount))
  const tax = oracle.tax(order.tax, taxable, order)
  return {
    lines: lines.map(line => ({
      budget: textOf(line.budget),
      fee: textOf(line.fee),
      media: textOf(line.media),
    })),
    subtotal: textOf(media),
    service_fee: textOf(fee),
    minimum_fee: textOf(minus(fee, fees)),
    untaxed: textOf(untaxed),
    taxable: textOf(taxable),
    tax_amount: textOf(tax),
    total: textOf(total([untaxed, taxable, tax])),
    commission: textOf(commissionOf(oracle, order, { media, fee })),
  }
}

function lineOf(oracle: Oracle, line: InText<QuotationLine>, currency: string) {
  const price = times(fraction(line.quantity), fraction(line.unit_price))
  const counted = line.pricing === 'cpm' ? by(price, fraction(1000)) : price
  const budget = line.pricing === 'budget' ? fraction(line.budget) : oracle.rounded(counted, currency)
  const fee = oracle.rounded(times(budget, percent(line.fee_rate)), currency)
  return { budget, fee, media: line.fee_basis === 'within' ? minus(budget, fee) : budget }
}

function commissionOf(
  oracle: Oracle,
  { commission, currency }: TextQuotation,
  bases: Record<'media' | 'fee', Fraction>,
): Fraction {
  return commission ? oracle.rounded(times(bases[commission.base], percent(commission.rate)), currency) : ZERO
}

export type TextPayment = Omit<InText<PaymentPart>, 'amount'>

interface TextSchedule extends TaxDay {
  untaxed: string
  taxable: string
  tax: string
  shares: readonly number[]
  standing: readonly TextPayment[]
}

/** Of each payment, what has been asked for with it less what had been before. */
export function oraclePayments(oracle: Oracle, order: TextSchedule) {
  const paid = (key: keyof TextPayment) => total(order.standing.map(payment => fraction(payment[key])))
  const upTo = (key: 'untaxed' | 'taxable', count: number) => {
    const share = percent(order.shares.slice(0, count).reduce((sum, each) => sum + each, 0))
    const left = minus(fraction(order[key]), paid(key))
    return plus(paid(key), oracle.rounded(times(left, share), order.currency))
  }
  const taxUpTo = (count: number): Fraction => {
    if (count === 0) return paid('tax_amount')
    const tax = oracle.tax(order.tax, upTo('taxable', count), order)
    const before = taxUpTo(count - 1)
    return isBelow(tax, before) ? before : tax
  }
  return order.shares.map((_, index) => {
    const untaxed = minus(upTo('untaxed', index + 1), upTo('untaxed', index))
    const taxable = minus(upTo('taxable', index + 1), upTo('taxable', index))
    const tax = minus(taxUpTo(index + 1), taxUpTo(index))
    return {
      untaxed: textOf(untaxed),
      taxable: textOf(taxable),
      tax_amount: textOf(tax),
      amount: textOf(total([untaxed, taxable, tax])),
    }
  })
}
