import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { sql, type Transaction } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'
import type { StoredTable, TableChunk } from '#server/table/stored-table.ts'
import { holdRun, LeaseLost, RunCancelled, type ClaimedRun } from './lease.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Tables of a report that are kept, for undo and for what changed. */
export const KEPT_TABLES = 5

/**
 * Stores the finished table before the first write: from then on every attempt of the run writes these bytes. The chunks go in one by one,
 * outside any transaction, since a large table takes longer than a heartbeat may wait for the run's row; the last statement makes them count.
 */
export async function storeTable(
  db: Db,
  run: ClaimedRun,
  table: { columns: StoredTable['columns']; rows: number },
  chunks: Iterable<TableChunk> | AsyncIterable<TableChunk>,
): Promise<void> {
  let seq = 0
  for await (const chunk of chunks) {
    const bytes = await compress(chunk.json, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
    await insertChunk(db, run, { ...chunk, seq: seq++, bytes })
  }
  await db.transaction().execute(async trx => {
    const { is_cancelled } = await holdRun(trx, run)
    // From here on the run writes, and what writes is let finish: this is the last moment for a wish that came while it fetched.
    if (is_cancelled) throw new RunCancelled()
    run.journal.enter('writing')
    await trx.deleteFrom('run_chunk').where('run', '=', run.id).where('attempt', '<', run.attempt).execute()
    await trx
      .updateTable('run')
      .set({
        status: 'writing',
        table_columns: JSON.stringify(table.columns),
        table_rows: table.rows,
        table_attempt: run.attempt,
        rows: table.rows,
        columns: table.columns.length,
        ...run.journal.columns(),
        // It has got on, so whatever took its workers down is behind it.
        lost_leases: 0,
        worker_deaths: 0,
      })
      .where('id', '=', run.id)
      .execute()
  })
}

/** An older attempt, resumed after a pause, must not fill the table with chunks that nobody will read or delete. */
async function insertChunk(
  db: Db,
  run: ClaimedRun,
  { seq, first_row, rows, bytes }: { seq: number; first_row: number; rows: number; bytes: Uint8Array },
) {
  const { numAffectedRows } = await sql`
    insert into run_chunk (run, attempt, seq, first_row, rows, bytes)
    select id, attempt, ${seq}::int, ${first_row}::int, ${rows}::int, ${bytes}::bytea from run
    where id = ${run.id} and attempt = ${run.attempt} and status = 'fetching'`.execute(db)
  if (numAffectedRows !== 1n) throw new LeaseLost()
}

/** The stored table of a run, read chunk by chunk; null when the run has none yet. An undo has the one of the run that it restores. */
export async function readTable(db: Db, run_id: string): Promise<StoredTable | null> {
  const run = await db
    .selectFrom('run')
    .select(['table_columns', 'table_rows', 'table_attempt', 'restores'])
    .where('id', '=', run_id)
    .executeTakeFirst()
  if (!run?.table_columns || run.table_rows === null || run.table_attempt === null) return null
  const { table_attempt: attempt, table_rows: rows } = run
  return {
    columns: run.table_columns,
    rows,
    chunks: () => readChunks(db, { run_id: run.restores ?? run_id, attempt, rows }),
  }
}

/** Throws when rows are missing: part of a table must not pass for the whole. */
async function* readChunks(
  db: Db,
  { run_id, attempt, rows }: { run_id: string; attempt: number; rows: number },
): AsyncIterable<TableChunk> {
  let read = 0
  for (let seq = 0; ; seq++) {
    const chunk = await db
      .selectFrom('run_chunk')
      .select(['first_row', 'rows', 'bytes'])
      .where('run', '=', run_id)
      .where('attempt', '=', attempt)
      .where('seq', '=', seq)
      .executeTakeFirst()
    if (!chunk && read <= rows) throw new Error(`a stored table has ${read} of ${rows + 1} rows`)
    if (!chunk) return
    read += chunk.rows
    yield { first_row: chunk.first_row, rows: chunk.rows, json: await decompress(chunk.bytes) }
  }
}

/** Throws away the chunks of all but the report's newest tables; one that was written back is as new as that. */
export async function forgetOldTables(trx: Transaction<Database>, report_id: number): Promise<void> {
  const kept = trx
    .selectFrom('run')
    .select(eb => eb.fn.coalesce('restores', 'id').as('table_of'))
    .where('report', '=', report_id)
    .where('table_rows', 'is not', null)
    .where('status', '=', 'completed')
    .groupBy(eb => eb.fn.coalesce('restores', 'id'))
    .orderBy(eb => eb.fn.max('queued_at'), 'desc')
    .limit(KEPT_TABLES)
  await trx
    .deleteFrom('run_chunk')
    .where('run', 'in', trx.selectFrom('run').select('id').where('report', '=', report_id))
    .where('run', 'not in', kept)
    .execute()
}
