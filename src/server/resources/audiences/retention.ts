import { UPLOAD_OPEN_MS } from '#shared/audiences.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { deleteEnded } from './queries.ts'
import { dueAudiences, expireAudience, holdIdleUpload } from './retention-queries.ts'
import { dropUpload, idleUploads } from './upload-queries.ts'

/**
 * Destroys our copies of lists whose time is over, and what was left of uploads; the shares of a list live
 * on. Returns how many lists have expired.
 */
export async function endMembers(db: Db, now: Date): Promise<number> {
  const since = new Date(now.getTime() - UPLOAD_OPEN_MS)
  for (const { id } of await idleUploads(db, since))
    await inTransaction(db, async trx => {
      if (await holdIdleUpload(trx, id, since)) await dropUpload(trx, id)
    })
  let expired = 0
  for (const id of await dueAudiences(db, now))
    expired += await inTransaction(db, trx => expireAudience(trx, id, now))
  await deleteEnded(db)
  return expired
}
