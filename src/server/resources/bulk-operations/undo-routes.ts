import { z } from 'zod'
import { UndoOutcome } from '#shared/api/bulk-operations.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { changeReport } from '#server/resources/reports/save.ts'
import { eachReport } from './each-report.ts'
import { BULK } from './paths.ts'
import { changesLeft, deleteEmptyFolders, lockOperation, noteUndone } from './queries.ts'
import { deleteReports } from '#server/resources/reports/queries.ts'

export const undo = route('POST', `${BULK}:deed/undo/`, {
  summary: 'Undo a bulk change. Reports saved since then stay unchanged.',
  level: 'external_user',
  params: z.object({ deed: z.uuid() }),
  reply: UndoOutcome,
  async run({ params, user, db, now, effects: { settings } }) {
    const operation = await lockOperation(db, params.deed, user.id)
    if (!operation) throw refuse('not_found')
    const changes = await changesLeft(db, operation.id)
    const requested = changes.map(({ report, version }) => ({ id: report, version }))
    const action = operation.kind === 'clone' ? ('delete' as const) : ('change' as const)
    const results = await eachReport(
      db,
      requested,
      { user, dry_run: false, action, nothing: {} },
      async row => {
        const before = changes.find(({ report }) => report === row.id)?.before ?? null
        const saving = { folder: row.folder, editor: user, settings, now }
        const difference =
          before === null ? null : await changeReport(db, row, { ...saving, changes: before })
        if (before === null) await deleteReports(db, [row.id], { deleted_by: user.id, now })
        await noteUndone(db, operation.id, row.id)
        const line = { actor: user.id, action: 'report.undo', object: 'report', object_id: row.id }
        const detail = {
          name: row.name,
          kind: operation.kind,
          deed: operation.id,
          ...(difference ? { changes: difference } : { is_deleted: true }),
        }
        await writeAudit(db, { ...line, detail }, now)
        return {}
      },
    )
    await deleteEmptyFolders(db, operation.folders, { owner: user.id, now })
    return { results }
  },
})
