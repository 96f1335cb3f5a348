import { RunChanges } from '#shared/api/run-changes.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { findRun } from '#server/resources/runs/history-queries.ts'
import { RunPath } from '#server/resources/runs/visible.ts'
import { visibleReport } from '#server/resources/reports/visible.ts'
import { changesOf } from './changes-of.ts'

const read = route('GET', '/api/gs-template-setting/:id/runs/:run_id/changes/', {
  summary: 'Get the changes since the previous table: which days or rows changed, and by how much.',
  level: 'external_user',
  // Stores the result for later requests.
  rows: 'every',
  params: RunPath,
  reply: RunChanges,
  // Large tables take seconds to read, and no transaction should stay open for so long.
  transaction: 'own',
  async run({ params, user, db }) {
    const report = await visibleReport(db, user, params.id)
    const isVisible = async (run: string) => (await findRun(db, user, { report: report.id, run })) !== null
    const changes = (await isVisible(params.run_id))
      ? await changesOf(db, { report: report.id, run: params.run_id })
      : null
    if (!changes) throw refuse('not_found')
    // The changes reveal the previous values.
    const is_hidden = changes.status === 'compared' && !(await isVisible(changes.before.run))
    return is_hidden ? { status: 'not_kept' as const } : changes
  },
})

export const changesRoutes = [read]
