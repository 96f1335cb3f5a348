import type { FeeBasis } from './fee.ts'
import { chargeOf, type MediaBilling } from './media-billing.ts'
import { BASIS_POINTS, MAX_DOCUMENT, round, stepOf, sumOf } from './step.ts'
import { taxOn, type Tax } from './tax.ts'

export const pricings = ['budget', 'cpm', 'cpc', 'cpv', 'day'] as const
export type Pricing = (typeof pricings)[number]

export const commissionBases = ['fee', 'media'] as const

/** What a line costs: its budget, or a quantity at a price. */
export interface LinePrice {
  pricing: Pricing
  /** A whole number: of impressions, clicks, views or days. */
  quantity: number
  /** For one of them, for a thousand impressions; need not be on the step. */
  unit_price: bigint
  /** Counts where nothing else does. */
  budget: bigint
}

export interface QuotationLine extends LinePrice {
  fee_rate: number
  /** within: the budget includes the fee. */
  fee_basis: FeeBasis
}

export interface Quotation {
  currency: string
  tax: Tax
  media_billing: MediaBilling
  /** Of issue: it decides the rate of the tax. */
  day: string
  discount: bigint
  fee_minimum: bigint
  lines: readonly QuotationLine[]
  /** The agent's. */
  commission?: { rate: number; base: (typeof commissionBases)[number] } | null
}

export interface LineSums {
  budget: bigint
  fee: bigint
  media: bigint
}

export interface QuotationSums {
  lines: LineSums[]
  /** The media of all lines, without fees. */
  subtotal: bigint
  /** The fees of all lines, with what is missing to the least fee. */
  service_fee: bigint
  /** Of the service fee, what is missing in the lines to the least one. */
  minimum_fee: bigint
  untaxed: bigint
  taxable: bigint
  tax_amount: bigint
  total: bigint
  commission: bigint
  /** Why it may not be sent: the discount exceeds what is taxable, or a sum what a document may amount to. */
  refusal: QuotationRefusal | null
}

export type QuotationRefusal = 'taxable_negative' | 'document_too_large'

/** Everything that a quotation derives from its lines. */
export function quotationSums(quotation: Quotation): QuotationSums {
  const { currency, tax, media_billing, day, discount, fee_minimum } = quotation
  const lines = quotation.lines.map(line => lineSums(line, currency))
  const subtotal = sumOf(lines.map(({ media }) => media))
  const lineFees = sumOf(lines.map(({ fee }) => fee))
  const minimumFee = lineFees < fee_minimum ? fee_minimum - lineFees : 0n
  const fee = lineFees + minimumFee
  const charge = chargeOf[media_billing]({ media: subtotal, fee })
  const taxable = charge.taxable - discount
  const taxAmount = taxOn(tax, taxable, { day, currency })
  const sums = {
    subtotal,
    service_fee: fee,
    untaxed: charge.untaxed,
    taxable,
    tax_amount: taxAmount,
    total: charge.untaxed + taxable + taxAmount,
  }
  return {
    ...sums,
    lines,
    minimum_fee: minimumFee,
    commission: commissionOf(quotation, sums),
    refusal: whyNot(sums, [discount, sumOf(lines.map(({ budget }) => budget))]),
  }
}

/** A line's budget: as typed, or a quantity at a price. */
export function lineBudget(line: LinePrice & { currency: string }): bigint {
  const { pricing, quantity, unit_price, budget, currency } = line
  if (pricing === 'budget') return budget
  const step = stepOf(currency)
  return round(BigInt(quantity) * unit_price, pricing === 'cpm' ? 1000n : 1n, { step })
}

function lineSums(line: QuotationLine, currency: string): LineSums {
  const budget = lineBudget({ ...line, currency })
  const fee = round(budget * BigInt(line.fee_rate), BASIS_POINTS, { step: stepOf(currency) })
  return { budget, fee, media: line.fee_basis === 'within' ? budget - fee : budget }
}

function commissionOf(
  { commission, currency }: Quotation,
  { subtotal, service_fee }: { subtotal: bigint; service_fee: bigint },
): bigint {
  if (!commission) return 0n
  const base = commission.base === 'fee' ? service_fee : subtotal
  return round(base * BigInt(commission.rate), BASIS_POINTS, { step: stepOf(currency) })
}

function whyNot(
  sums: Record<'taxable', bigint> & Record<string, bigint>,
  others: readonly bigint[],
): QuotationRefusal | null {
  if (sums.taxable < 0n) return 'taxable_negative'
  const isTooLarge = [...Object.values(sums), ...others].some(sum => sum > MAX_DOCUMENT)
  return isTooLarge ? 'document_too_large' : null
}
