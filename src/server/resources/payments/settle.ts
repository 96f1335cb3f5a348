import type { Trx } from '#server/db/transaction.ts'
import { updatePayment, type PaymentFields } from './queries.ts'
import { listReceipts } from './receipt-queries.ts'

/** What has been received, and with it whether it is paid. */
export async function settlePayment(
  trx: Trx,
  { id, amount }: Pick<PaymentFields, 'id' | 'amount'>,
  now: Date,
): Promise<void> {
  const receipts = (await listReceipts(trx, [id])).filter(({ reversed_at }) => reversed_at === null)
  const received = receipts.reduce((sum, receipt) => sum + receipt.amount + receipt.bank_fee, 0)
  const days = receipts.map(({ on }) => on).toSorted()
  const isPaid = received >= amount
  await updatePayment(trx, id, {
    received,
    status: isPaid ? 'paid' : 'due',
    paid_on: isPaid ? (days.at(-1) ?? null) : null,
    now,
  })
}
