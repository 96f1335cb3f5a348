import type { Rect } from '#shared/cell.ts'

/** So many rectangles are listed at most; beyond, the whole range is one. */
const MOST = 200

/**
 * The filled cells of a part of a sheet as rectangles; `rows` begin at the part's corner and may be shorter
 * than it.
 */
export function filledRects(rows: readonly (readonly unknown[])[], [r0, c0]: Rect): Rect[] {
  const exact = stacked(rows.map(runsOf))
  // Of rows that are full of holes only their width is listed.
  const rects = exact.length <= MOST ? exact : stacked(rows.map(row => widthOf(runsOf(row))))
  const result = rects.length <= MOST ? rects : [bounds(rects)]
  return result.map(([a, b, c, d]) => [a + r0, b + c0, c + r0, d + c0])
}

type Run = [start: number, end: number]

function runsOf(row: readonly unknown[]): Run[] {
  const runs: Run[] = []
  row.forEach((value, at) => {
    if (value === '' || value === null) return
    const last = runs.at(-1)
    if (last?.[1] === at) last[1] = at + 1
    else runs.push([at, at + 1])
  })
  return runs
}

const widthOf = (runs: Run[]): Run[] => {
  const [first] = runs
  return first ? [[first[0], runs.at(-1)?.[1] ?? first[1]]] : []
}

/** Runs of neighbouring rows that are alike become one rectangle. */
function stacked(rows: Run[][]): Rect[] {
  const rects: Rect[] = []
  let open: Rect[] = []
  rows.forEach((runs, row) => {
    const next: Rect[] = []
    for (const [start, end] of runs) {
      const above = open.find(rect => rect[1] === start && rect[3] === end)
      const rect: Rect = above ?? [row, start, row + 1, end]
      rect[2] = row + 1
      if (!above) rects.push(rect)
      next.push(rect)
    }
    open = next
  })
  return rects
}

const bounds = (rects: Rect[]): Rect =>
  rects.reduce(([a, b, c, d], [r0, c0, r1, c1]) => [
    Math.min(a, r0),
    Math.min(b, c0),
    Math.max(c, r1),
    Math.max(d, c1),
  ])
