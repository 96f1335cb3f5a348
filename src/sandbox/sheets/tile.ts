// Cells are kept in tiles of 1024 rows and 32 columns: a report's rows touch one column of tiles, a window of
// a million-row grid touches one or two tiles, and no single cell makes more than 32,768 others be rewritten.

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

/** What few cells have: notes, validation, partial formatting. Kept as Google's own members of CellData. */
export type Extra = Record<string, unknown>

export interface Tile {
  kinds: Uint8Array
  /** The number itself, or for text and formulas the place in `texts`. */
  numbers: Float64Array
  texts: string[]
  places: Map<string, number> | null
  /** Numbers of formats in the book, 0 for none; null when no cell has one. */
  formats: Uint16Array | null
  extras: Map<number, Extra>
}

export const newTile = (): Tile => ({
  kinds: new Uint8Array(TILE_CELLS),
  numbers: new Float64Array(TILE_CELLS),
  texts: [],
  places: null,
  formats: null,
  extras: new Map(),
})

/** Place of a cell in its tile, from its row and column in the sheet. */
export const placeOf = (row: number, column: number) =>
  (row % TILE_ROWS) * TILE_COLUMNS + (column % TILE_COLUMNS)

export function getCell(tile: Tile, place: number): Cell {
  switch (tile.kinds[place]) {
    case NUMBER:
      return tile.numbers[place] ?? 0
    case TEXT:
      return tile.texts[tile.numbers[place] ?? 0] ?? ''
    case YES:
      return true
    case NO:
      return false
    case FORMULA:
      return { formula: tile.texts[tile.numbers[place] ?? 0] ?? '' }
    default:
      return null
  }
}

/** Put a value into a cell; null and '' empty it. */
export function setCell(tile: Tile, place: number, cell: Cell) {
  if (typeof cell === 'number') {
    tile.kinds[place] = NUMBER
    tile.numbers[place] = cell
  } else if (typeof cell === 'string') {
    if (cell === '') tile.kinds[place] = EMPTY
    else {
      tile.kinds[place] = TEXT
      tile.numbers[place] = placeOfText(tile, cell)
    }
  } else if (cell === null) tile.kinds[place] = EMPTY
  else if (typeof cell === 'boolean') tile.kinds[place] = cell ? YES : NO
  else {
    tile.kinds[place] = FORMULA
    tile.numbers[place] = placeOfText(tile, cell.formula)
  }
}

export const getFormat = (tile: Tile, place: number) => tile.formats?.[place] ?? 0

export function setFormat(tile: Tile, place: number, format: number) {
  if (!tile.formats) {
    if (format === 0) return
    tile.formats = new Uint16Array(TILE_CELLS)
  }
  tile.formats[place] = format
}

export function setExtra(tile: Tile, place: number, extra: Extra | undefined) {
  if (extra && Object.keys(extra).length > 0) tile.extras.set(place, extra)
  else tile.extras.delete(place)
}

export const hasFormulas = (tile: Tile) => tile.kinds.includes(FORMULA)

export function isBlank(tile: Tile) {
  return (
    tile.extras.size === 0 &&
    !tile.kinds.some(kind => kind !== EMPTY) &&
    !tile.formats?.some(each => each !== 0)
  )
}

function placeOfText(tile: Tile, text: string): number {
  tile.places ??= new Map(tile.texts.map((each, place) => [each, place]))
  const known = tile.places.get(text)
  if (known !== undefined) return known
  const place = tile.texts.push(text) - 1
  tile.places.set(text, place)
  return place
}
