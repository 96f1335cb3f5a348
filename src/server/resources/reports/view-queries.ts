import { sql } from 'kysely'
import type { ReportView, ViewFilters } from '#shared/api/report-views.ts'
import { lockUntilEnd } from '#server/db/advisory-lock.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'

export async function listViews(db: Db, owner: number): Promise<ReportView[]> {
  return await db
    .selectFrom('report_view')
    .select(['id', 'name', 'filters'])
    .where('owner', '=', owner)
    .orderBy('id')
    .execute()
}

/** For the number of a person's views and their names. */
export async function lockViews(trx: Trx, owner: number): Promise<void> {
  await lockUntilEnd(trx, `views of ${owner}`)
}

export async function isViewNameTaken(
  db: Db,
  { owner, name, except = 0 }: { owner: number; name: string; except?: number },
): Promise<boolean> {
  const other = await db
    .selectFrom('report_view')
    .select('id')
    .where('owner', '=', owner)
    .where(sql`lower(name)`, '=', sql`lower(${name}::text)`)
    .where('id', '<>', except)
    .executeTakeFirst()
  return other !== undefined
}

export async function insertView(
  trx: Trx,
  { owner, name, filters }: { owner: number; name: string; filters: ViewFilters },
  now: Date,
): Promise<number> {
  const { id } = await trx
    .insertInto('report_view')
    .values({ owner, name, filters: JSON.stringify(filters), created_at: now, last_modified_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateView(trx: Trx, { id, name, filters }: ReportView, now: Date): Promise<void> {
  await trx
    .updateTable('report_view')
    .set({ name, filters: JSON.stringify(filters), last_modified_at: now })
    .where('id', '=', id)
    .execute()
}

/** Whether it was there, and theirs. */
export async function deleteView(trx: Trx, { id, owner }: { id: number; owner: number }): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('report_view')
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
