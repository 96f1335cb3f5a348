// Cells are stored in tiles of 1024 rows and 32 columns: a report's rows touch one column of tiles, a window
// of a million-row grid touches one or two tiles, and no single cell makes more than 32,768 others be
// rewritten.

export const TILE_ROWS = 1024
export const TILE_COLUMNS = 32
export const TILE_CELLS = TILE_ROWS * TILE_COLUMNS

export const EMPTY = 0
export const NUMBER = 1
export const TEXT = 2
const YES = 3
const NO = 4
export const FORMULA = 5

/** What a person or program put into a cell; null is empty. */
export type Cell = null | number | string | boolean | { formula: string }

/** What few cells have: notes, validation, partial formatting. Stored as Google's own members of CellData. */
export type Extra = Record<string, unknown>

export interface Tile {
  kinds: Uint8Array
  /** The number itself, or for text and formulas the index in `texts`. */
  numbers: Float64Array
  texts: string[]
  positions: Map<string, number> | null
  /** Numbers of formats in the book, 0 for none; null when no cell has one. */
  formats: Uint16Array | null
  extras: Map<number, Extra>
}

export const newTile = (): Tile => ({
  kinds: new Uint8Array(TILE_CELLS),
  numbers: new Float64Array(TILE_CELLS),
  texts: [],
  positions: null,
  formats: null,
  extras: new Map(),
})

/** Index of a cell in its tile, from its row and column in the sheet. */
export const positionOf = (row: number, column: number) =>
  (row % TILE_ROWS) * TILE_COLUMNS + (column % TILE_COLUMNS)

export function getCell(tile: Tile, position: number): Cell {
  switch (tile.kinds[position]) {
    case NUMBER:
      return tile.numbers[position] ?? 0
    case TEXT:
      return tile.texts[tile.numbers[position] ?? 0] ?? ''
    case YES:
      return true
    case NO:
      return false
    case FORMULA:
      return { formula: tile.texts[tile.numbers[position] ?? 0] ?? '' }
    default:
      return null
  }
}

/** Put a value into a cell; null and '' empty it. */
export function setCell(tile: Tile, position: number, cell: Cell) {
  if (typeof cell === 'number') {
    tile.kinds[position] = NUMBER
    tile.numbers[position] = cell
  } else if (typeof cell === 'string') {
    if (cell === '') tile.kinds[position] = EMPTY
    else {
      tile.kinds[position] = TEXT
      tile.numbers[position] = indexOfText(tile, cell)
    }
  } else if (cell === null) tile.kinds[position] = EMPTY
  else if (typeof cell === 'boolean') tile.kinds[position] = cell ? YES : NO
  else {
    tile.kinds[position] = FORMULA
    tile.numbers[position] = indexOfText(tile, cell.formula)
  }
}

export const getFormat = (tile: Tile, position: number) => tile.formats?.[position] ?? 0

export function setFormat(tile: Tile, position: number, format: number) {
  if (!tile.formats) {
    if (format === 0) return
    tile.formats = new Uint16Array(TILE_CELLS)
  }
  tile.formats[position] = format
}

export function setExtra(tile: Tile, position: number, extra: Extra | undefined) {
  if (extra && Object.keys(extra).length > 0) tile.extras.set(position, extra)
  else tile.extras.delete(position)
}

export const hasFormulas = (tile: Tile) => tile.kinds.includes(FORMULA)

export function isBlank(tile: Tile) {
  return (
    tile.extras.size === 0 &&
    !tile.kinds.some(kind => kind !== EMPTY) &&
    !tile.formats?.some(each => each !== 0)
  )
}

function indexOfText(tile: Tile, text: string): number {
  tile.positions ??= new Map(tile.texts.map((each, position) => [each, position]))
  const known = tile.positions.get(text)
  if (known !== undefined) return known
  const position = tile.texts.push(text) - 1
  tile.positions.set(text, position)
  return position
}
