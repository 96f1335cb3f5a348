import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { lockUntilEnd } from '#server/db/advisory-lock.ts'
import type { Trx } from '#server/db/transaction.ts'

/** Until the transaction ends nobody else begins a creation of this person's. */
export async function lockCreations(trx: Trx, person: number): Promise<void> {
  await lockUntilEnd(trx, `spreadsheets of ${person}`)
}

export interface CreationKey {
  user_id: number
  idempotency_key: string
}

export async function findCreation(db: Db, { user_id, idempotency_key }: CreationKey) {
  const row = await db
    .selectFrom('spreadsheet_creation')
    .select(['title', 'spreadsheet_id', 'started_at'])
    .where('user_id', '=', user_id)
    .where('idempotency_key', '=', idempotency_key)
    .executeTakeFirst()
  return row ?? null
}

export async function countCreations(db: Db, person: number, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('spreadsheet_creation')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', person)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertCreation(
  trx: Trx,
  key: CreationKey,
  { title, now }: { title: string; now: Date },
) {
  await trx
    .insertInto('spreadsheet_creation')
    .values({ ...key, title, spreadsheet_id: null, started_at: now, created_at: now })
    .execute()
}

/** A request begins to create it; null: it has stopped. */
export async function setStarted(db: Db, key: CreationKey, at: Date | null) {
  await updateCreation(db, key).set({ started_at: at }).execute()
}

export async function setCreated(trx: Trx, key: CreationKey, id: string) {
  await updateCreation(trx, key).set({ spreadsheet_id: id, started_at: null }).execute()
}

const updateCreation = (db: Db, { user_id, idempotency_key }: CreationKey) =>
  db
    .updateTable('spreadsheet_creation')
    .where('user_id', '=', user_id)
    .where('idempotency_key', '=', idempotency_key)

/** Those of the files that belong to no creation and to nobody yet. */
export async function unclaimed(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::text[]) id
    where not exists (select from spreadsheet_creation where spreadsheet_id = id)
      and not exists (select from spreadsheet_binding where spreadsheet_id = id)`.execute(db)
  return rows.map(row => row.id)
}

/** A key is not sent again after that. */
const EXPIRY_MS = 30 * 24 * 3_600_000

export async function deleteOldCreations(db: Db, now: Date) {
  await db
    .deleteFrom('spreadsheet_creation')
    .where('created_at', '<', new Date(now.getTime() - EXPIRY_MS))
    .execute()
}
