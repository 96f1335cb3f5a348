import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'

/**
 * Which worker processes work on a run. `shared`: one that has others beside it, whose tables are all small.
 * `alone`: one that has nothing else, a few at a time; for large tables, which would hold the small ones up,
 * and for what may be to blame for the end of its worker.
 */
export const pools = ['shared', 'alone'] as const
export type WorkerPool = (typeof pools)[number]

/** A table of more cells is made alone. This many take a tenth of a second at a stretch and some 30 MB. */
const LARGE_CELLS = 1_000_000

/**
 * Cells that an attempt may hold, those that filters will take away included. Alone it is four times what a
 * spreadsheet can: whatever is more would not fit into a worker's memory, and hardly ever into a spreadsheet.
 */
export const cellCapacity: Record<WorkerPool, number> = { shared: LARGE_CELLS, alone: 40_000_000 }

/**
 * Says of each run whether it is large: by its stored table, else by the report's last one. An attempt may
 * find out later that it is.
 */
export async function assignPools(trx: Db, runIds: readonly string[]): Promise<void> {
  await sql`
    update run set is_large = true
    from unnest(${runIds}::uuid[]) as enqueued (id)
    where run.id = enqueued.id and not run.is_large and coalesce(run.rows::bigint * run.columns, (
      select rows::bigint * columns from run before
      where before.report = run.report and before.status = 'completed' and before.rows is not null
      order by before.queued_at desc limit 1
    ), 0) > ${LARGE_CELLS}`.execute(trx)
}
