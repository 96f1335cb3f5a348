import type { Db } from '#server/db/connect.ts'
import { personName } from '#server/db/person-name.ts'
import type { Trx } from '#server/db/transaction.ts'
import { sql } from 'kysely'
import type { Person } from '#shared/access.ts'

/** Into a folder of the person whom the report is shared with. */
export async function fileShare(trx: Trx, share: { report: number; user_id: number; folder: number | null }) {
  await trx
    .updateTable('report_share')
    .set({ folder: share.folder })
    .where('report', '=', share.report)
    .where('user_id', '=', share.user_id)
    .execute()
}

export async function listShares(db: Db, report: number) {
  return await db
    .selectFrom('report_share as share')
    .innerJoin('users', 'users.id', 'share.user_id')
    .leftJoin('users as sharer', 'sharer.id', 'share.shared_by')
    .select([
      'share.user_id as user',
      personName<string>('users').as('user_name'),
      'share.access',
      personName('sharer').as('shared_by'),
      'share.created_at',
    ])
    .where('share.report', '=', report)
    .orderBy('share.created_at')
    .execute()
}

/**
 * Reports that are shared with these people, or that use these accounts and are shared; each with all of its
 * accounts.
 */
export async function sharedReports(
  trx: Trx,
  those: { with: readonly number[] } | { accounts: readonly number[] },
): Promise<{ id: number; name: string; accounts: number[] }[]> {
  const ids = 'with' in those ? those.with : those.accounts
  if (ids.length === 0) return []
  return await trx
    .selectFrom('report')
    .innerJoin('report_account as asks', 'asks.report', 'report.id')
    .select(['report.id', 'report.name'])
    .select(sql<number[]>`array_agg(distinct asks.ad_account)`.as('accounts'))
    .where('report.id', 'in', eb =>
      'with' in those
        ? eb.selectFrom('report_share').select('report').where('user_id', 'in', ids)
        : eb
            .selectFrom('report_account as own')
            .innerJoin('report_share', 'report_share.report', 'own.report')
            .select('own.report')
            .where('own.ad_account', 'in', ids),
    )
    .groupBy('report.id')
    .orderBy('report.id')
    .execute()
}

/** The clients whom a report is shared with. */
export async function clientsOfReport(trx: Trx, report: number): Promise<Person[]> {
  return await trx
    .selectFrom('report_share as share')
    .innerJoin('users', 'users.id', 'share.user_id')
    .select(['users.id', 'users.identity', 'users.department'])
    .where('share.report', '=', report)
    .where('users.identity', '=', 'external_user')
    .orderBy('users.id')
    .execute()
}

export async function upsertShare(
  trx: Trx,
  share: { report: number; user_id: number; access: 'viewer' | 'editor'; shared_by: number },
  now: Date,
): Promise<{ before: 'viewer' | 'editor' | null }> {
  return await trx
    .insertInto('report_share')
    .values({ ...share, created_at: now })
    .onConflict(conflict => conflict.columns(['report', 'user_id']).doUpdateSet({ access: share.access }))
    // A statement's own subqueries do not see what it has written.
    .returning(eb =>
      eb
        .selectFrom('report_share as old')
        .select('old.access')
        .where('old.report', '=', share.report)
        .where('old.user_id', '=', share.user_id)
        .as('before'),
    )
    .executeTakeFirstOrThrow()
}

interface Ended {
  reports: readonly number[]
  user_id: number
  /** null: nobody has chosen to. */
  ended_by: number | null
  /** The reports are theirs from now on, and remain their favourites. */
  keeps_access?: true
}

/**
 * Ends the shares; returns the person's role in each of these reports that was shared with them;
 * `restoreShare` restores each.
 */
export async function endShares(
  trx: Trx,
  { reports, user_id, ended_by, keeps_access }: Ended,
  now: Date,
): Promise<{ report: number; access: 'viewer' | 'editor' }[]> {
  const { rows } = await sql<{ report: number; access: 'viewer' | 'editor' }>`
    with ended as (
      delete from report_share where user_id = ${user_id} and report = any(${[...reports]}::bigint[])
      returning report, user_id, access, shared_by, folder, created_at
    ), unmarked as (
      delete from report_favourite
      where user_id = ${user_id} and report in (select report from ended) and not ${keeps_access ?? false}
      returning report
    )
    insert into ended_share (report, user_id, access, shared_by, folder, created_at, ended_at, ended_by, was_favourite)
    select ended.*, ${now}::timestamptz, ${ended_by}::bigint, report in (select report from unmarked) from ended
    on conflict (report, user_id) do update set access = excluded.access, shared_by = excluded.shared_by,
      folder = excluded.folder, created_at = excluded.created_at, ended_at = excluded.ended_at,
      ended_by = excluded.ended_by, was_favourite = excluded.was_favourite
    returning report, access`.execute(trx)
  return rows
}

/** As it was when it ended; null when there is no record of it, or the report is shared with them again. */
export async function restoreShare(
  trx: Trx,
  report: number,
  user_id: number,
): Promise<'viewer' | 'editor' | null> {
  const restored = await trx
    .insertInto('report_share')
    .columns(['report', 'user_id', 'access', 'shared_by', 'folder', 'created_at'])
    .expression(eb =>
      eb
        .selectFrom('ended_share')
        .select(['report', 'user_id', 'access', 'shared_by', 'folder', 'created_at'])
        .where('report', '=', report)
        .where('user_id', '=', user_id),
    )
    .onConflict(conflict => conflict.doNothing())
    .returning('access')
    .executeTakeFirst()
  if (!restored) return null
  await sql`
    insert into report_favourite (report, user_id)
    select report, user_id from ended_share where report = ${report} and user_id = ${user_id} and was_favourite
    on conflict do nothing`.execute(trx)
  return restored.access
}

/** Whether they have ended it themselves. */
export async function hasLeft(trx: Trx, report: number, user_id: number): Promise<boolean> {
  const ended = await trx
    .selectFrom('ended_share')
    .select('report')
    .where('report', '=', report)
    .where('user_id', '=', user_id)
    .where('ended_by', '=', user_id)
    .executeTakeFirst()
  return ended !== undefined
}

/** Whether there is a record of an ended share with them. */
export async function wasSharedToday(trx: Trx, report: number, user_id: number): Promise<boolean> {
  const ended = await trx
    .selectFrom('ended_share')
    .select('report')
    .where('report', '=', report)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return ended !== undefined
}

/** Undo is offered for a moment only. */
const UNDOABLE_MS = 24 * 60 * 60_000

export async function deleteUndoableShares(db: Db, now: Date): Promise<void> {
  const since = new Date(now.getTime() - UNDOABLE_MS)
  await db.deleteFrom('ended_share').where('ended_at', '<', since).execute()
  await db.deleteFrom('report_transfer').where('transferred_at', '<', since).execute()
}
