import { deleteIdleQuotas } from '#server/admission/busy-quotas.ts'
import type { Db } from '#server/db/connect.ts'
import { deleteOldResponses } from '#server/fetches/queries.ts'
import { forgetOldAudit } from '#server/resources/audit/queries.ts'
import { forgetOperations } from '#server/resources/bulk-operations/queries.ts'
import { forgetOldExecutions } from '#server/resources/executions/queries.ts'
import { forgetOldNames } from '#server/resources/filter-values/queries.ts'
import { forgetOldNotices } from '#server/resources/notifications/queries.ts'
import { forgetDeletedReports } from '#server/resources/reports/queries.ts'
import { forgetOldRuns, forgetOldWrites, forgetStrayChunks } from '#server/resources/runs/cleanup-queries.ts'
import { forgetOldEnrolments } from '#server/resources/second-factor/queries.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { summariseRefusals } from '#server/resources/session/attempt-queries.ts'
import { forgetOldSessions } from '#server/resources/session/queries.ts'
import { forgetOldCodes } from '#server/resources/spreadsheets/queries.ts'
import { forgetUndoable } from './resources/reports/share-queries.ts'

/**
 * Deletes rows that nothing reads any more. Safe to run twice at once, to be killed anywhere and to be
 * repeated.
 */
export async function cleanUp(db: Db, now: Date, { audit_days }: { audit_days: number }) {
  await forgetDeletedReports(db, now)
  await forgetUndoable(db, now)
  await forgetOperations(db, now)
  await forgetOldSessions(db, now)
  await forgetOldEnrolments(db, now)
  await inTransaction(db, trx => summariseRefusals(trx, now))
  await forgetOldCodes(db, now)
  await forgetOldWrites(db)
  await deleteIdleQuotas(db)
  await forgetOldNames(db, now)
  await forgetOldNotices(db, now)
  await deleteOldResponses(db)
  return {
    audit: await forgetOldAudit(db, audit_days, now),
    chunks: await forgetStrayChunks(db),
    executions: await forgetOldExecutions(db, now),
    runs: await forgetOldRuns(db, now),
  }
}
