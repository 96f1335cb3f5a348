import { sql } from 'kysely'
import { lockUntilEnd } from '#server/db/advisory-lock.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'

/** Until the transaction ends nobody else adds files of this advertiser, null: of the agency. */
export const lockUsage = (trx: Trx, advertiser: number | null) =>
  lockUntilEnd(trx, `files of ${advertiser ?? 'the agency'}`)

/** Of all images and files of an advertiser, null: of the agency; as they were counted when uploaded. */
export async function usedBytes(db: Db, advertiser: number | null): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select ((select coalesce(sum(size), 0) from image where coalesce(advertiser, 0) = ${advertiser ?? 0})
      + (select coalesce(sum(size), 0) from file where coalesce(advertiser, 0) = ${advertiser ?? 0}))::bigint as bytes`.execute(
    db,
  )
  return rows[0]?.bytes ?? 0
}

/** false: there were as many as there may be, and nothing is counted. */
export async function countUpload(
  trx: Trx,
  { user_id, day, most }: { user_id: number; day: string; most: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into upload_count as u (user_id, day, count) values (${user_id}, ${day}, 1)
    on conflict (user_id, day) do update set count = u.count + 1 where u.count < ${most}
    returning count`.execute(trx)
  return rows.length > 0
}

/** How many a person has uploaded on a day. */
export async function uploadsOf(db: Db, { user_id, day }: { user_id: number; day: string }): Promise<number> {
  const row = await db
    .selectFrom('upload_count')
    .select('count')
    .where('user_id', '=', user_id)
    .where('day', '=', day)
    .executeTakeFirst()
  return row?.count ?? 0
}

/** Of the days before yesterday, which nothing reads any more. */
export async function deleteOldUploadCounts(db: Db, now: Date): Promise<void> {
  await sql`delete from upload_count where day < (${now}::timestamptz at time zone 'UTC')::date - 1`.execute(
    db,
  )
}
