import { createStore } from './store.ts'

/**
 * Whether the last request could reach the server; offline: the browser itself has no network, so that none
 * could.
 */
export const reachability = createStore<'reached' | 'unreachable' | 'offline'>('reached')

const PROBE_MS = 4000
let probe: ReturnType<typeof setTimeout> | null = null

/**
 * Updated by the client after each request; while the server is unreachable it is polled until it responds.
 * A page that the server draws reaches its reader, whatever could not be read for it.
 */
export function noteReachable(reached: boolean) {
  if (typeof window === 'undefined') return
  reachability.set(reached ? 'reached' : navigator.onLine ? 'unreachable' : 'offline')
  if (!reached) probe ??= setTimeout(tryAgain, PROBE_MS)
}

/**
 * What the browser knows by itself: while it is offline no request is even tried, and back online there is
 * nothing to wait for.
 */
export function watchConnection() {
  addEventListener('offline', () => noteReachable(false))
  addEventListener('online', () => void tryAgain())
  if (!navigator.onLine) noteReachable(false)
}

async function tryAgain() {
  if (probe !== null) clearTimeout(probe)
  probe = null
  await isReached()
}

/** Sends a request to the server to see whether it responds, and records the result. */
export async function isReached(): Promise<boolean> {
  const reached = await fetch('/healthz', { cache: 'no-store' }).then(
    response => response.ok,
    () => false,
  )
  noteReachable(reached)
  return reached
}
