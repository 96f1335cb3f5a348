import { Buffer } from 'node:buffer'
import { exceedsGrid, parseRange, printRange } from './a1.ts'
import type { Book, Sheet } from './book.ts'
import type { Cells } from './cells.ts'
import { gridOf } from './grid.ts'
import type { Area } from './grid.ts'
import { intersect } from './rect.ts'
import type { Rect } from './rect.ts'
import type { Render } from './render.ts'
import { positionOf, TILE_COLUMNS, TILE_ROWS } from './tile.ts'
import type { Tile } from './tile.ts'

export type Value = string | number | boolean

/** The part of a range that lies in the grid, and its echo; 400 when it starts outside. */
export function readTarget(book: Book, range: string): { sheet: Sheet; rect: Rect; echo: string } {
  const { sheet, rect } = parseRange(range, book)
  const inside = intersect(rect, gridOf(sheet))
  if (!inside) throw exceedsGrid(sheet, rect)
  return { sheet, rect: inside, echo: printRange(sheet, inside) }
}

/**
 * The rows of an area as Google returns them: no empty cells at the end of a row, no empty rows at the end. A
 * generator, so that ten million cells need not be held as values.
 */
export function* readRows(cells: Cells, { sheet, rect }: Area, render: Render): Generator<Value[]> {
  let pending = 0
  for (let start = rect.r0; start < rect.r1; start = (Math.floor(start / TILE_ROWS) + 1) * TILE_ROWS) {
    const end = Math.min(rect.r1, (Math.floor(start / TILE_ROWS) + 1) * TILE_ROWS)
    const rows = readBlock(cells, { sheet, rect: { ...rect, r0: start, r1: end } }, render)
    for (let i = 0; i < end - start; i++) {
      const row = rows[i]
      if (!row) {
        pending++
        continue
      }
      for (; pending > 0; pending--) yield []
      yield row
    }
  }
}

/** Rows of one block of tiles; a row without values is missing. */
function readBlock(cells: Cells, { sheet, rect }: Area, render: Render): (Value[] | undefined)[] {
  const rows: (Value[] | undefined)[] = []
  for (const { row_block, column_block } of cells.within(sheet.key, rect)) {
    const tile = cells.read(sheet.key, row_block, column_block)
    if (!tile) continue
    const left = Math.max(rect.c0, column_block * TILE_COLUMNS)
    const right = Math.min(rect.c1, (column_block + 1) * TILE_COLUMNS)
    for (let row = rect.r0; row < rect.r1; row++)
      readTileRow(tile, { rect, row, left, right }, { rows, render, sheet })
  }
  return rows
}

function readTileRow(
  tile: Tile,
  { rect, row, left, right }: { rect: Rect; row: number; left: number; right: number },
  { rows, render, sheet }: { rows: (Value[] | undefined)[]; render: Render; sheet: Sheet },
) {
  const start = positionOf(row, left)
  for (let column = left, position = start; column < right; column++, position++) {
    if (tile.kinds[position] === 0) continue
    const value = render(tile, position, { sheet, row, column })
    if (value === '') continue
    const values = (rows[row - rect.r0] ??= [])
    while (values.length < column - rect.c0) values.push('')
    values.push(value)
  }
}

/** The rows as JSON text in pieces; empty when there is no value at all. */
export function rowsAsJson(rows: Iterable<Value[]>): Buffer[] {
  const pieces: Buffer[] = []
  let batch: Value[][] = []
  const push = () => {
    if (batch.length === 0) return
    pieces.push(Buffer.from(`${pieces.length > 0 ? ',' : ''}${JSON.stringify(batch).slice(1, -1)}`))
    batch = []
  }
  for (const row of rows) {
    batch.push(row)
    if (batch.length === 4096) push()
  }
  push()
  return pieces
}

export function asColumns(rows: Value[][]): Value[][] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  return Array.from({ length: width }, (_, column) => {
    const values = rows.map(row => row[column] ?? '')
    while (values.at(-1) === '') values.pop()
    return values
  })
}
