import { sql } from 'kysely'
import type { SpreadsheetScope } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { isOfFile } from '#server/resources/spreadsheets/rules.ts'
import { deleteFavourites } from '#server/resources/reports/favourite-queries.ts'
import { endShares } from '#server/resources/reports/share-queries.ts'

/** The reports that a person owns, by name; deleted ones are transferred invisibly. */
export async function reportsOf(db: Db, owner: number, limit: number) {
  return await db
    .selectFrom('report')
    .select(['id', 'name', 'folder', 'spreadsheet_id', 'channels'])
    .where('owner', '=', owner)
    .where('deleted_at', 'is', null)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function accountNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('ad_account').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The owners of the spreadsheets; unproven ones are missing. */
export async function bindingsOf(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, SpreadsheetScope>()
  const rows = await db
    .selectFrom('spreadsheet_binding')
    .select(['spreadsheet_id', 'advertiser', 'proven_by', 'department'])
    .where('spreadsheet_id', 'in', ids)
    .execute()
  return new Map<string, SpreadsheetScope>(
    rows.map(({ spreadsheet_id, ...scope }) => [spreadsheet_id, scope]),
  )
}

/**
 * To the new owner's top level; a share with them ends, since it is theirs now. Returns the folders in which
 * the old owner had them.
 */
export async function transferReports(
  trx: Trx,
  { from, to, reports }: { from: number; to: number; reports: readonly number[] | undefined },
  now: Date,
): Promise<{ id: number; folder: number | null }[]> {
  const chosen = reports === undefined ? sql`true` : sql`id = any(${[...reports]}::bigint[])`
  const { rows } = await sql<{ id: number; folder: number | null }>`
    with moved as (
      select id, folder from report where owner = ${from} and ${chosen} order by id for no key update
    )
    update report set owner = ${to}, folder = null, version = version + 1, last_modified_at = ${now}
    from moved where report.id = moved.id
    returning report.id, moved.folder`.execute(trx)
  const ids = rows.map(row => row.id)
  if (ids.length === 0) return rows
  await endShares(trx, { reports: ids, user_id: to, ended_by: null, keeps_access: true }, now)
  await deleteFavourites(trx, { reports: ids, user_id: from })
  await trx
    .insertInto('report_transfer')
    .values(rows.map(({ id, folder }) => ({ report: id, from_owner: from, folder, transferred_at: now })))
    .onConflict(conflict =>
      conflict.column('report').doUpdateSet(eb => ({
        from_owner: eb.ref('excluded.from_owner'),
        folder: eb.ref('excluded.folder'),
        transferred_at: eb.ref('excluded.transferred_at'),
      })),
    )
    .execute()
  return rows
}

/** Those of some reports whose spreadsheet was never found to be their owner's, with its id. */
export async function unprovenTargets(trx: Trx, reports: readonly number[]) {
  const rows = await trx
    .selectFrom('report')
    .select(['id', 'spreadsheet_id', 'target_state'])
    .where('id', 'in', [...reports, 0])
    .where('spreadsheet_id', 'is not', null)
    .execute()
  return rows.flatMap(({ id, spreadsheet_id, target_state }) =>
    spreadsheet_id !== null && (target_state === null || isOfFile(target_state))
      ? [{ id, spreadsheet_id }]
      : [],
  )
}

/** The spreadsheet stays, but the place in it has to be chosen anew, and nothing runs before. */
export async function clearTabs(trx: Trx, reports: readonly number[]): Promise<void> {
  if (reports.length === 0) return
  await trx
    .updateTable('report')
    .set({ sheet_name: '', sheet_id: null, target_state: null, next_run_at: null })
    .where('id', 'in', reports)
    .execute()
}

/**
 * Of reports that `from` has now: those that `to` last transferred to them, their folders, and whether that
 * ended a share with `from`.
 */
export async function handOversOf(
  trx: Trx,
  { from, to, reports }: { from: number; to: number; reports: readonly number[] },
) {
  const { rows } = await sql<{ report: number; folder: number | null; was_shared: boolean }>`
    select report_transfer.report, folder.id as folder, exists (
      select from ended_share as share
      where share.report = report_transfer.report and share.user_id = ${from} and share.ended_at = report_transfer.transferred_at
    ) as was_shared
    from report_transfer
    join report on report.id = report_transfer.report and report.owner = ${from}
    left join folder on folder.id = report_transfer.folder and folder.deleted_at is null
    where report_transfer.from_owner = ${to} and report_transfer.report = any(${[...reports]}::bigint[])
    for no key update of report`.execute(trx)
  return rows
}

export async function putInFolder(trx: Trx, reports: readonly number[], folder: number): Promise<void> {
  await trx.updateTable('report').set({ folder }).where('id', 'in', reports).execute()
}

/** The accounts that somebody's reports, all or these, use. */
export async function accountsOfReports(
  db: Db,
  { owner, reports }: { owner: number; reports: number[] | undefined },
): Promise<number[]> {
  let found = db
    .selectFrom('report_account')
    .innerJoin('report', 'report.id', 'report_account.report')
    .select('report_account.ad_account')
    .distinct()
    .where('report.owner', '=', owner)
  if (reports) found = found.where('report.id', 'in', [...reports, 0])
  return (await found.execute()).map(row => row.ad_account)
}
