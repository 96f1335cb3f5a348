import type { sheets_v4 } from '@googleapis/sheets'
import { refuseProtected } from '#sandbox/sheets/access.ts'
import type { Sheet } from '#sandbox/sheets/book.ts'
import { cellWriter } from '#sandbox/sheets/cell-data.ts'
import { invalid } from '#sandbox/sheets/errors.ts'
import { readArea } from '#sandbox/sheets/grid-range.ts'
import { clearValues, editAll, editExisting, eachCell, gridOf, readExisting } from '#sandbox/sheets/grid.ts'
import type { Area } from '#sandbox/sheets/grid.ts'
import type { Rect } from '#sandbox/sheets/rect.ts'
import { EMPTY } from '#sandbox/sheets/tile.ts'
import { growing, sheetOf } from '#sandbox/sheets/work.ts'
import type { Work } from '#sandbox/sheets/work.ts'
import { readFields } from './fields.ts'

type Rows = sheets_v4.Schema$RowData[]

/** With `range` the cells that `rows` do not reach lose the masked fields; with `start` they stay. */
export function updateCells(work: Work, { range, start, rows, fields }: sheets_v4.Schema$UpdateCellsRequest) {
  const mask = readFields(fields, 'CellData')
  if (!range === !start) throw invalid('Must specify exactly one of range or start.')
  const data = rows ?? []
  const area = range ? readArea(work.book, range) : startArea(work, start ?? {}, data)
  if (range) refuseOverflow(area.rect, data)
  refuseProtected(work, area.sheet, area.rect)
  const writer = cellWriter(mask, work.formats)
  if (data.length === 0 && writer.changesValues && !writer.makesTiles) {
    clearValues(work.cells, area)
    return
  }
  putRows(work, { ...area, rows: data }, { writer, clear_rest: !!range })
}

/** Put rows after the last row that has a value; the grid grows as far as needed. */
export function appendCells(work: Work, { sheetId, rows, fields }: sheets_v4.Schema$AppendCellsRequest) {
  const mask = readFields(fields, 'CellData')
  const sheet = sheetOf(work.book, sheetId)
  const data = rows ?? []
  const first = lastRowWithValue(work, sheet) + 1
  const width = Math.max(1, ...data.map(row => row.values?.length ?? 0))
  const rect = { r0: first, c0: 0, r1: first + data.length, c1: width }
  growing(work, () => {
    sheet.rows = Math.max(sheet.rows, rect.r1)
    sheet.columns = Math.max(sheet.columns, rect.c1)
  })
  if (data.length === 0) return
  refuseProtected(work, sheet, rect)
  putRows(work, { sheet, rect, rows: data }, { writer: cellWriter(mask, work.formats), clear_rest: false })
}

export function repeatCell(work: Work, { range, cell, fields }: sheets_v4.Schema$RepeatCellRequest) {
  const mask = readFields(fields, 'CellData')
  const area = readArea(work.book, range)
  refuseProtected(work, area.sheet, area.rect)
  const writer = cellWriter(mask, work.formats)
  const data = cell ?? {}
  editAll(work.cells, area, (tile, part) => {
    eachCell(part, position => writer.put(tile, position, data))
  })
}

function putRows(
  work: Work,
  { sheet, rect, rows }: Area & { rows: Rows },
  { writer, clear_rest }: { writer: ReturnType<typeof cellWriter>; clear_rest: boolean },
) {
  const nothing = {}
  const written = { ...rect, r1: Math.min(rect.r1, rect.r0 + rows.length) }
  if (written.r1 > written.r0) {
    editAll(work.cells, { sheet, rect: written }, (tile, part) => {
      eachCell(part, (position, row, column) => {
        const data = rows[row - rect.r0]?.values?.[column - rect.c0]
        if (data) writer.put(tile, position, data)
        else if (clear_rest) writer.put(tile, position, nothing)
      })
    })
  }
  const below = { ...rect, r0: written.r1 }
  if (clear_rest && below.r0 < below.r1) {
    editExisting(work.cells, { sheet, rect: below }, (tile, part) =>
      eachCell(part, position => writer.put(tile, position, nothing)),
    )
  }
}

function startArea({ book }: Work, start: sheets_v4.Schema$GridCoordinate, rows: Rows) {
  const sheet = sheetOf(book, start.sheetId)
  const [r0, c0] = [start.rowIndex ?? 0, start.columnIndex ?? 0]
  const width = Math.max(1, ...rows.map(row => row.values?.length ?? 0))
  const rect = { r0, c0, r1: r0 + Math.max(1, rows.length), c1: c0 + width }
  if (r0 < 0 || c0 < 0) throw invalid(`rowIndex[${r0}] and columnIndex[${c0}] cannot be negative`)
  if (r0 >= sheet.rows) throw tooFar('row', r0, sheet.rows - 1)
  if (c0 >= sheet.columns) throw tooFar('column', c0, sheet.columns - 1)
  if (rect.r1 > sheet.rows) throw tooFar('row', sheet.rows, sheet.rows - 1)
  if (rect.c1 > sheet.columns) throw tooFar('column', sheet.columns, sheet.columns - 1)
  return { sheet, rect }
}

function refuseOverflow(rect: Rect, rows: Rows) {
  if (rows.length > rect.r1 - rect.r0) throw tooFar('row', rect.r1, rect.r1 - 1)
  const width = rect.c1 - rect.c0
  if (rows.some(row => (row.values?.length ?? 0) > width)) throw tooFar('column', rect.c1, rect.c1 - 1)
}

const tooFar = (what: 'row' | 'column', tried: number, last: number) =>
  invalid(`Attempting to write ${what}: ${tried}, beyond the last requested ${what} of: ${last}`)

/** -1 when the tab is empty. */
export function lastRowWithValue({ cells }: Work, sheet: Sheet): number {
  let last = -1
  readExisting(cells, { sheet, rect: gridOf(sheet) }, (tile, part) => {
    eachCell(part, (position, row) => {
      if (row > last && tile.kinds[position] !== EMPTY) last = row
    })
  })
  return last
}
