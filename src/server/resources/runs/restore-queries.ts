import { randomUUIDv7 } from 'node:crypto'
import type { Trx } from '#server/db/transaction.ts'
import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { Target } from './plan-of.ts'
import { lastToWrite } from './queries.ts'

/**
 * The run whose table the report wrote last: of a restore the one that it restored. null: it has written
 * none.
 */
export async function currentTable(db: Db, report_id: number): Promise<string | null> {
  const last = await lastToWrite(db, report_id)
    .select(eb => eb.fn.coalesce('restores', 'id').as('table_of'))
    .executeTakeFirst()
  return last?.table_of ?? null
}

/**
 * A run that begins where others have stored their table: it has the plan, the columns, the chunks and the
 * note of the run that it restores, so every step from there on (lease, writing, fencing, verifying,
 * recording) is that of any run. The target is the report's present one, fixed at this moment. null: another
 * run of the report is under way.
 */
export async function insertRestore(
  trx: Trx,
  undo: { table_of: string; requested_by: number; owner: number; target: Target },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into run (
      id, report, owner, trigger, requested_by, status, restores, plan, report_version, range_start, range_end,
      table_columns, table_rows, table_attempt, table_note, rows, columns
    )
    select ${randomUUIDv7()}, report, ${undo.owner}, 'undo', ${undo.requested_by}, 'queued', id,
      jsonb_set(plan, '{target}', ${JSON.stringify(undo.target)}::jsonb), report_version, range_start, range_end,
      table_columns, table_rows, table_attempt, table_note, rows, columns
    from run where id = ${undo.table_of} and table_rows is not null
    on conflict do nothing
    returning id`.execute(trx)
  return rows[0]?.id ?? null
}

/** The run of the report that waits or is in progress. */
export async function runUnderWay(db: Db, report_id: number) {
  return await db
    .selectFrom('run')
    .select(['id', 'restores'])
    .where('report', '=', report_id)
    .where('status', 'in', ['queued', 'fetching', 'writing'])
    .executeTakeFirst()
}
