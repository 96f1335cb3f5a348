import { sql } from 'kysely'
import type { z } from 'zod'
import type { CreateFeeAgreement } from '#shared/api/customers.ts'
import type { FeeAgreement } from '#shared/billing/fee.ts'
import type { SpendChannel } from '#shared/billing/spend-channels.ts'
import { firstDayOf, monthOf } from '#shared/month.ts'
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

/** Those that are in force in some of the months, of all advertisers unless some are named. */
export async function readAgreements(
  db: Db,
  { from, to, advertisers }: { from: string; to: string; advertisers?: readonly number[] },
): Promise<(FeeAgreement & { id: number; advertiser: number })[]> {
  let agreements = db.selectFrom('fee_agreement')
  if (advertisers) agreements = agreements.where('advertiser', 'in', [...advertisers, 0])
  const rows = await agreements
    .select([
      'id',
      'advertiser',
      'channel',
      'currency',
      'from_month',
      'to_month',
      'amount',
      'tiers',
      'tier_mode',
    ])
    .select(['basis', 'minimum', 'charges_idle_months'])
    .where('from_month', '<=', firstDayOf(to))
    .where(eb => eb.or([eb('to_month', 'is', null), eb('to_month', '>=', firstDayOf(from))]))
    .orderBy('id')
    .execute()
  return rows.map(({ channel, from_month, to_month, amount, tiers, minimum, ...row }) => ({
    ...row,
    // The database takes any channel, the API those that have a cost.
    channel: channel as SpendChannel | null,
    from_month: monthOf(from_month),
    to_month: to_month && monthOf(to_month),
    amount: BigInt(amount),
    minimum: BigInt(minimum),
    tiers: tiers.map(({ up_to, rate }) => ({ up_to: up_to === null ? null : BigInt(up_to), rate })),
  }))
}

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
