import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { SessionQuery } from '#shared/api/session.ts'
import type { Db } from '#server/db/connect.ts'
import { directionOf } from '#server/db/list-terms.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { Database } from '#server/db/schema.ts'
import { maySignIn, sessionsSince } from '#server/http/session.ts'
import { REFRESH_S, type AccessClaims, type RefreshClaims } from '#server/http/tokens.ts'
import { deleteOldFailures } from './attempt-queries.ts'

type Reason = NonNullable<Database['refresh_family']['revoked_because']>

/** The person with that name, and whether they may sign in at all. */
export async function findByUsername(db: Db, username: string) {
  // One keyboard writes é as one character, another one as two. Names are stored as one; older ones are as
  // they were typed.
  const spellings = [username, username.normalize('NFC')]
  return await db
    .selectFrom('users')
    .select(['id', 'username', 'password_hash'])
    .select(maySignIn.as('may_sign_in'))
    .where(eb =>
      eb(
        eb.fn<string>('lower', ['username']),
        'in',
        spellings.map(spelling => eb.fn<string>('lower', [eb.val(spelling)])),
      ),
    )
    .orderBy(
      eb => eb(eb.fn<string>('lower', ['username']), '=', eb.fn<string>('lower', [eb.val(username)])),
      'desc',
    )
    .executeTakeFirst()
}

/**
 * Whether the password is still the one that was checked a moment ago. A concurrent change waits from here to
 * the end of the transaction, and then ends the sessions that have begun in it; so does turning on a second
 * factor.
 */
export async function isStillPassword(
  trx: Trx,
  { id, password_hash }: { id: number; password_hash: string | null },
): Promise<boolean> {
  const user = await trx
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  return user !== undefined && user.password_hash === password_hash
}

/** Locks sign-ins of this person until the transaction ends. */
export async function holdSignIns(trx: Trx, user_id: number): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', user_id).forNoKeyUpdate().execute()
}

/** The origin of a sign-in, and its limits. */
export interface SignInFacts {
  now: Date
  session_days: number
  address: string | null
  user_agent: string | null
}

/** A refresh token as it is written: the same each time that it is returned. */
export interface IssuedRefresh extends RefreshClaims {
  issued_at: Date
  expires_at: Date
}

/** Begins a session: a family with its first refresh token. */
export async function startFamily(
  trx: Trx,
  user_id: number,
  { now, session_days, address, user_agent }: SignInFacts,
): Promise<IssuedRefresh> {
  const family = randomUUID()
  await trx
    .insertInto('refresh_family')
    .values({ id: family, user_id, created_at: now, address, user_agent })
    .execute()
  return await insertToken(
    trx,
    { user_id, family },
    { now, ends_at: endOf({ created_at: now }, session_days) },
  )
}

/** Whether a refresh token could be renewed now. */
export async function isRenewable(
  db: Db,
  claims: RefreshClaims,
  { now, session_days }: { now: Date; session_days: number },
): Promise<boolean> {
  const found = await db
    .selectFrom('refresh_token')
    .innerJoin('refresh_family', 'refresh_family.id', 'refresh_token.family')
    .innerJoin('users', 'users.id', 'refresh_family.user_id')
    .select(maySignIn.as('may_sign_in'))
    .where('refresh_token.id', '=', claims.token)
    .where('refresh_token.rotated_at', 'is', null)
    .where('refresh_token.expires_at', '>', now)
    .where('refresh_family.id', '=', claims.family)
    .where('refresh_family.user_id', '=', claims.user_id)
    .where('refresh_family.revoked_at', 'is', null)
    .where('refresh_family.created_at', '>', sessionsSince(now, session_days))
    .executeTakeFirst()
  return found?.may_sign_in === true
}

/** Two tabs may use one token at the same time; a second use later than this is a stolen token. */
const GRACE_MS = 10_000

/**
 * The token that replaces this one; null when it is invalid. Within the grace period it is the same one for
 * every request, as long as nobody has used that one: so a family has one live token at any time. Any other
 * second use ends the whole family.
 */
