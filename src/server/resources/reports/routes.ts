import { IdPath } from '#shared/api/list.ts'
import { mayDo, type ReportAction } from '#shared/access.ts'
import { CreateReport, Deleted, Report, ReportList, ReportQuery, UpdateReport } from '#shared/api/reports.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { changedFields, type ChangedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { reportsCsv } from './csv.ts'
import { pageOfReportIds } from './list-queries.ts'
import { isOwnFolder } from '#server/resources/folders/queries.ts'
import { accessOf, presentReport } from './present.ts'
import {
  lastChanger,
  lockReport,
  moveToFolder,
  readReports,
  updateReport,
  type ReportRow,
  type ReportTable,
  deleteReports,
} from './queries.ts'
import { nextRunOf, unnamed } from './rules.ts'
import { changeReport, createReport } from './save.ts'
import { visibleReport } from './visible.ts'
import { fileShare } from './share-queries.ts'

export const REPORTS = '/api/gs-template-setting/'

const list = route('GET', REPORTS, {
  summary: 'List reports, your own and shared ones: of one folder or, with `search`, of all.',
  level: 'external_user',
  query: ReportQuery,
  reply: ReportList,
  async run({ query, user, db, now, request }) {
    refuseAll(query, user)
    const { count, ids } = await pageOfReportIds(db, { ...query, user_id: user.id, now })
    const rows = await readReports(db, user, ids)
    const results = ids
      .flatMap(id => rows.filter(row => row.id === id))
      .map(row => presentReport(row, { user, now }))
    return pageOf(request.url, query, { count, results })
  },
  async csv({ query, user, db, now }) {
    refuseAll(query, user)
    return reportsCsv({ query, user, db, now })
  },
})

function refuseAll({ scope }: ReportQuery, { identity }: SignedInUser) {
  if (scope === 'all' && identity !== 'superuser') throw refuse('forbidden')
}

const create = route('POST', REPORTS, {
  summary: 'Create a report. It may have setup gaps; until they are closed it does not run.',
  level: 'external_user',
  body: CreateReport,
  reply: Report,
  status: 201,
  async run({ body: { folder, ...fields }, user, db, now, effects: { settings } }) {
    await refuseForeignFolder(db, user.id, folder)
    const draft = {
      ...fields,
      name: fields.name ?? unnamed[user.language],
      timezone: fields.timezone ?? settings.time_zone,
      header_language: fields.header_language ?? user.language,
    }
    const id = await createReport(db, draft, { folder, owner: user.id, editor: user, settings, now })
    await noteAction(db, id, { actor: user, action: 'create', detail: { name: draft.name, folder }, now })
    return await showReport(db, id, { user, now })
  },
})

const read = route('GET', `${REPORTS}:id/`, {
  summary: 'Get a report.',
  level: 'external_user',
  params: IdPath,
  reply: Report,
  run: async ({ params, user, db, now }) => showReport(db, params.id, { user, now }),
})

const update = route('PATCH', `${REPORTS}:id/`, {
  summary:
    'Update a report. An outdated `version` is refused with 409, which has the current `report` and who has `changed_by` it.',
  level: 'external_user',
  params: IdPath,
  body: UpdateReport,
  reply: Report,
  async run({ params: { id }, body: { version, folder, ...changes }, user, db, now, effects: { settings } }) {
    const { report, row } = await reportFor(db, id, { user, action: 'see' })
    const access = accessOf(user, row) ?? 'viewer'
    const is_moved = folder !== undefined && folder !== row.viewer_folder
    const is_changed = Object.values(changes).some(value => value !== undefined)
    if (is_changed && !mayDo(access, 'change')) throw refuse('forbidden')
    if (is_moved && mayDo(access, 'file')) {
      await fileReport(db, row, { folder, user, now })
    }
    const is_moved_by_owner = is_moved && mayDo(access, 'move')
    if (is_moved_by_owner) await refuseForeignFolder(db, report.owner, folder)
    if (is_changed || is_moved_by_owner) {
      if (version !== report.version)
        throw refuse('conflict', {
          extra: { report: presentReport(row, { user, now }), changed_by: await lastChanger(db, row) },
        })
      const previousFolder = is_moved_by_owner ? folder : report.folder
      const saving = { changes, folder: previousFolder, editor: user, settings, now }
      const difference = is_changed
        ? await changeReport(db, report, saving)
        : await moveToFolder(db, report, { folder: previousFolder, now })
      const action = is_changed ? 'change' : 'move'
      await noteAction(db, id, {
        actor: user,
        action,
        detail: { name: report.name, changes: difference },
        now,
      })
    }
    return await showReport(db, id, { user, now })
  },
})

