import type { sheets_v4 } from '@googleapis/sheets'
import { exceedsGrid } from './a1.ts'
import type { Book, Sheet } from './book.ts'
import { invalid } from './errors.ts'
import { gridOf } from './grid.ts'
import { intersect } from './rect.ts'
import type { Rect } from './rect.ts'
import { sheetOf } from './work.ts'

export type Dimension = 'ROWS' | 'COLUMNS'

/** A GridRange as its tab and its rectangle, open sides still open. */
export function readGridRange(
  book: Book,
  range: sheets_v4.Schema$GridRange | null | undefined,
): { sheet: Sheet; rect: Rect } {
  const sheet = sheetOf(book, range?.sheetId)
  const rect = {
    r0: range?.startRowIndex ?? 0,
    c0: range?.startColumnIndex ?? 0,
    r1: range?.endRowIndex ?? Infinity,
    c1: range?.endColumnIndex ?? Infinity,
  }
  const negative = Object.entries(range ?? {}).find(([, index]) => index < 0)
  if (negative) throw invalid(`${negative[0]}[${negative[1]}] cannot be negative`)
  if (rect.r1 <= rect.r0) throw invalid(`endRowIndex[${rect.r1}] must be after startRowIndex[${rect.r0}]`)
  if (rect.c1 <= rect.c0)
    throw invalid(`endColumnIndex[${rect.c1}] must be after startColumnIndex[${rect.c0}]`)
  return { sheet, rect }
}

/** The part of a GridRange that lies in the grid; 400 when it starts outside. */
export function readArea(
  book: Book,
  range: sheets_v4.Schema$GridRange | null | undefined,
): { sheet: Sheet; rect: Rect } {
  const { sheet, rect } = readGridRange(book, range)
  const inside = intersect(rect, gridOf(sheet))
  if (!inside) throw exceedsGrid(sheet, rect)
  return { sheet, rect: inside }
}

/** A GridRange as Google writes it: no index on open sides, no sheetId for tab 0. */
export function writeGridRange(sheet_id: number, { r0, c0, r1, c1 }: Rect): sheets_v4.Schema$GridRange {
  const rows = r0 > 0 || r1 !== Infinity
  const columns = c0 > 0 || c1 !== Infinity
  return {
    ...(sheet_id !== 0 && { sheetId: sheet_id }),
    ...(rows && { startRowIndex: r0 }),
    ...(r1 !== Infinity && { endRowIndex: r1 }),
    ...(columns && { startColumnIndex: c0 }),
    ...(c1 !== Infinity && { endColumnIndex: c1 }),
  }
}

/** A DimensionRange: its tab, its dimension and the span; the end is that of the grid when it is open. */
export function readDimensionRange(book: Book, range: sheets_v4.Schema$DimensionRange | null | undefined) {
  const sheet = sheetOf(book, range?.sheetId)
  const dimension = readDimension(range?.dimension)
  const size = dimension === 'ROWS' ? sheet.rows : sheet.columns
  const start = range?.startIndex ?? 0
  const end = range?.endIndex ?? size
  if (start < 0) throw invalid(`startIndex[${start}] cannot be negative`)
  if (end <= start) throw invalid(`endIndex[${end}] must be after startIndex[${start}]`)
  return { sheet, dimension, start, end, size }
}

export function readDimension(dimension: string | null | undefined): Dimension {
  if (dimension === 'ROWS' || dimension === 'COLUMNS') return dimension
  throw invalid('No dimension specified.')
}
