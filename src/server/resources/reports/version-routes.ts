import { z } from 'zod'
import { IdPath } from '#shared/api/list.ts'
import { Report } from '#shared/api/reports.ts'
import { ReportVersion, ReportVersionSettings, RestoreVersion } from '#shared/api/report-versions.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { presentReport } from './present.ts'
import { lastChanger } from './queries.ts'
import { noteAction, reportFor, REPORTS, showReport } from './routes.ts'
import { changeReport } from './save.ts'
import { visibleReport } from './visible.ts'
import { hidesTarget, visibleVersions, type StoredVersion } from './visible-versions.ts'

const VersionPath = IdPath.extend({
  version: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number),
})

const list = route('GET', `${REPORTS}:id/versions/`, {
  summary: "List the stored versions of a report's settings, the latest first.",
  level: 'external_user',
  params: IdPath,
  reply: z.array(ReportVersion),
  async run({ params: { id }, user, db }) {
    const versions = await visibleVersions(db, user, await visibleReport(db, user, id))
    return versions.map(presentVersion)
  },
})

const read = route('GET', `${REPORTS}:id/versions/:version/`, {
  summary: 'Get the settings of a stored version of a report.',
  level: 'external_user',
  params: VersionPath,
  reply: ReportVersionSettings,
  async run({ params: { id, version }, user, db, effects: { settings } }) {
    const report = await visibleReport(db, user, id)
    const found = versionOf(await visibleVersions(db, user, report), version)
    const isHidden = await hidesTarget(db, user, {
      report,
      settings: found.settings,
      origins: settings.spreadsheet_origins,
    })
    return {
      ...presentVersion(found),
      settings: { ...found.settings, ...(isHidden && NO_TARGET) },
      is_target_hidden: isHidden,
    }
  },
})

const NO_TARGET = { spreadsheet_url: '', sheet_name: '' }

const restore = route('POST', `${REPORTS}:id/versions/:version/restore/`, {
  summary:
    'Restore the settings of a stored version, by the rules of a change; a target that is hidden stays as it is. An outdated `version` is refused with 409.',
  level: 'external_user',
  params: VersionPath,
  body: RestoreVersion,
  reply: Report,
  async run({ params: { id, version }, body, user, db, now, effects: { settings } }) {
    const { report, row } = await reportFor(db, id, { user, action: 'change' })
    const found = versionOf(await visibleVersions(db, user, row), version)
    if (body.version !== report.version)
      throw refuse('conflict', {
        extra: { report: presentReport(row, { user, now }), changed_by: await lastChanger(db, row) },
      })
    const origins = settings.spreadsheet_origins
    const isHidden = await hidesTarget(db, user, { report, settings: found.settings, origins })
    const { spreadsheet_url, sheet_name, start_cell } = report
    const changes = {
      ...found.settings,
      ...(isHidden && { spreadsheet_url, sheet_name, start_cell }),
    }
    const saving = { changes, folder: report.folder, editor: user, restores: version, settings, now }
    const difference = await changeReport(db, report, saving)
    const detail = { name: report.name, version, changes: difference }
    await noteAction(db, id, { actor: user, action: 'restore_version', detail, now })
    return await showReport(db, id, { user, now })
  },
})

function versionOf(versions: readonly StoredVersion[], version: number): StoredVersion {
  const found = versions.find(each => each.version === version)
  if (!found) throw refuse('not_found')
  return found
}

const presentVersion = ({
  version,
  saved_at,
  author_name,
  changed,
  restores,
  is_current,
}: StoredVersion): ReportVersion => ({
  version,
  saved_at: saved_at.toISOString(),
  author_name,
  changed,
  restores,
  is_current,
})

export const versionRoutes = [list, read, restore]
