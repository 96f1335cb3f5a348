import { sql } from 'kysely'
import type { Person } from '#shared/access.ts'
import type { Language } from '#shared/language.ts'
import { noticeKinds, notices, type MailChoice, type NoticeFacts } from '#shared/notices.ts'
import type { Db } from '#server/db/connect.ts'
import { maySignIn } from '#server/http/session.ts'

// The outbox. Rows of `mail` are claimed by moving their `due_at` on, so that one whose sender dies becomes
// due again by itself.

/** What has not been sent within a day is outdated: it stays in the bell alone. */
const STALE_MS = 24 * 3600_000
/** Longer than a try can last. */
const LEASE_MS = 3 * 60_000

const kindsOf = (mail: NoticeFacts['mail']) => noticeKinds.filter(kind => notices[kind].mail === mail)
const kindsOfAll = kindsOf('always')
const kindsOfFailures = [...kindsOfAll, ...kindsOf('failures')]

/**
 * Removes from the outbox what has been read, is old, or whose recipient does not want it. What everybody
 * gets is sent although it was read: a stolen session can read the bell as well.
 */
export async function dropUnwanted(db: Db, now: Date): Promise<void> {
  await sql`
    update notification set mail_requested = false from users
    where mail_requested and users.id = notification.user_id and (
      at < ${new Date(now.getTime() - STALE_MS)} or not (${mayGetMail})
      or kind <> all(${kindsOfAll}::text[]) and (
        read_at is not null or mail_notices = 'none'
        or mail_notices = 'failures' and kind <> all(${kindsOfFailures}::text[])
      )
    )`.execute(db)
}

const mayGetMail = sql`
  email is not null and email_confirmed
  and ${maySignIn}`

/**
 * One e-mail for each person whose oldest notification has waited for the window, with all that have
 * followed. Returns how many.
 */
export async function gatherMail(
  db: Db,
  { now, window_ms }: { now: Date; window_ms: number },
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with due as (
      select user_id from notification where mail_requested
      group by user_id having min(at) <= ${new Date(now.getTime() - window_ms)}
      limit 500
    ), taken as (
      select id, user_id from notification
      where mail_requested and user_id in (select user_id from due)
      for update skip locked
    ), letter as (
      insert into mail (id, user_id, created_at, due_at)
      select gen_random_uuid(), user_id, ${now}, ${now} from (select distinct user_id from taken) receivers
      returning id, user_id
    ), put as (
      update notification set mail = letter.id, mail_requested = false
      from taken join letter using (user_id)
      where notification.id = taken.id
    )
    select id from letter`.execute(db)
  return rows.length
}

export interface ClaimedMail {
  id: string
  user_id: number
  /** This one included; a sender with an older number may record nothing any more. */
  tries: number
}

/** E-mails that are due, claimed by this process until the lease ends. */
export async function claimMail(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<ClaimedMail[]> {
  const { rows } = await sql<ClaimedMail>`
    update mail set tries = tries + 1, due_at = ${new Date(now.getTime() + LEASE_MS)}
    where id in (
      select id from mail where state = 'waiting' and due_at <= ${now}
      order by due_at limit ${limit} for update skip locked
    )
    returning id, user_id, tries`.execute(db)
  return rows
}

export interface Receiver extends Person {
  email: string
  language: Language
  mail_notices: MailChoice
}

/** The recipient of an e-mail; null when they may not get it any more. */
export async function findReceiver(db: Db, id: number): Promise<Receiver | null> {
  const { rows } = await sql<Receiver>`
    select id, identity, department, email, language, mail_notices from users
    where id = ${id} and ${mayGetMail}`.execute(db)
  return rows[0] ?? null
}

type Settled =
  | { state: 'sent' | 'dropped' | 'dead'; problem: string | null }
  | { state: 'waiting'; problem: string; due_at: Date }

/** Unless another process has claimed it since. */
export async function settleMail(
  db: Db,
  { id, tries }: ClaimedMail,
  { now, ...settled }: Settled & { now: Date },
): Promise<void> {
  await db
    .updateTable('mail')
    .set({ ...settled, ended_at: settled.state === 'waiting' ? null : now })
    .where('id', '=', id)
    .where('tries', '=', tries)
    .where('state', '=', 'waiting')
    .execute()
}
