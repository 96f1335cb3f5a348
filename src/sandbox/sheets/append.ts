import type { sheets_v4 } from '@googleapis/sheets'
import { exceedsGrid } from './a1.ts'
import type { Target } from './a1.ts'
import { lastRowWithValue } from './batch-update/cells.ts'
import { insertDimension } from './batch-update/insert-delete.ts'
import type { Sheet } from './book.ts'
import { eachCell, gridOf, readExisting } from './grid.ts'
import { intersect, isWhole } from './rect.ts'
import type { Rect } from './rect.ts'
import { EMPTY } from './tile.ts'
import { putValues, readRows } from './values-write.ts'
import type { InputOption, Update } from './values-write.ts'
import { growing } from './work.ts'
import type { Work } from './work.ts'

/** Write below the block of cells that the range touches; `table` is that block, null when there is none. */
export function appendValues(
  work: Work,
  { sheet, rect }: Target,
  { body, input, insert }: { body: sheets_v4.Schema$ValueRange; input: InputOption; insert: boolean },
): { table: Rect | null; update: Update } {
  const inside = intersect(rect, gridOf(sheet))
  if (!inside) throw exceedsGrid(sheet, rect)
  const rows = readRows(body)
  const width = Math.max(1, ...rows.map(row => row.length))
  const table = isWhole(rect) ? lastBlock(work, sheet) : blockAt(work, sheet, inside)
  const [r0, c0] = table ? [table.r1, table.c0] : [inside.r0, inside.c0]
  const area = { r0, c0, r1: r0 + rows.length, c1: c0 + width }
  if (insert && table && rows.length > 0 && r0 < sheet.rows) {
    const range = { sheetId: sheet.sheet_id, dimension: 'ROWS', startIndex: r0, endIndex: area.r1 }
    insertDimension(work, { range, inheritFromBefore: true })
  }
  growing(work, () => {
    sheet.rows = Math.max(sheet.rows, area.r1)
    sheet.columns = Math.max(sheet.columns, area.c1)
  })
  return {
    table,
    update: putValues(
      work,
      { sheet, rect: { ...area, r1: Math.max(area.r1, r0 + 1) }, anchor: true },
      { rows, option: input },
    ),
  }
}

function lastBlock(work: Work, sheet: Sheet): Rect | null {
  const row = lastRowWithValue(work, sheet)
  if (row < 0) return null
  const first = bounds(work, sheet, { ...gridOf(sheet), r0: row, r1: row + 1 })
  return first && spread(work, sheet, first)
}

const blockAt = (work: Work, sheet: Sheet, rect: Rect): Rect | null => {
  const first = bounds(work, sheet, rect)
  return first && spread(work, sheet, first)
}

/** The block around a rectangle: it grows while cells with values touch it, corners included. */
function spread(work: Work, sheet: Sheet, start: Rect): Rect {
  let block = start
  while (true) {
    const around = {
      r0: Math.max(0, block.r0 - 1),
      c0: Math.max(0, block.c0 - 1),
      r1: block.r1 + 1,
      c1: block.c1 + 1,
    }
    // Long tables would take a step per row; columns down are scanned in one go.
    const down = { ...block, r1: runEnd(work, sheet, block) }
    const found = bounds(work, sheet, around)
    const next = union(found ?? block, down)
    if (next.r0 === block.r0 && next.c0 === block.c0 && next.r1 === block.r1 && next.c1 === block.c1)
      return block
    block = next
  }
}

/** The row behind the last one that follows the block without a gap. */
function runEnd(work: Work, sheet: Sheet, block: Rect): number {
  const filled = new Set<number>()
  const below = { ...block, r0: block.r1, r1: sheet.rows }
  readExisting(work.cells, { sheet, rect: below }, (tile, part) => {
    eachCell(part, (position, row) => {
      if (tile.kinds[position] !== EMPTY) filled.add(row)
    })
  })
  let row = block.r1
  while (filled.has(row)) row++
  return row
}

const union = (a: Rect, b: Rect): Rect => ({
  r0: Math.min(a.r0, b.r0),
  c0: Math.min(a.c0, b.c0),
  r1: Math.max(a.r1, b.r1),
  c1: Math.max(a.c1, b.c1),
})

/** The smallest rectangle around the values in an area; null when there are none. */
function bounds(work: Work, sheet: Sheet, area: Rect): Rect | null {
  let found: Rect | null = null
  readExisting(work.cells, { sheet, rect: area }, (tile, part) => {
    eachCell(part, (position, row, column) => {
      if (tile.kinds[position] === EMPTY) return
      const cell = { r0: row, c0: column, r1: row + 1, c1: column + 1 }
      found = found ? union(found, cell) : cell
    })
  })
  return found
}
