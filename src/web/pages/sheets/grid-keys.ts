import type { Cell } from '#shared/cell.ts'

interface Key {
  key: string
  ctrlKey: boolean
  metaKey: boolean
}

/** Where a key leads from a cell; null when it is none that moves. `page` is how many rows are in view. */
export function moved(
  from: Cell,
  { key, ctrlKey, metaKey }: Key,
  tab: { rows: number; columns: number; page: number },
): Cell | null {
  const { row, column } = from
  const [bottom, right] = [tab.rows - 1, tab.columns - 1]
  const far = ctrlKey || metaKey
  const to: Record<string, Cell> = {
    ArrowUp: { row: far ? 0 : row - 1, column },
    ArrowDown: { row: far ? bottom : row + 1, column },
    ArrowLeft: { row, column: far ? 0 : column - 1 },
    ArrowRight: { row, column: far ? right : column + 1 },
    PageUp: { row: row - tab.page, column },
    PageDown: { row: row + tab.page, column },
    Home: { row: far ? 0 : row, column: 0 },
    End: { row: far ? bottom : row, column: right },
  }
  const next = to[key]
  if (!next) return null
  return {
    row: Math.max(0, Math.min(bottom, next.row)),
    column: Math.max(0, Math.min(right, next.column)),
  }
}