export async function rotate(
  trx: Trx,
  claims: RefreshClaims,
  { now, session_days }: { now: Date; session_days: number },
): Promise<IssuedRefresh | 'reused' | null> {
  // A concurrent renewal of the same session waits here, and reads the tokens as the one before has left
  // them.
  const family = await lockFamily(trx, claims, sessionsSince(now, session_days))
  if (!family) return null
  if (!family.may_sign_in) {
    await revokeFamily(trx, claims.family, { because: 'closed', now })
    return null
  }
  const token = await findToken(trx, claims, now)
  if (!token) return null
  if (token.rotated_at === null) {
    const next = await insertToken(trx, claims, { now, ends_at: endOf(family, session_days) })
    await trx
      .updateTable('refresh_token')
      .set({ rotated_at: now, child: next.token })
      .where('id', '=', claims.token)
      .execute()
    await trx
      .updateTable('refresh_family')
      .set({ last_used_at: now })
      .where('id', '=', claims.family)
      .execute()
    return next
  }
  const is_in_grace = now.getTime() - token.rotated_at.getTime() <= GRACE_MS
  const child = is_in_grace ? await findLiveToken(trx, claims.family, token.child) : undefined
  if (child) return { ...claims, ...child }
  await revokeFamily(trx, claims.family, { because: 'reused', now })
  return 'reused'
}

const lockFamily = (trx: Trx, { family, user_id }: RefreshClaims, since: Date) =>
  trx
    .selectFrom('refresh_family')
    .innerJoin('users', 'users.id', 'refresh_family.user_id')
    .select('refresh_family.created_at')
    .select(maySignIn.as('may_sign_in'))
    .where('refresh_family.id', '=', family)
    .where('refresh_family.user_id', '=', user_id)
    .where('refresh_family.revoked_at', 'is', null)
    .where('refresh_family.created_at', '>', since)
    .forUpdate('refresh_family')
    .executeTakeFirst()

const findToken = (trx: Trx, { family, token }: RefreshClaims, now: Date) =>
  trx
    .selectFrom('refresh_token')
    .select(['rotated_at', 'child'])
    .where('id', '=', token)
    .where('family', '=', family)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/**
 * The unused token, if it is this child. Programs before this version recorded no child: then whichever is
 * unused.
 */
async function findLiveToken(trx: Trx, family: string, child: string | null) {
  let live = trx
    .selectFrom('refresh_token')
    .select(['id as token', 'issued_at', 'expires_at'])
    .where('family', '=', family)
    .where('rotated_at', 'is', null)
    .orderBy('issued_at', 'desc')
    .limit(1)
  if (child !== null) live = live.where('id', '=', child)
  return await live.executeTakeFirst()
}

async function insertToken(
  trx: Trx,
  { user_id, family }: AccessClaims,
  { now, ends_at }: { now: Date; ends_at: Date },
): Promise<IssuedRefresh> {
  const token = randomUUID()
  const expires_at = new Date(Math.min(now.getTime() + REFRESH_S * 1000, ends_at.getTime()))
  await trx.insertInto('refresh_token').values({ id: token, family, issued_at: now, expires_at }).execute()
  return { user_id, family, token, issued_at: now, expires_at }
}

const endOf = ({ created_at }: { created_at: Date }, session_days: number) =>
  new Date(created_at.getTime() + session_days * DAY_MS)

