import { createHash, randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'
import { EMPLOYED } from '#server/http/session.ts'
import { REFRESH_S, type RefreshClaims } from '#server/http/tokens.ts'

type Trx = Transaction<Database>
type Reason = NonNullable<Database['refresh_family']['revoked_because']>

/** Failures for one name within WINDOW_MS: from one address, and from anywhere. */
const LIMITS = { address: 10, anywhere: 100 }
const WINDOW_MS = 15 * 60_000

/**
 * Counts one attempt to sign in as failed until it has succeeded, so that attempts side by side are counted too. Answers the attempt, or the
 * seconds to wait when there were too many.
 */
export async function startAttempt(
  trx: Trx,
  { username, address, now }: { username: string; address: string; now: Date },
): Promise<{ attempt: number } | { retry_after_s: number }> {
  const name = attemptedName(username)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sign-in ${name}`}, 0))`.execute(trx)
  const since = new Date(now.getTime() - WINDOW_MS)
  const failures = await trx
    .selectFrom('sign_in_failure')
    .select(['address', 'at'])
    .where('username', '=', name)
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .limit(LIMITS.anywhere)
    .execute()
  const here = failures.filter(failure => failure.address === address)
  const full = here[LIMITS.address - 1] ?? failures[LIMITS.anywhere - 1]
  if (full) return { retry_after_s: Math.ceil((full.at.getTime() + WINDOW_MS - now.getTime()) / 1000) }
  const { id } = await trx
    .insertInto('sign_in_failure')
    .values({ username: name, address, at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { attempt: id }
}

/** It was the person: earlier failures from there were theirs. */
export async function forgetFailures(trx: Trx, { username, address }: { username: string; address: string }) {
  await trx
    .deleteFrom('sign_in_failure')
    .where('username', '=', attemptedName(username))
    .where('address', '=', address)
    .execute()
}

/** A name that was typed, in a form that can only be compared: now and then it is a password in the wrong field. */
export const attemptedName = (username: string) =>
  createHash('sha256').update(username.normalize('NFC').toLowerCase()).digest('base64url')

/** Whoever has that name, and whether they may sign in at all. */
export async function findByUsername(db: Db, username: string) {
  // One keyboard writes é as one character, another one as two. Names are kept as one; older ones are as they were typed.
  const spellings = [username, username.normalize('NFC')]
  return await db
    .selectFrom('users')
    .select(['id', 'username', 'password_hash'])
    .select(eb =>
      eb.and([eb('is_active', '=', 1), eb('employment_status', 'in', EMPLOYED)]).as('may_sign_in'),
    )
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

/** Begins a sign-in: a family with its first refresh token. */
export async function startFamily(trx: Trx, user_id: number, now: Date): Promise<RefreshClaims> {
  const family = randomUUID()
  await trx.insertInto('refresh_family').values({ id: family, user_id, created_at: now }).execute()
  return { user_id, family, token: await insertToken(trx, family, now) }
}

/** Two tabs may use one token at the same time; a second use later than this is somebody else's. */
const GRACE_MS = 10_000

/** The next token of the family; null when the token is worth nothing. A token used again after the grace ends its whole family. */
export async function rotate(
  trx: Trx,
  claims: RefreshClaims,
  now: Date,
): Promise<RefreshClaims | 'reused' | null> {
  const token = await trx
    .selectFrom('refresh_token')
    .innerJoin('refresh_family', 'refresh_family.id', 'refresh_token.family')
    .innerJoin('users', 'users.id', 'refresh_family.user_id')
    .select(['refresh_token.rotated_at'])
    .where('refresh_token.id', '=', claims.token)
    .where('refresh_token.expires_at', '>', now)
    .where('refresh_family.id', '=', claims.family)
    .where('refresh_family.revoked_at', 'is', null)
    .where('users.id', '=', claims.user_id)
    .where('users.is_active', '=', 1)
    .where('users.employment_status', 'in', EMPLOYED)
    .forUpdate('refresh_token')
    .executeTakeFirst()
  if (!token) return null
  if (token.rotated_at === null)
    await trx.updateTable('refresh_token').set({ rotated_at: now }).where('id', '=', claims.token).execute()
  else if (now.getTime() - token.rotated_at.getTime() > GRACE_MS) {
    await revokeFamily(trx, claims.family, { because: 'reused', now })
    return 'reused'
  }
  return { ...claims, token: await insertToken(trx, claims.family, now) }
}

async function insertToken(trx: Trx, family: string, now: Date): Promise<string> {
  const id = randomUUID()
  const expires_at = new Date(now.getTime() + REFRESH_S * 1000)
  await trx.insertInto('refresh_token').values({ id, family, issued_at: now, expires_at }).execute()
  return id
}

export async function revokeFamily(db: Db, family: string, { because, now }: { because: Reason; now: Date }) {
  await db
    .updateTable('refresh_family')
    .set({ revoked_at: now, revoked_because: because })
    .where('id', '=', family)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Ends every sign-in of a person; their next request is refused. */
export async function revokeAllOf(db: Db, user_id: number, { because, now }: { because: Reason; now: Date }) {
  await db
    .updateTable('refresh_family')
    .set({ revoked_at: now, revoked_because: because })
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Whose link it is, if it can still be used. The row stays locked: a link sets one password. */
export async function findLink(trx: Trx, token_hash: Uint8Array, now: Date) {
  return await trx
    .selectFrom('password_link')
    .innerJoin('users', 'users.id', 'password_link.user_id')
    .select(['users.id', 'users.username'])
    .where('token_hash', '=', token_hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where('users.is_active', '=', 1)
    .where('users.employment_status', 'in', EMPLOYED)
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

/** The key that signs tokens: made once, by whichever process comes first, and shared by all. */
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

/** Rows that nothing asks for any more. */
export async function forgetOldSessions(db: Db, now: Date): Promise<void> {
  const long_ago = new Date(now.getTime() - REFRESH_S * 1000)
  await db
    .deleteFrom('sign_in_failure')
    .where('at', '<', new Date(now.getTime() - WINDOW_MS))
    .execute()
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
