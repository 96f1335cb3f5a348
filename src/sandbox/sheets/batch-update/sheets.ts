import { randomInt } from 'node:crypto'
import type { sheets_v4 } from '@googleapis/sheets'
import { refuseProtected, refuseProtectedTab } from '#sandbox/sheets/access.ts'
import { EMPTY_LOOKS, findSheet } from '#sandbox/sheets/book.ts'
import type { Book, Sheet } from '#sandbox/sheets/book.ts'
import { invalid } from '#sandbox/sheets/errors.ts'
import { wants } from '#sandbox/sheets/fields-mask.ts'
import type { Mask } from '#sandbox/sheets/fields-mask.ts'
import { gridOf } from '#sandbox/sheets/grid.ts'
import { loseTab, renameInFormulas } from '#sandbox/sheets/moving.ts'
import { viewProperties } from '#sandbox/sheets/view.ts'
import { growing, sheetOf } from '#sandbox/sheets/work.ts'
import type { Work } from '#sandbox/sheets/work.ts'
import { readFields } from './fields.ts'
import { resize } from './resize.ts'

type Properties = sheets_v4.Schema$SheetProperties

export function addSheet(work: Work, request: sheets_v4.Schema$AddSheetRequest): sheets_v4.Schema$Response {
  const properties = request.properties ?? {}
  const sheet = makeSheet(work, properties)
  growing(work, () => work.book.sheets.splice(placeAt(work.book, properties.index), 0, sheet))
  return { addSheet: { properties: viewProperties(work.book, sheet) } }
}

/** A tab as the properties describe it; what they leave out is as for a new tab in the browser. */
export function makeSheet({ book, next }: Pick<Work, 'book' | 'next'>, properties: Properties): Sheet {
  const { gridProperties: grid, tabColor, tabColorStyle, rightToLeft } = properties
  const sheet_id = properties.sheetId ?? freeId(book)
  if (sheet_id < 0) throw invalid(`Invalid sheetId: ${sheet_id}. Sheet ids must be non-negative.`)
  if (book.sheets.some(each => each.sheet_id === sheet_id))
    throw invalid(`Sheet with id ${sheet_id} already exists.`)
  if (properties.sheetType && properties.sheetType !== 'GRID') throw invalid('Only grid sheets can be added.')
  const [rows, columns] = [grid?.rowCount ?? 1000, grid?.columnCount ?? 26]
  if (rows < 1 || columns < 1) throw invalid('Sheets must have at least one row and one column.')
  const [frozen_rows, frozen_columns] = [grid?.frozenRowCount ?? 0, grid?.frozenColumnCount ?? 0]
  refuseFrozen({ rows, columns, frozen_rows, frozen_columns })
  return {
    ...structuredClone(EMPTY_LOOKS),
    key: next('sheet'),
    sheet_id,
    title: freeTitle(book, properties.title),
    hidden: properties.hidden ?? false,
    type: 'GRID',
    rows,
    columns,
    frozen_rows,
    frozen_columns,
    looks: {
      ...(grid?.hideGridlines && { hideGridlines: true }),
      ...(rightToLeft && { rightToLeft }),
      ...(tabColor && { tabColor }),
      ...(tabColorStyle && { tabColorStyle }),
    },
  }
}

export function deleteSheet(work: Work, { sheetId }: sheets_v4.Schema$DeleteSheetRequest) {
  const { book } = work
  const sheet = findSheet(book, sheetId ?? 0)
  if (!sheet) throw invalid(`No sheet with id: ${sheetId ?? 0}`)
  refuseProtected(work, sheet, gridOf(sheet))
  const left = book.sheets.filter(each => each !== sheet)
  if (left.length === 0) throw invalid("You can't remove all the sheets in a document.")
  if (left.every(each => each.hidden)) throw invalid("You can't remove all the visible sheets in a document.")
  work.cells.drop(sheet.key)
  book.sheets = left
  loseTab(work, sheet)
}

export function duplicateSheet(
  work: Work,
  request: sheets_v4.Schema$DuplicateSheetRequest,
): sheets_v4.Schema$Response {
  const source = sheetOf(work.book, request.sourceSheetId)
  const copy = copySheet(work, source, {
    title: request.newSheetName ?? freeTitle(work.book, `Copy of ${source.title}`, true),
    ...(typeof request.newSheetId === 'number' && { sheetId: request.newSheetId }),
  })
  growing(work, () => work.book.sheets.splice(placeAt(work.book, request.insertSheetIndex ?? 0), 0, copy))
  work.cells.copyAll(source.key, copy.key)
  return { duplicateSheet: { properties: viewProperties(work.book, copy) } }
}

/** A tab with everything of the source but its cells; ids of its own. */
export function copySheet(work: Work, source: Sheet, properties: Properties): Sheet {
  const made = makeSheet(work, properties)
  const protections = source.protections.map(each => ({ ...each, id: randomInt(1, 2 ** 31) }))
  return {
    ...structuredClone(source),
    protections,
    key: made.key,
    sheet_id: made.sheet_id,
    title: made.title,
    hidden: false,
  }
}

