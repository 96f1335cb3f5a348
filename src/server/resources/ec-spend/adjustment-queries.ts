import { sql } from 'kysely'
import type { z } from 'zod'
import type { AdjustmentQuery, Adjustment } from '#shared/api/ec-spend.ts'
import { firstDayOf } from '#shared/month.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import type { Trx } from '#server/db/transaction.ts'

export type AdjustmentFields = Omit<
  Adjustment,
  'id' | 'version' | 'created_at' | 'last_modified_at' | 'advertiser_name'
>

const named = (db: Db) =>
  db.selectFrom('adjustment').innerJoin('advertiser', 'advertiser.id', 'adjustment.advertiser')

export async function listAdjustments(db: Db, query: z.output<typeof AdjustmentQuery>) {
  let found = named(db)
  if (query.month !== undefined) found = found.where('adjustment.month', '=', firstDayOf(query.month))
  if (query.advertiser !== undefined) found = found.where('adjustment.advertiser', '=', query.advertiser)
  if (query.search !== undefined) {
    const pattern = containing(query.search)
    found = found.where(eb =>
      eb.or([eb('advertiser.name', 'ilike', pattern), eb('adjustment.note', 'ilike', pattern)]),
    )
  }
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const rows = await found
    .selectAll('adjustment')
    .select('advertiser.name as advertiser_name')
    .orderBy(sql.ref(`adjustment.${query.ordering.replace('-', '')}`), direction)
    .orderBy('adjustment.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

/** Locked, where it is to be changed. */
export async function findAdjustment(db: Db, id: number, { lock = false } = {}) {
  const found = named(db)
    .selectAll('adjustment')
    .select('advertiser.name as advertiser_name')
    .where('adjustment.id', '=', id)
  return await (lock ? found.forUpdate('adjustment') : found).executeTakeFirst()
}
export type AdjustmentRow = NonNullable<Awaited<ReturnType<typeof findAdjustment>>>

/** Their ids, in the same order. */
export async function insertAdjustments(
  trx: Trx,
  adjustments: readonly AdjustmentFields[],
  now: Date,
): Promise<number[]> {
  if (adjustments.length === 0) return []
  const rows = await trx
    .insertInto('adjustment')
    .values(adjustments.map(fields => ({ ...asRow(fields), created_at: now, last_modified_at: now })))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function updateAdjustment(
  trx: Trx,
  { id, version }: { id: number; version: number },
  { now, ...fields }: AdjustmentFields & { now: Date },
): Promise<void> {
  await trx
    .updateTable('adjustment')
    .set({ ...asRow(fields), version: version + 1, last_modified_at: now })
    .where('id', '=', id)
    .execute()
}

export async function deleteAdjustment(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('adjustment').where('id', '=', id).execute()
}

const asRow = ({ month, concerns_month, ...fields }: AdjustmentFields) => ({
  ...fields,
  month: firstDayOf(month),
  concerns_month: firstDayOf(concerns_month),
})
