import type { z } from 'zod'
import { IdPath } from '#shared/api/list.ts'
import { CreateReceipt, Payment, ReceiptPath, ReverseReceipt } from '#shared/api/payments.ts'
import { whyNotReceipt } from '#shared/billing/receivable.ts'
import { isOnStep } from '#shared/billing/step.ts'
import { todayIn } from '#shared/date-range.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { PaymentFields } from './queries.ts'
import { insertReceipt, listReceipts, reverseReceipt } from './receipt-queries.ts'
import { PAYMENTS } from './routes.ts'
import { settlePayment } from './settle.ts'
import { lockedPayment, notePayment, showPayment } from './visible.ts'

const create = route('POST', `${PAYMENTS}:id/receipt/`, {
  summary: 'Note money that has come for a payment; what the bank has kept of it (bank_fee) counts as paid.',
  level: 'director_or_finance',
  params: IdPath,
  body: CreateReceipt,
  reply: Payment,
  status: 201,
  async run({ params: { id }, body: { version, ...receipt }, user, db, now, effects: { settings } }) {
    const today = todayIn(settings.time_zone, now)
    const payment = await lockedPayment(db, id, { user, today, action: 'receipt', version })
    const fields = problemsOf(receipt, { payment, today })
    if (Object.keys(fields).length > 0) throw refuse('invalid', { fields })
    const of = await insertReceipt(db, { ...receipt, payment: id, created_by: user.id }, now)
    await settlePayment(db, payment, now)
    const detail = { number: payment.number, receipt: of, ...receipt }
    await notePayment(db, id, { actor: user.id, action: 'receipt.create', detail, now })
    return await showPayment(db, id, { user, today })
  },
})

function problemsOf(
  { on, amount, bank_fee }: Pick<z.output<typeof CreateReceipt>, 'on' | 'amount' | 'bank_fee'>,
  { payment, today }: { payment: PaymentFields; today: string },
): Record<string, ErrorCode[]> {
  const receipt = { amount: BigInt(amount), bank_fee: BigInt(bank_fee) }
  const received = { amount: BigInt(payment.received), bank_fee: 0n }
  const problems: Record<string, ErrorCode | null> = {
    on: on > today ? 'time_in_future' : null,
    bank_fee: isOnStep(receipt.bank_fee, payment.currency) ? null : 'amount_step',
    amount: !isOnStep(receipt.amount, payment.currency)
      ? 'amount_step'
      : amount + bank_fee === 0
        ? 'field_required'
        : whyNotReceipt(receipt, { amount: BigInt(payment.amount), receipts: [received] }),
  }
  return Object.fromEntries(
    Object.entries(problems).flatMap(([field, code]) => (code ? [[field, [code]]] : [])),
  )
}

const reverse = route('POST', `${PAYMENTS}:id/receipt/:rid/reverse/`, {
  summary: 'Reverse a receipt that was noted by mistake, with a reason. It stays in sight.',
  level: 'director_or_finance',
  params: ReceiptPath,
  body: ReverseReceipt,
  reply: Payment,
  async run({ params: { id, rid }, body: { version, reason }, user, db, now, effects: { settings } }) {
    const today = todayIn(settings.time_zone, now)
    const payment = await lockedPayment(db, id, { user, today, action: 'edit', version })
    const receipt = (await listReceipts(db, [id])).find(each => each.id === rid)
    if (!receipt) throw refuse('not_found')
    if (receipt.reversed_at !== null)
      throw refuse('state_not_allowed', { extra: { state: 'reversed', allowed: [] } })
    await reverseReceipt(db, rid, { reason, reversed_by: user.id, now })
    await settlePayment(db, payment, now)
    const detail = { number: payment.number, receipt: rid, amount: receipt.amount, reason }
    await notePayment(db, id, { actor: user.id, action: 'receipt.reverse', detail, now })
    return await showPayment(db, id, { user, today })
  },
})

export const receiptRoutes = [create, reverse]
