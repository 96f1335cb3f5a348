import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import type { Cell } from '#shared/cell.ts'
import { canvasHeight, clampTop, HEADER_PX, ROW_PX, toLogical, toPhysical } from './grid-window.ts'

/** The visible part of the tab, in logical pixels, without the headers. */
export interface View {
  top: number
  left: number
  width: number
  height: number
}

export interface GridScroll {
  scroller: RefObject<HTMLDivElement | null>
  view: View
  onScroll: () => void
  /** Scrolls as little as makes the cell visible. */
  reveal: (cell: Cell) => void
}

interface Shape {
  rows: number
  edges: Float64Array
  frozen_rows: number
  frozen_columns: number
  /** Of the column of row numbers. */
  head: number
}

/**
 * The scroll position of a grid. A tab too long for a browser is drawn on a shorter canvas, on which a pixel
 * is several: then the wheel is handled here, so that it still moves by single rows, while the scroll bar
 * moves in its larger steps.
 */
export function useGridScroll({ rows, edges, head, ...frozen }: Shape): GridScroll {
  const scroller = useRef<HTMLDivElement>(null)
  const top = useRef(0)
  const [view, setView] = useState<View>({ top: 0, left: 0, width: 0, height: 0 })

  const measure = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const width = Math.max(0, element.clientWidth - head)
    const height = Math.max(0, element.clientHeight - HEADER_PX)
    // A position that we have set ourselves comes back rounded; it is not to replace the exact one.
    if (Math.abs(toPhysical(top.current, rows, height) - element.scrollTop) > 1)
      top.current = toLogical(element.scrollTop, rows, height)
    // Whole pixels: text between two is blurred.
    setView({ top: Math.round(clampTop(top.current, rows, height)), left: element.scrollLeft, width, height })
  }, [rows, head])

  const moveTo = useCallback(
    (logical: number) => {
      const element = scroller.current
      if (!element) return
      const height = element.clientHeight - HEADER_PX
      top.current = clampTop(logical, rows, height)
      element.scrollTop = toPhysical(top.current, rows, height)
      measure()
    },
    [rows, measure],
  )

  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const resized = new ResizeObserver(measure)
    resized.observe(element)
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey || event.deltaY === 0 || rows * ROW_PX <= canvasHeight(rows)) return
      event.preventDefault()
      element.scrollLeft += event.deltaX
      moveTo(top.current + event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? ROW_PX : 1))
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => {
      resized.disconnect()
      element.removeEventListener('wheel', onWheel)
    }
  }, [rows, measure, moveTo])

  function reveal({ row, column }: Cell) {
    const element = scroller.current
    if (!element) return
    const height = element.clientHeight - HEADER_PX
    const width = element.clientWidth - head
    if (row >= frozen.frozen_rows) {
      const [start, end] = [row * ROW_PX - frozen.frozen_rows * ROW_PX, (row + 1) * ROW_PX - height]
      if (top.current > start) moveTo(start)
      else if (top.current < end) moveTo(end)
    }
    if (column >= frozen.frozen_columns) {
      const start = (edges[column] ?? 0) - (edges[frozen.frozen_columns] ?? 0)
      const end = (edges[column + 1] ?? 0) - width
      if (element.scrollLeft > start) element.scrollLeft = start
      else if (element.scrollLeft < end) element.scrollLeft = end
    }
  }

  return { scroller, view, onScroll: measure, reveal }
}
