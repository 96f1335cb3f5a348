import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Person } from '#shared/access.ts'
import type { Language } from '#shared/language.ts'
import type { Db } from '#server/db/connect.ts'
import type { ApiSettings } from './effects.ts'
import type { AccessClaims, Tokens } from './tokens.ts'

/** The person who sent the request, as the database has them at this moment. */
export interface SignedInUser extends Person {
  username: string
  full_name: string
  user_type: number
  language: Language
  email: string | null
  email_confirmed: boolean
  /** The session that the access token belongs to. */
  family: string
  /** Whether it took a code beside the password, or would by now. */
  has_second_factor: boolean
}

/** The claims of the bearer token, or null without a valid one. Reads no database. */
export async function readBearer(
  request: FastifyRequest,
  tokens: Tokens,
  now: Date,
): Promise<AccessClaims | null> {
  const [, token] = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(request.headers.authorization ?? '') ?? []
  return token === undefined ? null : await tokens.readAccess(token, now)
}

/** Sessions that began before are over, however often they were renewed. */
export const sessionsSince = (now: Date, sessionDays: number) =>
  new Date(now.getTime() - sessionDays * 24 * 60 * 60_000)

/** The person behind the claims; null when the account or the sign-in has ended, whatever the token says. */
export async function findSignedIn(
  db: Db,
  { user_id, family }: AccessClaims,
  since: Date,
): Promise<SignedInUser | null> {
  const user = await db
    .selectFrom('refresh_family')
    .innerJoin('users', 'users.id', 'refresh_family.user_id')
    .leftJoin('second_factor', 'second_factor.user_id', 'users.id')
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
    .select(sql<boolean>`second_factor.user_id is not null`.as('has_second_factor'))
    .where('refresh_family.id', '=', family)
    .where('refresh_family.user_id', '=', user_id)
    .where('refresh_family.revoked_at', 'is', null)
    .where('refresh_family.created_at', '>', since)
    .where(maySignIn)
    .executeTakeFirst()
  return user ?? null
}

/**
 * Whether the person's role needs a second factor that they have not set up: they can do nothing else before.
 */
export const mustSetUpSecondFactor = (
  { identity, has_second_factor }: Pick<SignedInUser, 'identity' | 'has_second_factor'>,
  { second_factor_roles }: Pick<ApiSettings, 'second_factor_roles'>,
): boolean => !has_second_factor && second_factor_roles.includes(identity)

/** Employed, or on unpaid leave. */
const EMPLOYED = [1, 3]

/**
 * Whether a person of `users` may sign in: not when the account is closed, nor those who have resigned or
 * whose account was deleted.
 */
export const maySignIn = sql<boolean>`(users.is_active = 1 and users.employment_status = any(${EMPLOYED}::smallint[]))`
