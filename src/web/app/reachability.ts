import { createStore } from './store.ts'

/** Whether the last request could reach the server. */
export const reachability = createStore<boolean>(true)

const PROBE_MS = 4000
let probe: ReturnType<typeof setTimeout> | null = null

/** Told by the client after each request; while the server cannot be reached it is asked again by itself until it can. */
export function noteReachable(reached: boolean) {
  reachability.set(reached)
  if (!reached) probe ??= setTimeout(tryAgain, PROBE_MS)
}

async function tryAgain() {
  probe = null
  noteReachable(
    await fetch('/healthz', { cache: 'no-store' }).then(
      response => response.ok,
      () => false,
    ),
  )
}
