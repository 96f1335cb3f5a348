import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { lockPaymentsOf } from '#server/resources/payments/queries.ts'
import { voidUntouched } from './order-payments.ts'
import { updateQuotation } from './queries.ts'
import { noteQuotation, type Locked } from './visible.ts'

/** An accepted one takes its payments with it, unless one of them was invoiced or has money. */
export async function cancelQuotation(
  trx: Trx,
  { row, others, state }: Locked,
  { reason, user, now }: { reason: string; user: SignedInUser; now: Date },
): Promise<void> {
  if (state === 'accepted') {
    const payments = await lockPaymentsOf(trx, [row.id, ...others.map(({ id }) => id)])
    const standing = await voidUntouched(trx, payments, { reason, actor: user.id, now })
    if (standing.length > 0) throw refuse('payments_invoiced')
  }
  await updateQuotation(trx, row.id, { status: 'cancelled', reason, ended_at: now, now })
  const detail = { number: row.number, from: state, reason }
  await noteQuotation(trx, row.id, { actor: user.id, action: 'cancel', detail, now })
}
