import { z } from 'zod'
import { PermissionQuery, PermissionReply, SheetNameQuery, TabList } from '#shared/api/spreadsheets.ts'
import { parseSpreadsheetUrl } from '#shared/spreadsheet-url.ts'
import type { Effects } from '#server/http/effects.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { SheetsFailure } from '#server/sheets/failure.ts'
import { checkTarget, controlOf } from './control.ts'
import { deleteBinding } from './queries.ts'
import { refusals } from './rules.ts'

const check = route('GET', '/api/ad/gs_permission_check/', {
  summary: 'Can reports of mine write there? Tells nothing about a file before it is proven to be mine.',
  level: 'external_user',
  transaction: 'own',
  query: PermissionQuery,
  reply: PermissionReply,
  async run({ query, user, db, now, effects }): Promise<PermissionReply> {
    const { spreadsheets } = effects
    const spreadsheet_id = idIn(query.spreadsheet_url, effects)
    if (spreadsheet_id === null) return { result: 'not_a_spreadsheet', system_user: spreadsheets.system_user }
    const target = {
      spreadsheet_id,
      sheet_name: query.sheet_name || null,
      start_cell: query.start_cell || null,
    }
    return await checkTarget(target, { db, user, now, spreadsheets })
  },
})

const tabs = route('GET', '/api/ad/gs_sheet_name_list/', {
  summary: 'The tabs of a spreadsheet that is proven to be mine.',
  level: 'external_user',
  transaction: 'own',
  query: SheetNameQuery,
  reply: TabList,
  async run({ query, user, db, now, effects }) {
    const { spreadsheets } = effects
    const spreadsheet_id = idIn(query.spreadsheet_url, effects)
    if (spreadsheet_id === null) throw refuse('not_a_spreadsheet')
    const { result } = await controlOf(spreadsheet_id, { db, user, now, spreadsheets })
    if (result !== 'ok') throw refuse(refusals[result])
    try {
      return await spreadsheets.tabs(spreadsheet_id)
    } catch (error) {
      if (error instanceof SheetsFailure) throw refuse(error.code)
      throw error
    }
  },
})

const release = route('DELETE', '/api/ad/gs_binding/', {
  summary: 'Let somebody else prove that a spreadsheet is theirs.',
  level: 'superuser',
  query: z.object({ spreadsheet_url: z.string().max(2000) }),
  async run({ query, user, db, now, effects }) {
    const spreadsheet_id = idIn(query.spreadsheet_url, effects)
    if (spreadsheet_id === null || !(await deleteBinding(db, spreadsheet_id))) throw refuse('not_found')
    const deed = {
      actor: user.id,
      action: 'spreadsheet.release',
      object: 'spreadsheet',
      object_id: spreadsheet_id,
    }
    await writeAudit(db, deed, now)
  },
})

const idIn = (url: string, { settings }: Effects): string | null =>
  parseSpreadsheetUrl(url, settings.spreadsheet_origins)?.spreadsheet_id ?? null

export const spreadsheetsRoutes = [check, tabs, release]
