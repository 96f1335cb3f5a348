import type { Person } from '#shared/access.ts'
import type { FirstRows } from '#shared/api/first-rows.ts'
import { PREVIEW_ROWS } from '#shared/api/preview.ts'
import type { Db } from '#server/db/connect.ts'
import { findRun, type VisibleRun } from './history-queries.ts'
import { startCellOf } from './table-queries.ts'
import { readFirstRows } from './table-store.ts'

/** The first rows of a run's table, from when it is stored; for whoever may see the run. */
export async function firstRowsOf(db: Db, viewer: Person, run: VisibleRun): Promise<FirstRows> {
  if (run.rows === null) return { status: 'no_table' }
  // A restore may be visible although the run that fetched its table is not.
  const isFetchVisible =
    run.restores === null || (await findRun(db, viewer, { report: run.report, run: run.restores })) !== null
  const table = isFetchVisible ? await readFirstRows(db, run.id, PREVIEW_ROWS) : null
  if (!table) return { status: 'not_kept' }
  const fetchedAt = run.restored_at ?? run.finished_at
  return {
    status: 'stored',
    ...table,
    start_cell: (await startCellOf(db, run.id)) ?? 'A1',
    as_of: fetchedAt?.toISOString() ?? null,
  }
}
