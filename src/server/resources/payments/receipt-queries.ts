import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { ReceiptTable } from '#server/db/tables/billing.ts'
import type { Trx } from '#server/db/transaction.ts'

export type ReceiptFields = Selectable<ReceiptTable>

/** Of some payments, as they came. */
export async function listReceipts(db: Db, payments: readonly number[]): Promise<ReceiptFields[]> {
  if (payments.length === 0) return []
  return await db
    .selectFrom('receipt')
    .selectAll()
    .where('payment', 'in', [...payments])
    .orderBy('id')
    .execute()
}

export async function insertReceipt(
  trx: Trx,
  values: Omit<Insertable<ReceiptTable>, 'created_at'>,
  now: Date,
): Promise<number> {
  const { id } = await trx
    .insertInto('receipt')
    .values({ ...values, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** What was written down wrongly stays in sight. */
export async function reverseReceipt(
  trx: Trx,
  id: number,
  { reason, reversed_by, now }: { reason: string; reversed_by: number; now: Date },
): Promise<void> {
  await trx
    .updateTable('receipt')
    .set({ reason, reversed_by, reversed_at: now })
    .where('id', '=', id)
    .execute()
}
