import { sql } from 'kysely'
import { advertiserScope, type Person } from '#shared/access.ts'
import { MOST_AT_ONCE, type OperationBefore, type OperationKind } from '#shared/api/bulk-operations.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { advertiserIdsOf } from '#server/resources/people/queries.ts'

/** The scope: own and shared reports; for a superuser on request, everybody's. */
export interface ReportReader {
  user: Person
  scope: 'mine' | 'all'
}

/** All visible reports, as a subquery; deleted ones are not. */
const visibleTo = ({ user, scope }: ReportReader) =>
  scope === 'all'
    ? sql`select id, folder from report where deleted_at is null`
    : sql`
      select id, folder from report where owner = ${user.id} and deleted_at is null
      union all
      select report.id, share.folder from report_share share join report on report.id = share.report
      where share.user_id = ${user.id} and report.owner <> ${user.id} and report.deleted_at is null`

/**
 * Those that use an account, the oldest first; as many as one call changes, and one more when there are more.
 */
export async function reportsWithAccount(db: Db, reader: ReportReader, account: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select seen.id from (${visibleTo(reader)}) seen
    where exists (select from report_account where report = seen.id and ad_account = ${account})
    order by seen.id limit ${MOST_AT_ONCE + 1}`.execute(db)
  return rows.map(row => row.id)
}

/** Those that use any account of an advertiser. */
export async function reportsOfAdvertiser(
  db: Db,
  reader: ReportReader,
  advertiser: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select seen.id from (${visibleTo(reader)}) seen
    where exists (
      select from report_account asked join ad_account on ad_account.id = asked.ad_account
      where asked.report = seen.id and ad_account.advertiser = ${advertiser})
    order by seen.id limit ${MOST_AT_ONCE + 1}`.execute(db)
  return rows.map(row => row.id)
}

/** Those in some of the person's folders, whoever owns them. */
export async function reportsInFolders(
  db: Db,
  reader: ReportReader,
  folders: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select seen.id from (${visibleTo({ ...reader, scope: 'mine' })}) seen
    where seen.folder = any(${[...folders]}::bigint[])
    order by seen.id limit ${MOST_AT_ONCE + 1}`.execute(db)
  return rows.map(row => row.id)
}

/** How many of the visible reports use each account. */
export async function accountsInUse(db: Db, user: Person): Promise<Map<number, number>> {
  const { rows } = await sql<{ account: number; reports: number }>`
    select asked.ad_account as account, count(distinct asked.report) as reports
    from (${visibleTo({ user, scope: 'mine' })}) seen join report_account asked on asked.report = seen.id
    group by asked.ad_account`.execute(db)
  return new Map(rows.map(row => [row.account, row.reports]))
}

/** Accounts, whoever may use them, and whether this person may. */
export async function readAccounts(db: Db, user: Person, ids: readonly number[]) {
  if (ids.length === 0) return []
  const usable =
    advertiserScope[user.identity] === 'all'
      ? sql<boolean>`true`
      : sql<boolean>`coalesce(ad_account.advertiser in ${advertiserIdsOf(user)}, false)`
  return await db
    .selectFrom('ad_account')
    .leftJoin('advertiser', 'advertiser.id', 'ad_account.advertiser')
    .select([
      'ad_account.id',
      'ad_account.channel',
      'ad_account.external_id',
      'ad_account.name',
      'ad_account.currency',
      'ad_account.ecid',
      'ad_account.advertiser',
      'advertiser.name as advertiser_name',
    ])
    .select(usable.as('usable'))
    .where('ad_account.id', 'in', [...ids])
    .orderBy('ad_account.id')
    .execute()
}
export type AccountRow = Awaited<ReturnType<typeof readAccounts>>[number]

export async function accountsOfAdvertiser(db: Db, advertiser: number) {
  return await db
    .selectFrom('ad_account')
    .select(['id', 'channel', 'name'])
    .where('advertiser', '=', advertiser)
    .orderBy('id')
    .execute()
}

/** Locks the reports, in one order for everybody, so that two selections never deadlock. */
export async function lockReports(trx: Trx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await trx
    .selectFrom('report')
    .select('id')
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export async function insertOperation(
  trx: Trx,
  operation: { id: string; kind: OperationKind; actor: number; folders?: number[] },
  { changes, now }: { changes: readonly Change[]; now: Date },
): Promise<void> {
  await trx
    .insertInto('bulk_operation')
    .values({ ...operation, created_at: now })
    .execute()
  await trx
    .insertInto('bulk_change')
    .values(
      changes.map(({ before, ...change }) => ({
        ...change,
        operation: operation.id,
        before: before === null ? null : JSON.stringify(before),
      })),
    )
    .execute()
}

/** The effect of an operation on a report. */
export interface Change {
  report: number
  version: number
  before: OperationBefore | null
}

/** An operation of this person, locked. */
export async function lockOperation(trx: Trx, id: string, actor: number) {
  return await trx
    .selectFrom('bulk_operation')
    .selectAll()
    .where('id', '=', id)
    .where('actor', '=', actor)
    .forUpdate()
    .executeTakeFirst()
}

export async function changesLeft(trx: Trx, operation: string) {
  return await trx
    .selectFrom('bulk_change')
    .select(['report', 'version', 'before'])
    .where('operation', '=', operation)
    .where('is_undone', '=', false)
    .execute()
}

export async function noteUndone(trx: Trx, operation: string, report: number): Promise<void> {
  await trx
    .updateTable('bulk_change')
    .set({ is_undone: true })
    .where('operation', '=', operation)
    .where('report', '=', report)
    .execute()
}

/** Deletes those of a person's folders that are empty for everybody. */
export async function deleteEmptyFolders(
  trx: Trx,
  folders: readonly number[],
  { owner, now }: { owner: number; now: Date },
) {
  if (folders.length === 0) return
  // The inner ones were made after the outer ones.
  for (const id of folders.toSorted((a, b) => b - a))
    await sql`
      update folder set deleted_at = ${now} where id = ${id} and owner = ${owner} and deleted_at is null
      and not exists (select from folder inner_one where inner_one.parent = ${id} and inner_one.deleted_at is null)
      and not exists (select from report where report.folder = ${id} and report.deleted_at is null)
      and not exists (select from report_share share where share.folder = ${id})`.execute(trx)
}

/** After so long an operation cannot be undone. */
const RETENTION_MS = 30 * 24 * 60 * 60_000

export async function deleteOldOperations(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('bulk_operation')
    .where('created_at', '<', new Date(now.getTime() - RETENTION_MS))
    .execute()
}
