import type { Db } from '#server/db/connect.ts'
import { SealBroken, type Vault } from '#server/vault.ts'
import { sealedSecrets, replaceSealed } from './queries.ts'

// The only file that seals and opens the secrets of second factors.

/** Unconfirmed ones are sealed for another context, so that neither is accepted as the other. */
const contexts = {
  factor: (user_id: number) => `second_factor/${user_id}`,
  enrolment: (user_id: number) => `second_factor_enrolment/${user_id}`,
} as const

interface SecretOwner {
  kind: keyof typeof contexts
  user_id: number
}

export const sealSecret = (vault: Vault, secret: Uint8Array, { kind, user_id }: SecretOwner): Buffer =>
  vault.seal(secret, contexts[kind](user_id))

/** null when none of the keys opens it. */
export function openSecret(vault: Vault, sealed: Uint8Array, { kind, user_id }: SecretOwner): Buffer | null {
  try {
    return vault.openBytes(sealed, contexts[kind](user_id))
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}

/**
 * Seals every secret again that is not sealed with the present key; returns how many those were, how many
 * were not, and the names of those that no key opens. Unconfirmed ones are left: they expire after 15
 * minutes.
 */
export async function resealSecondFactors(
  db: Db,
  vault: Vault,
): Promise<{ sealed: number; already: number; unreadable: string[] }> {
  const done = { sealed: 0, already: 0, unreadable: [] as string[] }
  for (const { user_id, username, secret } of await sealedSecrets(db)) {
    const opened = openSecret(vault, secret, { kind: 'factor', user_id })
    if (opened === null) done.unreadable.push(username)
    else if (vault.isOld(secret))
      done.sealed += await replaceSealed(db, {
        user_id,
        before: secret,
        after: sealSecret(vault, opened, { kind: 'factor', user_id }),
      })
    else done.already += 1
  }
  return done
}

/** The names of the people whose secret none of the keys opens. */
export async function unreadableSecondFactors(db: Db, vault: Vault): Promise<string[]> {
  const sealed = await sealedSecrets(db)
  return sealed
    .filter(({ user_id, secret }) => openSecret(vault, secret, { kind: 'factor', user_id }) === null)
    .map(({ username }) => username)
}
