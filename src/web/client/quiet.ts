import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** However long an answer takes, what waits for it comes after so long. */
const MOST_MS = 3000
const PAUSE_MS = 100

/**
 * Becomes true once the page is there, has what it asked for, and a moment to draw it: the moment for what
 * nobody looks at first.
 */
export function useIsQuiet(): boolean {
  const queries = useQueryClient()
  // What a page asks for may be there before the page is.
  const is_there = useRouterState({ select: ({ status }) => status === 'idle' })
  const [isQuiet, setQuiet] = useState(false)
  useEffect(
    () => (isQuiet || !is_there ? undefined : whenQuiet(queries, () => setQuiet(true))),
    [isQuiet, is_there, queries],
  )
  return isQuiet
}

/** Answers how to wait no longer. */
function whenQuiet(queries: QueryClient, then: () => void) {
  let pause: ReturnType<typeof setTimeout> | undefined
  // What has just come leads to the next question, or is painted first.
  const look = () => {
    clearTimeout(pause)
    if (queries.isFetching() === 0) pause = setTimeout(() => afterPaint(then), PAUSE_MS)
  }
  const most = setTimeout(then, MOST_MS)
  const leave = queries.getQueryCache().subscribe(look)
  look()
  return () => {
    leave()
    clearTimeout(pause)
    clearTimeout(most)
  }
}

const afterPaint = (then: () => void) => requestAnimationFrame(() => requestAnimationFrame(then))
