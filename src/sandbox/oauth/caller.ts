import type { DatabaseSync } from 'node:sqlite'
import { projectOf } from './key-pair.ts'

/** The caller. `scopes` is null for a person's own login, which may do everything that the person may. */
export interface Caller {
  email: string
  project: string
  scopes: Set<string> | null
}

const PERSON = 'sandbox-user:'

/**
 * The caller behind an Authorization header; null when there is none, or the token is unknown or has expired.
 */
export function callerOf(authorization: string | undefined, db: DatabaseSync): Caller | null {
  const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1]?.trim()
  if (!token) return null
  if (token.startsWith(PERSON)) {
    const email = token.slice(PERSON.length).toLowerCase()
    return /^[^@\s]+@[^@\s]+$/.test(email) ? { email, project: 'sandbox-people', scopes: null } : null
  }
  const row = db.prepare('select email, scope, expires_at from token where token = ?').get(token)
  if (!row || Number(row['expires_at']) <= Date.now()) return null
  const scopes = new Set(
    String(row['scope'])
      .split(/\s+/)
      .map(scope => scope.replace('https://www.googleapis.com/auth/', '')),
  )
  const email = String(row['email'])
  return { email, project: projectOf(email), scopes }
}

export const isServiceAccount = ({ email }: Caller) => email.endsWith('.gserviceaccount.com')

/** Whether the token was given one of the scopes. */
export const mayUse = ({ scopes }: Caller, ...required: string[]) =>
  scopes === null || required.some(scope => scopes.has(scope))

/** Whose access token it is; null when there is no such token. */
export const emailOfToken = (db: DatabaseSync, token: string): string | null => {
  const row = db.prepare('select email from token where token = ?').get(token)
  return row ? String(row['email']) : null
}

/** Make the tokens of one person invalid. */
export const revokeTokensOf = (db: DatabaseSync, email: string) =>
  void db.prepare('delete from token where email = ?').run(email)

/** Make every token issued so far invalid. */
export const revokeAll = (db: DatabaseSync) => db.exec('delete from token')
