import { z } from 'zod'
import type { Platform } from '#shared/platforms.ts'
import type { Transaction } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'
import type { Vault } from '#server/vault.ts'

// The only file that seals and opens logins.

/** One text for each field of the platform that is filled in. */
export type Login = Record<string, string>

const KeptLogin = z.record(z.string(), z.string())

const placeOf = (account: { id: number; platform: Platform }) =>
  `public_account/${account.id}/${account.platform}`

/** Keeps a new login; answers its id. */
export async function insertLogin(
  trx: Transaction<Database>,
  vault: Vault,
  account: { platform: Platform; name: string; login: Login; created_by: number | null },
): Promise<number> {
  const { platform, name, login, created_by } = account
  const { id } = await trx
    .insertInto('public_account')
    // The seal is bound to the row's id, which the row has to have first.
    .values({ platform, name, created_by, login: Buffer.alloc(0), login_fields: Object.keys(login) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await replaceLogin(trx, vault, { id, platform, login })
  return id
}

/** Throws away what was kept and keeps this. */
export async function replaceLogin(
  db: Db,
  vault: Vault,
  { id, platform, login }: { id: number; platform: Platform; login: Login },
): Promise<void> {
  await db
    .updateTable('public_account')
    .set({
      login: vault.seal(JSON.stringify(login), placeOf({ id, platform })),
      login_fields: Object.keys(login),
      tested_at: null,
      test_result: null,
      last_modified_at: new Date(),
    })
    .where('id', '=', id)
    .execute()
}

/** What a shared login holds; null when there is no such account any more. */
export async function openLogin(
  db: Db,
  vault: Vault,
  id: number,
): Promise<{ platform: Platform; login: Login } | null> {
  const account = await db
    .selectFrom('public_account')
    .select(['id', 'platform', 'login'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!account) return null
  const login = KeptLogin.parse(JSON.parse(vault.open(account.login, placeOf(account))))
  return { platform: account.platform, login }
}

/** Seals every login anew that is not sealed with the present key; answers how many. One at a time, so that it may be broken off anywhere. */
export async function resealLogins(db: Db, vault: Vault): Promise<number> {
  const accounts = await db.selectFrom('public_account').select(['id', 'platform', 'login']).execute()
  const old = accounts.filter(account => vault.isOld(account.login))
  for (const account of old) {
    const sealed = vault.seal(vault.open(account.login, placeOf(account)), placeOf(account))
    await db
      .updateTable('public_account')
      .set({ login: sealed })
      .where('id', '=', account.id)
      .where('login', '=', account.login)
      .execute()
  }
  return old.length
}
