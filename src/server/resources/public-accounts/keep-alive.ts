import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { PlatformEffects } from '#server/http/effects.ts'
import { leastTested } from './queries.ts'
import { saveTest, notifyOfExpiry } from './notify.ts'

/**
 * LY deletes a refresh token that was not used for about four weeks; and an invalid login should be known
 * before the morning's reports.
 */
const TESTED_EVERY_MS = 24 * 3600_000
/** So many at a time: a test may take half a minute. */
const AT_MOST = 10

/**
 * Tests the shared logins that were not tested for a day, and notifies of those that expire soon; returns how
 * many were tested. May run in several processes at once.
 */
export async function testSharedLogins(
  db: Db,
  { platforms, now }: { platforms: Pick<PlatformEffects, 'test'>; now: Date },
): Promise<number> {
  const due = await leastTested(db, {
    before: new Date(now.getTime() - TESTED_EVERY_MS),
    limit: AT_MOST,
  })
  for (const account of due) {
    const { result } = await platforms.test(db, account.id)
    await inTransaction(db, trx => saveTest(trx, account, { test_result: result, tested_at: now }))
  }
  await inTransaction(db, trx => notifyOfExpiry(trx, now))
  return due.length
}
