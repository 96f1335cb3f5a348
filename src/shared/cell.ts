/** A cell, counted from 0. */
export interface Cell {
  row: number
  column: number
}

/** [start row, start column, end row, end column), counted from 0. */
export type Rect = [start_row: number, start_column: number, end_row: number, end_column: number]

export const MAX_ROW = 10_000_000
/** ZZZ */
export const MAX_COLUMN = 18_278
/** Of a whole spreadsheet, empty cells of every tab included. */
export const MAX_CELLS = 10_000_000

// Letters are matched before they are made capitals: some letters of other scripts become A to Z that way.
const START_CELL = /^([A-Za-z]{1,3})([1-9][0-9]{0,7})$/

/**
 * Reads a start cell as a person types it (A1 … ZZZ10000000, any case, blanks around it), or says which code
 * refuses it.
 */
export function parseStartCell(text: string): Cell | 'start_cell_not_set' | 'start_cell_format' {
  const trimmed = text.trim()
  if (trimmed === '') return 'start_cell_not_set'
  const [, letters, digits] = START_CELL.exec(trimmed) ?? []
  if (letters === undefined || Number(digits) > MAX_ROW) return 'start_cell_format'
  return { row: Number(digits) - 1, column: columnIndex(letters.toUpperCase()) }
}

/** The rectangle of a name such as A1:C10, or of a single cell; null when it is none. */
export function parseRect(text: string): Rect | null {
  const [from, to = from, ...others] = text.split(':').map(parseStartCell)
  if (!isCell(from) || !isCell(to) || others.length > 0) return null
  return [
    Math.min(from.row, to.row),
    Math.min(from.column, to.column),
    Math.max(from.row, to.row) + 1,
    Math.max(from.column, to.column) + 1,
  ]
}

const isCell = (cell: Cell | string | undefined): cell is Cell => typeof cell === 'object'

/** 0 → A, 25 → Z, 26 → AA. */
export function columnName(index: number): string {
  let name = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
  }
  return name
}

export const cellName = (cell: Cell) => `${columnName(cell.column)}${cell.row + 1}`

/** A rectangle as people know it, for example B2:D9. */
export const rectName = ([r0, c0, r1, c1]: Rect) =>
  `${cellName({ row: r0, column: c0 })}:${cellName({ row: r1 - 1, column: c1 - 1 })}`

/**
 * A rectangle of a tab in A1 notation. The title is always quoted: unquoted, one like CO2 reads as a cell,
 * and one that is also the name of a range reads as that range.
 */
export const rangeOf = (title: string, rect: Rect) => `'${title.replaceAll("'", "''")}'!${rectName(rect)}`

function columnIndex(letters: string): number {
  let index = 0
  for (const letter of letters) index = index * 26 + letter.charCodeAt(0) - 64
  return index - 1
}
