import type { Book, Sheet } from './book.ts'
import { countCells, findSheet } from './book.ts'
import type { Cells } from './cells.ts'
import { invalid } from './errors.ts'
import type { Formats } from './formats.ts'
import { MOST_COLUMNS } from './a1.ts'

/**
 * The state that one change of a spreadsheet works on: a copy of the book and the cells inside one
 * transaction.
 */
export interface Work {
  book: Book
  cells: Cells
  formats: Formats
  /** Who changes it. */
  email: string
  project: string
  /** Most cells that a spreadsheet may have; lowered by tests. */
  cell_limit: number
  /** The next number of a series. */
  next: (name: string) => number
  now: Date
}

export const CELL_LIMIT = 10_000_000

/** The tab with this id; 400 when there is none. */
export function sheetOf(book: Book, sheetId: number | null | undefined): Sheet {
  const sheet = findSheet(book, sheetId ?? 0)
  if (!sheet || sheet.type !== 'GRID') throw invalid(`No grid with id: ${sheetId ?? 0}`)
  return sheet
}

/** Let `grow` make the grid larger, unless that goes over the limits. */
export function growing<T>({ book, cell_limit }: Work, grow: () => T): T {
  const before = countCells(book)
  const result = grow()
  const after = countCells(book)
  if (book.sheets.some(sheet => sheet.columns > MOST_COLUMNS)) {
    throw invalid(
      `This action would increase the number of columns in the sheet above the limit of ${MOST_COLUMNS} columns.`,
    )
  }
  if (after > cell_limit && after > before) {
    // A lowered limit is a convenience of tests; the message has Google's number.
    throw invalid(
      `This action would increase the number of cells in the workbook above the limit of ${CELL_LIMIT} cells.`,
    )
  }
  return result
}

const MOST_CHARACTERS = 50_000

export function refuseLongText(text: string) {
  if (text.length > MOST_CHARACTERS) {
    throw invalid(
      `Your input contains more than the maximum of ${MOST_CHARACTERS} characters in a single cell.`,
    )
  }
}
