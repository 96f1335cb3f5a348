import type { sheets_v4 } from '@googleapis/sheets'
import { refuseProtected, refuseProtectedTab } from '#sandbox/sheets/access.ts'
import type { Sheet } from '#sandbox/sheets/book.ts'
import { invalid } from '#sandbox/sheets/errors.ts'
import { readDimensionRange } from '#sandbox/sheets/grid-range.ts'
import type { Dimension } from '#sandbox/sheets/grid-range.ts'
import { copyArea, editAll, eachCell, gridOf, tileAt } from '#sandbox/sheets/grid.ts'
import { shiftEverything } from '#sandbox/sheets/moving.ts'
import { getCell, getFormat, positionOf, setFormat } from '#sandbox/sheets/tile.ts'
import { growing } from '#sandbox/sheets/work.ts'
import type { Work } from '#sandbox/sheets/work.ts'

export interface Span {
  dimension: Dimension
  start: number
  end: number
}

export function insertDimension(work: Work, request: sheets_v4.Schema$InsertDimensionRequest) {
  const { sheet, dimension, start, end, size } = readDimensionRange(work.book, request.range)
  const inherit = request.inheritFromBefore ?? false
  if (inherit && start === 0)
    throw invalid('inheritFromBefore cannot be true when inserting before the first row or column.')
  if (!inherit && start >= size) {
    throw invalid(`range.startIndex must be less than the grid size (${size}) if inheritFromBefore is false.`)
  }
  if (start > size)
    throw invalid(`range.startIndex[${start}] is after last ${name(dimension)} in grid[${size}]`)
  refuseProtectedTab(work, sheet)
  const count = end - start
  moveCells(work, sheet, { dimension, at: start, count })
  growing(work, () => (dimension === 'ROWS' ? (sheet.rows += count) : (sheet.columns += count)))
  shiftEverything(work, sheet, { dimension, index: start, count })
  inheritFormats(work, sheet, { dimension, start, end, from: inherit ? start - 1 : end })
}

export function deleteDimension(work: Work, request: sheets_v4.Schema$DeleteDimensionRequest) {
  const { sheet, dimension, start, end, size } = readDimensionRange(work.book, request.range)
  if (start >= size) {
    throw invalid(
      `Cannot delete a ${name(dimension)} that doesn't exist. Tried to delete ${name(dimension)} index ${start} but there are only ${size} ${name(dimension)}s.`,
    )
  }
  const last = Math.min(end, size)
  if (start === 0 && last === size)
    throw invalid(`You can't delete all the ${name(dimension)}s on the sheet.`)
  const frozen = dimension === 'ROWS' ? sheet.frozen_rows : sheet.frozen_columns
  if (start <= frozen && last === size && frozen > 0) {
    throw invalid(`Sorry, it is not possible to delete all non-frozen ${name(dimension)}s.`)
  }
  removeSpan(work, sheet, { dimension, start, end: last })
}

/** Take rows or columns out of a tab, with everything that hangs on them. */
export function removeSpan(work: Work, sheet: Sheet, { dimension, start, end }: Span) {
  const rows = dimension === 'ROWS'
  refuseProtected(
    work,
    sheet,
    rows ? { ...gridOf(sheet), r0: start, r1: end } : { ...gridOf(sheet), c0: start, c1: end },
  )
  const count = start - end
  moveCells(work, sheet, { dimension, at: start, count })
  const frozen = rows ? sheet.frozen_rows : sheet.frozen_columns
  const fewer = frozen - Math.max(0, Math.min(frozen, end) - start)
  if (rows) {
    sheet.rows += count
    sheet.frozen_rows = fewer
  } else {
    sheet.columns += count
    sheet.frozen_columns = fewer
  }
  shiftEverything(work, sheet, { dimension, index: start, count })
}

const name = (dimension: Dimension) => (dimension === 'ROWS' ? 'row' : 'column')

/** Build the tab anew under another key with the cells at their new positions; a negative count deletes. */
function moveCells(
  work: Work,
  sheet: Sheet,
  { dimension, at, count }: { dimension: Dimension; at: number; count: number },
) {
  const rows = dimension === 'ROWS'
  const grid = gridOf(sheet)
  const moved = { ...sheet, key: work.next('sheet') }
  if (rows) moved.rows += count
  else moved.columns += count
  const take = { cell: getCell, format: (format: number) => format, extras: true }
  const behind = count < 0 ? at - count : at
  const before = rows ? { ...grid, r1: at } : { ...grid, c1: at }
  const after = rows ? { ...grid, r0: behind } : { ...grid, c0: behind }
  for (const rect of [before, after]) {
    if (rect.r0 >= rect.r1 || rect.c0 >= rect.c1) continue
    const shift = rect === after ? count : 0
    const to = { sheet: moved, row: rect.r0 + (rows ? shift : 0), column: rect.c0 + (rows ? 0 : shift) }
    copyArea(work.cells, { from: { sheet, rect }, to }, take)
  }
  work.cells.drop(sheet.key)
  sheet.key = moved.key
}

function inheritFormats(work: Work, sheet: Sheet, { dimension, start, end, from }: Span & { from: number }) {
  const rows = dimension === 'ROWS'
  const area = rows ? { ...gridOf(sheet), r0: start, r1: end } : { ...gridOf(sheet), c0: start, c1: end }
  const model = rows
    ? { ...gridOf(sheet), r0: from, r1: from + 1 }
    : { ...gridOf(sheet), c0: from, c1: from + 1 }
  if (!hasFormats(work, sheet, model)) return
  editAll(work.cells, { sheet, rect: area }, (tile, part) => {
    eachCell(part, (position, row, column) => {
      const [r, c] = rows ? [from, column] : [row, from]
      const source = tileAt(work.cells, { sheet, row: r, column: c })
      if (source) setFormat(tile, position, getFormat(source, positionOf(r, c)))
    })
  })
}

function hasFormats({ cells }: Work, sheet: Sheet, rect: { r0: number; c0: number; r1: number; c1: number }) {
  return cells
    .within(sheet.key, rect)
    .some(({ row_block, column_block }) => cells.read(sheet.key, row_block, column_block)?.formats)
}
