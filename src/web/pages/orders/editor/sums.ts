import type { FeeAgreement } from '#shared/api/customers.ts'
import { agreementFor, flatRate, isInForce } from '#shared/billing/fee.ts'
import { paymentParts, whyNotShares, type PaymentPart } from '#shared/billing/payment-schedule.ts'
import { quotationSums, type QuotationSums } from '#shared/billing/quotation.ts'
import type { TypedAmount } from '#web/ui/money.ts'
import { channelOf, type Draft, type LineDraft } from './draft.ts'

/** What the agreement says of a line that names no rate of its own. */
export type AgreedFee = (line: Pick<LineDraft, 'kind' | 'start'>) => Agreed
export interface Agreed {
  rate: number
  basis: FeeAgreement['basis']
  /** There is an agreement, which is more than one rate: those of the lines have to be typed. */
  isTiered: boolean
}

/** The fees that the server gives to lines without a rate of their own. */
export function agreedFees(agreements: readonly FeeAgreement[], currency: string, today: string): AgreedFee {
  const known = agreements.map(agreement => ({
    ...agreement,
    amount: BigInt(agreement.amount),
    minimum: BigInt(agreement.minimum),
    tiers: agreement.tiers.map(({ up_to, rate }) => ({ rate, up_to: up_to === null ? null : BigInt(up_to) })),
  }))
  return ({ kind, start }) => {
    const channel = channelOf(kind)
    const month = (start || today).slice(0, 7)
    const found =
      channel === null
        ? known.find(each => each.channel === null && each.currency === currency && isInForce(each, month))
        : agreementFor(known, { channel, currency, month })
    const rate = found ? flatRate(found) : null
    return rate === null || !found
      ? { rate: 0, basis: 'on_top', isTiered: Boolean(found) }
      : { rate, basis: found.basis, isTiered: false }
  }
}

interface SumsRequest {
  /** The day that counts where no day of issue is chosen. */
  today: string
  agreed: AgreedFee
  /** Of the agent, where one takes part. */
  commission: { rate: number; base: 'fee' | 'media' } | null
}

/** What a draft amounts to by the rules that the server has: what is not filled in yet counts 0. */
export function sumsOf(draft: Draft, { today, agreed, commission }: SumsRequest): QuotationSums {
  return quotationSums({
    currency: draft.currency,
    tax: draft.tax,
    media_billing: draft.media_billing,
    day: draft.issue_on || today,
    discount: amountOf(draft.discount),
    fee_minimum: amountOf(draft.fee_minimum),
    commission,
    lines: draft.lines.map(line => ({
      pricing: line.pricing,
      quantity: typeof line.quantity === 'number' ? line.quantity : 0,
      unit_price: amountOf(line.unit_price),
      budget: amountOf(line.budget),
      ...feeOf(line, agreed(line)),
    })),
  })
}

/** The rate and basis of a line: its own, or what is agreed. */
export const feeOf = (
  { fee_rate, fee_basis }: Pick<LineDraft, 'fee_rate' | 'fee_basis'>,
  agreed: Pick<Agreed, 'rate' | 'basis'>,
) => ({
  fee_rate: typeof fee_rate === 'number' ? fee_rate : agreed.rate,
  fee_basis: fee_basis ?? (fee_rate === null ? agreed.basis : 'on_top'),
})

/** The parts in which the draft is paid; null while its shares do not cover it. */
export function partsOf(
  { schedule, tax, currency, issue_on }: Draft,
  { untaxed, taxable }: QuotationSums,
  today: string,
): PaymentPart[] | null {
  const shares = schedule.map(({ share }) => (typeof share === 'number' ? share : 0))
  if (whyNotShares(shares) !== null) return null
  return paymentParts({ untaxed, taxable, tax, day: issue_on || today, currency, shares })
}

const amountOf = (amount: TypedAmount) => (typeof amount === 'number' ? BigInt(amount) : 0n)
