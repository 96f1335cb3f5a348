import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** However long the responses take, deferred work starts after this long. */
const MOST_MS = 3000
const PAUSE_MS = 100

/**
 * Becomes true once the page is there, its requests are answered and it has had a moment to draw: the moment
 * for what is not visible at first.
 */
export function useIsPageIdle(): boolean {
  const queries = useQueryClient()
  // The page's requests may be answered before the page is there.
  const is_there = useRouterState({ select: ({ status }) => status === 'idle' })
  const [isQuiet, setQuiet] = useState(false)
  useEffect(
    () => (isQuiet || !is_there ? undefined : whenQuiet(queries, () => setQuiet(true))),
    [isQuiet, is_there, queries],
  )
  return isQuiet
}

/** Returns a function that cancels the wait. */
function whenQuiet(queries: QueryClient, then: () => void) {
  let pause: ReturnType<typeof setTimeout> | undefined
  // What has just arrived leads to the next request, or is painted first.
  const check = () => {
    clearTimeout(pause)
    if (queries.isFetching() === 0) pause = setTimeout(() => afterPaint(then), PAUSE_MS)
  }
  const most = setTimeout(then, MOST_MS)
  const leave = queries.getQueryCache().subscribe(check)
  check()
  return () => {
    leave()
    clearTimeout(pause)
    clearTimeout(most)
  }
}

const afterPaint = (then: () => void) => requestAnimationFrame(() => requestAnimationFrame(then))
