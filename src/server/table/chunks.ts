import type { TableChunk } from './stored-table.ts'
import { fillBatch, openBatch, writeCells, type Batch } from './batch.ts'
import { cellsOf } from './cells.ts'
import { ensure, openOutput, writeByte, writeText, type Output } from './json-bytes.ts'
import type { Segment, Table } from './shape.ts'

/** Bytes of a chunk, at most, unless a single row has more. */
export const CHUNK_BYTES = 2_000_000
/** Of the rows that are written together, so that the buffer seldom grows. */
const SPARE_BYTES = 256 * 1024

/** The header and the rows as JSON, in chunks; the same table gives the same bytes. */
export function* chunksOf(table: Table, maxBytes: number = CHUNK_BYTES): Generator<TableChunk> {
  const writer: ChunkWriter = { ...openOutput(maxBytes + SPARE_BYTES), first_row: 0, rows: 0, maxBytes }
  writeHeader(writer, table)
  const segments = table.segments.map(segment => ({
    ...segment,
    batch: openBatch(cellsOf(table, segment)),
  }))
  for (let from = 0; from < table.order.length;) {
    const first = table.order[from] ?? 0
    const segment = segments.find(({ start, count }) => first < start + count)
    if (!segment) break
    const { batch } = segment
    takeRows(batch, table.order.subarray(from), segment)
    from += batch.length
    ensure(writer, fillBatch(batch))
    for (let row = writeRows(writer, batch, 0); row < batch.length; row = writeRows(writer, batch, row))
      yield cut(writer)
  }
  yield cut(writer)
}

/** The next rows, as long as they are of the same segment. */
function takeRows(batch: Batch, order: Int32Array, { start, count }: Segment): void {
  const { rows } = batch
  const most = Math.min(rows.length, order.length)
  let length = 0
  for (; length < most; length++) {
    const row = (order[length] ?? 0) - start
    if (row < 0 || row >= count) break
    rows[length] = row
  }
  batch.length = length
}

interface ChunkWriter extends Output {
  first_row: number
  rows: number
  maxBytes: number
}

const OPEN = 0x5b
const CLOSE = 0x5d
const COMMA = 0x2c

function writeHeader(writer: ChunkWriter, { columns }: Table): void {
  beginRow(writer)
  for (const { title } of columns) {
    writeText(writer, title)
    writeByte(writer, COMMA)
  }
  endRow(writer)
  writer.rows = 1
}

/** Writes rows of a batch from one on; returns the first that the chunk has no space for. */
function writeRows(writer: ChunkWriter, { columns, length }: Batch, from: number): number {
  for (let row = from; row < length; row++) {
    const start = writer.at
    beginRow(writer)
    writeCells(writer, columns, row)
    endRow(writer)
    if (writer.rows > 0 && writer.at >= writer.maxBytes) {
      writer.at = start
      return row
    }
    writer.rows++
  }
  return length
}

function beginRow(writer: ChunkWriter): void {
  writeByte(writer, writer.rows === 0 ? OPEN : COMMA)
  writeByte(writer, OPEN)
}

/** The comma behind the last cell becomes the bracket; a row without cells has none. */
function endRow(writer: ChunkWriter): void {
  if (writer.bytes[writer.at - 1] === COMMA) writer.at--
  writeByte(writer, CLOSE)
}

/** The rows so far as a chunk of their own; the next one is empty. */
function cut(writer: ChunkWriter): TableChunk {
  const { bytes, at, first_row, rows } = writer
  const json = new Uint8Array(at + 1)
  json.set(bytes.subarray(0, at))
  json[at] = CLOSE
  writer.first_row += rows
  writer.rows = 0
  writer.at = 0
  return { first_row, rows, json }
}
