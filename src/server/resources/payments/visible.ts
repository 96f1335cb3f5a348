import type { Payment } from '#shared/api/payments.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { presentPayments } from './present.ts'
import { findPayment, lockPayment, type PaymentFields } from './queries.ts'
import { allowedActions, stateOf } from './rules.ts'

interface Reading {
  user: SignedInUser
  /** In the organisation's zone. */
  today: string
}

export async function showPayment(db: Db, id: number, reading: Reading): Promise<Payment> {
  const row = await findPayment(db, reading.user, id)
  const [payment] = row ? await presentPayments(db, [row], reading) : []
  if (!payment) throw refuse('not_found')
  return payment
}

/** The payment for an action on it, locked; refused when it may not be done. */
export async function lockedPayment(
  trx: Trx,
  id: number,
  { user, today, action, version }: Reading & { action: Payment['may'][number]; version: number },
): Promise<PaymentFields> {
  if (!(await findPayment(trx, user, id))) throw refuse('not_found')
  const payment = await lockPayment(trx, id)
  const allowed = allowedActions(payment)
  if (!allowed.includes(action))
    throw refuse('state_not_allowed', { extra: { state: stateOf(payment, today), allowed } })
  if (version !== payment.version)
    throw refuse('conflict', { extra: { payment: await showPayment(trx, id, { user, today }) } })
  return payment
}

export const notePayment = (
  trx: Trx,
  id: number,
  {
    actor,
    action,
    detail,
    now,
  }: { actor: number; action: string; detail: Record<string, unknown>; now: Date },
): Promise<void> => writeAudit(trx, { actor, action, object: 'payment', object_id: id, detail }, now)
