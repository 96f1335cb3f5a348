import type { TargetSheet } from './api/targets.ts'
import { MAX_COLUMN, type Cell, type Rect } from './cell.ts'
import { cellsIn, intersection, isEmpty, overlap, subtractAll } from './rect.ts'

/**
 * Something that a table would overwrite. A run refuses to write over another report's table or into a
 * protected range; the user's own content it would replace, and a named range keeps its position, whatever
 * its content.
 */
export type Overlap =
  | { kind: 'table'; report: { id: number; name: string } | null; planned: boolean; rect: Rect }
  | { kind: 'protected'; description: string; named_range: string | null; rect: Rect }
  | { kind: 'content'; cells: number; rect: Rect }
  | { kind: 'named'; name: string; rect: Rect }

export const isBlocking = ({ kind }: Overlap): boolean => kind === 'table' || kind === 'protected'

/** With the header. */
export interface TableSize {
  rows: number
  columns: number
}

export const rectAt = ({ row, column }: Cell, { rows, columns }: TableSize): Rect => [
  row,
  column,
  row + rows,
  column + columns,
]

/**
 * What a table of this size would cover, the worst first. Its report's own last table is not among it: the
 * next one replaces it.
 */
export function overlapsAt(target: TargetSheet, rect: Rect): Overlap[] {
  const covers = (other: { rect: Rect }) => overlap(other.rect, rect)
  const content = ownContent(target).filter(each => overlap(each, rect))
  const cells = content.reduce((sum, each) => sum + cellsIn(intersection(each, rect)), 0)
  return [
    ...tablesHere(target)
      .filter(covers)
      .map(table => ({
        kind: 'table' as const,
        report: table.report,
        planned: table.kind === 'planned',
        rect: table.rect,
      })),
    ...target.protected_ranges.filter(covers).map(each => ({ kind: 'protected' as const, ...each })),
    ...(cells > 0 ? [{ kind: 'content' as const, cells, rect: around(content, rect) }] : []),
    ...target.named_ranges
      // A protected one is among the protected ranges.
      .filter(each => covers(each) && !target.protected_ranges.some(other => other.named_range === each.name))
      .map(each => ({ kind: 'named' as const, ...each })),
  ]
}

export const tablesHere = ({ tables, sheet_id }: TargetSheet) =>
  tables.filter(each => each.sheet_id === sheet_id)

/** What is neither this report's last table nor another one's. */
export function ownContent(target: TargetSheet): Rect[] {
  const tables = tablesHere(target).flatMap(({ kind, rect }) => (kind === 'written' ? [rect] : []))
  return target.content.flatMap(rect => subtractAll(rect, [...tables, ...(target.own ? [target.own] : [])]))
}

function around(rects: Rect[], within: Rect): Rect {
  const parts = rects.map(rect => intersection(rect, within))
  return [
    Math.min(...parts.map(([r0]) => r0)),
    Math.min(...parts.map(([, c0]) => c0)),
    Math.max(...parts.map(([, , r1]) => r1)),
    Math.max(...parts.map(([, , , c1]) => c1)),
  ]
}

/**
 * The first cell from which a table of this size covers nothing: in the row where it begins now and to the
 * right, since tables grow downwards and would grow into whatever is below them; else below everything. A
 * column or a row stays free between. null: not in what is known of the sheet.
 */
export function firstFreeCell(target: TargetSheet, { row, column }: Cell, size: TableSize): Cell | null {
  const obstacles = [
    ...tablesHere(target).map(({ rect }) => rect),
    ...target.protected_ranges.map(({ rect }) => rect),
    ...target.named_ranges.map(({ rect }) => rect),
    ...ownContent(target),
  ].filter(rect => !isEmpty(rect))
  const [, , lastRow, lastColumn] = target.looked_at
  const isKnown = ({ column: c }: Cell) =>
    c + size.columns <= MAX_COLUMN && (c + size.columns <= lastColumn || lastColumn >= target.columns)
  const isFree = (cell: Cell, rows: number) =>
    isKnown(cell) && !obstacles.some(rect => overlap(rect, rectAt(cell, { ...size, rows })))
  const starts = [column, ...obstacles.map(([, , , c1]) => c1 + 1)].filter(each => each >= column)
  for (const each of starts.toSorted((a, b) => a - b)) {
    const cell = { row, column: each }
    if (isFree(cell, ENDLESS)) return cell
  }
  const below = { row: Math.max(row, ...obstacles.map(([, , r1]) => r1 + 1)), column }
  return lastRow >= target.rows && isFree(below, ENDLESS) ? below : null
}

const ENDLESS = 10_000_000
