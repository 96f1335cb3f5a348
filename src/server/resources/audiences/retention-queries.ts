import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'

/** Locks the audience of an upload; false: somebody has continued it meanwhile. */
export async function holdIdleUpload(trx: Trx, id: string, since: Date): Promise<boolean> {
  await sql`
    select from audience where id = (select audience from audience_upload where id = ${id})
    for no key update`.execute(trx)
  const { rows } = await sql`
    select from audience_upload
    where id = ${id} and state = 'open' and last_modified_at <= ${since}`.execute(trx)
  return rows.length > 0
}

/** Not while an upload is open, which may have left out what the list has. */
const isDue = (now: Date) => sql<boolean>`
  status = 'ready' and expires_at <= ${now}
    and not exists (select from audience_upload where audience = audience.id and state = 'open')`

export async function dueAudiences(db: Db, now: Date): Promise<number[]> {
  const rows = await db.selectFrom('audience').select('id').where(isDue(now)).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Returns 1, or 0 when it is not due any more. */
export async function expireAudience(trx: Trx, id: number, now: Date): Promise<number> {
  const held = await trx
    .selectFrom('audience')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!held) return 0
  const { numUpdatedRows } = await trx
    .updateTable('audience')
    .set({ status: 'expired', expires_at: null, last_modified_at: now })
    .where('id', '=', id)
    .where(isDue(now))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return 0
  await trx.deleteFrom('audience_chunk').where('audience', '=', id).execute()
  return 1
}
