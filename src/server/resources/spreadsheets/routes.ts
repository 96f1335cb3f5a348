import { z } from 'zod'
import { CreateTab, SheetNameQuery, Tab, TabList } from '#shared/api/spreadsheets.ts'
import type { Db } from '#server/db/connect.ts'
import type { SpreadsheetEffects } from '#server/http/effects.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { SheetsFailure } from '#server/sheets/failure.ts'
import { controlOf } from './control.ts'
import { deleteBinding, noteTabs } from './queries.ts'
import { refusals, spreadsheetIdIn } from './rules.ts'
import { auditedScope, notifyOfRelease } from './notify.ts'
const tabs = route('GET', '/api/ad/gs_sheet_name_list/', {
  summary: 'List the tabs of your spreadsheet.',
  // Reads the owner of the file although the response does not contain it.
  rows: 'every',
  level: 'external_user',
  transaction: 'own',
  query: SheetNameQuery,
  reply: TabList,
  async run({ query, user, db, now, effects }) {
    const { spreadsheets } = effects
    const spreadsheet_id = spreadsheetIdIn(query.spreadsheet_url, effects.settings)
    if (spreadsheet_id === null) throw refuse('not_a_spreadsheet')
    const { result } = await controlOf(spreadsheet_id, { db, user, now, spreadsheets })
    if (result !== 'ok') throw refuse(refusals[result])
    try {
      const found = await spreadsheets.tabs(db, spreadsheet_id)
      await noteTabs(db, spreadsheet_id, found.length)
      return found
    } catch (error) {
      if (error instanceof SheetsFailure) throw refuse(error.code)
      throw error
    }
  },
})

const addTab = route('POST', '/api/ad/gs_sheet/', {
  summary: 'Create an empty tab in your spreadsheet.',
  level: 'external_user',
  transaction: 'own',
  body: CreateTab,
  reply: Tab,
  status: 201,
  async run({ body: { spreadsheet_url, title }, user, db, now, effects }) {
    const { spreadsheets } = effects
    const spreadsheet_id = spreadsheetIdIn(spreadsheet_url, effects.settings)
    if (spreadsheet_id === null) throw refuse('not_a_spreadsheet')
    if (title.includes(':')) throw refuse('invalid', { fields: { title: ['sheet_name_colon'] } })
    const { result } = await controlOf(spreadsheet_id, { db, user, now, spreadsheets })
    if (result !== 'ok') throw refuse(refusals[result])
    const tab = await makeTab(db, { spreadsheet_id, title }, spreadsheets)
    const entry = {
      actor: user.id,
      action: 'spreadsheet.add_tab',
      object: 'spreadsheet',
      object_id: spreadsheet_id,
    }
    await writeAudit(db, { ...entry, detail: { title } }, now)
    return tab
  },
})

/** The service ignores case in titles. */
async function makeTab(
  db: Db,
  { spreadsheet_id, title }: { spreadsheet_id: string; title: string },
  spreadsheets: SpreadsheetEffects,
) {
  try {
    const others = await spreadsheets.tabs(db, spreadsheet_id)
    const is_taken = others.some(tab => tab.title.toLowerCase() === title.toLowerCase())
    if (is_taken) throw refuse('invalid', { fields: { title: ['name_taken'] } })
    const tab = await spreadsheets.addTab(db, spreadsheet_id, title)
    await noteTabs(db, spreadsheet_id, others.length + 1)
    return tab
  } catch (error) {
    if (error instanceof SheetsFailure) throw refuse(error.code)
    throw error
  }
}

const release = route('DELETE', '/api/ad/gs_binding/', {
  summary: 'Release a spreadsheet, so that somebody else can prove control of it.',
  level: 'superuser',
  query: z.object({ spreadsheet_url: z.string().max(2000) }),
  async run({ query, user, db, now, effects }) {
    const spreadsheet_id = spreadsheetIdIn(query.spreadsheet_url, effects.settings)
    const before = spreadsheet_id === null ? null : await deleteBinding(db, spreadsheet_id)
    if (before === null) throw refuse('not_found')
    await notifyOfRelease(db, before, now)
    const entry = {
      actor: user.id,
      action: 'spreadsheet.release',
      object: 'spreadsheet',
      object_id: before.spreadsheet_id,
      detail: { from: auditedScope(before), to: null },
    }
    await writeAudit(db, entry, now)
  },
})
export const spreadsheetsRoutes = [tabs, addTab, release]
