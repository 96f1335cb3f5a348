import { z } from 'zod'
import { UndoOutcome } from '#shared/api/care.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { deleteReports } from '#server/resources/folders/queries.ts'
import { changeReport } from '#server/resources/reports/save.ts'
import { eachReport } from './each.ts'
import { CARE } from './paths.ts'
import { changesLeft, deleteEmptyFolders, lockDeed, noteUndone } from './queries.ts'

export const undo = route('POST', `${CARE}:deed/undo/`, {
  summary: 'Take back what one has done to many reports. A report that was saved since stays as it is.',
  level: 'external_user',
  params: z.object({ deed: z.uuid() }),
  reply: UndoOutcome,
  async run({ params, user, db, now, effects: { settings } }) {
    const deed = await lockDeed(db, params.deed, user.id)
    if (!deed) throw refuse('not_found')
    const changes = await changesLeft(db, deed.id)
    const wanted = changes.map(({ report, version }) => ({ id: report, version }))
    const action = deed.kind === 'clone' ? ('delete' as const) : ('change' as const)
    const results = await eachReport(db, wanted, { user, dry_run: false, action, nothing: {} }, async row => {
      const before = changes.find(({ report }) => report === row.id)?.before ?? null
      if (before === null) await deleteReports(db, [row.id], { deleted_by: user.id, now })
      else await changeReport(db, row, { changes: before, folder: row.folder, editor: user, settings, now })
      await noteUndone(db, deed.id, row.id)
      const line = { actor: user.id, action: 'report.undo', object: 'report', object_id: row.id }
      await writeAudit(db, { ...line, detail: { kind: deed.kind, deed: deed.id } }, now)
      return {}
    })
    await deleteEmptyFolders(db, user.id, deed.folders, now)
    return { results }
  },
})
