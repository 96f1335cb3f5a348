import type { StoredTable, TableChunk } from '#server/table/stored-table.ts'
import type { CellValue } from './body.ts'

export interface ChunkLimits {
  bytes: number
  cells: number
}

/** Rows that are sent in one request. */
export interface RequestChunk {
  /** 0-based; row 0 is the header. */
  first_row: number
  rows: number
  /** The parts of a JSON array of rows: bytes of the stored chunks, which are not copied. */
  json: Uint8Array[]
}

/**
 * The table's chunks joined or split so that each is one good request: small ones are joined, one with too
 * many cells for the service's time limit is split. Either leaves the bytes where they are.
 */
export async function* requestChunks(
  table: Pick<StoredTable, 'columns' | 'chunks'>,
  limits: ChunkLimits,
): AsyncGenerator<RequestChunk> {
  const rowsAllowed = Math.max(1, Math.floor(limits.cells / table.columns.length))
  let waiting: TableChunk[] = []
  for await (const chunk of table.chunks()) {
    for (let rest = chunk; rest.rows > 0;) {
      const piece = rest.rows > rowsAllowed ? firstOf(rest, rowsAllowed - sizeOf(waiting).rows) : rest
      const { bytes, rows } = sizeOf([...waiting, piece])
      const isFitting = waiting.length === 0 || (bytes <= limits.bytes && rows <= rowsAllowed)
      if (isFitting) {
        waiting.push(piece)
        rest = restOf(rest, piece)
      }
      if (!isFitting || rows === rowsAllowed) {
        yield joined(waiting)
        waiting = []
      }
    }
  }
  if (waiting.length > 0) yield joined(waiting)
}

function joined(chunks: TableChunk[]): RequestChunk {
  return { first_row: chunks[0]?.first_row ?? 0, rows: sizeOf(chunks).rows, json: joinedJson(chunks) }
}

const sizeOf = (chunks: TableChunk[]) => ({
  bytes: chunks.reduce((sum, chunk) => sum + chunk.json.length - 1, 1),
  rows: chunks.reduce((sum, chunk) => sum + chunk.rows, 0),
})

/** The rows of several chunks as the parts of one JSON array. */
export function joinedJson(chunks: TableChunk[]): Uint8Array[] {
  const inner = chunks.filter(chunk => chunk.rows > 0).map(chunk => chunk.json.subarray(1, -1))
  return [START, ...inner.flatMap((bytes, index) => (index === 0 ? [bytes] : [COMMA, bytes])), END]
}

/** So many of the first rows. The bytes around them stand for brackets, as `joinedJson` takes them. */
const firstOf = ({ first_row, json }: TableChunk, rows: number): TableChunk => ({
  first_row,
  rows,
  json: json.subarray(0, endOfRow(json, rows) + 1),
})

const restOf = ({ first_row, rows, json }: TableChunk, piece: TableChunk): TableChunk => ({
  first_row: first_row + piece.rows,
  rows: rows - piece.rows,
  json: json.subarray(piece.json.length - 1),
})

/** The rows of a chunk. */
export const rowsOf = (chunk: TableChunk): CellValue[][] => parsed(chunk.json)

/** At most this many of a chunk's first rows, without reading the rest of it. */
export const firstRowsOf = ({ json }: Pick<TableChunk, 'json'>, most: number): CellValue[][] =>
  parsed(Buffer.concat([json.subarray(0, endOfRow(json, most)), END]))

const [START, COMMA, END] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')]
const [QUOTE, BACKSLASH, OPEN, CLOSE] = [...Buffer.from('"\\[]')]

/** Where the row with this number, counted from 1, has ended, or else the last one. */
function endOfRow(json: Uint8Array, number: number): number {
  let [depth, rows, isText] = [1, 0, false]
  for (let at = 1; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) isText = !isText
    else if (isText) at += byte === BACKSLASH ? 1 : 0
    else if (byte === OPEN) depth++
    else if (byte === CLOSE && --depth === 1 && ++rows === number) return at + 1
  }
  return json.length - 1
}

/** Written by ourselves, so it is not validated again. */
const parsed = ({ buffer, byteOffset, byteLength }: Uint8Array): CellValue[][] =>
  JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString())
