import { useLayoutEffect, useRef, useState } from 'react'

/** Beside the frozen columns there is room for others: they take no more of the width than this. */
const MOST_OF_WIDTH = 0.55
/** Of a frozen column, in pixels: names are cut to make room, but not beyond recognition. */
const NARROWEST = 76
const WIDEST = 260

/**
 * Where the first columns stay while the others scroll sideways: the distance of each from the left edge, as
 * many as leave room. Before them is the one with the numbers of rows. `isName`: of each of them, whether its
 * texts may be cut.
 */
export function useFrozenColumns(isName: readonly boolean[]) {
  const count = isName.length
  const scroll = useRef<HTMLDivElement>(null)
  const header = useRef<HTMLTableRowElement>(null)
  const [lefts, setLefts] = useState<readonly number[]>([])
  const names = useUnchanged(isName)
  const [maxWidth, setMaxWidth] = useState(WIDEST)
  useLayoutEffect(() => {
    const box = scroll.current
    if (!box) return undefined
    const measure = () => {
      const cells = Array.from(header.current?.cells ?? []).slice(0, count + 1)
      const uncut = cells.reduce((sum, cell, at) => sum + (names[at - 1] ? 0 : cell.offsetWidth), 0)
      const share = (box.clientWidth * MOST_OF_WIDTH - uncut) / Math.max(1, names.filter(Boolean).length)
      setMaxWidth(Math.floor(Math.min(WIDEST, Math.max(NARROWEST, share))))
      const found: number[] = []
      let left = 0
      for (const cell of cells) {
        left += cell.offsetWidth
        if (left > box.clientWidth * MOST_OF_WIDTH + 1) break
        found.push(left)
      }
      setLefts(before => (before.join() === found.join() ? before : found))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    for (const cell of header.current?.cells ?? []) observer.observe(cell)
    measure()
    return () => observer.disconnect()
  }, [count, names])
  /** What the cells of a column need to stay, if it does. */
  const cellOf = (index: number) => {
    if (index >= count) return {}
    const width = names[index] ? { maxWidth } : {}
    const left = index + 1 < lefts.length ? lefts[index] : undefined
    return left === undefined ? { style: width } : { 'data-frozen': true, style: { ...width, left } }
  }
  const [first] = lefts
  /** The label of the totals, over all of them. */
  const totalCell = first === undefined ? {} : { 'data-frozen': true, style: { left: first } }
  return { scroll, header, cellOf, totalCell }
}

function useUnchanged(values: readonly boolean[]): readonly boolean[] {
  const [stable, setStable] = useState(values)
  if (stable.join() === values.join()) return stable
  setStable(values)
  return values
}
