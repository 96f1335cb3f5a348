import type { Db } from '#server/db/connect.ts'
import type { PersonConsent } from '#server/sheets/schema.ts'
import { SealBroken, type Vault } from '#server/vault.ts'
import { spreadsheetLogins } from './login-queries.ts'
import { openLogin } from './logins.ts'

export type SpreadsheetPerson = PersonConsent

/** Who has connected to Google for spreadsheets, each address once. */
export async function spreadsheetPeople(db: Db, vault: Vault): Promise<SpreadsheetPerson[]> {
  const people = new Map<string, SpreadsheetPerson>()
  for (const { id, person_email: address } of await spreadsheetLogins(db)) {
    const saved = await openLogin(db, vault, id).catch((error: unknown) => {
      if (error instanceof SealBroken) return null
      throw error
    })
    const { client_id, client_secret, refresh_token } = saved?.login ?? {}
    if (address && client_id && client_secret && refresh_token && !people.has(address))
      people.set(address, { address, client_id, client_secret, refresh_token })
  }
  return [...people.values()]
}
