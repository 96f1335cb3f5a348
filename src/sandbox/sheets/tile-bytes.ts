import { Buffer } from 'node:buffer'
import { EMPTY, FORMULA, newTile, NUMBER, TEXT, TILE_CELLS, TILE_COLUMNS, TILE_ROWS } from './tile.ts'
import type { Extra, Tile } from './tile.ts'

// A tile on disk: ten 32-bit counts, then the sections that they count. Kinds only of the used corner,
// numbers and text places only of the cells that have them, every text once, formats as runs down the columns
// (a format usually covers one).
const HEADER = 10
const VERSION = 1

export function encodeTile(tile: Tile): Uint8Array {
  const { rows, columns } = usedCorner(tile)
  const kinds = new Uint8Array(rows * columns)
  const numbers = new Float64Array(rows * columns)
  const positions = new Uint16Array(rows * columns)
  const renumbered = new Int32Array(tile.texts.length).fill(-1)
  const texts: string[] = []
  let numberCount = 0
  let positionCount = 0
  for (let row = 0, out = 0; row < rows; row++) {
    for (let at = row * TILE_COLUMNS, end = at + columns; at < end; at++, out++) {
      const kind = tile.kinds[at] ?? EMPTY
      kinds[out] = kind
      if (kind === NUMBER) numbers[numberCount++] = tile.numbers[at] ?? 0
      else if (kind === TEXT || kind === FORMULA) {
        const old = tile.numbers[at] ?? 0
        let position = renumbered[old] ?? -1
        if (position < 0) {
          position = texts.push(tile.texts[old] ?? '') - 1
          renumbered[old] = position
        }
        positions[positionCount++] = position
      }
    }
  }
  const lengths = Uint16Array.from(texts, text => text.length)
  const joined = texts.join('')
  // Text from JSON may hold half a surrogate pair, which UTF-8 cannot carry.
  const wide = !joined.isWellFormed()
  const textBytes = Buffer.from(joined, wide ? 'utf16le' : 'utf8')
  const runs = formatRuns(tile.formats)
  const extras = tile.extras.size > 0 ? Buffer.from(JSON.stringify([...tile.extras])) : Buffer.alloc(0)
  const header = Uint32Array.of(
    VERSION,
    rows,
    columns,
    numberCount,
    positionCount,
    texts.length,
    textBytes.length,
    runs.length,
    extras.length,
    wide ? 1 : 0,
  )
  return Buffer.concat([
    bytesOf(header),
    bytesOf(numbers.subarray(0, numberCount)),
    bytesOf(runs),
    bytesOf(positions.subarray(0, positionCount)),
    bytesOf(lengths),
    kinds,
    textBytes,
    extras,
  ])
}

export function decodeTile(stored: Uint8Array): Tile {
  const bytes = aligned(stored)
  const [
    version,
    rows = 0,
    columns = 0,
    numbers_n = 0,
    places_n = 0,
    texts_n = 0,
    text_n = 0,
    runs_n = 0,
    extras_n = 0,
    wide,
  ] = new Uint32Array(bytes.buffer, 0, HEADER)
  if (version !== VERSION) throw new Error(`A tile of version ${version} cannot be read`)
  let offset = HEADER * 4
  const numbers = new Float64Array(bytes.buffer, offset, numbers_n)
  const runs = new Uint32Array(bytes.buffer, (offset += numbers_n * 8), runs_n)
  const positions = new Uint16Array(bytes.buffer, (offset += runs_n * 4), places_n)
  const lengths = new Uint16Array(bytes.buffer, (offset += places_n * 2), texts_n)
  const kinds = bytes.subarray((offset += texts_n * 2), offset + rows * columns)
  const text = Buffer.from(bytes.buffer, (offset += rows * columns), text_n).toString(
    wide ? 'utf16le' : 'utf8',
  )
  const tile = newTile()
  let nextNumber = 0
  let nextPosition = 0
  for (let row = 0, from = 0; row < rows; row++) {
    for (let at = row * TILE_COLUMNS, end = at + columns; at < end; at++, from++) {
      const kind = kinds[from] ?? EMPTY
      tile.kinds[at] = kind
      if (kind === NUMBER) tile.numbers[at] = numbers[nextNumber++] ?? 0
      else if (kind === TEXT || kind === FORMULA) tile.numbers[at] = positions[nextPosition++] ?? 0
    }
  }
  for (let i = 0, start = 0; i < texts_n; i++) {
    const end = start + (lengths[i] ?? 0)
    tile.texts.push(text.slice(start, end))
    start = end
  }
  tile.formats = formatsFrom(runs)
  if (extras_n > 0) tile.extras = extrasFrom(Buffer.from(bytes.buffer, offset + text_n, extras_n))
  return tile
}

function usedCorner({ kinds }: Tile) {
  let rows = 0
  let columns = 0
  for (let row = 0; row < TILE_ROWS; row++) {
    const start = row * TILE_COLUMNS
    for (let column = TILE_COLUMNS - 1; column >= 0; column--) {
      if (kinds[start + column] === EMPTY) continue
      rows = row + 1
      if (column >= columns) columns = column + 1
      break
    }
  }
  return { rows, columns }
}

/** Pairs of format and count, walking down column after column. */
function formatRuns(formats: Uint16Array | null): Uint32Array {
  if (!formats) return new Uint32Array()
  const runs: number[] = []
  let current = formats[0] ?? 0
  let count = 0
  for (let column = 0; column < TILE_COLUMNS; column++) {
    for (let at = column; at < TILE_CELLS; at += TILE_COLUMNS) {
      const format = formats[at] ?? 0
      if (format === current) count++
      else {
        runs.push(current, count)
        current = format
        count = 1
      }
    }
  }
  if (runs.length === 0 && current === 0) return new Uint32Array()
  runs.push(current, count)
  return Uint32Array.from(runs)
}

function formatsFrom(runs: Uint32Array): Uint16Array | null {
  if (runs.length === 0) return null
  const formats = new Uint16Array(TILE_CELLS)
  let i = 0
  for (let run = 0; run < runs.length; run += 2) {
    const format = runs[run] ?? 0
    const end = i + (runs[run + 1] ?? 0)
    if (format === 0) i = end
    else for (; i < end; i++) formats[(i % TILE_ROWS) * TILE_COLUMNS + Math.floor(i / TILE_ROWS)] = format
  }
  return formats
}

function extrasFrom(bytes: Buffer): Map<number, Extra> {
  return new Map<number, Extra>(JSON.parse(bytes.toString()))
}

const bytesOf = (array: Uint32Array | Uint16Array | Float64Array) =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

/** The same bytes at the start of a buffer of their own, so that numbers can be read without copying. */
const aligned = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)
