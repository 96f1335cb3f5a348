import { Place, PlaceQuery } from '#shared/api/places.ts'
import { parseSpreadsheetUrl } from '#shared/spreadsheet-url.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { visibleReport, visibleReports } from '#server/resources/reports/visible.ts'
import { otherTables, previousTable } from '#server/resources/runs/queries.ts'
import { mayLook } from '#server/resources/spreadsheets/control.ts'
import { refusals } from '#server/resources/spreadsheets/rules.ts'
import { SheetsFailure } from '#server/sheets/failure.ts'
import { reportsIn } from './queries.ts'
import { tablesOf, type TableInFile } from './rules.ts'

const read = route('GET', '/api/ad/gs_place/', {
  summary:
    'What stands on a tab of a spreadsheet that is proven to be mine: what a table there would cover, and how many cells there are.',
  // What other people's reports have written is not to be written over.
  rows: 'every',
  level: 'external_user',
  transaction: 'own',
  query: PlaceQuery,
  reply: Place,
  async run({ query, user, db, now, effects }): Promise<Place> {
    const { sheet_name, start_cell = '', report = null } = query
    const address = parseSpreadsheetUrl(query.spreadsheet_url, effects.settings.spreadsheet_origins)
    if (!address) throw refuse('not_a_spreadsheet')
    const { spreadsheet_id } = address
    if (report !== null) await visibleReport(db, user, report)
    const { spreadsheets } = effects
    const result = await mayLook(spreadsheet_id, { db, user, now, spreadsheets })
    if (result !== 'ok') throw refuse(refusals[result])
    const look = await effects.spreadsheets
      .look(db, { spreadsheet_id, sheet_name, start_cell })
      .catch((error: unknown) => {
        if (!(error instanceof SheetsFailure)) throw error
        const { code, retry_after_ms } = error
        throw refuse(code, retry_after_ms === null ? {} : { retry_after_s: retry_after_ms / 1000 })
      })
    const others = await reportsIn(db, spreadsheet_id, report)
    const written = await otherTables(db, report ?? 0, { spreadsheet_id })
    const own = report === null ? null : await previousTable(db, report, spreadsheet_id)
    const ids = others.map(({ id }) => id)
    // Any other is told of without its name.
    const visible = new Map((await visibleReports(db, user, ids)).map(({ id, name }) => [id, { id, name }]))
    return {
      ...look,
      own: own?.sheet_id === look.sheet_id ? own.rect : null,
      tables: tablesOf(others, { written, tabs: look.tabs, now })
        .filter(isTold(visible))
        .map(table => ({
          ...table,
          report: visible.get(table.report) ?? null,
        })),
    }
  },
})

/** What has been written stands in the file for its people to see; where a report that one does not see is going to write is nobody else's to know. */
const isTold = (visible: ReadonlyMap<number, unknown>) => (table: TableInFile) =>
  table.kind === 'written' || visible.has(table.report)

export const placesRoutes = [read]
