import { columnName, type Cell } from '#shared/cell.ts'
import { HEADER_PX, ROW_PX } from './grid-window.ts'
import styles from './sheet.module.css'

interface ColumnHeadsProps {
  /** From and up to, without the last. */
  columns: readonly [number, number]
  edges: Float64Array
  /** Logical left edge of the part, and its position on the screen. */
  origin: number
  bounds: { left: number; width: number }
  active: Cell
}

/** The letters above the columns. */
export function ColumnHeads({ columns: [first, last], edges, origin, bounds, active }: ColumnHeadsProps) {
  return (
    <div className={styles.pane} style={{ top: 0, height: HEADER_PX, ...bounds }} role="presentation">
      {Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index).map(column => (
        <div
          key={column}
          className={styles.head}
          data-active={column === active.column || undefined}
          style={{
            left: (edges[column] ?? 0) - origin,
            width: (edges[column + 1] ?? 0) - (edges[column] ?? 0),
            height: HEADER_PX,
          }}
        >
          {columnName(column)}
        </div>
      ))}
    </div>
  )
}

interface RowHeadsProps {
  rows: readonly [number, number]
  origin: number
  bounds: { top: number; height: number; width: number }
  active: Cell
}

/** The numbers beside the rows. */
export function RowHeads({ rows: [first, last], origin, bounds, active }: RowHeadsProps) {
  return (
    <div className={styles.pane} style={{ left: 0, ...bounds }} role="presentation">
      {Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index).map(row => (
        <div
          key={row}
          className={styles.head}
          data-active={row === active.row || undefined}
          style={{
            top: 0,
            width: bounds.width,
            height: ROW_PX,
            transform: `translateY(${row * ROW_PX - origin}px)`,
          }}
        >
          {row + 1}
        </div>
      ))}
    </div>
  )
}
