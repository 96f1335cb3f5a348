import type { Trx } from '#server/db/transaction.ts'
import { mayDo } from '#shared/access.ts'
import { Execution } from '#shared/api/executions.ts'
import { enqueueRuns } from '#server/queue/queue.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { beginExecution, findByIdempotencyKey, linkRuns, readExecution } from './queries.ts'
import { accessOf } from '#server/resources/reports/present.ts'
import { lockReport } from '#server/resources/reports/queries.ts'
import { gapsOf } from '#server/resources/reports/rules.ts'
import { findRun } from '#server/resources/runs/history-queries.ts'
import { visibleReport } from '#server/resources/reports/visible.ts'
import { currentTable, insertRestore, runUnderWay } from '#server/resources/runs/restore-queries.ts'
import { tableState, whyNotRestore } from '#server/resources/runs/rules.ts'
import { RunPath, visibleRun } from '#server/resources/runs/visible.ts'

const restore = route('POST', '/api/gs-template-setting/:id/runs/:run_id/write-back/', {
  summary:
    'Restore the table of an earlier run, by a new run. Requests with the same Idempotency-Key restore it once.',
  level: 'external_user',
  params: RunPath,
  reply: Execution,
  status: 201,
  async run({ params, user, db, request, now }) {
    const visible = await visibleReport(db, user, params.id)
    const access = accessOf(user, visible)
    if (!access || !mayDo(access, 'change')) throw refuse('forbidden')
    const request_key = { user_id: user.id, idempotency_key: keyIn(request.headers) }
    const known =
      request_key.idempotency_key && (await findByIdempotencyKey(db, user.id, request_key.idempotency_key))
    const execution = known || (await begin())
    const reply = await readExecution(db, execution, user)
    if (!reply) throw refuse('not_found')
    return reply

    async function begin(): Promise<string> {
      // The target stays locked between reading it and the run.
      const report = (await lockReport(db, params.id)) ?? visible
      const run = await visibleRun(db, user, { report: report.id, run: params.run_id })
      const gaps = gapsOf(report)
      if (gaps.length > 0) throw refuse('report_has_gaps', { extra: { gaps } })
      const { run: runId, is_new } = await restoreOf(db, {
        report,
        table_of: run.table_of,
        requested_by: user.id,
      })
      // Only now can no other run end, and delete an older table by that.
      const current = await currentTable(db, report.id)
      const fresh = (await findRun(db, user, { report: report.id, run: run.id })) ?? run
      const code = is_new ? whyNotRestore(tableState(fresh, { current, target: report })) : null
      if (code) throw refuse(code)
      const { id } = await beginExecution(db, request_key)
      await linkRuns(db, id, [runId])
      if (is_new) await enqueueRuns(db, [runId])
      const detail = { name: visible.name, table_of: run.table_of, run: runId, execution: id }
      await writeAudit(
        db,
        { actor: user.id, action: 'report.write_back', object: 'report', object_id: report.id, detail },
        now,
      )
      return id
    }
  },
})

/** A new run, or the one that restores the same table already. */
async function restoreOf(
  trx: Trx,
  { report, table_of, requested_by }: { report: Report; table_of: string; requested_by: number },
) {
  const { owner, spreadsheet_id, sheet_id, sheet_name, start_cell } = report
  const target = { spreadsheet_id: spreadsheet_id ?? '', sheet_id, sheet_name, start_cell }
  const run = await insertRestore(trx, { table_of, requested_by, owner, target })
  if (run !== null) return { run, is_new: true }
  const under_way = await runUnderWay(trx, report.id)
  if (under_way?.restores !== table_of) throw refuse('report_busy')
  return { run: under_way.id, is_new: false }
}

interface Report {
  id: number
  owner: number
  spreadsheet_id: string | null
  sheet_id: number | null
  sheet_name: string
  start_cell: string
}

const keyIn = ({ 'idempotency-key': key }: Record<string, unknown>) =>
  typeof key === 'string' && key !== '' ? key.slice(0, 200) : null

export const restoreRoutes = [restore]
