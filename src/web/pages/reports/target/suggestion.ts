import type { Tab } from '#shared/api/spreadsheets.ts'
import type { TargetSheet } from '#shared/api/targets.ts'
import { cellName, parseStartCell } from '#shared/cell.ts'
import { firstFreeCell, type TableSize } from '#shared/overlap.ts'

/** Where a table could be written without covering anything. */
export interface Suggestion {
  sheet_name: string
  start_cell: string
  /** The tab is empty; else the cell is beside what it has. */
  isEmpty: boolean
}

/** Tabs that a report can be pointed at. */
export const usableTabs = (tabs: readonly Tab[]) =>
  tabs.filter(({ title, hidden }) => !hidden && !title.includes(':'))

/**
 * The first empty tab, else the first free cell of the first tab. `sheet` is what is on that first one, and
 * how far the others are filled. null: nothing is known to be free.
 */
export function suggestTarget(
  tabs: readonly Tab[],
  sheet: TargetSheet,
  { size, start_cell }: { size: TableSize; start_cell: string },
): Suggestion | null {
  const usable = usableTabs(tabs)
  const empty = usable.find(tab => isEmptyTab(tab, sheet))
  const start = parseStartCell(start_cell)
  const place = typeof start === 'string' ? FIRST : start
  if (empty) return { sheet_name: empty.title, start_cell: cellName(place), isEmpty: true }
  const first = usable.find(({ sheet_id }) => sheet_id === sheet.sheet_id)
  const free = first && size.columns > 0 ? firstFreeCell(sheet, FIRST, size) : null
  return first && free ? { sheet_name: first.title, start_cell: cellName(free), isEmpty: false } : null
}

const FIRST = { row: 0, column: 0 }

function isEmptyTab({ sheet_id }: Tab, sheet: TargetSheet): boolean {
  if (sheet.tables.some(table => table.sheet_id === sheet_id)) return false
  if (sheet_id !== sheet.sheet_id)
    return sheet.tabs.some(tab => tab.sheet_id === sheet_id && tab.used_columns === 0)
  return [sheet.content, sheet.named_ranges, sheet.protected_ranges].every(found => found.length === 0)
}
