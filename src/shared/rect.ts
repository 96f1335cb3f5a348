import type { Rect } from './cell.ts'

export const isEmpty = ([r0, c0, r1, c1]: Rect) => r1 <= r0 || c1 <= c0
export const cellsIn = (rect: Rect) => (isEmpty(rect) ? 0 : (rect[2] - rect[0]) * (rect[3] - rect[1]))

export const intersection = (a: Rect, b: Rect): Rect => [
  Math.max(a[0], b[0]),
  Math.max(a[1], b[1]),
  Math.min(a[2], b[2]),
  Math.min(a[3], b[3]),
]
export const overlap = (a: Rect, b: Rect) => !isEmpty(intersection(a, b))
export const covers = (outer: Rect, inner: Rect) => subtract(inner, outer).length === 0

/** What is left of `rect` without `hole`: up to four rectangles (above, below, left, right). */
export function subtract(rect: Rect, hole: Rect): Rect[] {
  const [r0, c0, r1, c1] = intersection(rect, hole)
  if (isEmpty([r0, c0, r1, c1])) return isEmpty(rect) ? [] : [rect]
  const around: Rect[] = [
    [rect[0], rect[1], r0, rect[3]],
    [r1, rect[1], rect[2], rect[3]],
    [r0, rect[1], r1, c0],
    [r0, c1, r1, rect[3]],
  ]
  return around.filter(part => !isEmpty(part))
}

/** What is left of `rect` without any of the holes. */
export const subtractAll = (rect: Rect, holes: Rect[]): Rect[] =>
  holes.reduce((parts, hole) => parts.flatMap(part => subtract(part, hole)), isEmpty(rect) ? [] : [rect])
