import { useCallback, useId, useMemo, type KeyboardEvent } from 'react'
import type { SheetTab } from '#shared/api/sheets.ts'
import { cellName, type Cell, type Rect } from '#shared/cell.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Problem } from '#web/ui/problem.tsx'
import { useBlocks } from './data.ts'
import { GridBar } from './grid-bar.tsx'
import { ColumnHeads, RowHeads } from './grid-heads.tsx'
import { moved } from './grid-keys.ts'
import { GridPane } from './grid-pane.tsx'
import { blocksOf, canvasHeight, cellsInView, columnEdges, HEADER_PX, ROW_PX } from './grid-window.ts'
import styles from './sheet.module.css'
import { useGridScroll, type View } from './use-grid-scroll.ts'
import { useSettled } from './use-settled.ts'

interface GridProps {
  /** Of the spreadsheet. */
  id: string
  tab: SheetTab
  active: Cell
  onActive: (cell: Cell) => void
}

/**
 * A read-only tab: only the cells in view are drawn and requested, so that a million rows scroll like a
 * hundred.
 */
export function Grid({ id, tab, active, onActive }: GridProps) {
  const { t } = useTranslation('sheets')
  const gridId = useId()
  const edges = useMemo(() => columnEdges(tab.column_widths, tab.columns), [tab.column_widths, tab.columns])
  const head = Math.max(44, String(tab.rows).length * 8 + 16)
  const { scroller, view, onScroll, reveal } = useGridScroll({ ...tab, edges, head })
  const layout = layoutOf(tab, { view, edges, head })
  const blocks = useSettled(layout.panes.flatMap(pane => blocksOf(pane.cells)))
  const { textAt, lookAt, problem } = useBlocks(id, tab, blocks)
  const isProtected = useCallback(
    (row: number, column: number) =>
      tab.protected_ranges.some(
        ({ rect: [r0, c0, r1, c1] }) => row >= r0 && row < r1 && column >= c0 && column < c1,
      ),
    [tab.protected_ranges],
  )
  const idOf = useCallback((cell: Cell) => `${gridId}-${cellName(cell)}`, [gridId])

  function go(cell: Cell) {
    onActive(cell)
    reveal(cell)
  }

  function onKeyDown(event: KeyboardEvent) {
    if ((event.ctrlKey || event.metaKey) && event.key === 'c') {
      void navigator.clipboard.writeText(textAt(active.row, active.column) ?? '')
      return
    }
    const next = moved(active, event, { ...tab, page: Math.max(1, Math.floor(view.height / ROW_PX) - 1) })
    if (!next) return
    event.preventDefault()
    go(next)
  }

  return (
    <>
      <GridBar tab={tab} active={active} text={textAt(active.row, active.column)} onGo={go} />
      <div
        ref={scroller}
        className={styles.scroller}
        role="grid"
        tabIndex={0}
        aria-label={tab.title}
        aria-readonly
        aria-rowcount={tab.rows}
        aria-colcount={tab.columns}
        aria-activedescendant={idOf(active)}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
      >
        <div style={{ width: head + (edges.at(-1) ?? 0), height: HEADER_PX + canvasHeight(tab.rows) }}>
          <div className={styles.layer} style={{ width: head + view.width, height: HEADER_PX + view.height }}>
            {layout.panes.map(({ name, ...pane }) => (
              <GridPane
                key={name}
                {...pane}
                {...{ edges, active, idOf, textAt, lookAt, isProtected, onActive }}
              />
            ))}
            {layout.columns.map(({ name, ...part }) => (
              <ColumnHeads key={name} {...part} edges={edges} active={active} />
            ))}
            {layout.rows.map(({ name, ...part }) => (
              <RowHeads key={name} {...part} active={active} />
            ))}
            <div className={styles.head} style={{ top: 0, left: 0, width: head, height: HEADER_PX }} />
          </div>
        </div>
      </div>
      {problem && (
        <div className={styles.notice}>
          <Problem code={problem.code}>{problem.code === 'rate_limited' && ` ${t('slow_down')}`}</Problem>
        </div>
      )}
    </>
  )
}

/**
 * The parts of the grid: the frozen rows and columns are fixed in one or both directions, the rest scrolls.
 */
function layoutOf(tab: SheetTab, { view, edges, head }: { view: View; edges: Float64Array; head: number }) {
  const frozen = { width: edges[tab.frozen_columns] ?? 0, height: tab.frozen_rows * ROW_PX }
  const moving = {
    top: view.top + frozen.height,
    left: view.left + frozen.width,
    width: Math.max(0, view.width - frozen.width),
    height: Math.max(0, view.height - frozen.height),
  }
  const [top, c0, r1, c1] = cellsInView(moving, { rows: tab.rows, edges })
  const r0 = Math.max(top, tab.frozen_rows)
  const first = Math.max(c0, tab.frozen_columns)
  const across = [
    {
      name: 'moving',
      columns: [first, c1] as const,
      origin: moving.left,
      left: head + frozen.width,
      width: moving.width,
    },
    { name: 'frozen', columns: [0, tab.frozen_columns] as const, origin: 0, left: head, width: frozen.width },
  ]
  const down = [
    {
      name: 'moving',
      rows: [r0, r1] as const,
      origin: moving.top,
      top: HEADER_PX + frozen.height,
      height: moving.height,
    },
    { name: 'frozen', rows: [0, tab.frozen_rows] as const, origin: 0, top: HEADER_PX, height: frozen.height },
  ]
  const visibleAcross = across.filter(part => part.width > 0)
  const visibleDown = down.filter(part => part.height > 0)
  return {
    panes: visibleDown.flatMap(part =>
      visibleAcross.map(side => ({
        name: `${part.name} ${side.name}`,
        cells: [part.rows[0], side.columns[0], part.rows[1], side.columns[1]] satisfies Rect as Rect,
        origin: { top: part.origin, left: side.origin },
        bounds: { top: part.top, left: side.left, width: side.width, height: part.height },
      })),
    ),
    columns: visibleAcross.map(({ name, columns, origin, left, width }) => ({
      name,
      columns,
      origin,
      bounds: { left, width },
    })),
    rows: visibleDown.map(({ name, rows, origin, ...at }) => ({
      name,
      rows,
      origin,
      bounds: { ...at, width: head },
    })),
  }
}
