import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'

/**
 * Where a run is worked on. `shared`: in a process with others, whose tables are all small. `alone`: in a
 * process of its own, a few at a time; for large tables, which would hold the small ones up, and for what may
 * be to blame for the end of its worker.
 */
export const lanes = ['shared', 'alone'] as const
export type Lane = (typeof lanes)[number]

/** A table of more cells is made alone. This many take a tenth of a second at a stretch and some 30 MB. */
const LARGE_CELLS = 1_000_000

/**
 * Cells that an attempt may hold, those that filters will take away included. Alone it is four times what a
 * spreadsheet can: whatever is more would not fit into a worker's memory, and hardly ever into a spreadsheet.
 */
export const roomIn: Record<Lane, number> = { shared: LARGE_CELLS, alone: 40_000_000 }

/** The lane of each run: by what an attempt has found, by its stored table, else by the report's last one. */
export async function lanesOf(db: Db, run_ids: readonly string[]): Promise<Map<string, Lane>> {
  const { rows } = await sql<{ id: string; lane: Lane }>`
    select run.id, case when
      run.is_large
      -- Twice may have been a neighbour's fault; the third time it is by itself, so that nobody else is set aside for it.
      or run.lost_leases > 0 and run.status in ('fetching', 'writing')
      or coalesce(run.rows::bigint * run.columns, last.cells, 0) > ${LARGE_CELLS}
      then 'alone' else 'shared' end as lane
    from run left join lateral (
      select rows::bigint * columns as cells from run before
      where before.report = run.report and before.status = 'completed' and before.rows is not null
      order by before.queued_at desc limit 1
    ) last on true
    where run.id = any(${run_ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, lane }) => [id, lane]))
}