const remove = route('DELETE', `${REPORTS}:id/`, {
  summary: 'Delete a report. It can be restored for 30 days; the spreadsheet is not changed.',
  level: 'external_user',
  params: IdPath,
  reply: Deleted,
  async run({ params: { id }, user, db, now }) {
    await removeReport(db, id, { user, now })
    return { id }
  },
})

export async function removeReport(trx: Trx, id: number, { user, now }: { user: SignedInUser; now: Date }) {
  const { report } = await reportFor(trx, id, { user, action: 'delete' })
  await deleteReports(trx, [id], { deleted_by: user.id, now })
  await noteAction(trx, id, { actor: user, action: 'delete', detail: { name: report.name }, now })
}

const restore = route('POST', `${REPORTS}:id/restore/`, {
  summary: 'Restore a deleted report to its folder, or to the root if that no longer exists.',
  level: 'external_user',
  params: IdPath,
  reply: Report,
  async run({ params: { id }, user, db, now }) {
    await restoreReport(db, id, { user, now })
    return await showReport(db, id, { user, now })
  },
})

export async function restoreReport(trx: Trx, id: number, { user, now }: { user: SignedInUser; now: Date }) {
  const { report } = await reportFor(trx, id, { user, action: 'restore' })
  if (report.deleted_at === null) return
  const folder =
    report.folder !== null && (await isOwnFolder(trx, report.owner, report.folder)) ? report.folder : null
  const next_run_at = nextRunOf({ ...report, next_run_at: null }, { before: null, now })
  await updateReport(trx, id, { deleted_at: null, deleted_by: null, folder, next_run_at })
  await noteAction(trx, id, { actor: user, action: 'restore', detail: { name: report.name, folder }, now })
}

/** Into a folder of one's own, invisible to the report's owner. */
export async function fileReport(
  trx: Trx,
  { id, name, viewer_folder }: Pick<ReportRow, 'id' | 'name' | 'viewer_folder'>,
  { folder, user, now }: { folder: number | null; user: SignedInUser; now: Date },
) {
  await refuseForeignFolder(trx, user.id, folder)
  await fileShare(trx, { report: id, user_id: user.id, folder })
  const changes = changedFields({ folder: viewer_folder }, { folder })
  await noteAction(trx, id, { actor: user, action: 'file', detail: { name, changes }, now })
}

/** In the trail, with the name that the report had: it outlives the report. */
export async function noteAction(
  trx: Trx,
  id: number,
  { actor, action, detail, now }: Noted & { actor: SignedInUser; now: Date },
) {
  const line = { actor: actor.id, action: `report.${action}`, object: 'report', object_id: id }
  await writeAudit(trx, { ...line, detail }, now)
}

interface Noted {
  action: 'create' | 'change' | 'move' | 'file' | 'delete' | 'restore' | 'restore_version' | 'export'
  detail: { name: string; changes?: ChangedFields } & Record<string, unknown>
}

/**
 * The report, locked, for a person who may do this with it. One that they do not see does not exist for them.
 */
export async function reportFor(
  trx: Trx,
  id: number,
  { user, action }: { user: SignedInUser; action: ReportAction },
): Promise<{ report: ReportTable; row: ReportRow }> {
  const report = await lockReport(trx, id)
  const [row] = report ? await readReports(trx, user, [id]) : []
  const access = row && accessOf(user, row)
  if (!report || !row || !access) throw refuse('not_found')
  const is_gone = report.deleted_at !== null && !(action === 'restore' && mayDo(access, 'restore'))
  if (is_gone) throw refuse('not_found')
  if (!mayDo(access, action)) throw refuse('forbidden')
  return { report, row }
}

/** The report as this person sees it. */
export async function showReport(
  db: Db,
  id: number,
  { user, now }: { user: SignedInUser; now: Date },
): Promise<Report> {
  return presentReport(await visibleReport(db, user, id), { user, now })
}

export async function refuseForeignFolder(trx: Trx, owner: number, folder: number | null): Promise<void> {
  if (folder !== null && !(await isOwnFolder(trx, owner, folder)))
    throw refuse('invalid', { fields: { folder: ['field_not_available'] } })
}

export const reportsRoutes = [list, create, read, update, remove, restore]
