import { z } from 'zod'
import { mayDo } from '#shared/access.ts'
import { Execution, ExecutionList, ExecutionQuery, StartExecution } from '#shared/api/executions.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction, type Trx } from '#server/db/transaction.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { announceRuns } from '#server/resources/runs/queries.ts'
import { isOwnFolder } from '#server/resources/folders/queries.ts'
import { accessOf } from '#server/resources/reports/present.ts'
import type { ReportRow } from '#server/resources/reports/queries.ts'
import { visibleReport, visibleReports } from '#server/resources/reports/visible.ts'
import { RunPath, visibleRun } from '#server/resources/runs/visible.ts'
import { gapsOf } from '#server/resources/reports/rules.ts'
import { writeAudit, writeAuditLines } from '#server/resources/audit/queries.ts'
import {
  cancelExecution,
  findByIdempotencyKey,
  insertExecution,
  listExecutions,
  readExecution,
  reportIdsIn,
  type Skipped,
} from './queries.ts'
import { recheckTargets } from './recheck-targets.ts'

const PATH = '/api/gs-template-execution/'
const OnePath = z.object({ id: z.uuid() })

const start = route('POST', PATH, {
  summary:
    'Run reports now: a list of reports, or all of a folder. Reports whose setup is not complete are skipped. Requests with the same Idempotency-Key run them once.',
  level: 'external_user',
  body: StartExecution,
  reply: Execution,
  status: 201,
  // Targets are checked again before anything is locked.
  transaction: 'own',
  async run({ body, user, db, request, now, effects: { spreadsheets } }) {
    const key = request.headers['idempotency-key']
    const idempotency_key = typeof key === 'string' && key !== '' ? key.slice(0, 200) : null
    const known = idempotency_key && (await findByIdempotencyKey(db, user.id, idempotency_key))
    if (known) return await executionOf(db, known, user)
    const onProblem = (err: unknown) => request.log.warn({ err }, 'target check failed')
    const clicked = await clickedReports(db, user, body)
    const isChanged = await recheckTargets(clicked, { db, user, now, spreadsheets, onProblem })
    // Read once it is committed: the workers have the runs by then.
    return await executionOf(db, await inTransaction(db, begin), user)

    async function begin(trx: Trx): Promise<string> {
      const reports = isChanged ? await clickedReports(trx, user, body) : clicked
      const [skipped, ready] = [reports.flatMap(skippedOf), reports.filter(row => gapsOf(row).length === 0)]
      const [first] = skipped
      if (first && reports.length === 1) throw refuse('report_has_gaps', { extra: { gaps: first.gaps } })
      const { id, new_runs, started, busy } = await insertExecution(trx, {
        user_id: user.id,
        idempotency_key,
        trigger: 'click',
        reports: ready.map(({ id: report, owner }) => ({ report, owner })),
        skipped,
      })
      request.log.info({ execution: id, runs: new_runs, skipped: skipped.length }, 'runs requested')
      // Among many it is skipped; of a single one nothing is stored.
      if (reports.length === 1 && busy.length > 0) throw refuse('report_busy')
      const names = new Map(ready.map(({ id: report, name }) => [report, name]))
      await writeAuditLines(
        trx,
        started.map(report => ({
          actor: user.id,
          action: 'report.run',
          object: 'report',
          object_id: report,
          detail: { name: names.get(report), execution: id },
        })),
        now,
      )
      return id
    }
  },
})

const skippedOf = (row: ReportRow): Skipped[] => {
  const { id: report, target_state } = row
  const gaps = gapsOf(row)
  return gaps.length > 0 ? [{ report, code: 'report_has_gaps', gaps, target_state }] : []
}

/** The reports of the execution; one that may not be seen does not exist. */
async function clickedReports(db: Db, user: SignedInUser, clicked: z.output<typeof StartExecution>) {
  if ('folder' in clicked && !(await isOwnFolder(db, user.id, clicked.folder))) throw refuse('not_found')
  const ids =
    'reports' in clicked ? [...new Set(clicked.reports)] : await reportIdsIn(db, user.id, clicked.folder)
  const rows = await visibleReports(db, user, ids)
  const byId = new Map(rows.map(row => [row.id, row]))
  const runnable = ids.flatMap(id => {
    const row = byId.get(id)
    const access = row && accessOf(user, row)
    return row && access && mayDo(access, 'run') ? [row] : []
  })
  if (runnable.length < ids.length) throw refuse('not_found')
  return runnable
}

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get the progress of an execution: counts, and each report with its blocks.',
  level: 'external_user',
  params: OnePath,
  reply: Execution,
  run: ({ params, user, db }) => executionOf(db, params.id, user),
})

const list = route('GET', PATH, {
  summary: 'List your executions of the last 30 days.',
  level: 'external_user',
  query: ExecutionQuery,
  reply: ExecutionList,
  async run({ query, user, db, request }) {
    const { count, rows } = await listExecutions(db, user, query)
    return pageOf(request.url, query, { count, results: rows })
  },
})

const cancel = route('DELETE', `${PATH}:id/`, {
  summary:
    'Cancel the pending runs of an execution: waiting and fetching runs end; a run that is writing is completed.',
  level: 'external_user',
  params: OnePath,
  reply: Execution,
  async run({ params, user, db, now }) {
    await executionOf(db, params.id, user)
    const cancelled = await cancelExecution(db, params.id, user.id)
    await announceRuns(
      db,
      cancelled.map(({ id }) => id),
    )
    await writeAuditLines(
      db,
      cancelled.map(({ id, report, name }) => ({
        actor: user.id,
        action: 'report.cancel',
        object: 'report',
        object_id: report,
        detail: { name, run: id, execution: params.id },
      })),
      now,
    )
    return await executionOf(db, params.id, user)
  },
})

const retry = route('POST', '/api/gs-template-setting/:id/runs/:run_id/retry/', {
  summary: 'Retry a failed run with the current version of its report.',
  level: 'external_user',
  params: RunPath,
  reply: Execution,
  status: 201,
  transaction: 'own',
  async run({ params, user, db, now, request, effects: { spreadsheets } }) {
    const visible = await visibleReport(db, user, params.id)
    await visibleRun(db, user, { report: visible.id, run: params.run_id })
    const onProblem = (err: unknown) => request.log.warn({ err }, 'target check failed')
    await recheckTargets([visible], { db, user, now, spreadsheets, onProblem })
    return await executionOf(db, await inTransaction(db, begin), user)

    async function begin(trx: Trx): Promise<string> {
      const report = await visibleReport(trx, user, params.id)
      const gaps = gapsOf(report)
      if (gaps.length > 0) throw refuse('report_has_gaps', { extra: { gaps } })
      const { id, new_runs, busy } = await insertExecution(trx, {
        user_id: user.id,
        idempotency_key: null,
        trigger: 'retry',
        reports: [{ report: report.id, owner: report.owner }],
      })
      request.log.info({ execution: id, runs: new_runs }, 'runs requested')
      const detail = { name: report.name, retry_of: params.run_id, execution: id }
      await writeAudit(
        trx,
        { actor: user.id, action: 'report.run', object: 'report', object_id: report.id, detail },
        now,
      )
      if (busy.length > 0) throw refuse('report_busy')
      return id
    }
  },
})

async function executionOf(db: Db, id: string, user: SignedInUser) {
  const execution = await readExecution(db, id, user)
  if (!execution) throw refuse('not_found')
  return execution
}

export const executionsRoutes = [start, list, read, cancel, retry]
