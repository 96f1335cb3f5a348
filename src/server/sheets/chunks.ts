import type { StoredTable, TableChunk } from '#server/table/stored-table.ts'
import type { CellValue } from './body.ts'

const BRACKETS = 2
const COMMA = Buffer.from(',')

export interface ChunkLimits {
  bytes: number
  cells: number
}

/**
 * The table's chunks joined or split so that each is one good request: small ones are joined as bytes,
 * unread; one with too many cells for the service's time limit is split.
 */
export async function* requestChunks(
  table: Pick<StoredTable, 'columns' | 'chunks'>,
  limits: ChunkLimits,
): AsyncIterable<TableChunk> {
  const rows_allowed = Math.max(1, Math.floor(limits.cells / table.columns.length))
  let waiting: TableChunk[] = []
  for await (const chunk of table.chunks()) {
    for (const piece of pieces(chunk, rows_allowed)) {
      const [bytes, rows] = sizeOf([...waiting, piece])
      if (waiting.length > 0 && (bytes > limits.bytes || rows > rows_allowed)) {
        yield joined(waiting)
        waiting = []
      }
      waiting.push(piece)
    }
  }
  if (waiting.length > 0) yield joined(waiting)
}

/** The rows of a chunk. */
export const rowsOf = (chunk: TableChunk): CellValue[][] => parsed(chunk.json)

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [...Buffer.from('"\\[]')]

/** At most this many of a chunk's first rows, without reading the rest of it. */
export function firstRowsOf({ json }: Pick<TableChunk, 'json'>, most: number): CellValue[][] {
  let [depth, rows, isText] = [0, 0, false]
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) isText = !isText
    else if (isText) at += byte === BACKSLASH ? 1 : 0
    else if (byte === OPEN) depth++
    else if (byte === CLOSE) {
      depth--
      if (depth === 1 && ++rows === most) return parsed(Buffer.concat([json.subarray(0, at + 1), END]))
    }
  }
  return parsed(json)
}
const END = Buffer.from(']')

/** Written by ourselves, so it is not validated again. */
const parsed = (json: Uint8Array): CellValue[][] => JSON.parse(Buffer.from(json).toString())

/** The rows of several chunks as one JSON array, without reading them. */
export function joinedJson(chunks: TableChunk[]): Buffer {
  const inner = chunks.filter(chunk => chunk.rows > 0).map(chunk => chunk.json.subarray(1, -1))
  return Buffer.concat([
    Buffer.from('['),
    ...inner.flatMap((bytes, index) => (index === 0 ? [bytes] : [COMMA, bytes])),
    Buffer.from(']'),
  ])
}

function joined(chunks: TableChunk[]): TableChunk {
  const [first] = chunks
  if (first && chunks.length === 1) return first
  return {
    first_row: first?.first_row ?? 0,
    rows: chunks.reduce((sum, chunk) => sum + chunk.rows, 0),
    json: joinedJson(chunks),
  }
}

const sizeOf = (chunks: TableChunk[]): [bytes: number, rows: number] => [
  chunks.reduce((sum, chunk) => sum + chunk.json.length - 1, BRACKETS - 1),
  chunks.reduce((sum, chunk) => sum + chunk.rows, 0),
]

function* pieces(chunk: TableChunk, rows_allowed: number): Iterable<TableChunk> {
  if (chunk.rows <= rows_allowed) {
    if (chunk.rows > 0) yield chunk
    return
  }
  const rows = rowsOf(chunk)
  for (let from = 0; from < rows.length; from += rows_allowed) {
    const part = rows.slice(from, from + rows_allowed)
    yield { first_row: chunk.first_row + from, rows: part.length, json: Buffer.from(JSON.stringify(part)) }
  }
}
