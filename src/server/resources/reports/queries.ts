import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { isInternal, type Person } from '#shared/access.ts'
import type { Block } from '#shared/api/reports.ts'
import { lockUntilEnd } from '#server/db/advisory-lock.ts'
import type { Db } from '#server/db/connect.ts'
import { personName } from '#server/db/person-name.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { Database } from '#server/db/schema.ts'
import { changedFields, type ChangedFields } from '#server/resources/audit/changed-fields.ts'
import { nextRunOf } from './rules.ts'

export type ReportTable = Selectable<Database['report']>

/** Reports with all that the API shows of them to one person; in no particular order. */
export async function readReports(db: Db, viewer: Person, ids: readonly number[]) {
  if (ids.length === 0) return []
  return await db
    .selectFrom('report')
    .innerJoin('users as owned', 'owned.id', 'report.owner')
    .leftJoin('report_share as share', join =>
      join.onRef('share.report', '=', 'report.id').on('share.user_id', '=', viewer.id),
    )
    .leftJoin('users as sharer', 'sharer.id', 'share.shared_by')
    .leftJoin('users as copier', 'copier.id', 'report.copied_by')
    .leftJoin('folder as place', join =>
      join
        .on(eb =>
          eb(
            'place.id',
            '=',
            eb
              .case()
              .when('report.owner', '=', viewer.id)
              .then(eb.ref('report.folder'))
              .else(eb.ref('share.folder'))
              .end(),
          ),
        )
        .on('place.owner', '=', viewer.id)
        .on('place.deleted_at', 'is', null),
    )
    .selectAll('report')
    .select([
      'place.id as viewer_folder',
      'share.access as share_access',
      eb =>
        eb
          .exists(
            eb
              .selectFrom('report_favourite as mark')
              .select('mark.report')
              .whereRef('mark.report', '=', 'report.id')
              .where('mark.user_id', '=', viewer.id),
          )
          .$castTo<boolean>()
          .as('favourite'),
      personName<string>('owned').as('owner_name'),
      personName('sharer').as('sharer_name'),
      copierOf(viewer).as('copied_by_username'),
    ])
    .select(eb =>
      jsonArrayFrom(
        eb
          .selectFrom('run')
          .select([
            'run.id',
            'run.status',
            'run.finished_at',
            'run.rows',
            'run.columns',
            'run.code',
            'run.partial',
            'run.blocks',
          ])
          .whereRef('run.report', '=', 'report.id')
          .orderBy('run.queued_at', 'desc')
          .limit(1),
      ).as('last_runs'),
    )
    .select(eb =>
      eb
        .selectFrom('run')
        .select('run.id')
        .whereRef('run.report', '=', 'report.id')
        .where('run.status', 'in', ['queued', 'fetching', 'writing'])
        .as('task'),
    )
    .where('report.id', 'in', ids)
    .execute()
}
/** The fields of people are for their own side alone: of the agency's people a client sees only the name. */
const copierOf = (viewer: Person) =>
  isInternal(viewer)
    ? sql<string | null>`copier.username`
    : sql<string | null>`
        case when copier.identity = 'external_user' then copier.username
        else ${personName('copier')} end`

export type ReportRow = Awaited<ReturnType<typeof readReports>>[number]

/** The report itself; null when it is deleted. */
export async function findReport(db: Db, id: number): Promise<ReportTable | null> {
  const report = await db
    .selectFrom('report')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return report ?? null
}

/** Whether the report is deleted. */
export async function isDeleted(db: Db, id: number): Promise<boolean> {
  const report = await db.selectFrom('report').select('deleted_at').where('id', '=', id).executeTakeFirst()
  return report?.deleted_at !== null
}

/** The report itself, locked. */
export async function lockReport(trx: Trx, id: number): Promise<ReportTable | null> {
  // Not `for update`: a run that begins meanwhile refers to the report, and need not wait.
  const report = await trx
    .selectFrom('report')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return report ?? null
}

/** Locks the counts of this person. */
export async function lockQuota(trx: Trx, owner: number): Promise<void> {
  await lockUntilEnd(trx, `quota of ${owner}`)
}

/**
 * How many reports a person has, deleted ones too, up to so many. Two branches, so that each is counted in an
 * index.
 */
