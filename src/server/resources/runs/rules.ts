import { parseStartCell } from '#shared/cell.ts'
import type { Run } from '#shared/api/executions.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Written } from '#server/db/tables/runs.ts'

export type TableState = Run['table']

/** What determines whether the table of a run can be restored. */
export interface RunTable {
  status: Run['status']
  /** The run that fetched it: of a restore, the one that it restored. */
  table_of: string
  written: Written | null
  /** Whether its chunks still exist. */
  has_table: boolean
}

export interface Target {
  spreadsheet_id: string | null
  sheet_id: number | null
  start_cell: string
}

/**
 * current: it is what the report wrote last. kept: it can be restored. elsewhere: it was written to another
 * target than the report's present one, where what it would cover is not this report's. null: it is gone.
 */
export function tableState(
  { status, table_of, written, has_table }: RunTable,
  { current, target }: { current: string | null; target: Target },
): TableState {
  if (status !== 'completed' || !written) return null
  if (table_of === current) return 'current'
  if (!has_table) return null
  return isAt(written, target) ? 'kept' : 'elsewhere'
}

/** Why the table may not be restored; null when it may. */
export const whyNotRestore = (state: TableState): ErrorCode | null =>
  state === null ? 'table_not_kept' : refusals[state]

const refusals = {
  current: 'table_is_current',
  kept: null,
  elsewhere: 'target_changed',
} as const satisfies Record<NonNullable<TableState>, ErrorCode | null>

/** The tab's own id counts, not its name: a tab that was only renamed is the same target. */
function isAt({ spreadsheet_id, sheet_id, rect }: Written, target: Target): boolean {
  const cell = parseStartCell(target.start_cell)
  if (typeof cell === 'string') return false
  return (
    target.spreadsheet_id === spreadsheet_id &&
    target.sheet_id === sheet_id &&
    cell.row === rect[0] &&
    cell.column === rect[1]
  )
}
