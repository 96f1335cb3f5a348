import { createHash, randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

// OWASP's minimum for Argon2id: 19 MiB, two passes. Written out, since a change would distinguish the hash
// below from a real one.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, COST)

/** null: there is no such person; the work is done all the same, so that the time reveals nothing. */
export async function isPassword(password: string, password_hash: string | null): Promise<boolean> {
  const is_right = await verify(password_hash ?? NOBODY, password)
  return is_right && password_hash !== null
}

/** Of a password that nobody knows, at the same cost. */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$Q5lUXbImjx+G9yif5ig2UQ$3jsOOvyFTLgZjeCVS6cqEa7ja3ayS5b3mSSVs0Y7phM'

/** The secret of a one-time link, and its stored hash: a copy of the database opens no account. */
export function newLinkToken(): { token: string; token_hash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, token_hash: hashLinkToken(token) }
}

export const hashLinkToken = (token: string): Buffer => createHash('sha256').update(token).digest()
