import { sql } from 'kysely'
import type { Person } from '#shared/access.ts'
import type {
  Notification,
  NoticeDetail,
  NotificationQuery,
  ReadNotifications,
} from '#shared/api/notifications.ts'
import { noticeKinds, notices, type NoticeFacts, type NoticeKind } from '#shared/notices.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import type { Trx } from '#server/db/transaction.ts'
import { batchesOf } from '#server/http/list.ts'
import { maySignIn } from '#server/http/session.ts'
import type { Cause, Incident } from './rules.ts'

/** The channel for new and read notifications: see resources/events. */
export const NOTICE_CHANNEL = 'sheetcast_notice'

export interface NewNotice {
  user_id: number
  kind: NoticeKind
  report?: number
  run?: string
  code?: string | null
  detail?: NoticeDetail
}

/** Notifies people, in the transaction of the event itself. */
export async function insertNotices(trx: Db, entries: readonly NewNotice[], at: Date): Promise<void> {
  if (entries.length === 0) return
  const inserted = await trx
    .insertInto('notification')
    .values(
      entries.map(({ user_id, kind, report, run, code, detail }) => ({
        user_id,
        at,
        kind,
        report: report ?? null,
        run: run ?? null,
        code: code ?? null,
        detail: JSON.stringify(detail ?? {}),
        mail_requested: true,
      })),
    )
    .returning(['id', 'user_id'])
    .execute()
  await announce(
    trx,
    inserted.map(({ id, user_id }) => ({ user_id, notification: id })),
  )
}

/** In one statement: a schedule may end for a thousand reports at once. */
async function announce(db: Db, entries: readonly { user_id: number; notification: number | null }[]) {
  await sql`
    select pg_notify(${NOTICE_CHANNEL}, payload)
    from unnest(${entries.map(entry => JSON.stringify(entry))}::text[]) payload`.execute(db)
}

/**
 * A report's owner; superusers for one whose owner is gone, so that somebody is notified. Nobody for a
 * deleted report.
 */
export async function findReceivers(trx: Trx, report: number): Promise<number[]> {
  const owner = await trx
    .selectFrom('report')
    .innerJoin('users', 'users.id', 'report.owner')
    .select(['users.id', maySignIn.as('is_here')])
    .where('report.id', '=', report)
    .where('report.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!owner) return []
  return owner.is_here ? [owner.id] : await findSuperusers(trx)
}

export async function findSuperusers(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('identity', '=', 'superuser')
    .where(maySignIn)
    .execute()
  return rows.map(row => row.id)
}

export async function openIncidents(trx: Trx, report: number): Promise<Incident[]> {
  return await trx
    .selectFrom('incident')
    .select(['id', 'channel', 'label', 'code', 'failed_run'])
    .where('report', '=', report)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .execute()
}

export async function insertIncidents(
  trx: Trx,
  report: number,
  { causes, failed_run, at }: { causes: readonly Cause[]; failed_run: boolean; at: Date },
): Promise<void> {
  if (causes.length === 0) return
  await trx
    .insertInto('incident')
    .values(causes.map(cause => ({ ...cause, report, failed_run, opened_at: at })))
    .execute()
}

export async function closeIncidents(trx: Trx, ids: readonly number[], at: Date): Promise<void> {
  if (ids.length === 0) return
  await trx.updateTable('incident').set({ closed_at: at }).where('id', 'in', ids).execute()
}

/** One's own; those about a report that is no longer visible are left out, since they name it. */
function ownNotices(db: Db, { id, identity }: Person) {
  const own = db
    .selectFrom('notification')
    .leftJoin('report', 'report.id', 'notification.report')
    .where('notification.user_id', '=', id)
  return own.where(eb =>
    eb.or([
      eb('notification.report', 'is', null),
      eb.and([
        eb('report.deleted_at', 'is', null),
        eb.or([
          eb('report.owner', '=', id),
          ...(identity === 'superuser' ? [eb.lit(true)] : []),
          eb.exists(
            eb
              .selectFrom('report_share as share')
              .select('share.report')
              .whereRef('share.report', '=', 'report.id')
              .where('share.user_id', '=', id),
          ),
        ]),
      ]),
    ]),
  )
}

const columns = [
  'notification.id',
  'notification.at',
  'notification.kind',
  'notification.report',
  'notification.run',
  'notification.code',
  'notification.read_at',
  'notification.detail',
  'report.name as report_name',
] as const

export async function listNotices(db: Db, person: Person, query: NotificationQuery) {
  let found = ownNotices(db, person)
  if (query.unread) found = found.where('notification.read_at', 'is', null)
  if (query.search) found = found.where('report.name', 'ilike', containing(query.search))
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const rows = await found
    .select(columns)
    .orderBy(query.ordering.endsWith('at') ? 'notification.at' : 'notification.id', direction)
    .orderBy('notification.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, unread: await countUnread(db, person), rows }
}

const BATCH = 500

/** The conditions of a list, whatever its page. */
export const noticeBatches = (db: Db, person: Person, query: NotificationQuery) =>
  batchesOf(BATCH, async page => {
    const { count, rows } = await listNotices(db, person, { ...query, ...page })
    return { count, rows: rows.map(presentNotice) }
  })

/**
 * Those of one e-mail, oldest first; what has been read meanwhile is left out, except for what everybody
 * gets.
 */
export async function noticesOfMail(db: Db, person: Person, mail: string) {
  return await ownNotices(db, person)
    .select(columns)
    .where('notification.mail', '=', mail)
    .where(eb =>
      eb.or([eb('notification.read_at', 'is', null), eb('notification.kind', 'in', kindsForEverybody)]),
    )
    .orderBy('notification.id')
    .execute()
}

const kindsForEverybody = noticeKinds.filter(kind => notices[kind].mail === 'always')

type NoticeRow = Awaited<ReturnType<typeof noticesOfMail>>[number]

export function presentNotice({ report, report_name, at, read_at, ...row }: NoticeRow): Notification {
  const { severity }: NoticeFacts = notices[row.kind]
  return {
    ...row,
    at: at.toISOString(),
    severity,
    read_at: read_at?.toISOString() ?? null,
    report: report === null ? null : { id: report, name: report_name ?? '' },
  }
}

export async function countUnread(db: Db, person: Person): Promise<number> {
  const { count } = await ownNotices(db, person)
    .where('notification.read_at', 'is', null)
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Other people's stay unchanged. */
export async function markRead(
  trx: Trx,
  query: ReadNotifications,
  { user_id, at }: { user_id: number; at: Date },
): Promise<void> {
  let read = trx
    .updateTable('notification')
    .set({ read_at: at })
    .where('user_id', '=', user_id)
    .where('read_at', 'is', null)
  if ('ids' in query) read = read.where('id', 'in', query.ids)
  const { numUpdatedRows } = await read.executeTakeFirst()
  if (numUpdatedRows > 0n) await announce(trx, [{ user_id, notification: null }])
}

const RETENTION_MS = 90 * 24 * 3600_000

export async function deleteOldNotices(db: Db, now: Date): Promise<void> {
  const since = new Date(now.getTime() - RETENTION_MS)
  await db.deleteFrom('notification').where('at', '<', since).execute()
  await db.deleteFrom('incident').where('closed_at', '<', since).execute()
  await db.deleteFrom('mail').where('ended_at', '<', since).execute()
}
