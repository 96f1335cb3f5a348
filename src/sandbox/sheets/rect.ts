/** Rows and columns, 0-based and half open; Infinity where a side is open. */
export interface Rect {
  r0: number
  c0: number
  r1: number
  c1: number
}

export const WHOLE: Rect = { r0: 0, c0: 0, r1: Infinity, c1: Infinity }

export const isWhole = ({ r0, c0, r1, c1 }: Rect) =>
  r0 === 0 && c0 === 0 && r1 === Infinity && c1 === Infinity

export const intersect = (a: Rect, b: Rect): Rect | null => {
  const rect = {
    r0: Math.max(a.r0, b.r0),
    c0: Math.max(a.c0, b.c0),
    r1: Math.min(a.r1, b.r1),
    c1: Math.min(a.c1, b.c1),
  }
  return rect.r0 < rect.r1 && rect.c0 < rect.c1 ? rect : null
}

export const sameRect = (a: Rect, b: Rect) => a.r0 === b.r0 && a.c0 === b.c0 && a.r1 === b.r1 && a.c1 === b.c1

/** What is left of a rectangle when another is taken out of it: up to four pieces. */
export function subtract(rect: Rect, hole: Rect): Rect[] {
  const cut = intersect(rect, hole)
  if (!cut) return [rect]
  return [
    { ...rect, r1: cut.r0 },
    { ...rect, r0: cut.r1 },
    { r0: cut.r0, r1: cut.r1, c0: rect.c0, c1: cut.c0 },
    { r0: cut.r0, r1: cut.r1, c0: cut.c1, c1: rect.c1 },
  ].filter(piece => piece.r0 < piece.r1 && piece.c0 < piece.c1)
}

/** So many rows or columns are put in before `index`; negative: taken out from `index` on. */
export interface Move {
  index: number
  count: number
}

/** A rectangle after rows or columns were put in or taken out; null when all of it was taken out. */
export function shiftRect(rect: Rect, dimension: 'ROWS' | 'COLUMNS', move: Move): Rect | null {
  const rows = dimension === 'ROWS'
  const shifted = shiftSpan(rows ? rect.r0 : rect.c0, rows ? rect.r1 : rect.c1, move)
  if (!shifted) return null
  const [start, end] = shifted
  return rows ? { ...rect, r0: start, r1: end } : { ...rect, c0: start, c1: end }
}

export function shiftSpan(start: number, end: number, { index, count }: Move): [number, number] | null {
  // An open side stays open: whole columns do not begin at row 2 because a row was put in on top.
  const open = start === 0 && end === Infinity
  if (count >= 0) return [start >= index && !open ? start + count : start, end > index ? end + count : end]
  const moved = (at: number) => (at <= index ? at : Math.max(index, at + count))
  const [from, to] = [moved(start), moved(end)]
  return from < to ? [from, to] : null
}
