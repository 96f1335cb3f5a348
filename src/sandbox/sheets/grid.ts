import { inTile, tilesOf } from './cells.ts'
import type { Cells } from './cells.ts'
import type { Sheet } from './book.ts'
import { intersect } from './rect.ts'
import type { Rect } from './rect.ts'
import { EMPTY, getCell, getFormat, positionOf, setCell, setExtra, setFormat, TILE_COLUMNS } from './tile.ts'
import type { Cell, Tile } from './tile.ts'

/** The sheet's own area; cells are only ever touched inside it. */
export const gridOf = (sheet: Sheet): Rect => ({ r0: 0, c0: 0, r1: sheet.rows, c1: sheet.columns })

/** A rectangle of one sheet. */
export interface Area {
  sheet: Sheet
  rect: Rect
}

export interface CellAddress {
  sheet: Sheet
  row: number
  column: number
}

/** Call `change` with each tile that exists in the rectangle, and the part of the rectangle in it. */
export function editExisting(cells: Cells, { sheet, rect }: Area, change: (tile: Tile, part: Rect) => void) {
  const inside = intersect(rect, gridOf(sheet))
  if (!inside) return
  for (const position of cells.within(sheet.key, inside)) {
    change(cells.edit(sheet.key, position.row_block, position.column_block), inTile(position, inside))
  }
}

/** Call `change` with every tile of the rectangle, made where there is none. */
export function editAll(cells: Cells, { sheet, rect }: Area, change: (tile: Tile, part: Rect) => void) {
  const inside = intersect(rect, gridOf(sheet))
  if (!inside) return
  for (const position of tilesOf(inside)) {
    change(cells.edit(sheet.key, position.row_block, position.column_block), inTile(position, inside))
  }
}

/** Call `visit` with each tile that exists in the rectangle. */
export function readExisting(cells: Cells, { sheet, rect }: Area, visit: (tile: Tile, part: Rect) => void) {
  const inside = intersect(rect, gridOf(sheet))
  if (!inside) return
  for (const position of cells.within(sheet.key, inside)) {
    const tile = cells.read(sheet.key, position.row_block, position.column_block)
    if (tile) visit(tile, inTile(position, inside))
  }
}

/** Call `visit` for every cell of a part of one tile, with its index in the tile. */
export function eachCell(part: Rect, visit: (position: number, row: number, column: number) => void) {
  for (let row = part.r0; row < part.r1; row++) {
    let position = positionOf(row, part.c0)
    for (let column = part.c0; column < part.c1; column++) visit(position++, row, column)
  }
}

export function clearValues(cells: Cells, area: Area) {
  editExisting(cells, area, (tile, part) => {
    for (let row = part.r0; row < part.r1; row++) {
      const start = positionOf(row, part.c0)
      tile.kinds.fill(EMPTY, start, start + part.c1 - part.c0)
    }
  })
}

/** Put rows of cells at a corner; undefined leaves the cell as it is, null and '' empty it. */
export function writeRows(cells: Cells, { sheet, ...corner }: CellAddress, rows: (Cell | undefined)[][]) {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const rect = { r0: corner.row, c0: corner.column, r1: corner.row + rows.length, c1: corner.column + width }
  editAll(cells, { sheet, rect }, (tile, part) => {
    for (let r = part.r0; r < part.r1; r++) {
      const row = rows[r - corner.row] ?? []
      let position = positionOf(r, part.c0)
      for (let c = part.c0 - corner.column; c < part.c1 - corner.column; c++, position++) {
        const cell = row[c]
        if (cell !== undefined) setCell(tile, position, cell)
      }
    }
  })
}

/** One cell as it was entered. */
export function cellAt(cells: Cells, address: CellAddress): Cell {
  const tile = tileAt(cells, address)
  return tile ? getCell(tile, positionOf(address.row, address.column)) : null
}

export const tileAt = (cells: Cells, { sheet, row, column }: CellAddress) =>
  cells.read(sheet.key, Math.floor(row / 1024), Math.floor(column / TILE_COLUMNS))

/** What a copy takes along. */
export interface Take {
  /** The value to put, from the cell as it was entered; absent when values stay as they are. */
  cell?: (tile: Tile, position: number, row: number, column: number) => Cell
  /** The format to put, from the source's. */
  format?: (format: number) => number
  extras?: boolean
}

/** Copy `from` to the equally large area at `to`, tile by tile; the areas must not overlap. */
export function copyArea(cells: Cells, { from, to }: { from: Area; to: CellAddress }, take: Take) {
  const down = to.row - from.rect.r0
  const right = to.column - from.rect.c0
  const target = { r0: to.row, c0: to.column, r1: from.rect.r1 + down, c1: from.rect.c1 + right }
  const inside = intersect(target, gridOf(to.sheet))
  if (!inside) return
  for (const position of tilesOf(inside)) {
    const part = inTile(position, inside)
    const origin = { r0: part.r0 - down, r1: part.r1 - down, c0: part.c0 - right, c1: part.c1 - right }
    for (const sourcePosition of tilesOf(origin)) {
      const source = cells.read(from.sheet.key, sourcePosition.row_block, sourcePosition.column_block)
      const targetTile = source
        ? cells.edit(to.sheet.key, position.row_block, position.column_block)
        : cells.read(to.sheet.key, position.row_block, position.column_block)
      if (!targetTile) continue
      const tile = cells.edit(to.sheet.key, position.row_block, position.column_block)
      copyPart({ source, target: tile }, { piece: inTile(sourcePosition, origin), down, right }, take)
    }
  }
}

function copyPart(
  { source, target }: { source: Tile | null; target: Tile },
  { piece, down, right }: { piece: Rect; down: number; right: number },
  { cell, format, extras }: Take,
) {
  for (let row = piece.r0; row < piece.r1; row++) {
    let from = positionOf(row, piece.c0)
    let to = positionOf(row + down, piece.c0 + right)
    for (let column = piece.c0; column < piece.c1; column++, from++, to++) {
      if (cell) setCell(target, to, source ? cell(source, from, row, column) : null)
      if (format) setFormat(target, to, source ? format(getFormat(source, from)) : 0)
      if (extras) setExtra(target, to, source?.extras.get(from))
    }
  }
}
