import { z } from 'zod'
import { RunChanges, type Compared } from '#shared/api/run-changes.ts'
import type { Db } from '#server/db/connect.ts'
import type { Plan } from '#server/table/plan.ts'
import type { ColumnFormat, StoredTable } from '#server/table/stored-table.ts'
import { savedPlan } from '#server/resources/runs/plan-of.ts'
import { readTable } from '#server/resources/runs/table-store.ts'
import { compareTables, OutOfOrder, rowOrder, type CellValue, type Comparison, type Row } from './compare.ts'
import { layOut, type LaidOut } from './layout.ts'
import { findCompared, saveChanges, runBefore } from './queries.ts'

/** Of both tables together: a spreadsheet holds ten million, and those are read within seconds. */
export const MOST_COMPARED_CELLS = 20_000_000

/** Of a table whose rows are sorted by something else than its dimensions, which takes memory. */
const MOST_SORTED_CELLS = 4_000_000

/**
 * The changes of a run's table from the one before it. Computed at the first request, as long as both tables
 * are kept, and stored from then on, since neither changes any more. null: there is no such run.
 */
export async function changesOf(
  db: Db,
  runOf: { report: number; run: string },
  most_cells = MOST_COMPARED_CELLS,
): Promise<RunChanges | null> {
  const run = await findCompared(db, runOf)
  if (!run) return null
  if (run.changes !== null) return run.changes
  if (run.status !== 'completed' || !run.written || !run.finished_at) return { status: 'no_table' }
  const before = await runBefore(db, { report: run.report, finished_at: run.finished_at })
  if (!before?.fetched_at) return { status: 'first' }
  const [older, newer] = [await readTable(db, before.id), await readTable(db, run.id)]
  if (!older || !newer || !before.has_table || !run.has_table) return { status: 'not_kept' }
  if (cellsIn(older) + cellsIn(newer) > most_cells) return { status: 'too_large' }
  const [was, is] = [savedPlan(before.plan).plan, savedPlan(run.plan).plan]
  const isTooLong = (table: StoredTable, plan: Plan) =>
    plan.sort !== null && cellsIn(table) > MOST_SORTED_CELLS
  if (isTooLong(older, was) || isTooLong(newer, is)) return { status: 'too_large' }
  const laid_out = layOut({ columns: older.columns, plan: was }, { columns: newer.columns, plan: is })
  const compared =
    laid_out && (await compare(inKeyOrder(older, was, laid_out), inKeyOrder(newer, is, laid_out), laid_out))
  if (!laid_out || !compared) return { status: 'not_alike' }
  const changes = presented(laid_out, compared, { run: before.id, at: before.fetched_at.toISOString() })
  await saveChanges(db, run.id, changes)
  return changes
}

const cellsIn = ({ rows, columns }: StoredTable) => rows * columns.length

async function compare(older: Rows, newer: Rows, { layout }: LaidOut): Promise<Comparison | null> {
  try {
    return await compareTables(older, newer, layout)
  } catch (error) {
    if (error instanceof OutOfOrder) return null
    throw error
  }
}

type Rows = AsyncIterable<readonly Row[]>

/** A table that is sorted by something else is read as a whole. */
async function* inKeyOrder(table: StoredTable, { sort }: Plan, { layout }: LaidOut): Rows {
  if (sort === null) return yield* rowsOf(table)
  const rows: Row[] = []
  for await (const some of rowsOf(table)) rows.push(...some)
  yield rows.toSorted(rowOrder(layout))
}

// Only the outer structure is checked: this program has written the cells itself, and there may be millions.
const StoredRows = z.custom<Row[]>(value => Array.isArray(value) && value.every(row => Array.isArray(row)))

/** Batch by batch, without the header. */
async function* rowsOf(table: StoredTable): Rows {
  const decoder = new TextDecoder()
  for await (const { json, first_row } of table.chunks()) {
    const rows = StoredRows.parse(JSON.parse(decoder.decode(json)))
    yield first_row === 0 ? rows.slice(1) : rows
  }
}

function presented(
  { by, columns, columns_added, columns_removed }: LaidOut,
  { rows, count, moved }: Comparison,
  before: Compared['before'],
): Compared {
  return {
    status: 'compared',
    before,
    by,
    columns: columns.map(({ title, format }) => ({ title, ...displayOf(format) })),
    columns_added,
    columns_removed,
    rows,
    count,
    moved: moved.map(group => ({
      ...group,
      key: group.key.map(keyText),
    })),
  }
}

const displayOf = (format: ColumnFormat): { kind: 'text' | 'number' | 'percent'; digits: number } =>
  format.kind === 'number' || format.kind === 'percent' ? format : { kind: 'text', digits: 0 }

/** Days are stored as the serial numbers of spreadsheets. */
const keyText = (cell: CellValue): string =>
  typeof cell === 'number' ? FIRST_DAY.add({ days: cell }).toString() : cell

const FIRST_DAY = Temporal.PlainDate.from('1899-12-30')
