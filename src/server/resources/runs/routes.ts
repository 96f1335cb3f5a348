import { z } from 'zod'
import { isInternal } from '#shared/access.ts'
import { Execution, Run, RunList, RunQuery } from '#shared/api/executions.ts'
import { IdText } from '#shared/api/list.ts'
import type { Db } from '#server/db/connect.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { insertExecution, readExecution } from '#server/resources/executions/queries.ts'
import { accessOf } from '#server/resources/reports/present.ts'
import { readReports } from '#server/resources/reports/queries.ts'
import { gapsOf } from '#server/resources/reports/rules.ts'
import { findRun, listRuns, presentRun } from './queries.ts'

const PATH = '/api/gs-template-setting/:id/runs/'
const ReportPath = z.object({ id: IdText })
const RunPath = z.object({ id: IdText, run_id: z.uuid() })

const list = route('GET', PATH, {
  summary: 'The runs of a report, newest first.',
  level: 'external_user',
  params: ReportPath,
  query: RunQuery,
  reply: RunList,
  async run({ params, query, user, db, request }) {
    await seenReport(db, user, params.id)
    const ascending = query.ordering === 'queued_at'
    const { count, runs } = await listRuns(db, params.id, { ...query, ascending })
    const results = runs.map(run => presentRun(run, isInternal(user)))
    return pageOf(request.url, query, { count, results })
  },
})

const read = route('GET', `${PATH}:run_id/`, {
  summary: 'One run: when, how many rows, what each block came to, what went wrong.',
  level: 'external_user',
  params: RunPath,
  reply: Run,
  async run({ params, user, db }) {
    await seenReport(db, user, params.id)
    const run = await findRun(db, params.id, params.run_id)
    if (!run) throw refuse('not_found')
    return presentRun(run, isInternal(user))
  },
})

const retry = route('POST', `${PATH}:run_id/retry/`, {
  summary: 'Run the report of a failed run again, as it is now.',
  level: 'external_user',
  params: RunPath,
  reply: Execution,
  status: 201,
  async run({ params, user, db, effects, now }) {
    const report = await seenReport(db, user, params.id)
    if (!(await findRun(db, params.id, params.run_id))) throw refuse('not_found')
    const gaps = gapsOf(report)
    if (gaps.length > 0) throw refuse('report_has_gaps', { extra: { gaps } })
    const { id, new_runs } = await insertExecution(db, {
      user_id: user.id,
      idempotency_key: null,
      trigger: 'retry',
      reports: [{ report: report.id, owner: report.owner, refused: null }],
    })
    await effects.enqueueRuns(db, new_runs)
    await writeAudit(
      db,
      {
        actor: user.id,
        action: 'report.run',
        object: 'report',
        object_id: report.id,
        detail: { retry_of: params.run_id },
      },
      now,
    )
    const execution = await readExecution(db, id, user)
    if (!execution) throw refuse('not_found')
    return execution
  },
})

async function seenReport(db: Db, user: SignedInUser, id: number) {
  const [report] = await readReports(db, user, [id])
  if (!report || report.deleted_at !== null || accessOf(user, report) === null) throw refuse('not_found')
  return report
}

export const runsRoutes = [list, read, retry]
