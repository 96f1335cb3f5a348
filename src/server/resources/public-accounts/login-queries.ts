import type { Insertable } from 'kysely'
import type { Trx } from '#server/db/transaction.ts'
import type { Database } from '#server/db/schema.ts'
import type { Db } from '#server/db/connect.ts'

export const sealedLogins = (db: Db) =>
  db.selectFrom('public_account').select(['id', 'platform', 'name', 'login']).orderBy('id').execute()

/** Unless another login has been entered meanwhile; returns the number of rows. */
export async function replaceSealed(
  db: Db,
  account: { id: number; login: Uint8Array },
  login: Buffer,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('public_account')
    .set({ login })
    .where('id', '=', account.id)
    .where('login', '=', account.login)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export async function findSealedLogin(db: Db, id: number) {
  const account = await db
    .selectFrom('public_account')
    .select(['id', 'platform', 'login'])
    .where('id', '=', id)
    .executeTakeFirst()
  return account ?? null
}

/** Returns its id. */
export async function insertWithoutLogin(
  trx: Trx,
  account: Omit<Insertable<Database['public_account']>, 'login'>,
): Promise<number> {
  const { id } = await trx
    .insertInto('public_account')
    .values({ ...account, login: Buffer.alloc(0) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The test result of the previous login says nothing of this one. */
export async function updateLogin(
  db: Db,
  id: number,
  changes: { login: Buffer; login_fields: string[]; last_modified_at: Date },
): Promise<void> {
  await db
    .updateTable('public_account')
    .set({ ...changes, tested_at: null, test_result: null })
    .where('id', '=', id)
    .execute()
}
