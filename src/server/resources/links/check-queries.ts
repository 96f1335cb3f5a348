import { lockUntilEnd } from '#server/db/advisory-lock.ts'
import type { Trx } from '#server/db/transaction.ts'

const MOST_CHECKS = 10
const WINDOW_MS = 60_000

/** Counts one more check of a person's; or the seconds to wait, when there were too many. */
export async function countCheck(trx: Trx, person: number, now: Date): Promise<number | null> {
  await lockUntilEnd(trx, `link checks of ${person}`)
  await trx
    .deleteFrom('link_check')
    .where('user_id', '=', person)
    .where('at', '<=', new Date(now.getTime() - WINDOW_MS))
    .execute()
  const latest = await trx
    .selectFrom('link_check')
    .select('at')
    .where('user_id', '=', person)
    .orderBy('at', 'desc')
    .limit(MOST_CHECKS)
    .execute()
  const first = latest[MOST_CHECKS - 1]
  if (first) return Math.ceil((first.at.getTime() + WINDOW_MS - now.getTime()) / 1000)
  await trx.insertInto('link_check').values({ user_id: person, at: now }).execute()
  return null
}
