import type { Insertable, Updateable } from 'kysely'
import type { Service } from '#shared/connect.ts'
import type { Platform } from '#shared/platforms.ts'
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

/** Connected logins that end before then and have not ended yet; with `id` that one alone. */
export const dueForRenewal = (
  db: Db,
  {
    platform,
    now,
    until,
    limit,
    id,
  }: { platform: Platform; now: Date; until: Date; limit: number; id?: number },
) =>
  db
    .selectFrom('public_account')
    .select(['id', 'login as sealed'])
    .where('platform', '=', platform)
    .where('kind', '=', 'oauth')
    .where('expires_at', '>', now)
    .where('expires_at', '<', until)
    .$if(id !== undefined, query => query.where('id', '=', id ?? 0))
    .orderBy('expires_at')
    .limit(limit)
    .execute()

/** Unless another one has been agreed to meanwhile; returns the number of rows. */
export async function replaceRenewed(
  db: Db,
  { id, sealed }: { id: number; sealed: Uint8Array },
  changes: { login: Buffer; expires_at: Date | null },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('public_account')
    .set(changes)
    .where('id', '=', id)
    .where('login', '=', sealed)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Of Google, for spreadsheets; the oldest first. */
export const spreadsheetLogins = (db: Db) =>
  db
    .selectFrom('public_account')
    .innerJoin('public_account_service', 'public_account_service.public_account', 'public_account.id')
    .select(['public_account.id', 'person_email'])
    .where('platform', '=', 'google')
    .where('kind', '=', 'oauth')
    .where('service', '=', 'spreadsheets')
    .where('enabled', '=', true)
    .orderBy('public_account.id')
    .execute()

/** Whether a login may be used for something; one that was entered by hand is for whatever it can do. */
export async function isEnabledFor(db: Db, id: number, service: Service): Promise<boolean> {
  const found = await db
    .selectFrom('public_account')
    .select('id')
    .where('id', '=', id)
    .where(eb =>
      eb.or([
        eb('kind', '=', 'keys'),
        eb.exists(
          eb
            .selectFrom('public_account_service')
            .select('public_account_service.id')
            .whereRef('public_account_service.public_account', '=', 'public_account.id')
            .where('service', '=', service)
            .where('enabled', '=', true),
        ),
      ]),
    )
    .executeTakeFirst()
  return found !== undefined
}

/** Who agreed to it, and until when. */
export async function saveConnection(
  db: Db,
  id: number,
  facts: Updateable<Database['public_account']>,
): Promise<void> {
  await db.updateTable('public_account').set(facts).where('id', '=', id).execute()
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
