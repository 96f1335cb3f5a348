import type { StoredTable } from '#server/table/stored-table.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { Db } from '#server/db/connect.ts'
import { sql } from 'kysely'
import { leaseLost } from './failure.ts'
import type { ClaimedRun } from './lease-queries.ts'

/** Tables of a report that are kept, for restoring and for comparing. */
export const RETAINED_TABLES = 5

/**
 * An older attempt, resumed after a pause, must not fill the table with chunks that are never read or
 * deleted.
 */
export async function insertChunk(
  db: Db,
  run: ClaimedRun,
  { seq, first_row, rows, bytes }: { seq: number; first_row: number; rows: number; bytes: Uint8Array },
) {
  const { numAffectedRows } = await sql`
    insert into run_chunk (run, attempt, seq, first_row, rows, bytes)
    select id, attempt, ${seq}::int, ${first_row}::int, ${rows}::int, ${bytes}::bytea from run
    where id = ${run.id} and attempt = ${run.attempt} and status = 'fetching'`.execute(db)
  if (numAffectedRows !== 1n) throw leaseLost()
}

/** The stored table is valid from here on. Chunks of older attempts are deleted. */
export async function beginWriting(
  trx: Trx,
  run: ClaimedRun,
  table: { columns: StoredTable['columns']; rows: number; note?: string | null },
): Promise<void> {
  await trx.deleteFrom('run_chunk').where('run', '=', run.id).where('attempt', '<', run.attempt).execute()
  await trx
    .updateTable('run')
    .set({
      status: 'writing',
      table_columns: JSON.stringify(table.columns),
      table_rows: table.rows,
      table_note: table.note ?? null,
      table_attempt: run.attempt,
      rows: table.rows,
      columns: table.columns.length,
      ...run.journal.columns(),
      // It has made progress, so what crashed its workers is over.
      lost_leases: 0,
      worker_deaths: 0,
    })
    .where('id', '=', run.id)
    .execute()
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
export async function deleteOldTables(trx: Trx, report_id: number): Promise<void> {
  const recent = trx
    .selectFrom('run')
    .select(eb => eb.fn.coalesce('restores', 'id').as('table_of'))
    .where('report', '=', report_id)
    .where('table_rows', 'is not', null)
    .where('status', '=', 'completed')
    .groupBy(eb => eb.fn.coalesce('restores', 'id'))
    .orderBy(eb => eb.fn.max('queued_at'), 'desc')
    .limit(RETAINED_TABLES)
  await trx
    .deleteFrom('run_chunk')
    .where('run', 'in', trx.selectFrom('run').select('id').where('report', '=', report_id))
    .where('run', 'not in', recent)
    .execute()
}
