import { endRuns, markCompleted, markPostponed, type End, type Outcome, type Wait } from './end-queries.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { Db } from '#server/db/connect.ts'
import { settleIncidents } from '#server/resources/notifications/incidents.ts'
import { wakeWorkers } from '#server/queue/queue.ts'
import { lockReport, noteTargetState, updateReport } from '#server/resources/reports/queries.ts'
import { resultOf, stateAfter } from '#server/resources/spreadsheets/rules.ts'
import type { Target } from './plan-of.ts'
import { announceRun } from './queries.ts'
import { deleteOldTables } from './table-queries.ts'
import { releaseSpreadsheet } from './spreadsheet-lease-queries.ts'
import { holdRun, type ClaimedRun } from './lease-queries.ts'

/** The last step of a run that succeeded. */
export async function completeRun(db: Db, run: ClaimedRun, outcome: Outcome & { sheet_name: string }) {
  await db.transaction().execute(async trx => {
    await holdRun(trx, run)
    const { finished_at, blocks, restores } = await markCompleted(trx, run, outcome)
    const { spreadsheet_id, sheet_id } = outcome.written
    const report = await lockReport(trx, run.report)
    if (report?.spreadsheet_id === spreadsheet_id && report.sheet_name === outcome.sheet_name) {
      await updateReport(trx, report.id, { sheet_id })
      if (finished_at && report.target_state !== 'ok')
        await noteTargetState(trx, report, { target_state: 'ok', now: finished_at })
    }
    await releaseSpreadsheet(trx, run)
    await deleteOldTables(trx, run.report)
    // A restore fetches nothing, so it does not show whether the report works.
    if (finished_at && restores === null)
      await settleIncidents(trx, {
        id: run.id,
        report: run.report,
        status: 'completed',
        code: null,
        detail: null,
        blocks,
        at: finished_at,
      })
    await announceRun(trx, run, 'completed')
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
  if (ended?.target && at) await noteTargetOf(trx, run, { target: ended.target, code: end.code, now: at })
  if (at && end.status === 'error')
    await settleIncidents(trx, { id: run.id, report: run.report, ...ended, ...end, status: 'error', at })
  await releaseSpreadsheet(trx, run)
  await announceRun(trx, run, end.status)
}

/**
 * A run is a check of its target too: an unwritable one is a gap, and the schedule stops until it is fixed.
 */
async function noteTargetOf(
  trx: Trx,
  run: ClaimedRun,
  { target, code, now }: { target: Target; code: string; now: Date },
) {
  const result = resultOf(code)
  const report = result && (await lockReport(trx, run.report))
  // The target may have been changed while the run was in progress.
  if (!report || report.spreadsheet_id !== target.spreadsheet_id) return
  const target_state = stateAfter(result, { checked_tab: target.sheet_name, report })
  if (target_state !== undefined) await noteTargetState(trx, report, { target_state, now })
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
