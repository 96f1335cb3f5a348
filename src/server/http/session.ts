import type { FastifyRequest } from 'fastify'
import type { Person } from '#shared/access.ts'
import type { Language } from '#shared/language.ts'
import type { Db } from '#server/db/connect.ts'
import type { AccessClaims, Tokens } from './tokens.ts'

/** Whoever sent the request, as the database has them at this moment. */
export interface SignedInUser extends Person {
  username: string
  full_name: string
  user_type: number
  language: Language
  email: string | null
  email_confirmed: boolean
  /** The sign-in that the access token comes from. */
  family: string
}

/** What the bearer token says, or null without a valid one. Asks no database. */
export async function readBearer(
  request: FastifyRequest,
  tokens: Tokens,
  now: Date,
): Promise<AccessClaims | null> {
  const [, token] = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(request.headers.authorization ?? '') ?? []
  return token === undefined ? null : await tokens.readAccess(token, now)
}

/** The person behind the claims; null when the account or the sign-in has ended, whatever the token says. */
export async function findSignedIn(db: Db, { user_id, family }: AccessClaims): Promise<SignedInUser | null> {
  const user = await db
    .selectFrom('refresh_family')
    .innerJoin('users', 'users.id', 'refresh_family.user_id')
    .select([
      'users.id',
      'users.username',
      'users.full_name',
      'users.identity',
      'users.department',
      'users.user_type',
      'users.language',
      'users.email',
      'users.email_confirmed',
      'refresh_family.id as family',
    ])
    .where('refresh_family.id', '=', family)
    .where('refresh_family.user_id', '=', user_id)
    .where('refresh_family.revoked_at', 'is', null)
    .where('users.is_active', '=', 1)
    .where('users.employment_status', 'in', EMPLOYED)
    .executeTakeFirst()
  return user ?? null
}

/** Employed, or on unpaid leave; those who have resigned or whose account was deleted may not sign in. */
export const EMPLOYED = [1, 3]
