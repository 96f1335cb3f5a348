import { deleteIdleQuotas } from '#server/admission/busy-quotas.ts'
import type { Db } from '#server/db/connect.ts'
import { deleteOldUploadCounts } from '#server/files/quota-queries.ts'
import { deleteOldResponses } from '#server/fetches/queries.ts'
import { endMembers } from '#server/resources/audiences/retention.ts'
import { deleteOldAudit } from '#server/resources/audit/queries.ts'
import { deleteOldOperations } from '#server/resources/bulk-operations/queries.ts'
import { deleteOldExecutions } from '#server/resources/executions/queries.ts'
import { deleteOldNames } from '#server/resources/filter-values/queries.ts'
import { deleteOldNotices } from '#server/resources/notifications/queries.ts'
import { deleteOldStates } from '#server/resources/public-accounts/connect-queries.ts'
import { purgeDeletedReports } from '#server/resources/reports/queries.ts'
import { deleteOldRuns, deleteOldWrites, deleteStrayChunks } from '#server/resources/runs/cleanup-queries.ts'
import { deleteOldEnrolments } from '#server/resources/second-factor/queries.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { summariseRefusals } from '#server/resources/session/attempt-queries.ts'
import { deleteOldSessions } from '#server/resources/session/queries.ts'
import { deleteOldCodes } from '#server/resources/spreadsheets/queries.ts'
import { deleteOldCreations } from '#server/resources/targets/creation-queries.ts'
import { deleteUndoableShares } from './resources/reports/share-queries.ts'

/**
 * Deletes rows that nothing reads any more. Safe to run twice at once, to be killed anywhere and to be
 * repeated.
 */
export async function cleanUp(db: Db, now: Date, { audit_days }: { audit_days: number }) {
  await purgeDeletedReports(db, now)
  await deleteUndoableShares(db, now)
  await deleteOldOperations(db, now)
  await deleteOldSessions(db, now)
  await deleteOldEnrolments(db, now)
  await inTransaction(db, trx => summariseRefusals(trx, now))
  await deleteOldCodes(db, now)
  await deleteOldStates(db, now)
  await deleteOldCreations(db, now)
  await deleteOldWrites(db)
  await deleteIdleQuotas(db)
  await deleteOldNames(db, now)
  await deleteOldUploadCounts(db, now)
  await deleteOldNotices(db, now)
  await deleteOldResponses(db)
  return {
    audiences_expired: await endMembers(db, now),
    audit: await deleteOldAudit(db, audit_days, now),
    chunks: await deleteStrayChunks(db),
    executions: await deleteOldExecutions(db, now),
    runs: await deleteOldRuns(db, now),
  }
}
