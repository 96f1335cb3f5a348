import { sql, type RawBuilder } from 'kysely'

/**
 * The pool of worker processes that execute a run. `shared`: a process executes many at a time, all of small
 * tables. `alone`: one process a run, a few at a time; for large tables, which would block the small ones,
 * and for runs that may have crashed their worker.
 */
export const pools = ['shared', 'alone'] as const
export type WorkerPool = (typeof pools)[number]

/** A larger table goes to the pool `alone`. This many cells block for a tenth of a second and take 30 MB. */
const LARGE_CELLS = 1_000_000

/**
 * Cells that an attempt may hold, before filters. In `alone` it is four times what a spreadsheet can: more
 * would not fit into a worker's memory, and hardly ever into a spreadsheet.
 */
export const cellCapacity: Record<WorkerPool, number> = { shared: LARGE_CELLS, alone: 40_000_000 }

/**
 * Marks the runs that are large: by the stored table, else by the report's previous one. An attempt may still
 * find out that it is. A statement that others begin with; it returns their ids.
 */
export const markLargeRuns = (runIds: readonly string[]): RawBuilder<{ id: string }> => sql`
  update run set is_large = true
  from unnest(${runIds}::uuid[]) as enqueued (id)
  where run.id = enqueued.id and not run.is_large and coalesce(run.rows::bigint * run.columns, (
    select rows::bigint * columns from run previous
    where previous.report = run.report and previous.status = 'completed' and previous.rows is not null
    order by previous.queued_at desc limit 1
  ), 0) > ${LARGE_CELLS}
  returning run.id`
