import type { Db } from '#server/db/connect.ts'
import { SealBroken, type Vault } from '#server/vault.ts'

// The only file that seals and opens the secrets of second factors.

/** Begun and not yet confirmed ones are sealed for another context, so that neither passes for the other. */
const contexts = {
  factor: (user_id: number) => `second_factor/${user_id}`,
  enrolment: (user_id: number) => `second_factor_enrolment/${user_id}`,
} as const

type Kind = keyof typeof contexts

export const sealSecret = (vault: Vault, secret: Uint8Array, kind: Kind, user_id: number): Buffer =>
  vault.seal(secret, contexts[kind](user_id))

/** null when none of the keys opens it. */
export function openSecret(vault: Vault, sealed: Uint8Array, kind: Kind, user_id: number): Buffer | null {
  try {
    return vault.openBytes(sealed, contexts[kind](user_id))
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}

/**
 * Seals every secret anew that is not sealed with the present key; answers how many those were, how many were not, and whose none of the keys opens. What
 * is not confirmed yet is left: it ends after 15 minutes.
 */
export async function resealSecondFactors(
  db: Db,
  vault: Vault,
): Promise<{ sealed: number; already: number; unreadable: string[] }> {
  const done = { sealed: 0, already: 0, unreadable: [] as string[] }
  for (const { user_id, username, secret } of await sealedSecrets(db)) {
    const opened = openSecret(vault, secret, 'factor', user_id)
    if (opened === null) done.unreadable.push(username)
    else if (vault.isOld(secret))
      done.sealed += await reseal(db, {
        user_id,
        before: secret,
        after: sealSecret(vault, opened, 'factor', user_id),
      })
    else done.already += 1
  }
  return done
}

/** The names of the people whose secret none of the keys opens. */
export async function unreadableSecondFactors(db: Db, vault: Vault): Promise<string[]> {
  const kept = await sealedSecrets(db)
  return kept
    .filter(({ user_id, secret }) => openSecret(vault, secret, 'factor', user_id) === null)
    .map(({ username }) => username)
}

const sealedSecrets = (db: Db) =>
  db
    .selectFrom('second_factor')
    .innerJoin('users', 'users.id', 'second_factor.user_id')
    .select(['second_factor.user_id', 'users.username', 'second_factor.secret'])
    .orderBy('second_factor.user_id')
    .execute()

/** Unless the person has set up another one meanwhile; answers how many rows it were. */
async function reseal(
  db: Db,
  { user_id, before, after }: { user_id: number; before: Uint8Array; after: Buffer },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('second_factor')
    .set({ secret: after })
    .where('user_id', '=', user_id)
    .where('secret', '=', before)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
