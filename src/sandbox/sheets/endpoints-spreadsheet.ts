import { randomBytes } from 'node:crypto'
import type { sheets_v4 } from '@googleapis/sheets'
import { parseRange } from './a1.ts'
import { mayWrite, permissionIdOf, refuseProtected } from './access.ts'
import { applyRequests, prefixed } from './batch-update/apply.ts'
import { updateCells } from './batch-update/cells.ts'
import { copySheet, makeSheet } from './batch-update/sheets.ts'
import { NATIVE } from './book.ts'
import type { Book, Sheet } from './book.ts'
import { READ_SCOPES, WRITE_SCOPES } from './endpoint.ts'
import type { Call, Endpoint } from './endpoint.ts'
import { notFound, notPermitted, Refusal } from './errors.ts'
import { wants } from './fields-mask.ts'
import type { Mask } from './fields-mask.ts'
import { openFormats } from './formats.ts'
import { gridData } from './grid-data.ts'
import { copyArea, gridOf } from './grid.ts'
import { getMetadata, searchMetadata } from './metadata.ts'
import { intersect } from './rect.ts'
import { getCell } from './tile.ts'
import { viewBook, viewProperties } from './view.ts'
import { growing, sheetOf } from './work.ts'
import type { Work } from './work.ts'
import { isServiceAccount } from '#sandbox/oauth/caller.ts'

const ID = '/v4/spreadsheets/([^/:]+)'
const METADATA_SCOPES = ['spreadsheets', 'drive', 'drive.file']

export const spreadsheetEndpoints: Endpoint[] = [
  {
    method: 'POST',
    path: /^\/v4\/spreadsheets$/,
    needs: 'nothing',
    counts: 'write',
    scopes: WRITE_SCOPES,
    query: [],
    reply: 'Spreadsheet',
    run: create,
  },
  {
    method: 'GET',
    path: new RegExp(`^${ID}$`),
    needs: 'read',
    counts: 'read',
    scopes: READ_SCOPES,
    query: ['ranges', 'includeGridData', 'excludeTablesInBandedRanges'],
    reply: 'Spreadsheet',
    run: get,
  },
  {
    method: 'POST',
    path: new RegExp(`^${ID}:batchUpdate$`),
    needs: 'write',
    counts: 'write',
    scopes: WRITE_SCOPES,
    query: [],
    reply: 'BatchUpdateSpreadsheetResponse',
    run: batchUpdate,
  },
  {
    method: 'POST',
    path: new RegExp(`^${ID}/developerMetadata:search$`),
    needs: 'read',
    counts: 'read',
    scopes: METADATA_SCOPES,
    query: [],
    reply: 'SearchDeveloperMetadataResponse',
    run: search,
  },
  {
    method: 'GET',
    path: new RegExp(`^${ID}/developerMetadata/(\\d+)$`),
    needs: 'read',
    counts: 'read',
    scopes: METADATA_SCOPES,
    query: [],
    reply: 'DeveloperMetadata',
    run: ({ book, caller, params }) => getMetadata(book, caller.project, Number(params[1])),
  },
  {
    method: 'POST',
    path: new RegExp(`^${ID}/sheets/(\\d+):copyTo$`),
    needs: 'read',
    counts: 'write',
    scopes: WRITE_SCOPES,
    query: [],
    reply: 'SheetProperties',
    run: copyTo,
  },
]

/** A person's new spreadsheet. A service account has no storage of its own, so it gets none. */
function create(call: Call): object {
  const { caller, service } = call
  const body = call.body<sheets_v4.Schema$Spreadsheet>('Spreadsheet')
  if (isServiceAccount(caller)) {
    throw new Refusal(403, 'PERMISSION_DENIED', 'The caller does not have permission', [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'storageQuotaExceeded',
        domain: 'googleapis.com',
      },
    ])
  }
  const { title, locale, timeZone } = body.properties ?? {}
  const book = newBook(caller.email, service.clock(), {
    title: title || 'Untitled spreadsheet',
    locale: locale || 'en_US',
    time_zone: timeZone || 'Etc/GMT',
  })
  call.book = book
  call.change(['create'], work => fillNewBook(work, body))
  return viewBook(book, { ...caller, origin: service.origin() })
}

export function newBook(owner: string, now: Date, about: Pick<Book, 'title' | 'locale' | 'time_zone'>): Book {
  return {
    ...about,
    id: randomBytes(33).toString('base64url'),
    mime_type: NATIVE,
    trashed: false,
    created_at: now.toISOString(),
    modified_at: now.toISOString(),
    modified_by: owner,
    version: 1,
    permissions: [{ id: permissionIdOf(owner), type: 'user', role: 'owner', email: owner }],
    content_restrictions: [],
    sheets: [],
    named_ranges: [],
    broken_names: [],
    metadata: [],
    formats: [],
  }
}

