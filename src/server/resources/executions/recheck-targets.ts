import type { Trx } from '#server/db/transaction.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { inParallel } from '#server/in-parallel.ts'
import { readPerson } from '#server/resources/people/queries.ts'
import { lockReport, saveTargetState, type ReportRow } from '#server/resources/reports/queries.ts'
import { gapsOf } from '#server/resources/reports/rules.ts'
import type { CheckContext } from '#server/resources/spreadsheets/control.ts'
import { findBinding, isInScope } from '#server/resources/spreadsheets/queries.ts'
import { checkTarget } from '#server/resources/targets/check-target.ts'

/** More targets are checked by the permission settings of each, and by the next click. */
const MOST_TARGETS = 20
const AT_ONCE = 4
/** A click waits no longer; checks in progress go on and store their results. */
const WITHIN_MS = 8_000

interface Recheck extends CheckContext {
  onProblem: (error: unknown) => void
}

/**
 * Checks again the targets of reports that lack nothing but the permission: somebody may have shared the file
 * since the last check. The results are stored in the reports; false: there was nothing to check.
 */
export async function recheckTargets(reports: readonly ReportRow[], recheck: Recheck): Promise<boolean> {
  const unchecked = reports.filter(report => gapsOf(report).join() === 'permission_not_set')
  const targets = [...Map.groupBy(unchecked.flatMap(withTarget), ({ key }) => key).values()]
  if (targets.length === 0) return false
  const deadline = AbortSignal.timeout(WITHIN_MS)
  const ended = new Promise<void>(resolve => deadline.addEventListener('abort', () => resolve()))
  const checks = inParallel(targets.slice(0, MOST_TARGETS), AT_ONCE, async sameTarget => {
    if (!deadline.aborted) await recheckTarget(sameTarget, recheck).catch(recheck.onProblem)
  })
  await Promise.race([checks, ended])
  return true
}

type ReportWithTarget = ReturnType<typeof withTarget>[number]

const withTarget = (report: ReportRow) => {
  const { spreadsheet_id, sheet_name, start_cell, sheet_id } = report
  if (spreadsheet_id === null) return []
  const target = { spreadsheet_id, sheet_name, start_cell, ...(sheet_id !== null && { sheet_id }) }
  return [{ report, target, key: JSON.stringify(target) }]
}

async function recheckTarget(reports: readonly ReportWithTarget[], recheck: Recheck) {
  const { db, user } = recheck
  const [first] = reports
  if (!first) return
  // Stores the result in the asking person's own reports.
  const { result } = await checkTarget(first.target, recheck)
  const ofOthers = reports.filter(({ report }) => report.owner !== user.id)
  if (result !== 'ok' || ofOthers.length === 0) return
  await inTransaction(db, async trx => {
    for (const { report, target } of ofOthers.toSorted((a, b) => a.report.id - b.report.id))
      await noteForOwner(trx, report.id, { target, now: recheck.now })
  })
}

/**
 * A report writes with its owner's access: it can run when the file is the owner's as well as the asking
 * person's.
 */
async function noteForOwner(
  trx: Trx,
  id: number,
  { target, now }: { target: ReportWithTarget['target']; now: Date },
) {
  const { spreadsheet_id, sheet_name } = target
  const report = await lockReport(trx, id)
  if (report?.spreadsheet_id !== spreadsheet_id || report.sheet_name !== sheet_name) return
  const owner = await readPerson(trx, report.owner)
  const binding = await findBinding(trx, spreadsheet_id)
  if (!owner || !binding || binding.lapsed_at !== null || !(await isInScope(trx, owner, binding))) return
  await saveTargetState(trx, report, { target_state: 'ok', now })
}
