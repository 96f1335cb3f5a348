import type { StoredTable } from '#server/table/stored-table.ts'
import type { Db } from '#server/db/connect.ts'
import { plannedOnce } from '#server/db/planned-once.ts'
import { sql, type RawBuilder } from 'kysely'
import { leaseLost } from './failure.ts'
import { isHeldBy, type ClaimedRun } from './lease-queries.ts'
import { progressColumns, type RunProgress } from './queries.ts'

/** Tables of a report that are kept, for restoring and for comparing. */
export const RETAINED_TABLES = 5

/**
 * An older attempt, resumed after a pause, must not fill the table with chunks that are never read or
 * deleted.
 */
export async function insertChunk(db: Db, run: ClaimedRun, chunk: StoredChunk) {
  const { numAffectedRows } = await sql`
    insert into run_chunk ${chunkOf(chunk, sql`run`)}
    where id = ${run.id} and attempt = ${run.attempt} and status = 'fetching'`.execute(db)
  if (numAffectedRows !== 1n) throw leaseLost()
}

/** As a row of the runs in this relation. */
const chunkOf = ({ seq, first_row, rows, bytes }: StoredChunk, from: RawBuilder<unknown>) => sql`
  (run, attempt, seq, first_row, rows, bytes)
  select id, attempt, ${seq}::int, ${first_row}::int, ${rows}::int, ${bytes}::bytea from ${from}`

export interface StoredChunk {
  seq: number
  first_row: number
  rows: number
  bytes: Uint8Array
}

interface FinishedTable {
  columns: StoredTable['columns']
  rows: number
  note?: string | null
  last: StoredChunk | null
  progress: RunProgress
}

/**
 * Stores the last chunk: the stored table is valid from here on. Chunks of older attempts are deleted. false:
 * this attempt may change nothing any more, or the run is to be cancelled.
 */
export async function beginWriting(
  db: Db,
  run: ClaimedRun,
  { last, progress, ...table }: FinishedTable,
): Promise<boolean> {
  const writing = db
    .updateTable('run')
    .set({
      status: 'writing',
      table_columns: JSON.stringify(table.columns),
      table_rows: table.rows,
      table_note: table.note ?? null,
      table_attempt: run.attempt,
      rows: table.rows,
      columns: table.columns.length,
      ...run.journal.unsaved_plan,
      ...progressColumns(progress),
      ...run.journal.columns(),
      // It has made progress, so what crashed its workers is over.
      lost_leases: 0,
      worker_deaths: 0,
    })
    .where(isHeldBy(run))
    .where('cancel_requested_at', 'is', null)
    .returning(['id', 'attempt'])
  const { rows } = await sql`${plannedOnce}
    with held as (${writing}), older as (
      delete from run_chunk using held where run_chunk.run = held.id and run_chunk.attempt < held.attempt
    )${last ? sql`, last as (insert into run_chunk ${chunkOf(last, sql`held`)})` : sql``}
    select id from held`.execute(db)
  return rows.length === 1
}

export async function findTable(db: Db, run_id: string) {
  return await db
    .selectFrom('run')
    .select(['table_columns', 'table_rows', 'table_attempt', 'table_note', 'restores'])
    .where('id', '=', run_id)
    .executeTakeFirst()
}

/** The cell that the run writes its table to; null: a version of the program that did not store it. */
export async function startCellOf(db: Db, runId: string): Promise<string | null> {
  const found = await db
    .selectFrom('run')
    .select(sql<string | null>`plan #>> '{target,start_cell}'`.as('start_cell'))
    .where('id', '=', runId)
    .executeTakeFirst()
  return found?.start_cell ?? null
}

export async function findChunk(
  db: Db,
  { run_id, attempt, seq }: { run_id: string; attempt: number; seq: number },
) {
  return await db
    .selectFrom('run_chunk')
    .select(['first_row', 'rows', 'bytes'])
    .where('run', '=', run_id)
    .where('attempt', '=', attempt)
    .where('seq', '=', seq)
    .executeTakeFirst()
}

/** Deletes the chunks of all but the report's newest tables; one that was restored is as new as that. */
export async function deleteOldTables(db: Db, report_id: number): Promise<void> {
  const recent = db
    .selectFrom('run')
    .select(eb => eb.fn.coalesce('restores', 'id').as('table_of'))
    .where('report', '=', report_id)
    .where('table_rows', 'is not', null)
    .where('status', '=', 'completed')
    .groupBy(eb => eb.fn.coalesce('restores', 'id'))
    .orderBy(eb => eb.fn.max('queued_at'), 'desc')
    .limit(RETAINED_TABLES)
  await db
    .deleteFrom('run_chunk')
    .where('run', 'in', db.selectFrom('run').select('id').where('report', '=', report_id))
    .where('run', 'not in', recent)
    .execute()
}
