import { memo } from 'react'
import { cellName, type Cell, type Rect } from '#shared/cell.ts'
import { ROW_PX } from './grid-window.ts'
import styles from './sheet.module.css'

interface GridPaneProps {
  /** Which cells. */
  cells: Rect
  edges: Float64Array
  /** Logical position of the pane's top left corner. */
  origin: { top: number; left: number }
  /** The position of the pane in the grid, in pixels. */
  bounds: { top: number; left: number; width: number; height: number }
  active: Cell
  idOf: (cell: Cell) => string
  textAt: (row: number, column: number) => string | null
  lookAt: (row: number, column: number) => number
  isProtected: (row: number, column: number) => boolean
  onActive: (cell: Cell) => void
}

/** A part of the grid that moves as one: its cells, drawn only as far as they can be seen. */
export function GridPane({ cells: [r0, c0, r1, c1], edges, origin, bounds, ...props }: GridPaneProps) {
  const rows = Array.from({ length: Math.max(0, r1 - r0) }, (_, index) => r0 + index)
  const columns = Array.from({ length: Math.max(0, c1 - c0) }, (_, index) => c0 + index)
  return (
    <div className={styles.pane} style={bounds} role="rowgroup">
      {rows.map(row => (
        <div
          key={row}
          className={styles.row}
          role="row"
          aria-rowindex={row + 1}
          style={{ transform: `translate(${-origin.left}px, ${row * ROW_PX - origin.top}px)` }}
        >
          {columns.map(column => (
            <GridCell
              key={column}
              id={props.idOf({ row, column })}
              row={row}
              column={column}
              left={edges[column] ?? 0}
              width={(edges[column + 1] ?? 0) - (edges[column] ?? 0)}
              text={props.textAt(row, column)}
              look={props.lookAt(row, column)}
              active={row === props.active.row && column === props.active.column}
              isProtected={props.isProtected(row, column)}
              onActive={props.onActive}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

interface GridCellProps {
  id: string
  row: number
  column: number
  left: number
  width: number
  /** null: loading. */
  text: string | null
  look: number
  active: boolean
  isProtected: boolean
  onActive: (cell: Cell) => void
}

/** The digits of SheetValues. */
const [RIGHT, CENTER, BOLD, ITALIC] = [1, 2, 4, 8]

const GridCell = memo(function GridCell({ row, column, left, width, text, look, ...props }: GridCellProps) {
  return (
    // The grid itself has the focus and handles the keys for all cells.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={props.id}
      className={styles.cell}
      role="gridcell"
      tabIndex={-1}
      aria-colindex={column + 1}
      aria-selected={props.active}
      style={{ left, width }}
      data-cell={cellName({ row, column })}
      data-active={props.active || undefined}
      data-protected={props.isProtected || undefined}
      data-loading={text === null || undefined}
      data-align={look & RIGHT ? 'end' : look & CENTER ? 'center' : undefined}
      data-bold={(look & BOLD) > 0 || undefined}
      data-italic={(look & ITALIC) > 0 || undefined}
      onClick={() => props.onActive({ row, column })}
    >
      {text}
    </div>
  )
})