/** false: there was nothing to end, or, with `user_id`, it is another person's. */
export async function revokeFamily(
  db: Db,
  family: string,
  { because, now, user_id }: { because: Reason; now: Date; user_id?: number },
): Promise<boolean> {
  let ended = db
    .updateTable('refresh_family')
    .set({ revoked_at: now, revoked_because: because })
    .where('id', '=', family)
    .where('revoked_at', 'is', null)
  if (user_id !== undefined) ended = ended.where('user_id', '=', user_id)
  const { numUpdatedRows } = await ended.executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Those that can still be renewed. */
export async function listSessions(
  db: Db,
  user_id: number,
  {
    now,
    session_days,
    ordering,
    limit,
    offset,
  }: {
    now: Date
    session_days: number
    ordering: z.output<typeof SessionQuery>['ordering']
    limit: number
    offset: number
  },
) {
  const living = db
    .selectFrom('refresh_family as family')
    .innerJoin('refresh_token as token', 'token.family', 'family.id')
    .where('family.user_id', '=', user_id)
    .where('family.revoked_at', 'is', null)
    .where('family.created_at', '>', sessionsSince(now, session_days))
    .where('token.rotated_at', 'is', null)
    .where('token.expires_at', '>', now)
  const { count } = await living
    .select(eb => eb.fn.count<number>('family.id').distinct().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await living
    .select(['family.id', 'family.created_at', 'family.address', 'family.user_agent'])
    .select(eb => eb.fn.coalesce('family.last_used_at', 'family.created_at').as('last_used_at'))
    .groupBy('family.id')
    .orderBy(ordering.endsWith('created_at') ? 'family.created_at' : 'last_used_at', directionOf(ordering))
    .orderBy('family.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { count, rows: rows.map(row => ({ ...row, ends_at: endOf(row, session_days) })) }
}

/** Ends every session of a person; their next request is refused. */
export async function revokeAllOf(db: Db, user_id: number, { because, now }: { because: Reason; now: Date }) {
  await db
    .updateTable('refresh_family')
    .set({ revoked_at: now, revoked_because: because })
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .execute()
}

/** The words that people choose first for a password. */
export async function listAdvertiserNames(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('advertiser').select('name').execute()
  return rows.map(({ name }) => name)
}

/** The person of a link that can still be used. The row stays locked: a link sets one password. */
export async function findLink(trx: Trx, token_hash: Uint8Array, now: Date) {
  return await trx
    .selectFrom('password_link')
    .innerJoin('users', 'users.id', 'password_link.user_id')
    .select(['users.id', 'users.username', 'users.full_name', 'users.email'])
    .where('token_hash', '=', token_hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where(maySignIn)
    .forUpdate('password_link')
    .executeTakeFirst()
}

const LINK_MS = 24 * 60 * 60_000

/** The one link with which the person may set a password; earlier ones end. */
export async function insertLink(
  trx: Trx,
  user_id: number,
  { token_hash, now }: { token_hash: Uint8Array; now: Date },
) {
  const expires_at = new Date(now.getTime() + LINK_MS)
  await trx.deleteFrom('password_link').where('user_id', '=', user_id).execute()
  await trx.insertInto('password_link').values({ token_hash, user_id, created_at: now, expires_at }).execute()
  return expires_at
}

export async function markLinkUsed(trx: Trx, token_hash: Uint8Array, now: Date) {
  await trx.updateTable('password_link').set({ used_at: now }).where('token_hash', '=', token_hash).execute()
}

export async function setPasswordHash(
  trx: Trx,
  user_id: number,
  { password_hash, now }: { password_hash: string; now: Date },
) {
  await trx
    .updateTable('users')
    .set({ password_hash, last_modified_at: now })
    .where('id', '=', user_id)
    .execute()
}

/** The key that signs tokens: created once, by the first process that needs it, and shared by all. */
export async function signingKey(db: Db, fresh: Uint8Array): Promise<Uint8Array> {
  await db
    .insertInto('setting')
    .values({ name: 'token_signing_key', value: fresh })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const { value } = await db
    .selectFrom('setting')
    .select('value')
    .where('name', '=', 'token_signing_key')
    .executeTakeFirstOrThrow()
  return value
}

const DAY_MS = 24 * 60 * 60_000

/** Rows that nothing reads any more. */
export async function deleteOldSessions(db: Db, now: Date): Promise<void> {
  const long_ago = new Date(now.getTime() - REFRESH_S * 1000)
  await deleteOldFailures(db, now)
  await db.deleteFrom('refresh_token').where('expires_at', '<', now).execute()
  await db
    .deleteFrom('refresh_family')
    .where('created_at', '<', long_ago)
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('refresh_token')
            .select('id')
            .whereRef('refresh_token.family', '=', 'refresh_family.id'),
        ),
      ),
    )
    .execute()
  await db.deleteFrom('password_link').where('expires_at', '<', now).execute()
}
