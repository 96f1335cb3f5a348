import { z } from 'zod'
import type { Platform } from '#shared/platforms.ts'
import type { Transaction } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'
import { SealBroken, type Vault } from '#server/vault.ts'

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
  account: {
    platform: Platform
    name: string
    login: Login
    created_by: number | null
    expires_at?: Date | null
  },
): Promise<number> {
  const { login, ...facts } = account
  const { id } = await trx
    .insertInto('public_account')
    // The seal is bound to the row's id, which the row has to have first.
    .values({ ...facts, login: Buffer.alloc(0), login_fields: Object.keys(login) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await replaceLogin(trx, vault, { id, platform: facts.platform, login })
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

/** What a shared login holds; null when there is no such account any more. Throws SealBroken. */
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

/**
 * Seals every login anew that is not sealed with the present key; answers how many those were, how many were not, and whose none of the keys opens. One
 * at a time, so that it may be broken off anywhere.
 */
export async function resealLogins(
  db: Db,
  vault: Vault,
): Promise<{ sealed: number; already: number; shut: string[] }> {
  const done = { sealed: 0, already: 0, shut: [] as string[] }
  for (const account of await sealedLogins(db)) {
    const text = openedOrNull(vault, account)
    if (text === null) done.shut.push(account.name)
    else if (vault.isOld(account.login))
      done.sealed += await reseal(db, account, vault.seal(text, placeOf(account)))
    else done.already += 1
  }
  return done
}

/** The names of the shared logins that none of the keys opens. */
export const shutLogins = async (db: Db, vault: Vault): Promise<string[]> =>
  (await sealedLogins(db)).filter(account => openedOrNull(vault, account) === null).map(({ name }) => name)

const sealedLogins = (db: Db) =>
  db.selectFrom('public_account').select(['id', 'platform', 'name', 'login']).orderBy('id').execute()

function openedOrNull(vault: Vault, account: { id: number; platform: Platform; login: Uint8Array }) {
  try {
    return vault.open(account.login, placeOf(account))
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}

/** Unless somebody has entered another login meanwhile; answers how many rows it were. */
async function reseal(db: Db, account: { id: number; login: Uint8Array }, login: Buffer): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('public_account')
    .set({ login })
    .where('id', '=', account.id)
    .where('login', '=', account.login)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
