import { useEffect, useEffectEvent, type RefObject } from 'react'

interface Failed {
  /** The last check has failed in a way that the person can mend elsewhere. */
  isFailed: boolean
  isFetching: boolean
  /** When it ended, in ms. */
  checkedAt: number
  refetch: () => unknown
}

/** Not more often: people switch between the two tabs while they share. */
export const LEAST_MS = 4000

/**
 * Checks again when the person comes back from the spreadsheet, which they have probably just shared: while
 * the last check failed and the section is on the screen.
 */
export function useRecheck(section: RefObject<HTMLElement | null>, failed: Failed) {
  const comeBack = useEffectEvent(() => {
    const { isFailed, isFetching, checkedAt, refetch } = failed
    const isDue = isFailed && !isFetching && Date.now() - checkedAt >= LEAST_MS
    if (isDue && document.visibilityState === 'visible' && isOnScreen(section.current)) refetch()
  })
  useEffect(() => {
    const listen = () => comeBack()
    window.addEventListener('focus', listen)
    document.addEventListener('visibilitychange', listen)
    return () => {
      window.removeEventListener('focus', listen)
      document.removeEventListener('visibilitychange', listen)
    }
  }, [])
}

function isOnScreen(element: HTMLElement | null): boolean {
  if (element === null) return false
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < window.innerHeight
}
