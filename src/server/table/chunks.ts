import type { TableChunk } from './stored-table.ts'
import { cellsOf, writeCell } from './cells.ts'
import { ensure, NUMBER_BYTES, writeByte, writeText, type Output } from './json-bytes.ts'
import type { Table } from './shape.ts'

/** Bytes of a chunk, at most, unless a single row has more. */
export const CHUNK_BYTES = 2_000_000

/** The header and the rows as JSON, in chunks; the same table gives the same bytes. */
export function* chunksOf(table: Table, maxBytes: number = CHUNK_BYTES): Generator<TableChunk> {
  const writer: ChunkWriter = { bytes: new Uint8Array(maxBytes), at: 0, first_row: 0, rows: 0, maxBytes }
  beginRow(writer)
  table.columns.forEach(({ title }) => {
    writeText(writer, title)
    endCell(writer)
  })
  endRow(writer, 0)
  const segments = table.segments.map(segment => ({ ...segment, cells: cellsOf(table, segment) }))
  let current = segments[0]
  for (const number of table.order) {
    if (!current || number < current.start || number >= current.start + current.count)
      current = segments.find(({ start, count }) => number < start + count)
    const { cells, start: first } = current ?? { cells: [], start: 0 }
    const start = beginRow(writer)
    for (const cell of cells) {
      ensure(writer, NUMBER_BYTES)
      writeCell(writer, cell, number - first)
      endCell(writer)
    }
    const full = endRow(writer, start)
    if (full) yield full
  }
  yield cut(writer, writer.at)
}

interface ChunkWriter extends Output {
  first_row: number
  rows: number
  maxBytes: number
}

const OPEN = 0x5b
const CLOSE = 0x5d
const COMMA = 0x2c

/** Where the row begins, comma or bracket included. */
function beginRow(writer: ChunkWriter): number {
  const start = writer.at
  ensure(writer, 2)
  writeByte(writer, writer.rows === 0 ? OPEN : COMMA)
  writeByte(writer, OPEN)
  return start
}

function endCell(writer: ChunkWriter): void {
  writeByte(writer, COMMA)
}

/**
 * Closes the row that began at `start`; when the chunk has become too long by it, the rows before are
 * emitted.
 */
function endRow(writer: ChunkWriter, start: number): TableChunk | null {
  // The comma behind the last cell becomes the bracket; a row without cells has none.
  if (writer.bytes[writer.at - 1] === COMMA) writer.at--
  else ensure(writer, 1)
  writeByte(writer, CLOSE)
  if (writer.rows === 0 || writer.at < writer.maxBytes) {
    writer.rows++
    return null
  }
  const row = writer.bytes.slice(start + 1, writer.at)
  const chunk = cut(writer, start)
  writer.at = 0
  ensure(writer, row.length + 1)
  writeByte(writer, OPEN)
  writer.bytes.set(row, 1)
  writer.at = row.length + 1
  writer.rows = 1
  return chunk
}

/** The first `length` bytes as a chunk of their own. */
function cut(writer: ChunkWriter, length: number): TableChunk {
  const json = new Uint8Array(length + 1)
  json.set(writer.bytes.subarray(0, length))
  json[length] = CLOSE
  const chunk = { first_row: writer.first_row, rows: writer.rows, json }
  writer.first_row += writer.rows
  return chunk
}
