import { endRuns, markCompleted, markPostponed, type End, type Outcome, type Wait } from './end-queries.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { Db } from '#server/db/connect.ts'
import { settleIncidents } from '#server/resources/notifications/incidents.ts'
import { wakeWorkers } from '#server/queue/queue.ts'
import { leaseLost } from './failure.ts'
import { announceRun } from './queries.ts'
import { releaseSpreadsheet } from './spreadsheet-lease-queries.ts'
import { holdRun, type ClaimedRun } from './lease-queries.ts'
import { recordFailedTarget, recordWrittenTarget } from './target-state.ts'

/** The last step of a run that succeeded: one statement, unless its report has something else to record. */
export async function completeRun(db: Db, run: ClaimedRun, outcome: Outcome) {
  if (await markCompleted(db, run, { ...outcome, is_quiet: true })) return
  await db.transaction().execute(async trx => {
    const completed = await markCompleted(trx, run, { ...outcome, is_quiet: false })
    if (!completed) throw leaseLost()
    const { finished_at, blocks, restores } = completed
    const { spreadsheet_id, sheet_id } = outcome.written
    const written = { spreadsheet_id, sheet_id, sheet_name: outcome.sheet_name }
    await recordWrittenTarget(trx, run, { written, now: finished_at })
    // A restore fetches nothing, so it does not show whether the report works.
    if (restores === null)
      await settleIncidents(trx, {
        id: run.id,
        report: run.report,
        status: 'completed',
        code: null,
        detail: null,
        blocks,
        at: finished_at,
      })
  })
}

/** The run ends here; the sheet keeps its content. */
export async function failRun(db: Db, run: ClaimedRun, end: End) {
  await db.transaction().execute(async trx => {
    await holdRun(trx, run)
    await endRun(trx, run, end)
  })
}

async function endRun(trx: Trx, run: ClaimedRun, end: End) {
  const [ended] = await endRuns(trx, [run.id], { ...end, journal: run.journal.columns() })
  const at = ended?.finished_at
  if (ended?.target && at)
    await recordFailedTarget(trx, run, { target: ended.target, code: end.code, now: at })
  if (at && end.status === 'error')
    await settleIncidents(trx, { id: run.id, report: run.report, ...ended, ...end, status: 'error', at })
  await releaseSpreadsheet(trx, run)
  await announceRun(trx, run, end.status)
}

/** The run waits without a worker and goes on by itself after so long; it ends when it was cancelled. */
export async function postponeRun(trx: Trx, run: ClaimedRun, wait: Wait): Promise<void> {
  const { is_cancelled } = await holdRun(trx, run)
  if (is_cancelled) {
    await endRun(trx, run, { status: 'cancelled', code: 'run_cancelled', detail: {} })
    return
  }
  run.journal.wait(wait.why, wait.code)
  await markPostponed(trx, run, wait)
  await releaseSpreadsheet(trx, run)
  await announceRun(trx, run, 'queued')
  if (wait.wait_ms === 0) await wakeWorkers(trx, [run.id])
}