export function fillNewBook(work: Work, { sheets, namedRanges }: sheets_v4.Schema$Spreadsheet) {
  const requested = sheets && sheets.length > 0 ? sheets : [{}]
  for (const [i, { properties }] of requested.entries()) {
    // The first tab has the id 0, as in spreadsheets made in a browser.
    const sheet_id = properties?.sheetId ?? (i === 0 ? 0 : undefined)
    growing(work, () =>
      work.book.sheets.push(
        makeSheet(work, { ...properties, ...(sheet_id !== undefined && { sheetId: sheet_id }) }),
      ),
    )
  }
  for (const [i, { data }] of requested.entries()) {
    for (const { startRow, startColumn, rowData } of data ?? []) {
      const start = {
        sheetId: work.book.sheets[i]?.sheet_id ?? 0,
        rowIndex: startRow ?? 0,
        columnIndex: startColumn ?? 0,
      }
      if (rowData) updateCells(work, { start, rows: rowData, fields: '*' })
    }
  }
  const requests = (namedRanges ?? []).map(namedRange => ({ addNamedRange: { namedRange } }))
  if (requests.length > 0) applyRequests(work, requests)
}

function get(call: Call): object {
  const { query, mask, book } = call
  const with_data = mask ? wants(mask, 'sheets', 'data') : query.get('includeGridData') === 'true'
  return viewSpreadsheet(call, book, { ranges: query.getAll('ranges'), with_data, mask })
}

function viewSpreadsheet(
  { service, caller }: Call,
  book: Book,
  { ranges, with_data, mask }: { ranges: string[]; with_data: boolean; mask: Mask | null },
) {
  const areas = ranges.map(range => parseRange(range, book))
  const cells = service.store.cells()
  const data = (sheet: Sheet) => {
    const requested =
      ranges.length > 0 ? areas.filter(area => area.sheet === sheet).map(area => area.rect) : [gridOf(sheet)]
    return requested.flatMap(rect => {
      const inside = intersect(rect, gridOf(sheet))
      return inside ? [gridData({ book, cells }, { sheet, rect: inside }, mask)] : []
    })
  }
  const viewer = { ...caller, origin: service.origin() }
  const whole = with_data ? viewBook(book, viewer, data) : viewBook(book, viewer)
  if (ranges.length === 0) return whole
  const sheetIds = new Set(areas.map(area => area.sheet.sheet_id))
  return {
    ...whole,
    sheets: (whole.sheets ?? []).filter(each => sheetIds.has(each.properties?.sheetId ?? 0)),
  }
}

function batchUpdate(call: Call): object {
  const body = call.body<sheets_v4.Schema$BatchUpdateSpreadsheetRequest>('BatchUpdateSpreadsheetRequest')
  const requests = body.requests ?? []
  const kinds = requests.map(request => Object.keys(request)[0] ?? '')
  const { replies, book } = call.change(kinds, work => ({
    replies: applyRequests(work, requests),
    book: work.book,
  }))
  if (!body.includeSpreadsheetInResponse) return { spreadsheetId: book.id, replies }
  const options = {
    ranges: body.responseRanges ?? [],
    with_data: body.responseIncludeGridData ?? false,
    mask: null,
  }
  return { spreadsheetId: book.id, replies, updatedSpreadsheet: viewSpreadsheet(call, book, options) }
}

function search(call: Call): object {
  const { dataFilters } = call.body<sheets_v4.Schema$SearchDeveloperMetadataRequest>(
    'SearchDeveloperMetadataRequest',
  )
  return prefixed('Invalid dataFilter: ', () =>
    searchMetadata(call.book, call.caller.project, dataFilters ?? []),
  )
}

/** Copy a tab to another spreadsheet, where the caller must be an editor. */
function copyTo(call: Call): object {
  const { service, caller, params } = call
  const message = 'CopySheetToAnotherSpreadsheetRequest'
  const body = call.body<sheets_v4.Schema$CopySheetToAnotherSpreadsheetRequest>(message)
  const sourceBook = call.book
  const source = sheetOf(sourceBook, Number(params[1]))
  const destination = service.store.getBook(body.destinationSpreadsheetId ?? '')
  if (!destination) throw notFound()
  if (!mayWrite(destination, caller.email)) throw notPermitted()
  call.book = destination
  return call.change(['sheets.copyTo'], work => {
    const copy = copySheet(work, source, { title: freeCopyTitle(work.book, source.title) })
    growing(work, () => work.book.sheets.push(copy))
    refuseProtected(work, copy, gridOf(copy))
    const formats = openFormats(sourceBook)
    const numbers = new Map<number, number>()
    const format = (number: number) => {
      const known = numbers.get(number) ?? (number === 0 ? 0 : work.formats.numberOf(formats.get(number)))
      numbers.set(number, known)
      return known
    }
    const from = { sheet: source, rect: gridOf(source) }
    const to = { sheet: copy, row: 0, column: 0 }
    copyArea(work.cells, { from, to }, { cell: getCell, format, extras: true })
    return viewProperties(work.book, copy)
  })
}

function freeCopyTitle(book: Book, title: string) {
  const taken = (requested: string) =>
    book.sheets.some(sheet => sheet.title.toLowerCase() === requested.toLowerCase())
  const base = `Copy of ${title}`
  for (let n = 1; ; n++) {
    const requested = n === 1 ? base : `${base} ${n}`
    if (!taken(requested)) return requested
  }
}
