import type { Book, Sheet } from './book.ts'
import type { Cells } from './cells.ts'
import { columnName, printCells } from './a1.ts'
import { invalid } from './errors.ts'
import { openEvaluator } from './formula.ts'
import type { Evaluate } from './formula.ts'
import { mapReferences } from './formula-text.ts'
import type { Store } from './store.ts'
import { FORMULA, getCell, getFormat, positionOf, TILE_COLUMNS, TILE_ROWS } from './tile.ts'
import type { Tile } from './tile.ts'
import { valueOf } from './render.ts'
import type { HttpResponse } from './wire.ts'
import {
  contentTypes,
  excelTitles,
  PACKAGE_RELATIONS,
  styles,
  workbook,
  workbookRelations,
} from './xlsx-parts.ts'
import { xmlText } from './xml.ts'
import { zip } from './zip.ts'
import type { ZipEntry } from './zip.ts'

const EXCEL_ROWS = 1_048_576
const EXCEL_COLUMNS = 16_384
const EXCEL_CHARACTERS = 32_767

/** The spreadsheet as XLSX, made while it is sent, of the moment at which sending began. */
export function exportXlsx(store: Store, book: Book): HttpResponse {
  refuseTooLarge(book, store.cells())
  return {
    status: 200,
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    headers: {
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${book.title}.xlsx`)}`,
    },
    chunks: archive(store, book.id),
  }
}

async function* archive(store: Store, id: string): AsyncGenerator<Uint8Array> {
  const { book, cells, close } = store.snapshot(id)
  try {
    if (book) yield* zip(parts(book, cells))
  } finally {
    close()
  }
}

function* parts(book: Book, cells: Cells): Generator<ZipEntry> {
  const sheets = book.sheets.filter(sheet => sheet.type === 'GRID')
  const titles = excelTitles(sheets)
  const evaluate = openEvaluator(book, cells)
  yield { name: '[Content_Types].xml', text: [contentTypes(sheets.length)] }
  yield { name: '_rels/.rels', text: [PACKAGE_RELATIONS] }
  yield { name: 'xl/workbook.xml', text: [workbook(sheets, titles)] }
  yield { name: 'xl/_rels/workbook.xml.rels', text: [workbookRelations(sheets.length)] }
  yield { name: 'xl/styles.xml', text: [styles(book)] }
  for (const [i, sheet] of sheets.entries()) {
    yield { name: `xl/worksheets/sheet${i + 1}.xml`, text: worksheet({ cells, sheet, titles, evaluate }) }
  }
}

interface Source {
  cells: Cells
  sheet: Sheet
  titles: Map<string, string>
  evaluate: Evaluate
}

function* worksheet(source: Source): Generator<string> {
  const { sheet, cells } = source
  yield `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`
  yield `${views(sheet)}${columns(sheet)}<sheetData>`
  let block = -1
  let rows = new Map<number, string>()
  for (const position of cells.within(sheet.key, { r0: 0, c0: 0, r1: sheet.rows, c1: sheet.columns })) {
    if (position.row_block !== block) {
      yield* rowsAsXml(rows)
      rows = new Map()
      block = position.row_block
    }
    const tile = cells.read(sheet.key, position.row_block, position.column_block)
    if (tile)
      addTile(source, tile, {
        corner: { row: block * TILE_ROWS, column: position.column_block * TILE_COLUMNS },
        rows,
      })
  }
  yield* rowsAsXml(rows)
  const merges = sheet.merges.map(rect => `<mergeCell ref="${printCells(rect)}"/>`)
  yield `</sheetData>${merges.length > 0 ? `<mergeCells count="${merges.length}">${merges.join('')}</mergeCells>` : ''}</worksheet>`
}

function* rowsAsXml(rows: Map<number, string>): Generator<string> {
  let text = ''
  for (const [row, cells] of [...rows].toSorted(([a], [b]) => a - b))
    text += `<row r="${row + 1}">${cells}</row>`
  if (text) yield text
}