export function updateSheetProperties(
  work: Work,
  { properties, fields }: sheets_v4.Schema$UpdateSheetPropertiesRequest,
) {
  const mask = readFields(fields, 'SheetProperties')
  const requested = properties ?? {}
  const sheet = findSheet(work.book, requested.sheetId ?? 0)
  if (!sheet) throw invalid(`No sheet with id: ${requested.sheetId ?? 0}`)
  refuseProtectedTab(work, sheet)
  if (wants(mask, 'title')) rename(work, sheet, requested.title)
  if (wants(mask, 'gridProperties')) changeGrid(work, sheet, { grid: requested.gridProperties ?? {}, mask })
  if (wants(mask, 'hidden')) {
    sheet.hidden = requested.hidden ?? false
    if (work.book.sheets.every(each => each.hidden))
      throw invalid("You can't hide all the sheets in a document.")
  }
  if (wants(mask, 'rightToLeft')) sheet.looks.rightToLeft = requested.rightToLeft ?? false
  if (wants(mask, 'tabColor')) sheet.looks.tabColor = requested.tabColor ?? {}
  if (wants(mask, 'tabColorStyle')) sheet.looks.tabColorStyle = requested.tabColorStyle ?? {}
  if (wants(mask, 'index') && typeof requested.index === 'number') moveTo(work.book, sheet, requested.index)
}

export function updateSpreadsheetProperties(
  work: Work,
  { properties, fields }: sheets_v4.Schema$UpdateSpreadsheetPropertiesRequest,
) {
  const mask = readFields(fields, 'SpreadsheetProperties')
  const { book } = work
  if (wants(mask, 'title')) {
    if (!properties?.title) throw invalid('The title of a spreadsheet cannot be empty.')
    book.title = properties.title
  }
  if (wants(mask, 'locale')) book.locale = properties?.locale || book.locale
  if (wants(mask, 'timeZone')) book.time_zone = properties?.timeZone || book.time_zone
}

function rename(work: Work, sheet: Sheet, title: string | null | undefined) {
  if (!title) throw invalid('You must provide a name for the sheet.')
  if (title === sheet.title) return
  refuseTakenTitle(work.book, title, sheet)
  const before = sheet.title
  sheet.title = title
  renameInFormulas(work, before, title)
}

function changeGrid(
  work: Work,
  sheet: Sheet,
  { grid, mask }: { grid: sheets_v4.Schema$GridProperties; mask: Mask },
) {
  if (wants(mask, 'gridProperties', 'frozenRowCount')) sheet.frozen_rows = grid.frozenRowCount ?? 0
  if (wants(mask, 'gridProperties', 'frozenColumnCount')) sheet.frozen_columns = grid.frozenColumnCount ?? 0
  if (wants(mask, 'gridProperties', 'hideGridlines')) sheet.looks.hideGridlines = grid.hideGridlines ?? false
  // Rows before columns, as measured on the live service.
  if (wants(mask, 'gridProperties', 'rowCount'))
    resize(work, sheet, { dimension: 'ROWS', size: grid.rowCount ?? 0 })
  if (wants(mask, 'gridProperties', 'columnCount'))
    resize(work, sheet, { dimension: 'COLUMNS', size: grid.columnCount ?? 0 })
  refuseFrozen(sheet)
}

function refuseFrozen(sheet: Pick<Sheet, 'rows' | 'columns' | 'frozen_rows' | 'frozen_columns'>) {
  if (sheet.frozen_rows >= sheet.rows) throw invalid("You can't freeze all visible rows on the sheet.")
  if (sheet.frozen_columns >= sheet.columns)
    throw invalid("You can't freeze all visible columns on the sheet.")
}

function moveTo(book: Book, sheet: Sheet, index: number) {
  // Index is counted before the move: to put a tab after the next one, it is the position behind that.
  const from = book.sheets.indexOf(sheet)
  const to = index > from ? index - 1 : index
  book.sheets.splice(from, 1)
  book.sheets.splice(placeAt(book, to), 0, sheet)
}

const placeAt = (book: Book, index: number | null | undefined) =>
  Math.min(Math.max(index ?? book.sheets.length, 0), book.sheets.length)

function freeId(book: Book): number {
  while (true) {
    const id = randomInt(1, 2 ** 31 - 1)
    if (!book.sheets.some(sheet => sheet.sheet_id === id)) return id
  }
}

/**
 * The requested title, refused when taken; without one (or when `numbered`) the first free of a numbered
 * series.
 */
function freeTitle(book: Book, title: string | null | undefined, numbered = false): string {
  if (title && !numbered) {
    refuseTakenTitle(book, title)
    return title
  }
  const taken = (requested: string) =>
    book.sheets.some(sheet => sheet.title.toLowerCase() === requested.toLowerCase())
  if (title && !taken(title)) return title
  for (let n = book.sheets.length + 1; ; n++) {
    const requested = title ? `${title} ${n}` : `Sheet${n}`
    if (!taken(requested)) return requested
  }
}

function refuseTakenTitle(book: Book, title: string, except?: Sheet) {
  if (book.sheets.some(sheet => sheet !== except && sheet.title.toLowerCase() === title.toLowerCase())) {
    throw invalid(`A sheet with the name "${title}" already exists. Please enter another name.`)
  }
}
