import { MAX_COLUMN, rectName, type Rect } from '#shared/cell.ts'
import { intersection, overlap, subtractAll } from '#shared/rect.ts'
import { SheetsFailure } from './failure.ts'
import { rectOf, type GridRange } from './schema.ts'
import type { NamedRange, OldTable, Target } from './target.ts'
import type { OtherTable } from './work.ts'

/** Growth of the grid that the table needs. */
export interface Growth {
  rows: number
  columns: number
  cells: number
}

export function growthFor({ rows, columns }: { rows: number; columns: number }, rect: Rect): Growth {
  const [new_rows, new_columns] = [Math.max(rows, rect[2]), Math.max(columns, rect[3])]
  return {
    rows: new_rows - rows,
    columns: new_columns - columns,
    // A new column is as long as the whole tab, so this is counted on the final grid.
    cells: new_rows * new_columns - rows * columns,
  }
}

/** Refuses a target that overlaps another report's table or a protection. */
export function refuseBlocked(target: Target, touched: Rect[], other_tables: OtherTable[]): void {
  const new_rect = touched[0]
  const other = other_tables.find(
    table => new_rect && table.sheet_id === target.sheet_id && overlap(table.rect, new_rect),
  )
  if (other)
    throw new SheetsFailure('target_overlap', {
      detail: { report_id: other.report_id, name: other.name ?? null, range: rectName(other.rect) },
    })
  const blocked = touched.flatMap(rect => protectionOver(target, rect) ?? [])[0]
  if (blocked) throw protectionFailure(blocked, target.named_ranges)
}

/**
 * The failure for a protection. One of a named range ends with that: its owner deletes the range, and the
 * report runs again.
 */
export function protectionFailure(
  { named_range_id, ...protection }: NonNullable<ReturnType<typeof protectionOver>>,
  namedRanges: NamedRange[],
): SheetsFailure {
  const named = namedRanges.find(({ id }) => id === named_range_id)
  return named
    ? new SheetsFailure('named_range', { detail: { names: [named.name], range: protection.range } })
    : new SheetsFailure('protected_range', { detail: protection })
}

/**
 * The first protection that keeps the system user from changing a cell of the rectangle; null when none does.
 */
export function protectionOver(target: Pick<Target, 'sheet' | 'rows' | 'columns'>, rect: Rect) {
  // A tab grows with the table, and so does a protection that has no end.
  const [rows, columns] = [Math.max(target.rows, rect[2]), Math.max(target.columns, rect[3])]
  const toRect = (range: GridRange | undefined) => rectOf(range, rows, columns)
  for (const protection of target.sheet.protectedRanges) {
    if (protection.warningOnly || protection.requestingUserCanEdit) continue
    const covered = intersection(toRect(protection.range), rect)
    const left = subtractAll(covered, protection.unprotectedRanges.map(toRect))
    if (left.length > 0)
      return {
        protected_range_id: protection.protectedRangeId,
        named_range_id: protection.namedRangeId ?? null,
        description: protection.description,
        range: rectName(toRect(protection.range)),
      }
  }
  return null
}

/**
 * Refuses a table that does not fit into the spreadsheet: the grids of all tabs count, their empty cells too.
 * `beside`: cells of a staging copy that must fit in addition.
 */
export function refuseWithoutRoom(target: Target, rect: Rect, room: { limit: number; beside?: number }) {
  const missing = missingRoom(target, rect, room)
  if (missing) throw new SheetsFailure('cell_limit', { detail: missing })
}

export function missingRoom(
  target: Target,
  rect: Rect,
  { limit, beside = 0 }: { limit: number; beside?: number },
) {
  if (rect[3] > MAX_COLUMN) return { columns: rect[3], limit: MAX_COLUMN }
  const growth = growthFor(target, rect)
  if (target.file === null || growth.cells + beside === 0) return null
  const used = target.file.cells - target.file.leftovers.reduce((sum, each) => sum + each.cells, 0)
  const needed = used + growth.cells + beside
  return needed > limit ? { used, needed, limit } : null
}

/** The cells of an old table that the new one does not cover, other reports' tables left out. */
export const stripsOf = (old: OldTable, rect: Rect, others: Rect[]): Rect[] =>
  subtractAll(old.rect, [rect, ...others])

export const mergesUnder = (target: Target, rect: Rect): string[] =>
  target.sheet.merges
    .map(range => rectOf(range, target.rows, target.columns))
    .filter(merge => overlap(merge, rect))
    .map(rectName)
