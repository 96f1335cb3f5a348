import type { Rect } from '#shared/cell.ts'
import type { Body } from './client.ts'
import { gridRange } from './schema.ts'
import type { FormatRun } from './formats.ts'
import type { Growth } from './plan.ts'

/**
 * The JSON of requests of a batchUpdate, as text: the large one is written cell by cell, without an object
 * for each.
 */
export type RequestJson = string

export const batchBody = (requests: RequestJson[]): Body => [
  Buffer.from(`{"requests":[${requests.join(',')}]}`),
]

export const deleteSheet = (sheetId: number): RequestJson => JSON.stringify({ deleteSheet: { sheetId } })

export const addHiddenSheet = (
  sheetId: number,
  { title, rows, columns }: { title: string; rows: number; columns: number },
): RequestJson =>
  JSON.stringify({
    addSheet: {
      properties: {
        sheetId,
        title,
        hidden: true,
        gridProperties: { rowCount: rows, columnCount: columns },
      },
    },
  })

export function growSheet(sheetId: number, growth: Growth): RequestJson[] {
  const append = (dimension: 'ROWS' | 'COLUMNS', length: number) =>
    length > 0 ? [JSON.stringify({ appendDimension: { sheetId, dimension, length } })] : []
  return [...append('ROWS', growth.rows), ...append('COLUMNS', growth.columns)]
}

/**
 * Refers to the last cell of a table that is written next. A range that reaches past the grid is silently cut
 * off, but one that starts there is refused: so a tab that was made smaller in between refuses the whole
 * change instead of accepting half a table.
 */
export const guardLastCell = (sheetId: number, [, , r1, c1]: Rect): RequestJson =>
  clearCells(sheetId, [r1 - 1, c1 - 1, r1, c1])

/** Empties cells and leaves their formats, notes and validation alone. */
export const clearCells = (sheetId: number, rect: Rect): RequestJson =>
  JSON.stringify({ updateCells: { range: gridRange(sheetId, rect), fields: 'userEnteredValue' } })

export type CellValue = string | number

/** Writes a table literally: a text is never read as a formula, a number or a date. */
export function writeCells(sheetId: number, rect: Rect, rows: CellValue[][]): RequestJson {
  const json = rows.map(row => `{"values":[${row.map(cellJson).join(',')}]}`).join(',')
  return `{"updateCells":{"range":${JSON.stringify(gridRange(sheetId, rect))},"rows":[${json}],"fields":"userEnteredValue"}}`
}

const cellJson = (value: CellValue) =>
  value === ''
    ? '{}'
    : typeof value === 'number'
      ? `{"userEnteredValue":{"numberValue":${value}}}`
      : `{"userEnteredValue":{"stringValue":${JSON.stringify(value)}}}`

/** Sets the note of one cell, or removes it. */
export const writeNote = (sheetId: number, cell: Rect, note: string | null): RequestJson =>
  JSON.stringify({
    updateCells: {
      range: gridRange(sheetId, cell),
      ...(note !== null && { rows: [{ values: [{ note }] }] }),
      fields: 'note',
    },
  })

export const copyValues = (
  from: { sheet_id: number; rect: Rect },
  to: { sheet_id: number; rect: Rect },
): RequestJson =>
  JSON.stringify({
    copyPaste: {
      source: gridRange(from.sheet_id, from.rect),
      destination: gridRange(to.sheet_id, to.rect),
      pasteType: 'PASTE_VALUES',
      pasteOrientation: 'NORMAL',
    },
  })

export const formatCells = (sheetId: number, { rect, format }: FormatRun): RequestJson =>
  JSON.stringify({
    repeatCell: {
      range: gridRange(sheetId, rect),
      cell: { userEnteredFormat: { numberFormat: format } },
      fields: 'userEnteredFormat.numberFormat',
    },
  })

export const boldCells = (sheetId: number, rect: Rect): RequestJson =>
  JSON.stringify({
    repeatCell: {
      range: gridRange(sheetId, rect),
      cell: { userEnteredFormat: { textFormat: { bold: true } } },
      fields: 'userEnteredFormat.textFormat.bold',
    },
  })

export const setWidth = (sheetId: number, column: number, pixelSize: number): RequestJson =>
  JSON.stringify({
    updateDimensionProperties: {
      range: { sheetId, dimension: 'COLUMNS', startIndex: column, endIndex: column + 1 },
      properties: { pixelSize },
      fields: 'pixelSize',
    },
  })

export const freezeRows = (sheetId: number, rows: number): RequestJson =>
  JSON.stringify({
    updateSheetProperties: {
      properties: { sheetId, gridProperties: { frozenRowCount: rows } },
      fields: 'gridProperties.frozenRowCount',
    },
  })

export const deleteMetadata = (metadataId: number): RequestJson =>
  JSON.stringify({ deleteDeveloperMetadata: { dataFilter: { developerMetadataLookup: { metadataId } } } })

export const createMetadata = (
  sheetId: number,
  entry: { metadata_id: number; key: string; value: string },
): RequestJson =>
  JSON.stringify({
    createDeveloperMetadata: {
      developerMetadata: {
        metadataId: entry.metadata_id,
        metadataKey: entry.key,
        metadataValue: entry.value,
        location: { sheetId },
        visibility: 'PROJECT',
      },
    },
  })
