import { paymentParts, remainderOf } from '#shared/billing/payment-schedule.ts'
import { dueOn } from '#shared/billing/payment-terms.ts'
import { BASIS_POINTS } from '#shared/billing/step.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import { takeNumber } from '#server/resources/payments/number-queries.ts'
import { insertPayment, updatePayment, type PaymentFields } from '#server/resources/payments/queries.ts'
import { isUntouched } from '#server/resources/payments/rules.ts'
import { notePayment } from '#server/resources/payments/visible.ts'
import type { QuotationFields } from './queries.ts'

interface Doing {
  actor: number
  /** In the organisation's zone. */
  today: string
  now: Date
}

/** What of an order is still to be asked for beside the payments in force; refused when they exceed it. */
export function openOf(order: QuotationFields, standing: readonly PaymentFields[]) {
  const left = remainderOf(amountsOf(order), standing.map(amountsOf))
  if (left === 'less_than_nothing') throw refuse('payments_exceed_order')
  return left
}

const amountsOf = ({ untaxed, taxable, tax_amount }: QuotationFields | PaymentFields) => ({
  untaxed: BigInt(untaxed),
  taxable: BigInt(taxable),
  tax_amount: BigInt(tax_amount),
})

/** The payments of an order that has just been accepted, by its schedule. */
export async function askByShares(
  trx: Trx,
  order: QuotationFields,
  { standing, accepted_on, ...doing }: Doing & { standing: readonly PaymentFields[]; accepted_on: string },
): Promise<void> {
  const { untaxed, taxable } = amountsOf(order)
  const all = { share: Number(BASIS_POINTS), due_on: dueOn(order.payment_terms, doing.today) }
  const schedule = order.schedule.length === 0 ? [all] : order.schedule
  const parts = paymentParts({
    untaxed,
    taxable,
    tax: order.tax,
    day: order.issue_on ?? doing.today,
    currency: order.currency,
    shares: schedule.map(({ share }) => share),
    standing: standing.map(amountsOf),
  })
  for (const [index, part] of parts.entries()) {
    const due = schedule[index] ?? all
    const day = 'due_on' in due ? due.due_on : plusDays(accepted_on, due.after)
    await ask(trx, order, { ...doing, part, due_on: day })
  }
}

/** Makes a payment; none of nothing. */
export async function ask(
  trx: Trx,
  order: QuotationFields,
  { part, due_on, actor, today, now }: Doing & { part: ReturnType<typeof openOf>; due_on: string },
): Promise<number | null> {
  if (part.amount === 0n) return null
  const number = await takeNumber(trx, 'P', today)
  const id = await insertPayment(
    trx,
    {
      number,
      quotation: order.id,
      advertiser: order.advertiser,
      untaxed: Number(part.untaxed),
      taxable: Number(part.taxable),
      tax_amount: Number(part.tax_amount),
      amount: Number(part.amount),
      currency: order.currency,
      issue_on: today,
      due_on,
      created_by: actor,
    },
    now,
  )
  const detail = { number, quotation: order.id, amount: Number(part.amount), due_on }
  await notePayment(trx, id, { actor, action: 'payment.create', detail, now })
  return id
}

const plusDays = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).toString()

/** Voids those of the payments that can be undone, and returns those that stay in force. */
export async function voidUntouched(
  trx: Trx,
  payments: readonly PaymentFields[],
  { reason, actor, now }: { reason: string; actor: number; now: Date },
): Promise<PaymentFields[]> {
  const inForce = payments.filter(({ status }) => status !== 'void')
  for (const { id, number } of inForce.filter(isUntouched)) {
    await updatePayment(trx, id, { status: 'void', reason, now })
    await notePayment(trx, id, { actor, action: 'payment.void', detail: { number, reason }, now })
  }
  return inForce.filter(payment => !isUntouched(payment))
}
