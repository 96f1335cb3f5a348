import { Readable } from 'node:stream'
import { z } from 'zod'
import {
  CreateSheet,
  PermissionId,
  ShareSheet,
  Sheet,
  SheetExportQuery,
  SheetList,
  SheetSummary,
  SheetValues,
  SheetValuesQuery,
  SpreadsheetId,
} from '#shared/api/sheets.ts'
import { rangeOf, type Rect } from '#shared/cell.ts'
import { isEmpty } from '#shared/rect.ts'
import { attachment } from '#server/http/attachment.ts'
import { Refusal, refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { systemUserToShareWith } from '#server/resources/spreadsheets/control.ts'
import { noteSpreadsheet } from './audit.ts'
import { exportCsv } from './export.ts'
import { namedRangeRoutes } from './named-range-routes.ts'
import { valuesOf } from './present-cells.ts'
import { sheetOf, summaryOf } from './present.ts'
import { serviceFor, type SheetService } from './service.ts'

const PATH = '/api/sheets/'
const Params = z.object({ id: SpreadsheetId })

const list = route('GET', PATH, {
  summary: 'List the built-in spreadsheets that you can see, newest first.',
  level: 'external_user',
  transaction: 'own',
  reply: SheetList,
  run: async ({ user, effects }) => (await serviceFor(user, effects).list()).map(summaryOf),
})

const create = route('POST', PATH, {
  summary: 'Create a built-in spreadsheet with one empty tab.',
  level: 'external_user',
  transaction: 'own',
  body: CreateSheet,
  reply: SheetSummary,
  status: 201,
  async run({ user, db, now, effects, body: { title } }) {
    const service = serviceFor(user, effects)
    const { spreadsheetId } = await service.create(title)
    await noteSpreadsheet(db, { user, action: 'create', id: spreadsheetId, detail: { title }, now })
    return summaryOf(await service.file(spreadsheetId))
  },
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get a built-in spreadsheet with its tabs, ranges and, if you can share it, its permissions.',
  level: 'external_user',
  transaction: 'own',
  params: Params,
  reply: Sheet,
  async run({ user, db, now, effects, params }) {
    const { settings, spreadsheets } = effects
    const service = serviceFor(user, effects)
    const [file, titles] = await Promise.all([service.file(params.id), service.titles(params.id)])
    // Column widths come with grid data, so one row of each tab is requested.
    const first_rows = titles.sheets.flatMap(({ properties: { title, gridProperties } }) =>
      gridProperties ? [rangeOf(title, [0, 0, 1, gridProperties.columnCount])] : [],
    )
    const book = await service.book(params.id, first_rows)
    return sheetOf(file, book, {
      public_url: settings.public_url,
      system_users: spreadsheets.system_users.map(({ address }) => address),
      to_share_with: await systemUserToShareWith({ db, user, now, spreadsheets }),
    })
  },
})

const values = route('GET', `${PATH}:id/values/`, {
  summary: 'Get the displayed values of a range of cells, and how they look.',
  level: 'external_user',
  transaction: 'own',
  params: Params,
  query: SheetValuesQuery,
  reply: SheetValues,
  async run({ user, effects, params, query }) {
    const service = serviceFor(user, effects)
    const { gid, title, first_row, first_column } = query
    const window: Rect = [first_row, first_column, first_row + query.rows, first_column + query.columns]
    if (title !== undefined) {
      const found = await service.cells(params.id, rangeOf(title, window)).catch(notInvalid)
      if (found) return valuesOf(found)
    }
    // The tab has been renamed, or has become smaller than the client assumes.
    const tab = await tabOf(service, params.id, gid)
    const inside: Rect = [
      window[0],
      window[1],
      Math.min(tab.rows, window[2]),
      Math.min(tab.columns, window[3]),
    ]
    if (isEmpty(inside)) return { values: [], looks: [] }
    return valuesOf(await service.cells(params.id, rangeOf(tab.title, inside)))
  },
})

const share = route('POST', `${PATH}:id/share/`, {
  summary: 'Grant or change access to a built-in spreadsheet.',
  level: 'external_user',
  transaction: 'own',
  params: Params,
  body: ShareSheet,
  async run({ user, db, now, effects, params: { id }, body }) {
    await serviceFor(user, effects).share(id, body)
    await noteSpreadsheet(db, { user, action: 'share', id, detail: { ...body }, now })
  },
})

const unshare = route('DELETE', `${PATH}:id/share/:permission/`, {
  summary: 'Revoke access to a built-in spreadsheet.',
  level: 'external_user',
  transaction: 'own',
  params: Params.extend({ permission: PermissionId }),
  async run({ user, db, now, effects, params: { id, permission } }) {
    await serviceFor(user, effects).unshare(id, permission)
    await noteSpreadsheet(db, { user, action: 'unshare', id, detail: { permission }, now })
  },
})

const download = route('GET', `${PATH}:id/export/`, {
  summary: 'Download a built-in spreadsheet as XLSX, or one tab (`gid`, by default the first) as CSV.',
  level: 'external_user',
  kind: 'export',
  transaction: 'own',
  params: Params,
  query: SheetExportQuery,
  async run({ user, db, now, effects, params, query, reply }) {
    const service = serviceFor(user, effects)
    const { properties, sheets } = await service.titles(params.id)
    const { format } = query
    const taken = { user, action: 'export' as const, id: params.id, now }
    if (format === 'xlsx') {
      const { body } = await service.xlsx(params.id)
      if (body === null) throw refuse('spreadsheet_unavailable')
      // Referenced from now on: an unread body is emptied as soon as its response is garbage-collected.
      const file = Readable.fromWeb(body)
      try {
        await noteSpreadsheet(db, { ...taken, detail: { format } })
      } catch (error) {
        file.destroy()
        throw error
      }
      void reply.header('content-disposition', attachment(`${properties.title}.xlsx`))
      await reply.type(XLSX).send(file)
      return
    }
    const tab =
      query.gid === undefined ? sheets[0] : sheets.find(sheet => sheet.properties.sheetId === query.gid)
    if (!tab?.properties.gridProperties) throw refuse('not_found')
    await noteSpreadsheet(db, { ...taken, detail: { format, tab: tab.properties.title } })
    void reply.header('content-disposition', attachment(`${properties.title} - ${tab.properties.title}.csv`))
    const { rowCount: rows, columnCount: columns } = tab.properties.gridProperties
    await reply
      .type('text/csv; charset=utf-8')
      .send(Readable.from(exportCsv(service, params.id, { title: tab.properties.title, rows, columns })))
  },
})

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** For a range that the service does not know: null, so that the caller can try another one. */
function notInvalid(error: unknown): null {
  if (error instanceof Refusal && error.code === 'invalid') return null
  throw error
}

async function tabOf(service: SheetService, id: string, gid: number) {
  const { sheets } = await service.titles(id)
  const found = sheets.find(({ properties }) => properties.sheetId === gid)?.properties
  if (!found?.gridProperties) throw refuse('not_found')
  return {
    title: found.title,
    rows: found.gridProperties.rowCount,
    columns: found.gridProperties.columnCount,
  }
}

export const sheetsRoutes = [list, create, read, values, share, unshare, download, ...namedRangeRoutes]
