import type { TargetSheet } from './api/targets.ts'
import { MAX_CELLS, type Cell, type Rect } from './cell.ts'
import { rectAt, type TableSize } from './overlap.ts'

/** How many of a spreadsheet's cells would be in use: the grids of its tabs count, filled or not. */
export interface CellBudget {
  limit: number
  /** With the new table. */
  total: number
  /** By how much this sheet's grid grows for it. */
  growth: number
  /** The grids after that, largest first. */
  tabs: { sheet_id: number; title: string; cells: number }[]
  savings: Saving[]
}

/** One way to need fewer cells, and how many it frees. */
export type Saving =
  | { kind: 'no_zeros'; cells: number }
  | { kind: 'half_range'; cells: number }
  | { kind: 'trim_columns'; title: string; columns: number; cells: number }
  | { kind: 'trim_rows'; title: string; rows: number; cells: number }

export interface BudgetRequest {
  start: Cell
  size: TableSize
  /**
   * Rows with the header if empty combinations were left out; null: it is not filled with 0, or that is
   * unknown.
   */
  rows_without_zeros: number | null
  /** Whether fewer days would mean fewer rows. */
  is_by_time: boolean
}

export function cellBudget(target: TargetSheet, request: BudgetRequest, limit = MAX_CELLS): CellBudget {
  const { start, size, rows_without_zeros, is_by_time } = request
  const totalWith = (rows: number) => sumOf(gridsWith(target, rectAt(start, { ...size, rows })))
  const grids = gridsWith(target, rectAt(start, size))
  const total = sumOf(grids)
  const shorter = (kind: 'no_zeros' | 'half_range', rows: number | null): Saving[] => {
    const cells = rows === null ? 0 : total - totalWith(rows)
    return cells > 0 ? [{ kind, cells }] : []
  }
  const savings = [
    ...shorter('no_zeros', rows_without_zeros),
    ...shorter('half_range', is_by_time ? Math.ceil(size.rows / 2) : null),
    ...unusedColumns(target, { grids, rect: rectAt(start, size) }),
    ...unusedRows(target, rectAt(start, size)),
  ]
  return {
    limit,
    total,
    growth: total - sumOf(gridsWith(target, null)),
    tabs: grids
      .map(({ sheet_id, title, rows, columns }) => ({ sheet_id, title, cells: rows * columns }))
      .toSorted((a, b) => b.cells - a.cells),
    savings: savings.toSorted((a, b) => b.cells - a.cells),
  }
}

type Grid = Pick<TargetSheet['tabs'][number], 'sheet_id' | 'title' | 'rows' | 'columns' | 'used_columns'>

/**
 * The grids of all sheets, grown for the tables that are still to be written: this one and those of reports
 * that have not run there yet.
 */
function gridsWith({ tabs, tables, sheet_id }: TargetSheet, rect: Rect | null): Grid[] {
  return tabs.map(tab => {
    const coming = [
      ...tables.flatMap(each =>
        each.kind === 'planned' && each.sheet_id === tab.sheet_id ? [each.rect] : [],
      ),
      ...(rect && tab.sheet_id === sheet_id ? [rect] : []),
    ]
    return {
      ...tab,
      rows: Math.max(tab.rows, ...coming.map(([, , r1]) => r1)),
      columns: Math.max(tab.columns, ...coming.map(([, , , c1]) => c1)),
    }
  })
}

const sumOf = (grids: Grid[]) => grids.reduce((sum, { rows, columns }) => sum + rows * columns, 0)

/** Empty columns at a sheet's right edge, none of which any table needs. */
function unusedColumns(target: TargetSheet, { grids, rect }: { grids: Grid[]; rect: Rect }): Saving[] {
  return grids.flatMap(({ sheet_id, title, rows, columns, used_columns }): Saving[] => {
    if (used_columns === null) return []
    const needed = [
      used_columns,
      ...target.tables.flatMap(each => (each.sheet_id === sheet_id ? [each.rect[3]] : [])),
      ...(sheet_id === target.sheet_id ? [rect[3]] : []),
      1,
    ]
    const unused = columns - Math.max(...needed)
    return unused > 0 ? [{ kind: 'trim_columns', title, columns: unused, cells: unused * rows }] : []
  })
}

/** Empty rows at the bottom of this tab, where all of it was read. */
function unusedRows(target: TargetSheet, rect: Rect): Saving[] {
  const { looked_at, rows, columns, content, tables, sheet_id, own, tabs } = target
  const title = tabs.find(tab => tab.sheet_id === sheet_id)?.title
  if (title === undefined || looked_at[2] < rows || looked_at[3] < columns) return []
  const ends = [
    ...content.map(([, , r1]) => r1),
    ...tables.flatMap(each => (each.sheet_id === sheet_id ? [each.rect[2]] : [])),
    own?.[2] ?? 0,
    rect[2],
  ]
  const unused = rows - Math.max(...ends)
  const width = Math.max(columns, rect[3])
  return unused > 0 ? [{ kind: 'trim_rows', title, rows: unused, cells: unused * width }] : []
}
