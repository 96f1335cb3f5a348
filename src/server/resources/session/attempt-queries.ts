import { createHash } from 'node:crypto'
import { lockUntilEnd } from '#server/db/advisory-lock.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { networkOf } from '#server/http/network.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'

/**
 * Failures within WINDOW_MS, and the attempts in progress. For one name: from one address, and from anywhere.
 * From one address: of all names, and of different names.
 *
 * An office shares one address. A person in it who has forgotten the password, or a phone with an old one,
 * stops at ten and leaves ninety to the others; a success clears the failures of its name, so only the names
 * without success count. Thirty of them within a quarter of an hour are no colleagues: 200 people of whom one
 * in ten mistypes leave none. An attacker who tries one password on many names gets 120 names an hour from an
 * address, not 400 a minute.
 */
const LIMITS = { name_here: 10, name_anywhere: 100, address: 100, names_of_address: 30 }
const WINDOW_MS = 15 * 60_000

interface Attempted {
  username: string
  address: string
  now: Date
}

/**
 * Counts one attempt to sign in as failed until it has succeeded, so that concurrent attempts are counted
 * too. Returns the attempt, or the seconds to wait when there were too many.
 */
export async function startAttempt(
  trx: Trx,
  { username, address, now }: Attempted,
): Promise<{ attempt: number } | { retry_after_s: number }> {
  const [name, network] = [attemptedName(username), networkOf(address)]
  await lockAttempts(trx, { name, network })
  const retry_after_s = await secondsToWait(trx, { username, address, now })
  if (retry_after_s !== null) return { retry_after_s }
  const { id } = await trx
    .insertInto('sign_in_failure')
    .values({ username: name, address: network, at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { attempt: id }
}

/** null: an attempt may be made now. */
export async function secondsToWait(db: Db, { username, address, now }: Attempted): Promise<number | null> {
  const [name, network] = [attemptedName(username), networkOf(address)]
  const of_name = await latest(db, now).where('username', '=', name).limit(LIMITS.name_anywhere).execute()
  const of_address = await latest(db, now).where('address', '=', network).limit(LIMITS.address).execute()
  const names = of_address.filter(
    ({ username: each }, index) => of_address.findIndex(other => other.username === each) === index,
  )
  const full = [
    of_name.filter(failure => failure.address === network)[LIMITS.name_here - 1],
    of_name[LIMITS.name_anywhere - 1],
    of_address[LIMITS.address - 1],
    names[LIMITS.names_of_address - 1],
  ].filter(failure => failure !== undefined)
  if (full.length === 0) return null
  const last = Math.max(...full.map(({ at }) => at.getTime()))
  return Math.ceil((last + WINDOW_MS - now.getTime()) / 1000)
}

const latest = (db: Db, now: Date) =>
  db
    .selectFrom('sign_in_failure')
    .select(['username', 'address', 'at'])
    .where('at', '>', new Date(now.getTime() - WINDOW_MS))
    .orderBy('at', 'desc')

/** The address first, everywhere, so that two attempts cannot deadlock. */
async function lockAttempts(trx: Trx, { name, network }: { name: string; network: string }) {
  for (const lock of [`sign-in from ${network}`, `sign-in ${name}`]) await lockUntilEnd(trx, lock)
}

/** It was the person: earlier failures from there were theirs. */
export async function clearFailures(trx: Trx, { username, address }: { username: string; address: string }) {
  await trx
    .deleteFrom('sign_in_failure')
    .where('username', '=', attemptedName(username))
    .where('address', '=', networkOf(address))
    .execute()
}

export async function deleteOldFailures(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('sign_in_failure')
    .where('at', '<', new Date(now.getTime() - WINDOW_MS))
    .execute()
}

/** A typed name, hashed so that it can only be compared: now and then it is a password in the wrong field. */
export const attemptedName = (username: string) =>
  createHash('sha256').update(foldName(username)).digest('base64url')

/**
 * Spellings for which the database may find one account are the same: it lower-cases each character by
 * itself, İ to i, Σ to σ in any position, where JavaScript writes i with a dot above and ς at the end of a
 * word.
 */
const foldName = (username: string) =>
  Array.from(username.normalize('NFC'), sign => Array.from(sign.toLowerCase())[0])
    .join('')
    .replaceAll('ς', 'σ')

/**
 * Records a refused sign-in for the audit trail, which cannot be changed: the first one has a line at once,
 * and further ones from the same address, or for the same name, are counted for a line at the end of the
 * time. `known` is the account's name; an unknown one may be a password in the wrong field.
 */
export async function noteRefusal(
  trx: Trx,
  { username, known, address, now }: Attempted & { known: string | null },
): Promise<void> {
  const [name, network] = [attemptedName(username), networkOf(address)]
  await lockAttempts(trx, { name, network })
  const open = await trx
    .selectFrom('refused_sign_in')
    .selectAll()
    .where('ends_at', '>', now)
    .where(eb => eb.or([eb('address', '=', network), eb('name', '=', name)]))
    .orderBy(eb => eb('address', '=', network), 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (open) {
    const usernames = withOne(open.usernames, known)
    const addresses = withOne(open.addresses, address)
    await trx
      .updateTable('refused_sign_in')
      .set({ more: open.more + 1, usernames, addresses })
      .where('id', '=', open.id)
      .execute()
    return
  }
  await trx
    .insertInto('refused_sign_in')
    .values({ address: network, name, began_at: now, ends_at: new Date(now.getTime() + WINDOW_MS) })
    .execute()
  const detail = known === null ? {} : { detail: { username: known } }
  await writeAudit(trx, { actor: null, action: 'session.refused', address, ...detail }, now)
}

const MOST_NAMED = 20

const withOne = (list: readonly string[], one: string | null) =>
  one === null || list.includes(one) || list.length >= MOST_NAMED ? [...list] : [...list, one]

/** One line for all that were refused after the first, once no more can follow. */
export async function summariseRefusals(trx: Trx, now: Date): Promise<void> {
  const over = await trx.deleteFrom('refused_sign_in').where('ends_at', '<=', now).returningAll().execute()
  for (const { more, began_at, ends_at, usernames, addresses, address } of over) {
    if (more === 0) continue
    const detail = { more, from: began_at.toISOString(), to: ends_at.toISOString(), usernames, addresses }
    await writeAudit(trx, { actor: null, action: 'session.refused', address, detail }, now)
  }
}
