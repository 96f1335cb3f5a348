import type { Person } from '#shared/access.ts'
import { ReportSettings } from '#shared/api/report-versions.ts'
import { parseSpreadsheetUrl } from '#shared/spreadsheet-url.ts'
import type { Db } from '#server/db/connect.ts'
import { readingEveryRow } from '#server/db/reader.ts'
import { usableAccounts } from '#server/resources/ad-accounts/queries.ts'
import { advertisersOf } from '#server/resources/people/queries.ts'
import { isProvenFor } from '#server/resources/spreadsheets/queries.ts'
import { draftOf, type Draft } from './draft.ts'
import type { ReportRow, ReportTable } from './queries.ts'
import { listVersions, type VersionRow } from './version-queries.ts'

/** A stored version, with its settings as they are read today. */
export interface StoredVersion extends Omit<VersionRow, 'settings'> {
  settings: Draft
  is_current: boolean
}

/**
 * The versions of a report that a person may see, the latest first. A report may have been about other
 * accounts before, whose names are in its filters and labels: a version is visible when the person may use
 * each of its accounts, or sees it in the report as it is now. A report that was not saved since versions
 * are stored has its current settings as the only one.
 */
export async function visibleVersions(db: Db, viewer: Person, report: ReportRow): Promise<StoredVersion[]> {
  const rows = await listVersions(db, viewer, report.id)
  const versions = rows.length === 0 ? [unstored(report)] : rows.flatMap(readVersion)
  const newest = rows[0]?.version ?? report.version
  const ids = [...new Set(versions.flatMap(({ settings }) => accountsIn(settings)))]
  const usable = await usableAccounts(db, { advertisers: await advertisersOf(db, viewer) }, ids)
  const known = new Set([...accountsIn(report), ...usable.map(({ id }) => id)])
  return versions
    .map(version => ({ ...version, is_current: version.version === newest }))
    .filter(({ settings }) => accountsIn(settings).every(id => known.has(id)))
}

const accountsIn = ({ channels }: Pick<Draft, 'channels'>) => channels.flatMap(block => block.accounts)

/** One whose settings this version of the program cannot read is left out. */
function readVersion({ settings, ...version }: VersionRow) {
  const read = ReportSettings.safeParse(settings)
  return read.success ? [{ ...version, settings: read.data }] : []
}

const unstored = (report: ReportTable) => ({
  report: report.id,
  version: report.version,
  settings: draftOf(report),
  changed: [],
  author: null,
  author_name: null,
  restores: null,
  saved_at: report.last_modified_at,
})

/**
 * Whether the person may not know where a version wrote to: a spreadsheet that is not the report's any more,
 * and that they do not control.
 */
export async function hidesTarget(
  db: Db,
  viewer: Person,
  { report, settings, origins }: { report: ReportTable; settings: Draft; origins: readonly string[] },
): Promise<boolean> {
  const address = parseSpreadsheetUrl(settings.spreadsheet_url, origins)
  if (address === null || address.spreadsheet_id === report.spreadsheet_id) return false
  if (viewer.identity === 'superuser') return false
  return !(await readingEveryRow(db, () => isProvenFor(db, viewer, address.spreadsheet_id)))
}
