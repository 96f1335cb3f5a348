import { BASIS_POINTS, round, stepOf, sumOf } from './step.ts'
import { taxOn, type Tax } from './tax.ts'

/** What is asked for at once. */
export interface PaymentPart {
  untaxed: bigint
  taxable: bigint
  tax_amount: bigint
  /** All three together. */
  amount: bigint
}

export interface PaymentSchedule {
  /** Of the order. */
  untaxed: bigint
  taxable: bigint
  tax: Tax
  /** The order's day of issue: it decides the rate of the tax. */
  day: string
  currency: string
  /** Basis points, 10000 together. */
  shares: readonly number[]
  /** Payments of the order that stay in force: the parts are what is left of it. */
  standing?: readonly Sums[]
}

type Sums = Omit<PaymentPart, 'amount'>

/** Why shares are no schedule; null: they cover the order. */
export const whyNotShares = (shares: readonly number[]): 'shares_sum' | null =>
  shares.reduce((sum, share) => sum + share, 0) === Number(BASIS_POINTS) ? null : 'shares_sum'

/**
 * The parts in which an order is paid. Each ends where its share of the order ends, rounded, and the next
 * begins there: so the parts add up to the order, and the tax of each is its own exact tax, rounded up or
 * down.
 */
export function paymentParts(schedule: PaymentSchedule): PaymentPart[] {
  const { tax, day, currency, shares, standing = [] } = schedule
  const before = totalOf(standing)
  const step = stepOf(currency)
  const parts: PaymentPart[] = []
  let share = 0
  let last: Sums = { untaxed: 0n, taxable: 0n, tax_amount: 0n }
  for (const each of shares) {
    share += each
    const upTo = (amount: bigint) => round(amount * BigInt(share), BASIS_POINTS, { step })
    const taxable = upTo(schedule.taxable - before.taxable)
    const taxAmount = taxOn(tax, before.taxable + taxable, { day, currency }) - before.tax_amount
    const next = {
      untaxed: upTo(schedule.untaxed - before.untaxed),
      taxable,
      // Taxes of the payments in force may each have been rounded up: no part then has less than none.
      tax_amount: taxAmount < last.tax_amount ? last.tax_amount : taxAmount,
    }
    parts.push(withAmount(difference(next, last)))
    last = next
  }
  return parts
}

/** What is left of an order beside the payments in force, unless they exceed it in a sum. */
export function remainderOf(order: Sums, standing: readonly Sums[]): PaymentPart | 'less_than_nothing' {
  const left = withAmount(difference(order, totalOf(standing)))
  return Object.values(left).some(sum => sum < 0n) ? 'less_than_nothing' : left
}

const totalOf = (parts: readonly Sums[]): Sums => ({
  untaxed: sumOf(parts.map(({ untaxed }) => untaxed)),
  taxable: sumOf(parts.map(({ taxable }) => taxable)),
  tax_amount: sumOf(parts.map(({ tax_amount }) => tax_amount)),
})

const difference = (one: Sums, other: Sums): Sums => ({
  untaxed: one.untaxed - other.untaxed,
  taxable: one.taxable - other.taxable,
  tax_amount: one.tax_amount - other.tax_amount,
})

const withAmount = (sums: Sums): PaymentPart => ({
  ...sums,
  amount: sums.untaxed + sums.taxable + sums.tax_amount,
})
