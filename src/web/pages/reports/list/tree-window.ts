import { useEffect, useState, type RefObject } from 'react'

/** As the style sheet has it. */
export const ROW_PX = 34
/** This many lines more above and below the visible ones, so that quick scrolling shows no gaps. */
const SPARE = 10

/** Which lines of a long tree are drawn: the visible ones, and a few around them. */
export function useTreeWindow(scroller: RefObject<HTMLElement | null>, count: number) {
  const [range, setRange] = useState({ first: 0, last: 60 })
  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const update = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / ROW_PX) - SPARE)
      const last = Math.ceil((element.scrollTop + element.clientHeight) / ROW_PX) + SPARE
      setRange(was => (was.first === first && was.last === last ? was : { first, last }))
    }
    const observer = new ResizeObserver(update)
    observer.observe(element)
    element.addEventListener('scroll', update, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', update)
    }
  }, [scroller])
  return { first: range.first, last: Math.min(count - 1, range.last) }
}

/** Scrolls just far enough for a line to be visible. */
export function showRow(scroller: HTMLElement | null, index: number) {
  if (!scroller) return
  const top = index * ROW_PX
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (top + ROW_PX > scroller.scrollTop + scroller.clientHeight)
    scroller.scrollTop = top + ROW_PX - scroller.clientHeight
}
