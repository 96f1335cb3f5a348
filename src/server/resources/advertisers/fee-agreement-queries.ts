import { sql } from 'kysely'
import type { z } from 'zod'
import type { CreateFeeAgreement } from '#shared/api/customers.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'

/** The last month in force whose lock says that it has used the agreement. */
const lastUse = sql<string | null>`(
  select max(statement.month) from statement
  where statement.advertiser = fee_agreement.advertiser and statement.reopened_at is null
    and statement.frozen -> 'agreements' @> to_jsonb(fee_agreement.id))`

/** Until the end of the transaction no month is locked or opened again. */
export async function holdMonths(trx: Trx): Promise<void> {
  await sql`lock table billing_month in row share mode`.execute(trx)
}

/** From the latest month back. */
export async function listAgreements(db: Db, advertiser: number) {
  return await db
    .selectFrom('fee_agreement')
    .selectAll()
    .select(lastUse.as('last_used'))
    .where('advertiser', '=', advertiser)
    .orderBy('from_month', 'desc')
    .orderBy('id', 'desc')
    .execute()
}
export type AgreementRow = Awaited<ReturnType<typeof listAgreements>>[number]

export async function insertAgreement(
  trx: Trx,
  { tiers, ...terms }: z.output<typeof CreateFeeAgreement> & { advertiser: number },
  now: Date,
): Promise<number> {
  const { id } = await trx
    .insertInto('fee_agreement')
    .values({ ...terms, tiers: JSON.stringify(tiers), created_at: now, last_modified_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateAgreement(
  trx: Trx,
  id: number,
  { tiers, now, ...terms }: z.output<typeof CreateFeeAgreement> & { now: Date },
): Promise<void> {
  await trx
    .updateTable('fee_agreement')
    .set(eb => ({
      ...terms,
      tiers: JSON.stringify(tiers),
      version: eb('version', '+', 1),
      last_modified_at: now,
    }))
    .where('id', '=', id)
    .execute()
}

export async function deleteAgreement(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('fee_agreement').where('id', '=', id).execute()
}
