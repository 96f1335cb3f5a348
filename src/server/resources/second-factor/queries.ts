import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'

/**
 * Wrong codes with the right password within WINDOW_MS, from anywhere: after so many only recovery codes are
 * checked.
 */
export const MOST_WRONG_CODES = 10
const WINDOW_MS = 15 * 60_000

/** What a person sees of their own; null while it is off. */
export async function findFactor(db: Db, user_id: number) {
  const factor = await db
    .selectFrom('second_factor')
    .select('enabled_at')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return factor ?? null
}

/** The factor, locked; null while it is off. */
export async function lockFactor(trx: Trx, user_id: number) {
  const factor = await trx
    .selectFrom('second_factor')
    .select(['secret', 'wrong_codes', 'wrong_since'])
    .where('user_id', '=', user_id)
    .forUpdate()
    .executeTakeFirst()
  return factor ?? null
}

/**
 * Uses up a time step; false when it, or a later one, has been used already. Wrong codes before it are
 * forgotten.
 */
export async function useUpStep(trx: Trx, user_id: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('second_factor')
    .set({ last_step: step, wrong_codes: 0, wrong_since: null })
    .where('user_id', '=', user_id)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Seconds until codes are checked again; null when they are. */
export function secondsToWait(
  { wrong_codes, wrong_since }: { wrong_codes: number; wrong_since: Date | null },
  now: Date,
): number | null {
  if (wrong_since === null || wrong_codes < MOST_WRONG_CODES) return null
  const left_ms = wrong_since.getTime() + WINDOW_MS - now.getTime()
  return left_ms > 0 ? Math.ceil(left_ms / 1000) : null
}

/** Counts one more, from the beginning when the first was long ago; returns how many there are now. */
export async function countWrongCode(
  trx: Trx,
  user_id: number,
  { before, now }: { before: { wrong_codes: number; wrong_since: Date | null }; now: Date },
): Promise<number> {
  const is_recent = before.wrong_since !== null && now.getTime() - before.wrong_since.getTime() < WINDOW_MS
  const counted = is_recent
    ? { wrong_codes: before.wrong_codes + 1, wrong_since: before.wrong_since }
    : { wrong_codes: 1, wrong_since: now }
  await trx.updateTable('second_factor').set(counted).where('user_id', '=', user_id).execute()
  return counted.wrong_codes
}

/** Uses up a recovery code; false when it is none, or has been used. */
export async function useUpRecoveryCode(
  trx: Trx,
  user_id: number,
  { hash, now }: { hash: Uint8Array; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('recovery_code')
    .set({ used_at: now })
    .where('user_id', '=', user_id)
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function countRecoveryCodes(db: Db, user_id: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_code')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', user_id)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes all previous ones. */
export async function replaceRecoveryCodes(trx: Trx, user_id: number, hashes: readonly Uint8Array[]) {
  await trx.deleteFrom('recovery_code').where('user_id', '=', user_id).execute()
  await trx
    .insertInto('recovery_code')
    .values(hashes.map(hash => ({ user_id, hash, used_at: null })))
    .execute()
}

const ENROLMENT_MS = 15 * 60_000

/** One at a time: an earlier one ends. */
export async function startEnrolment(
  trx: Trx,
  user_id: number,
  { secret, now }: { secret: Uint8Array; now: Date },
): Promise<Date> {
  const expires_at = new Date(now.getTime() + ENROLMENT_MS)
  await trx
    .insertInto('second_factor_enrolment')
    .values({ user_id, secret, expires_at })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet({ secret, expires_at }))
    .execute()
  return expires_at
}

/** A setup that can still be confirmed. The row stays locked: it is confirmed once. */
export async function lockEnrolment(trx: Trx, user_id: number, now: Date) {
  const enrolment = await trx
    .selectFrom('second_factor_enrolment')
    .select('secret')
    .where('user_id', '=', user_id)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst()
  return enrolment ?? null
}

/** Turns it on, or replaces the existing secret by this one. */
export async function replaceFactor(
  trx: Trx,
  user_id: number,
  { secret, last_step, now }: { secret: Uint8Array; last_step: number; now: Date },
): Promise<void> {
  const factor = { secret, last_step, enabled_at: now, wrong_codes: 0, wrong_since: null }
  await trx
    .insertInto('second_factor')
    .values({ user_id, ...factor })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(factor))
    .execute()
  await trx.deleteFrom('second_factor_enrolment').where('user_id', '=', user_id).execute()
}

/** With its recovery codes and a pending setup; false when there was no factor. */
export async function deleteFactor(trx: Trx, user_id: number): Promise<boolean> {
  await trx.deleteFrom('second_factor_enrolment').where('user_id', '=', user_id).execute()
  const { numDeletedRows } = await trx
    .deleteFrom('second_factor')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Ends the person's other sign-ins. */
export async function revokeOthers(
  trx: Trx,
  { user_id, family, now }: { user_id: number; family: string; now: Date },
): Promise<void> {
  await trx
    .updateTable('refresh_family')
    .set({ revoked_at: now, revoked_because: 'second_factor' })
    .where('user_id', '=', user_id)
    .where('id', '<>', family)
    .where('revoked_at', 'is', null)
    .execute()
}

export async function deleteOldEnrolments(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('second_factor_enrolment').where('expires_at', '<', now).execute()
}

export const sealedSecrets = (db: Db) =>
  db
    .selectFrom('second_factor')
    .innerJoin('users', 'users.id', 'second_factor.user_id')
    .select(['second_factor.user_id', 'users.username', 'second_factor.secret'])
    .orderBy('second_factor.user_id')
    .execute()

/** Unless the person has set up another one meanwhile; returns the number of rows. */
export async function replaceSealed(
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
