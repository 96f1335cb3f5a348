import type { Trx } from '#server/db/transaction.ts'
import { lockReport, saveTargetState, updateReport } from '#server/resources/reports/queries.ts'
import { resultOf, stateAfter } from '#server/resources/spreadsheets/rules.ts'
import type { ClaimedRun } from './lease-queries.ts'
import type { Target } from './plan-of.ts'

// A run is a check of its report's target too. When a spreadsheet is no longer shared with the system user,
// nothing polls for that: the next run finds out when it reads or writes the tab (`classify` of
// sheets/failure.ts), or a person who checks the target in the interface. Whether the people of the report
// still control the file is checked before a write, at most once an hour
// (spreadsheets/recheck-control.ts). The run ends with `spreadsheet_not_shared` and the old table stays; the
// report gets a gap, its schedule stops, and its owner is notified (notifications/incidents.ts). A check or a
// run that succeeds starts the schedule again.

/** The run has written its table. */
export async function recordWrittenTarget(
  trx: Trx,
  run: ClaimedRun,
  { written, now }: { written: Omit<Target, 'start_cell'>; now: Date | null },
): Promise<void> {
  const { spreadsheet_id, sheet_id, sheet_name } = written
  const report = await lockReport(trx, run.report)
  if (report?.spreadsheet_id !== spreadsheet_id || report.sheet_name !== sheet_name) return
  await updateReport(trx, report.id, { sheet_id })
  if (now && report.target_state !== 'ok') await saveTargetState(trx, report, { target_state: 'ok', now })
}

/** The run has ended with this code, which may show that its target cannot be written to. */
export async function recordFailedTarget(
  trx: Trx,
  run: ClaimedRun,
  { target, code, now }: { target: Target; code: string; now: Date },
): Promise<void> {
  const result = resultOf(code)
  const report = result && (await lockReport(trx, run.report))
  // The target may have been changed while the run was in progress.
  if (!report || report.spreadsheet_id !== target.spreadsheet_id) return
  const target_state = stateAfter(result, { checked_tab: target.sheet_name, report })
  if (target_state !== undefined) await saveTargetState(trx, report, { target_state, now })
}
