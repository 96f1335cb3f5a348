import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { ApiSettings } from '#server/http/effects.ts'
import { refuse } from '#server/http/refusal.ts'
import type { Tree } from './rules.ts'

/** Every folder of a person with the number of reports that they see directly in it. */
export async function listFolders(db: Db, owner: number) {
  return await db
    .selectFrom('folder')
    .select(['id', 'name', 'layer', 'parent', 'last_modified_at'])
    .where('owner', '=', owner)
    .where('deleted_at', 'is', null)
    .execute()
}

/**
 * How many reports a person sees in each folder, own ones and those that they have filed there; `null` is the
 * root.
 */
export async function countReports(db: Db, user_id: number): Promise<Map<number | null, number>> {
  const { rows } = await sql<{ folder: number | null; reports: number }>`
    select folder.id as folder, count(*) as reports
    from (
      select folder from report where owner = ${user_id} and deleted_at is null
      union all
      select share.folder from report_share share join report on report.id = share.report
      where share.user_id = ${user_id} and report.deleted_at is null and report.owner <> ${user_id}
    ) seen
    left join folder on folder.id = seen.folder and folder.owner = ${user_id} and folder.deleted_at is null
    group by folder.id`.execute(db)
  return new Map(rows.map(row => [row.folder, row.reports]))
}

/**
 * The owner's folders, locked: the rules about names and layers read several rows, so the lock is on the
 * owner.
 */
export async function lockTree(trx: Trx, owner: number): Promise<Tree> {
  await trx.selectFrom('users').select('id').where('id', '=', owner).forNoKeyUpdate().execute()
  return await trx
    .selectFrom('folder')
    .select(['id', 'name', 'parent', 'layer'])
    .where('owner', '=', owner)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
}

/**
 * Of a locked tree. Throws when its owner has as many folders as one person may have; deleted ones count
 * while they can be restored, so that restoring needs no check.
 */
export async function refuseTooManyFolders(
  trx: Trx,
  owner: number,
  { quotas: { folders: limit } }: Pick<ApiSettings, 'quotas'>,
): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      (select from folder where owner = ${owner} and deleted_at is null limit ${limit})
      union all
      (select from folder where owner = ${owner} and deleted_at is not null limit ${limit})
    ) owned`.execute(trx)
  if ((rows[0]?.count ?? 0) < limit) return
  throw refuse('too_many_folders', {
    extra: { limit },
    detail: `One person may have ${limit.toLocaleString('en')} folders; deleted ones count for 30 days.`,
  })
}

export async function insertFolder(
  trx: Trx,
  folder: { owner: number; name: string; parent: number | null; layer: number },
  now: Date,
): Promise<number> {
  const { id } = await trx
    .insertInto('folder')
    .values({ ...folder, created_at: now, last_modified_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateFolder(
  trx: Trx,
  id: number,
  changes: { name?: string; parent?: number | null; layer?: number; last_modified_at: Date },
): Promise<void> {
  await trx.updateTable('folder').set(changes).where('id', '=', id).execute()
}

export async function deleteFolders(trx: Trx, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length > 0)
    await trx.updateTable('folder').set({ deleted_at: now }).where('id', 'in', ids).execute()
}

/** Whether it is a folder of this person that exists. Within a transaction it is locked against deletion. */
export async function isOwnFolder(db: Db, owner: number, id: number): Promise<boolean> {
  const folder = await db
    .selectFrom('folder')
    .select('id')
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return folder !== undefined
}

/**
 * Reports in these folders as the owner of the folders sees them: own ones, and those of others that they
 * have filed there.
 */
export async function reportsIn(trx: Trx, owner: number, folders: readonly number[]) {
  const own = await trx
    .selectFrom('report')
    .select('id')
    .where('owner', '=', owner)
    .where('folder', 'in', folders)
    .where('deleted_at', 'is', null)
    .execute()
  const filed = await trx
    .selectFrom('report_share')
    .select('report as id')
    .where('user_id', '=', owner)
    .where('folder', 'in', folders)
    .execute()
  return { own: own.map(row => row.id), filed: filed.map(row => row.id) }
}

/** Moves all reports of a folder, deleted ones too, so that restoring finds the new folder. */
export async function moveReports(
  trx: Trx,
  owner: number,
  { from, to }: { from: number; to: number | null },
) {
  const own = await trx
    .updateTable('report')
    .set({ folder: to })
    .where('owner', '=', owner)
    .where('folder', '=', from)
    .returning('id')
    .execute()
  const filed = await trx
    .updateTable('report_share')
    .set({ folder: to })
    .where('user_id', '=', owner)
    .where('folder', '=', from)
    .returning('report as id')
    .execute()
  return { own: own.map(row => row.id), filed: filed.map(row => row.id) }
}

/** A deleted folder and, after it, the subfolders that were deleted with it. */
export async function deletedFolders(trx: Trx, owner: number, id: number) {
  const { rows } = await sql<{ id: number; name: string; parent: number | null; deleted_at: Date }>`
    select folder.id, folder.name, folder.parent, folder.deleted_at
    from folder join folder wanted on wanted.id = ${id} and wanted.owner = ${owner} and wanted.deleted_at is not null
    where folder.owner = ${owner} and folder.deleted_at = wanted.deleted_at
      and (folder.id = wanted.id or folder.parent = wanted.id)
    order by folder.parent is not distinct from wanted.id, folder.id`.execute(trx)
  return rows
}

export async function restoreFolder(
  trx: Trx,
  id: number,
  destination: { name: string; parent: number | null; layer: number },
): Promise<void> {
  await trx
    .updateTable('folder')
    .set({ ...destination, deleted_at: null })
    .where('id', '=', id)
    .execute()
}
