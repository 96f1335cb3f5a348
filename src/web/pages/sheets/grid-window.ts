import type { Rect } from '#shared/cell.ts'

// Where things are in a grid of up to ten million rows. Browsers cap the height of an element (Firefox at
// 17.9 million pixels), so a long tab is drawn on a shorter canvas: `physical` is what the scroll bar says,
// `logical` where that is in the whole tab.

export const ROW_PX = 24
export const HEADER_PX = 26
export const USUAL_COLUMN_PX = 100
const LONGEST_CANVAS_PX = 15_000_000

/** Values are requested in blocks of this many rows and columns. */
export const BLOCK_ROWS = 500
export const BLOCK_COLUMNS = 50

export interface Block {
  row: number
  column: number
}

/** How high the canvas is for a tab of so many rows. */
export const canvasHeight = (rows: number) => Math.min(rows * ROW_PX, LONGEST_CANVAS_PX)

/** The logical position of a scroll position. */
export function toLogical(physical: number, rows: number, view: number): number {
  const [whole, canvas] = [rows * ROW_PX - view, canvasHeight(rows) - view]
  return canvas <= 0 || whole <= canvas ? physical : (physical / canvas) * whole
}

/** The scroll position of a logical one. */
export function toPhysical(logical: number, rows: number, view: number): number {
  const [whole, canvas] = [rows * ROW_PX - view, canvasHeight(rows) - view]
  return canvas <= 0 || whole <= canvas ? logical : (logical / whole) * canvas
}

export const clampTop = (logical: number, rows: number, view: number) =>
  Math.max(0, Math.min(logical, rows * ROW_PX - view))

/** Left edges of the columns and, last, the right edge of all. */
export function columnEdges(widths: readonly number[], columns: number): Float64Array {
  const edges = new Float64Array(columns + 1)
  for (let column = 0; column < columns; column++)
    edges[column + 1] = (edges[column] ?? 0) + (widths[column] ?? USUAL_COLUMN_PX)
  return edges
}

/** The column in which a position lies. */
export function columnAt(edges: Float64Array, x: number): number {
  let [low, high] = [0, Math.max(0, edges.length - 2)]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((edges[middle] ?? 0) <= x) low = middle
    else high = middle - 1
  }
  return low
}

/** The rows and columns that are in view, with a few rows beyond. */
export function cellsInView(
  { top, left, width, height }: { top: number; left: number; width: number; height: number },
  { rows, edges }: { rows: number; edges: Float64Array },
): Rect {
  return [
    Math.max(0, Math.floor(top / ROW_PX) - 4),
    columnAt(edges, left),
    Math.min(rows, Math.ceil((top + height) / ROW_PX) + 4),
    Math.min(edges.length - 1, columnAt(edges, left + width) + 1),
  ]
}

/** The blocks that hold these cells. */
export function blocksOf([r0, c0, r1, c1]: Rect): Block[] {
  const blocks: Block[] = []
  for (let row = Math.floor(r0 / BLOCK_ROWS); row * BLOCK_ROWS < r1; row++)
    for (let column = Math.floor(c0 / BLOCK_COLUMNS); column * BLOCK_COLUMNS < c1; column++)
      blocks.push({ row, column })
  return blocks
}