function addTile(
  source: Source,
  tile: Tile,
  { corner, rows }: { corner: { row: number; column: number }; rows: Map<number, string> },
) {
  const { sheet } = source
  const names = Array.from({ length: TILE_COLUMNS }, (_, i) => columnName(corner.column + i))
  const lastRow = Math.min(corner.row + TILE_ROWS, sheet.rows)
  const lastColumn = Math.min(corner.column + TILE_COLUMNS, sheet.columns)
  for (let row = corner.row; row < lastRow; row++) {
    let text = ''
    let position = positionOf(row, corner.column)
    for (let column = corner.column; column < lastColumn; column++, position++) {
      if (tile.kinds[position] === 0) continue
      const name = `${names[column - corner.column]}${row + 1}`
      const style = getFormat(tile, position)
      const attributes = `r="${name}"${style ? ` s="${style}"` : ''}`
      text += cellXml(source, tile, { position, row, column, attributes })
    }
    if (text) rows.set(row, (rows.get(row) ?? '') + text)
  }
}

function cellXml(
  { sheet, titles, evaluate }: Source,
  tile: Tile,
  {
    position,
    row,
    column,
    attributes,
  }: { position: number; row: number; column: number; attributes: string },
): string {
  const value = valueOf(tile, position, { sheet, row, column }, evaluate)
  if (tile.kinds[position] === FORMULA) {
    const cell = getCell(tile, position)
    const formula = cell !== null && typeof cell === 'object' ? excelFormula(cell.formula, titles) : ''
    const result =
      typeof value === 'string'
        ? value
        : value === null
          ? ''
          : typeof value === 'object'
            ? value.error
            : Number(value)
    const type =
      typeof value === 'string'
        ? ' t="str"'
        : typeof value === 'boolean'
          ? ' t="b"'
          : value !== null && typeof value === 'object'
            ? ' t="e"'
            : ''
    return `<c ${attributes}${type}><f>${xmlText(formula)}</f><v>${xmlText(String(result))}</v></c>`
  }
  if (typeof value === 'number') return `<c ${attributes}><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c ${attributes} t="b"><v>${value ? 1 : 0}</v></c>`
  const text = typeof value === 'string' ? value.slice(0, EXCEL_CHARACTERS) : ''
  return `<c ${attributes} t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`
}

/** Without its sign, and with the tabs called as they are in the file. */
const excelFormula = (formula: string, titles: Map<string, string>) =>
  mapReferences(formula, reference => ({
    ...reference,
    title: reference.title === null ? null : (titles.get(reference.title) ?? reference.title),
  })).slice(1)

function views({ frozen_rows, frozen_columns }: Sheet): string {
  if (frozen_rows === 0 && frozen_columns === 0) return ''
  const pane = frozen_rows === 0 ? 'topRight' : frozen_columns === 0 ? 'bottomLeft' : 'bottomRight'
  const splits = `${frozen_columns ? ` xSplit="${frozen_columns}"` : ''}${frozen_rows ? ` ySplit="${frozen_rows}"` : ''}`
  const corner = `${columnName(frozen_columns)}${frozen_rows + 1}`
  return `<sheetViews><sheetView workbookViewId="0"><pane${splits} topLeftCell="${corner}" activePane="${pane}" state="frozen"/></sheetView></sheetViews>`
}

function columns({ column_looks }: Sheet): string {
  const entries = column_looks.map(({ start, end, pixel_size, hidden }) => {
    const width = ((pixel_size ?? 100) - 5) / 7
    return `<col min="${start + 1}" max="${end}" width="${Math.max(0, width).toFixed(2)}" customWidth="1"${hidden ? ' hidden="1"' : ''}/>`
  })
  return entries.length > 0 ? `<cols>${entries.join('')}</cols>` : ''
}

function refuseTooLarge(book: Book, cells: Cells) {
  for (const sheet of book.sheets) {
    const below = { r0: EXCEL_ROWS, c0: 0, r1: sheet.rows, c1: sheet.columns }
    const beside = { r0: 0, c0: EXCEL_COLUMNS, r1: sheet.rows, c1: sheet.columns }
    const over = [below, beside].some(
      rect => rect.r0 < rect.r1 && rect.c0 < rect.c1 && cells.within(sheet.key, rect).length > 0,
    )
    if (over)
      throw invalid(
        `The sheet "${sheet.title}" is larger than an XLSX file can hold (${EXCEL_ROWS} x ${EXCEL_COLUMNS}).`,
      )
  }
}
