import { mayUseSpreadsheet } from '#shared/access.ts'
import type { RecentSpreadsheet, RecentSpreadsheets } from '#shared/api/spreadsheets.ts'
import { GOOGLE_ORIGIN, spreadsheetUrl } from '#shared/spreadsheet-url.ts'
import type { Db } from '#server/db/connect.ts'
import type { ApiSettings } from '#server/http/effects.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { advertisersOf } from '#server/resources/people/queries.ts'
import { sheetService } from '#server/resources/sheets/service.ts'
import { bindingsOf, provenSpreadsheets, type ProvenSpreadsheet } from './recent-queries.ts'

interface RecentContext {
  db: Db
  user: SignedInUser
  settings: ApiSettings
}

/**
 * The spreadsheets that the person may choose from: those that are proven to be theirs, and the built-in ones
 * that they can edit themselves. Nothing of any other file is in it, not even that it exists.
 */
export async function recentSpreadsheets(
  search: string,
  context: RecentContext,
): Promise<RecentSpreadsheets> {
  const { db, user, settings } = context
  // One more than is shown, to know whether there are more.
  const proven = await provenSpreadsheets(db, user, { search, limit: MOST + 1 })
  const known = new Set(proven.map(({ spreadsheet_id }) => spreadsheet_id))
  const others = (await builtInSpreadsheets(search, context)).filter(file => !known.has(file.spreadsheet_id))
  const found = [...proven, ...others].toSorted((a, b) => b.last_used_at.getTime() - a.last_used_at.getTime())
  const origin = settings.built_in_sheets ? settings.public_url : GOOGLE_ORIGIN
  return {
    results: found.slice(0, MOST).map(file => present(file, origin)),
    has_more: found.length > MOST,
  }
}

const MOST = 50

const present = (
  { spreadsheet_id, last_used_at, ...file }: ProvenSpreadsheet,
  origin: string,
): RecentSpreadsheet => ({
  spreadsheet_url: spreadsheetUrl({ spreadsheet_id, gid: null, origin }),
  ...file,
  last_used_at: last_used_at.toISOString(),
})

/** Not those that are proven to be another's, unless the person owns the file and can take it over. */
async function builtInSpreadsheets(
  search: string,
  { db, user, settings }: RecentContext,
): Promise<ProvenSpreadsheet[]> {
  if (!settings.built_in_sheets || user.email === null) return []
  const term = search.toLowerCase()
  const files = (await sheetService(settings.built_in_sheets, user.email).list()).filter(
    ({ name, capabilities }) => capabilities.canEdit && name.toLowerCase().includes(term),
  )
  const ids = files.map(({ id }) => id)
  const bindings = new Map((await bindingsOf(db, ids)).map(binding => [binding.spreadsheet_id, binding]))
  const advertisers = await advertisersOf(db, user)
  return files.flatMap(({ id, name, modifiedTime, ownedByMe }) => {
    const binding = bindings.get(id)
    if (binding && !ownedByMe && !mayUseSpreadsheet(user, binding, advertisers)) return []
    const tabs = binding?.tabs ?? null
    return {
      spreadsheet_id: id,
      title: name,
      tabs,
      last_used_at: new Date(modifiedTime),
      reports: [],
      report_count: 0,
    }
  })
}
