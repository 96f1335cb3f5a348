import type { Insertable } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'
import type { Trx } from '#server/db/transaction.ts'

// People who are at a platform.

export async function insertState(db: Db, state: Insertable<Database['connect_state']>): Promise<void> {
  await db.insertInto('connect_state').values(state).execute()
}

/** Locked until the transaction ends. */
export async function lockState(trx: Trx, hash: Uint8Array) {
  const state = await trx
    .selectFrom('connect_state')
    .selectAll()
    .where('hash', '=', hash)
    .forUpdate()
    .executeTakeFirst()
  return state ?? null
}
export type StateRow = NonNullable<Awaited<ReturnType<typeof lockState>>>

/** Nothing of it can be used again. */
export async function useState(trx: Trx, hash: Uint8Array, now: Date): Promise<void> {
  await trx
    .updateTable('connect_state')
    .set({ used_at: now, verifier: null, pending: null })
    .where('hash', '=', hash)
    .execute()
}

/** A login that waits for a confirmation. */
export async function keepPending(
  db: Db,
  hash: Uint8Array,
  { pending, expires_at }: { pending: Uint8Array; expires_at: Date },
): Promise<void> {
  await db.updateTable('connect_state').set({ pending, expires_at }).where('hash', '=', hash).execute()
}

export async function deleteState(db: Db, hash: Uint8Array): Promise<void> {
  await db.deleteFrom('connect_state').where('hash', '=', hash).execute()
}

/** What a person left behind who came back late or never. */
export async function deleteOldStates(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('connect_state').where('expires_at', '<', now).execute()
}
