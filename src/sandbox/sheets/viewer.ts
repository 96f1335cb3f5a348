import { readFileSync } from 'node:fs'
import { isEditor, mayRead, roleOf } from './access.ts'
import { printCells } from './a1.ts'
import type { Book, Sheet } from './book.ts'
import type { Service } from './endpoint.ts'
import { invalid, notFound, notPermitted, unauthenticated } from './errors.ts'
import { exportCsv } from './export-csv.ts'
import { exportXlsx } from './export-xlsx.ts'
import { eachCell, gridOf, readExisting } from './grid.ts'
import { intersect } from './rect.ts'
import { openRender } from './render.ts'
import type { RequestUrl } from './sheets-api.ts'

import { readRows } from './values-read.ts'
import { json } from './wire.ts'
import type { HttpResponse } from './wire.ts'
import { callerOf } from '#sandbox/oauth/caller.ts'

/** A request for a page. */
interface PageRequest {
  method: string
  url: RequestUrl
  authorization: string | undefined
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'; trusted-types 'none'"

const FILES: Record<string, { file: URL; type: string }> = {
  '/spreadsheets/viewer.js': {
    file: new URL('./viewer-client.js', import.meta.url),
    type: 'text/javascript; charset=utf-8',
  },
  '/spreadsheets/viewer.css': {
    file: new URL('./viewer.css', import.meta.url),
    type: 'text/css; charset=utf-8',
  },
}

const HOME = /^\/spreadsheets\/?$/
const PAGE = /^\/spreadsheets(?:\/u\/\d+)?\/d\/([^/]+)(?:\/(edit|view|preview|htmlview)?)?$/
const DATA = /^\/spreadsheets\/d\/([^/]+)\/(data|cells|export|forget-name)$/

/**
 * The pages for people: a list, a read-only view, and downloads. Nothing here counts against a quota. null:
 * no such page.
 */
export function handleViewer(service: Service, request: PageRequest): HttpResponse | null {
  const { method, url: address } = request
  const path = address.pathname
  const file = FILES[path]
  if (file) return page(file.file, file.type)
  if (HOME.test(path) || PAGE.test(path))
    return page(new URL('./viewer.html', import.meta.url), 'text/html; charset=utf-8')
  const [, id = '', what = ''] = DATA.exec(path) ?? []
  if (!id) return null
  const book = openBook(service, id, request)
  if (what === 'data') return json(overview(service, book))
  if (what === 'cells') return json(cellsOf(service, book.book, address.searchParams))
  if (what === 'export') return exported(service, book.book, address.searchParams)
  if (method !== 'POST') return null
  return json(forgetName(service, book, address.searchParams.get('name') ?? ''))
}

function page(file: URL, type: string): HttpResponse {
  return {
    status: 200,
    type,
    chunks: [readFileSync(file)],
    headers: {
      'Content-Security-Policy': POLICY,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  }
}

/** Like at Google, a download may carry its token as a parameter: a link cannot send headers. */
function openBook(service: Service, id: string, { url: { searchParams }, authorization }: PageRequest) {
  const token = searchParams.get('access_token')
  const caller = callerOf(authorization ?? (token ? `Bearer ${token}` : undefined), service.store.db)
  if (!caller) throw unauthenticated()
  const book = service.store.getBook(id)
  if (!book) throw notFound()
  if (!mayRead(book, caller.email)) throw notPermitted()
  return { book, email: caller.email }
}

function overview({ system_users }: Service, { book, email }: { book: Book; email: string }) {
  return {
    title: book.title,
    trashed: book.trashed,
    mime_type: book.mime_type,
    role: roleOf(book, email),
    // The one that has access; else the one that people see first.
    system_user: system_users.find(each => roleOf(book, each) !== null) ?? system_users[0],
    locale: book.locale,
    time_zone: book.time_zone,
    shares: isEditor(book, email)
      ? book.permissions.map(({ type, role, email: whose }) => ({ who: whose ?? type, role }))
      : [],
    named_ranges: book.named_ranges.map(({ name, sheet_id, rect }) => ({
      name,
      range: `${titleOf(book, sheet_id)} ${printCells(rect)}`,
    })),
    broken_names: book.broken_names,
    sheets: book.sheets.map(sheet => ({
      sheet_id: sheet.sheet_id,
      title: sheet.title,
      hidden: sheet.hidden,
      rows: sheet.rows,
      columns: sheet.columns,
      frozen_rows: sheet.frozen_rows,
      widths: sheet.column_looks.map(({ start, end, pixel_size, hidden }) => ({
        start,
        end,
        width: hidden ? 0 : pixel_size,
      })),
      protections: sheet.protections.map(each => ({
        range: printCells(each.rect),
        description: each.description,
        warning_only: each.warning_only,
        editors: each.editors,
      })),
    })),
  }
}

const titleOf = (book: Book, sheetId: number) =>
  book.sheets.find(sheet => sheet.sheet_id === sheetId)?.title ?? ''

const MOST_CELLS = 50_000

/** What a window of a tab shows. */
function cellsOf(service: Service, book: Book, query: URLSearchParams) {
  const sheet = sheetWith(book, query)
  const at = (name: string) => {
    const number = Number(query.get(name))
    if (!Number.isInteger(number) || number < 0) throw invalid(`Invalid value for ${name}`)
    return number
  }
  const rect = intersect({ r0: at('r0'), c0: at('c0'), r1: at('r1'), c1: at('c1') }, gridOf(sheet))
  if (!rect) return { rows: [], notes: [] }
  if ((rect.r1 - rect.r0) * (rect.c1 - rect.c0) > MOST_CELLS) throw invalid('The window is too large.')
  const cells = service.store.cells()
  const render = openRender(book, cells, { value: 'FORMATTED_VALUE', date: 'SERIAL_NUMBER' })
  const notes: { row: number; column: number; note: unknown }[] = []
  readExisting(cells, { sheet, rect }, (tile, part) =>
    eachCell(part, (position, row, column) => {
      const note = tile.extras.get(position)?.['note']
      if (note !== undefined) notes.push({ row, column, note })
    }),
  )
  return { rows: [...readRows(cells, { sheet, rect }, render)], notes }
}

function exported(service: Service, book: Book, query: URLSearchParams): HttpResponse {
  if (query.get('format') === 'csv')
    return exportCsv({ book, cells: service.store.cells() }, sheetWith(book, query))
  if (query.get('format') === 'xlsx') return exportXlsx(service.store, book)
  throw invalid('The format must be xlsx or csv.')
}

function sheetWith(book: Book, query: URLSearchParams): Sheet {
  const gid = query.get('gid')
  const sheet = book.sheets.find(
    each => each.type === 'GRID' && (gid === null || String(each.sheet_id) === gid),
  )
  if (!sheet) throw notFound()
  return sheet
}

/** Only here can a broken name be removed, as only Google's own editor can. */
function forgetName({ store }: Service, { book, email }: { book: Book; email: string }, name: string) {
  if (!isEditor(book, email)) throw notPermitted()
  book.broken_names = book.broken_names.filter(each => each !== name)
  store.transaction(() => store.putBook(book))
  return { broken_names: book.broken_names }
}
