import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import type { Db } from '#server/db/connect.ts'
import { CHUNK_BYTES } from '#server/table/chunks.ts'
import type { StoredTable, TableChunk } from '#server/table/stored-table.ts'
import type { RunProgress } from './queries.ts'
import { beginWriting, findChunk, findTable, insertChunk, type StoredChunk } from './table-queries.ts'
import { runCancelled } from './failure.ts'
import { prefetched } from '#server/in-parallel.ts'
import { holdRun, type ClaimedRun } from './lease-queries.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/**
 * Stores the finished table before the first write: from then on every attempt of the run writes these bytes.
 * The chunks go in one by one, outside any transaction, since a large table takes longer than a heartbeat may
 * wait for the run's row; the last statement makes them valid. Returns the table if it has at most
 * `memory_bytes`, so that it need not be read; null: it has more.
 */
export async function storeTable(
  db: Db,
  run: ClaimedRun,
  {
    chunks,
    memory_bytes = ONE_CHUNK,
    ...table
  }: {
    columns: StoredTable['columns']
    rows: number
    note?: string | null
    /** What its page says of the blocks from then on. */
    progress: RunProgress
    chunks: AsyncIterable<TableChunk>
    /** Of JSON; left out: a chunk. */
    memory_bytes?: number
  },
): Promise<StoredTable | null> {
  let last: StoredChunk | null = null
  let inMemory: TableChunk[] | null = []
  let bytes = 0
  // While a chunk is inserted, the next one is compressed, and the one after that is made.
  for await (const { chunk, stored } of prefetched(compressed(prefetched(chunks)))) {
    if (last) await insertChunk(db, run, last)
    last = stored
    bytes += chunk.json.length
    if (bytes > memory_bytes) inMemory = null
    inMemory?.push(chunk)
  }
  run.journal.enter('writing')
  if (await beginWriting(db, run, { ...table, last })) {
    run.journal.unsaved_plan = null
    return inMemory && tableOf(inMemory, table)
  }
  // From there on the run writes, and a writing run finishes: that was the last moment to cancel it.
  await db.transaction().execute(trx => holdRun(trx, run))
  throw runCancelled()
}

const ONE_CHUNK = CHUNK_BYTES + 1

interface CompressedChunk {
  chunk: TableChunk
  stored: StoredChunk
}

async function* compressed(chunks: AsyncIterable<TableChunk>): AsyncGenerator<CompressedChunk> {
  let seq = 0
  for await (const chunk of chunks) {
    const { json, ...rows } = chunk
    const bytes = await compress(json, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
    yield { chunk, stored: { ...rows, seq: seq++, bytes } }
  }
}

const tableOf = (
  chunks: readonly TableChunk[],
  { columns, rows, note = null }: Pick<StoredTable, 'columns' | 'rows'> & { note?: string | null },
): StoredTable => ({
  columns,
  rows,
  note,
  async *chunks() {
    yield* chunks
  },
})

/**
 * The stored table of a run, read chunk by chunk; null when the run has none yet. A restore has the one of
 * the run that it restores.
 */
export async function readTable(db: Db, run_id: string): Promise<StoredTable | null> {
  const run = await findTable(db, run_id)
  if (!run?.table_columns || run.table_rows === null || run.table_attempt === null) return null
  const { table_attempt: attempt, table_rows: rows } = run
  return {
    columns: run.table_columns,
    rows,
    note: run.table_note,
    chunks: () => readChunks(db, { run_id: run.restores ?? run_id, attempt, rows }),
  }
}

/** The first rows of a stored table; null: it is no longer stored. */
export async function readFirstRows(db: Db, runId: string, most: number): Promise<FirstRows | null> {
  const run = await findTable(db, runId)
  if (!run?.table_columns || run.table_rows === null || run.table_attempt === null) return null
  const needed = Math.min(most, run.table_rows) + 1
  const rows: (string | number)[][] = []
  for (let seq = 0; rows.length < needed; seq++) {
    const chunk = await findChunk(db, { run_id: run.restores ?? runId, attempt: run.table_attempt, seq })
    // Newer runs of the report delete it, even at this moment.
    if (!chunk) return null
    // Written by ourselves: numbers and texts.
    rows.push(
      ...(JSON.parse((await decompress(chunk.bytes)).toString()) as (string | number)[][]).slice(
        0,
        needed - rows.length,
      ),
    )
  }
  return { columns: run.table_columns, rows: rows.slice(1), row_count: run.table_rows }
}

interface FirstRows {
  columns: StoredTable['columns']
  /** Without the header. */
  rows: (string | number)[][]
  /** Of the whole table. */
  row_count: number
}

/** Throws when rows are missing: part of a table must not be taken for the whole. */
async function* readChunks(
  db: Db,
  { run_id, attempt, rows }: { run_id: string; attempt: number; rows: number },
): AsyncIterable<TableChunk> {
  let read = 0
  for (let seq = 0; ; seq++) {
    const chunk = await findChunk(db, { run_id, attempt, seq })
    if (!chunk && read <= rows) throw new Error(`a stored table has ${read} of ${rows + 1} rows`)
    if (!chunk) return
    read += chunk.rows
    yield { first_row: chunk.first_row, rows: chunk.rows, json: await decompress(chunk.bytes) }
  }
}
