import { TargetSheet, TargetQuery } from '#shared/api/targets.ts'
import { parseSpreadsheetUrl } from '#shared/spreadsheet-url.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { visibleReport, visibleReports } from '#server/resources/reports/visible.ts'
import { tablesIn } from '#server/resources/runs/queries.ts'
import { mayRead, systemUserToShareWith } from '#server/resources/spreadsheets/control.ts'
import { refusals, spreadsheetIdIn } from '#server/resources/spreadsheets/rules.ts'
import { SheetsFailure } from '#server/sheets/failure.ts'
import { reportsIn } from './queries.ts'
import { spreadsheetRoutes } from './spreadsheet-routes.ts'
import { tablesOf, type TableInFile } from './rules.ts'
import { PermissionQuery, PermissionReply } from '#shared/api/spreadsheets.ts'
import { checkAddress } from './check-target.ts'

const check = route('GET', '/api/ad/gs_permission_check/', {
  summary:
    'Check whether your reports can write to a target. Reveals nothing about a file whose control you have not proven.',
  // Reads the owner of the file although the response does not contain it; stores the result.
  rows: 'every',
  level: 'external_user',
  transaction: 'own',
  query: PermissionQuery,
  reply: PermissionReply,
  async run({ query, user, db, now, effects }): Promise<PermissionReply> {
    const { spreadsheets, settings } = effects
    const address = parseSpreadsheetUrl(query.spreadsheet_url, settings.spreadsheet_origins)
    const context = { db, user, now, spreadsheets, settings, advertiser: query.advertiser }
    if (address === null)
      return { result: 'not_a_spreadsheet', system_user: await systemUserToShareWith(context) }
    const target = {
      sheet_name: query.sheet_name || null,
      start_cell: query.start_cell || null,
      sheet_id: query.sheet_id,
    }
    return await checkAddress({ ...address, text: query.spreadsheet_url }, target, context)
  },
})

const read = route('GET', '/api/ad/gs_place/', {
  summary:
    'Get the content of a tab of your spreadsheet: what a table there would overlap, and the number of cells.',
  // Tables of other people's reports must not be overwritten.
  rows: 'every',
  level: 'external_user',
  transaction: 'own',
  query: TargetQuery,
  reply: TargetSheet,
  async run({ query, user, db, now, effects }): Promise<TargetSheet> {
    const { sheet_name, start_cell = '', report = null } = query
    const spreadsheet_id = spreadsheetIdIn(query.spreadsheet_url, effects.settings)
    if (spreadsheet_id === null) throw refuse('not_a_spreadsheet')
    if (report !== null) await visibleReport(db, user, report)
    const { spreadsheets } = effects
    const result = await mayRead(spreadsheet_id, { db, user, now, spreadsheets })
    if (result !== 'ok') throw refuse(refusals[result])
    const content = await effects.spreadsheets
      .readTarget(db, { spreadsheet_id, sheet_name, start_cell })
      .catch((error: unknown) => {
        if (!(error instanceof SheetsFailure)) throw error
        const { code, retry_after_ms } = error
        throw refuse(code, retry_after_ms === null ? {} : { retry_after_s: retry_after_ms / 1000 })
      })
    const others = await reportsIn(db, spreadsheet_id, report)
    const { previous: own, others: written } = await tablesIn(db, spreadsheet_id, report)
    const ids = others.map(({ id }) => id)
    // Any other is returned without its name.
    const visible = new Map((await visibleReports(db, user, ids)).map(({ id, name }) => [id, { id, name }]))
    return {
      ...content,
      own: own?.sheet_id === content.sheet_id ? own.rect : null,
      tables: tablesOf(others, { written, tabs: content.tabs, now })
        .filter(isVisible(visible))
        .map(table => ({
          ...table,
          report: visible.get(table.report) ?? null,
        })),
    }
  },
})

/**
 * A written table is in the file for its people to see; where an invisible report is going to write is not
 * revealed.
 */
const isVisible = (visible: ReadonlyMap<number, unknown>) => (table: TableInFile) =>
  table.kind === 'written' || visible.has(table.report)

export const targetsRoutes = [check, read, ...spreadsheetRoutes]
