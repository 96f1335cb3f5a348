import { z } from 'zod'
import type { Trx } from '#server/db/transaction.ts'
import type { Platform } from '#shared/platforms.ts'
import type { Db } from '#server/db/connect.ts'
import { SealBroken, type Vault } from '#server/vault.ts'
import {
  findSealedLogin,
  insertWithoutLogin,
  replaceRenewed,
  replaceSealed,
  sealedLogins,
  updateLogin,
} from './login-queries.ts'

// The only file that seals and opens logins.

/** One text for each field of the platform that is filled in. */
export type Login = Record<string, string>

const SavedLogin = z.record(z.string(), z.string())

const contextOf = (account: { id: number; platform: Platform }) =>
  `public_account/${account.id}/${account.platform}`

/** Stores a new login; returns its id. */
export async function insertLogin(
  trx: Trx,
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
  // The seal is bound to the row's id, which the row has to have first.
  const id = await insertWithoutLogin(trx, { ...facts, login_fields: Object.keys(login) })
  await replaceLogin(trx, vault, { id, platform: facts.platform, login })
  return id
}

/** Replaces the stored login by this one. */
export async function replaceLogin(
  db: Db,
  vault: Vault,
  { id, platform, login }: { id: number; platform: Platform; login: Login },
): Promise<void> {
  await updateLogin(db, id, {
    login: vault.seal(JSON.stringify(login), contextOf({ id, platform })),
    login_fields: Object.keys(login),
    last_modified_at: new Date(),
  })
}

/** The same login for longer: what is known of it stays. Returns the number of rows. */
export const renewLogin = (
  trx: Trx,
  vault: Vault,
  {
    id,
    sealed,
    platform,
    login,
    expires_at,
  }: { id: number; sealed: Uint8Array; platform: Platform; login: Login; expires_at: Date | null },
): Promise<number> =>
  replaceRenewed(
    trx,
    { id, sealed },
    { login: vault.seal(JSON.stringify(login), contextOf({ id, platform })), expires_at },
  )

/** The content of a shared login; null when there is no such login any more. Throws SealBroken. */
export async function openLogin(
  db: Db,
  vault: Vault,
  id: number,
): Promise<{ platform: Platform; login: Login } | null> {
  const account = await findSealedLogin(db, id)
  if (!account) return null
  const login = SavedLogin.parse(JSON.parse(vault.open(account.login, contextOf(account))))
  return { platform: account.platform, login }
}

/**
 * Seals every login again that is not sealed with the present key; returns how many those were, how many were
 * not, and the names of those that no key opens. One at a time, so that it may be interrupted anywhere.
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
      done.sealed += await replaceSealed(db, account, vault.seal(text, contextOf(account)))
    else done.already += 1
  }
  return done
}

/** The names of the shared logins that none of the keys opens. */
export const shutLogins = async (db: Db, vault: Vault): Promise<string[]> =>
  (await sealedLogins(db)).filter(account => openedOrNull(vault, account) === null).map(({ name }) => name)

function openedOrNull(vault: Vault, account: { id: number; platform: Platform; login: Uint8Array }) {
  try {
    return vault.open(account.login, contextOf(account))
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}
