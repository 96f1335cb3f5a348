import { IdPath } from '#shared/api/list.ts'
import { isInternal } from '#shared/access.ts'
import { RunDetail, RunList, RunQuery } from '#shared/api/executions.ts'
import { FirstRows } from '#shared/api/first-rows.ts'
import type { Db } from '#server/db/connect.ts'
import { pageOf } from '#server/http/list.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import type { ReportRow } from '#server/resources/reports/queries.ts'
import { runsCsv } from './csv.ts'
import { firstRowsOf } from './first-rows.ts'
import { listRuns, tablesBefore, type VisibleRun } from './history-queries.ts'
import { presentRun, presentTimeline } from './present.ts'
import { visibleReport } from '#server/resources/reports/visible.ts'
import { currentTable } from './restore-queries.ts'
import { forecastRuns } from '#server/admission/queue-position.ts'
import { reportWaitOf } from './report-wait-queries.ts'
import { tableState } from './rules.ts'
import { RunPath, visibleRun } from './visible.ts'

const PATH = '/api/gs-template-setting/:id/runs/'

const list = route('GET', PATH, {
  summary: 'List the runs of a report, newest first.',
  level: 'external_user',
  params: IdPath,
  query: RunQuery,
  reply: RunList,
  async run({ params, query, user, db, request }) {
    const report = await visibleReport(db, user, params.id)
    const { count, runs } = await listRuns(db, user, { ...query, report: report.id })
    const present = await presenter(db, user, report)
    return pageOf(request.url, query, { count, results: runs.map(present) })
  },
  async csv({ params, query, user, db }) {
    const report = await visibleReport(db, user, params.id)
    return runsCsv(db, user, { ...query, report: report.id })
  },
})

const read = route('GET', `${PATH}:run_id/`, {
  summary:
    'Get a run: times, rows, outcome of each block, failure, waits, and a forecast while it has not ended.',
  level: 'external_user',
  params: RunPath,
  reply: RunDetail,
  async run({ params, user, db }) {
    const report = await visibleReport(db, user, params.id)
    const run = await visibleRun(db, user, { report: report.id, run: params.run_id })
    const present = await presenter(db, user, report)
    const { finished_at, timeline, platform_calls, quota_wait_ms, answers_shared, shared_from } = run
    return {
      ...present(run),
      timeline: presentTimeline(timeline),
      platform_calls,
      quota_wait_ms,
      answers_shared,
      shared_from: shared_from?.toISOString() ?? null,
      forecast: finished_at ? null : ((await forecastRuns(db, [run.id])).get(run.id) ?? null),
      report_wait: await reportWaitOf(db, run),
      undo_to:
        finished_at && present(run).table === 'current'
          ? await undoTo({ report: report.id, finished_at })
          : null,
    }

    async function undoTo(before: { report: number; finished_at: Date }) {
      const older = (await tablesBefore(db, user, before)).map(present).find(({ table }) => table === 'kept')
      return older?.finished_at ? { run: older.id, at: older.restores?.at ?? older.finished_at } : null
    }
  },
})

const table = route('GET', `${PATH}:run_id/table/`, {
  summary: 'Get the first 50 rows of the table that a run has stored, as its cells look.',
  level: 'external_user',
  params: RunPath,
  reply: FirstRows,
  async run({ params, user, db }) {
    const report = await visibleReport(db, user, params.id)
    const run = await visibleRun(db, user, { report: report.id, run: params.run_id })
    return await firstRowsOf(db, user, run)
  },
})

/** How the runs of a report are shown to a person. */
async function presenter(db: Db, user: SignedInUser, report: ReportRow) {
  const current = await currentTable(db, report.id)
  return (run: VisibleRun) =>
    presentRun(run, { isInternal: isInternal(user), table: tableState(run, { current, target: report }) })
}

export const runsRoutes = [list, read, table]
