import { findSheet } from './book.ts'
import type { Book, Sheet } from './book.ts'
import { invalid } from './errors.ts'
import { WHOLE } from './rect.ts'
import type { Rect } from './rect.ts'

/**
 * A range of the values endpoints: `single` when it names one cell only or has an open side, so data may
 * extend past it.
 */
export interface Target {
  sheet: Sheet
  rect: Rect
  anchor: boolean
}

/** Columns end at ZZZ. */
export const MOST_COLUMNS = 18_278

export function columnName(column: number): string {
  let name = ''
  for (let n = column + 1; n > 0; n = Math.floor((n - 1) / 26))
    name = String.fromCharCode(65 + ((n - 1) % 26)) + name
  return name
}

export const columnNumber = (name: string) =>
  [...name.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

/**
 * Read a range as the values endpoints do; 400 `Unable to parse range` when there is no such thing in the
 * book.
 */
export function parseRange(text: string, book: Book): Target {
  const target = readRange(text, book)
  if (!target || target.sheet.type !== 'GRID') throw invalid(`Unable to parse range: ${text}`)
  return target
}

function readRange(text: string, book: Book): Target | null {
  const quoted = /^'((?:[^']|'')*)'(?:!(.*))?$/su.exec(text)
  if (quoted) {
    const sheet = sheetTitled(book, (quoted[1] ?? '').replaceAll("''", "'"))
    if (!sheet) return null
    return quoted[2] === undefined ? whole(sheet) : cellsOrName(quoted[2], book, sheet)
  }
  const bang = text.lastIndexOf('!')
  if (bang >= 0) {
    const title = text.slice(0, bang)
    const sheet = /^[A-Za-z0-9_.]+$/.test(title) ? sheetTitled(book, title) : undefined
    return sheet ? cellsOrName(text.slice(bang + 1), book, sheet) : null
  }
  const first = book.sheets.find(sheet => !sheet.hidden && sheet.type === 'GRID')
  const rect = parseCells(text)
  if (rect) return first ? { sheet: first, rect, anchor: isAnchor(text, rect) } : null
  const named = rangeNamed(book, text)
  if (named) return named
  const sheet = /^[A-Za-z0-9_.]+$/.test(text) ? sheetTitled(book, text) : undefined
  return sheet ? whole(sheet) : null
}

function cellsOrName(text: string, book: Book, sheet: Sheet): Target | null {
  const rect = parseCells(text)
  if (!rect) {
    const named = rangeNamed(book, text)
    return named?.sheet === sheet ? named : null
  }
  // Google misjudges an anchor on a tab with a colon in its title: it is held to be bounded (issues 36761154,
  // 150373119).
  return { sheet, rect, anchor: isAnchor(text, rect) && !sheet.title.includes(':') }
}

const isAnchor = (text: string, { r1, c1 }: Rect) => !text.includes(':') || r1 === Infinity || c1 === Infinity

const whole = (sheet: Sheet): Target => ({ sheet, rect: WHOLE, anchor: true })

const sheetTitled = (book: Book, title: string) => book.sheets.find(sheet => sheet.title === title)

function rangeNamed(book: Book, name: string): Target | null {
  const range = book.named_ranges.find(each => each.name.toLowerCase() === name.toLowerCase())
  const sheet = range && findSheet(book, range.sheet_id)
  return range && sheet ? { sheet, rect: range.rect, anchor: false } : null
}

/**
 * `A1`, `A1:B2`, `A:C`, `2:5`, `A2:C`, `R1C1:R2C2`; null when it is none of these. Corners may come in any
 * order.
 */
export function parseCells(text: string): Rect | null {
  return parseR1C1(text) ?? parseA1(text)
}

function parseA1(text: string): Rect | null {
  const ends = text.split(':').map(parseCorner)
  const [from, to] = ends
  if (!from || ends.length > 2 || (ends.length === 2 && !to)) return null
  if (!to) {
    return from.row === null || from.column === null
      ? null
      : { r0: from.row, c0: from.column, r1: from.row + 1, c1: from.column + 1 }
  }
  const rows = span(from.row, to.row)
  const columns = span(from.column, to.column)
  if (rows[1] === Infinity && columns[1] === Infinity) return null
  return { r0: rows[0], r1: rows[1], c0: columns[0], c1: columns[1] }
}

function parseCorner(text: string): { row: number | null; column: number | null } | null {
  const match = /^\$?([A-Za-z]{1,3})?\$?([1-9]\d{0,7})?$/.exec(text)
  if (!match || (!match[1] && !match[2])) return null
  return { column: match[1] ? columnNumber(match[1]) : null, row: match[2] ? Number(match[2]) - 1 : null }
}

/** `2:5` has no columns, `A2:C` no last row: open from there on. */
function span(a: number | null, b: number | null): [number, number] {
  if (a === null && b === null) return [0, Infinity]
  if (a === null || b === null) return [a ?? b ?? 0, Infinity]
  return [Math.min(a, b), Math.max(a, b) + 1]
}

function parseR1C1(text: string): Rect | null {
  const match = /^R([1-9]\d{0,7})C([1-9]\d{0,4})(?::R([1-9]\d{0,7})C([1-9]\d{0,4}))?$/i.exec(text)
  if (!match) return null
  const [r0, c0] = [Number(match[1]) - 1, Number(match[2]) - 1]
  const [r1, c1] = match[3] ? [Number(match[3]) - 1, Number(match[4]) - 1] : [r0, c0]
  return { r0: Math.min(r0, r1), c0: Math.min(c0, c1), r1: Math.max(r0, r1) + 1, c1: Math.max(c0, c1) + 1 }
}

/** The title as Google echoes it: quoted only when it has to be. */
export function quoteTitle(title: string): string {
  const plain =
    /^[\p{L}_][\p{L}\p{N}_]*$/u.test(title) && !/^[A-Za-z]{1,3}\d+$/.test(title) && !/^R\d*C\d*$/i.test(title)
  return plain ? title : `'${title.replaceAll("'", "''")}'`
}

/** `T!A1:C3`; open ends are filled from the grid, a single cell is written once. */
export function printRange(sheet: Sheet, rect: Rect): string {
  const filled = { ...rect, r1: Math.min(rect.r1, sheet.rows), c1: Math.min(rect.c1, sheet.columns) }
  return `${quoteTitle(sheet.title)}!${printCells(filled)}`
}

/** Cells without a title; open ends stay open. */
export function printCells({ r0, c0, r1, c1 }: Rect): string {
  const first = `${columnName(c0)}${r0 + 1}`
  const last = `${c1 === Infinity ? '' : columnName(c1 - 1)}${r1 === Infinity ? '' : r1}`
  return last === '' || first === last ? first : `${first}:${last}`
}

/** 400 `exceeds grid limits`, as Google words it. */
export const exceedsGrid = (sheet: Sheet, rect: Rect) =>
  invalid(
    `Range (${quoteTitle(sheet.title)}!${printCells(rect)}) exceeds grid limits. Max rows: ${sheet.rows}, max columns: ${sheet.columns}`,
  )