export async function countOwned(db: Db, owner: number, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      (select from report where owner = ${owner} and deleted_at is null limit ${most})
      union all
      (select from report where owner = ${owner} and deleted_at is not null limit ${most})
    ) owned`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * How many of a person's reports are copies that one other person has made, deleted ones too, up to so many.
 */
export async function countCopies(
  db: Db,
  { owner, copied_by, most }: { owner: number; copied_by: number; most: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from report where owner = ${owner} and copied_by = ${copied_by} limit ${most}
    ) copied`.execute(db)
  return rows[0]?.count ?? 0
}

export async function insertReport(trx: Trx, report: Insertable<Database['report']>): Promise<number> {
  const { id } = await trx.insertInto('report').values(report).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateReport(
  trx: Trx,
  id: number,
  changes: Updateable<Database['report']>,
): Promise<void> {
  await trx.updateTable('report').set(changes).where('id', '=', id).execute()
}

/**
 * Stores the result of checking a locked report's target: a usable one starts the schedule, an unusable one
 * stops it.
 */
export async function saveTargetState(
  trx: Trx,
  report: ReportTable,
  { target_state, now }: { target_state: string; now: Date },
): Promise<void> {
  const next_run_at = nextRunOf({ ...report, target_state }, { before: report, now })
  await updateReport(trx, report.id, { target_state, target_checked_at: now, next_run_at })
}

/** Only to another folder of its owner: nothing that could be refused. Returns the changes. */
export async function moveToFolder(
  trx: Trx,
  { id, version, folder: from }: Pick<ReportTable, 'id' | 'version' | 'folder'>,
  { folder, now }: { folder: number | null; now: Date },
): Promise<ChangedFields> {
  await updateReport(trx, id, { folder, version: version + 1, last_modified_at: now })
  return changedFields({ folder: from }, { folder })
}

/** Who has made the latest change of a report; null when that is unknown. */
export async function lastChanger(
  db: Db,
  { id, last_modified_at }: Pick<ReportRow, 'id' | 'last_modified_at'>,
): Promise<string | null> {
  // The trail's line is of the same transaction and of the same instant as the change.
  const line = await db
    .selectFrom('audit')
    .innerJoin('users', 'users.id', 'audit.actor')
    .select('users.full_name')
    .where('audit.at', '=', last_modified_at)
    .where('audit.object', '=', 'report')
    .where('audit.object_id', '=', String(id))
    .executeTakeFirst()
  return line?.full_name ?? null
}

/** Updates the searchable copy of the accounts in the report's channels. */
export async function replaceAccounts(trx: Trx, report: number, channels: readonly Block[]): Promise<void> {
  await trx.deleteFrom('report_account').where('report', '=', report).execute()
  const rows = channels.flatMap(({ accounts }, block) =>
    [...new Set(accounts)].map(ad_account => ({ report, block, ad_account })),
  )
  if (rows.length > 0) await trx.insertInto('report_account').values(rows).execute()
}

/** Restores what was deleted together with these folders; returns which reports that was. */
export async function restoreReportsIn(
  trx: Trx,
  folders: readonly number[],
  { deleted_at, now }: { deleted_at: Date; now: Date },
): Promise<{ id: number; name: string }[]> {
  const reports = await trx
    .selectFrom('report')
    .selectAll()
    .where('folder', 'in', folders)
    .where('deleted_at', '=', deleted_at)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  for (const report of reports) {
    const next_run_at = nextRunOf({ ...report, next_run_at: null }, { before: null, now })
    await updateReport(trx, report.id, { deleted_at: null, deleted_by: null, next_run_at })
  }
  return reports.map(({ id, name }) => ({ id, name }))
}

/** What is "recently deleted" for longer than this is gone for good. */
const RETENTION_MS = 30 * 24 * 60 * 60_000

export async function purgeDeletedReports(db: Db, now: Date): Promise<void> {
  const since = new Date(now.getTime() - RETENTION_MS)
  await db.deleteFrom('report').where('deleted_at', '<', since).execute()
  await db.deleteFrom('folder').where('deleted_at', '<', since).execute()
}

/** To "recently deleted"; the folder is kept in the row, so that restoring can put them back. */
export async function deleteReports(
  trx: Trx,
  ids: readonly number[],
  { deleted_by, now }: { deleted_by: number; now: Date },
) {
  if (ids.length === 0) return
  await trx
    .updateTable('report')
    .set({ deleted_at: now, deleted_by, next_run_at: null })
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
}
