import type { z } from 'zod'
import type { RefreshReply } from '#shared/api/session.ts'
import { createClient } from './http.ts'
import { asProblem } from './problem.ts'
import { noteReachable } from './reachability.ts'
import { createSession } from './session.ts'

/** The browser's session: wired to the cookies of this site, one renewal at a time over all tabs. */
export const session = createSession({
  protocol: location.protocol,
  readCookies: () => document.cookie,
  writeCookie: cookie => {
    document.cookie = cookie
  },
  fetchAccess,
  revoke,
  exclusively: async work =>
    // Locks exist only on https and localhost; elsewhere the server's ten seconds of grace must do.
    'locks' in navigator ? await navigator.locks.request('sheetcast-renewal', work) : await work(),
  now: () => Date.now(),
})

/** The one HTTP client of the web part. */
export const client = createClient({
  fetch: (path, init) => fetch(path, init),
  session,
  reachable: noteReachable,
  pause: ms => new Promise(resolve => setTimeout(resolve, ms)),
})

/** Also while the page is left: the sign-in must not outlive it. What cannot be reached now ends by itself after fourteen days. */
function revoke() {
  void fetch('/api/token/revoke/', { method: 'POST', keepalive: true }).catch(() => null)
}

async function fetchAccess(): Promise<string | null> {
  try {
    const pair = await client.anonymous<Partial<z.infer<typeof RefreshReply>>>(
      'POST',
      '/api/token/refresh/',
      { body: {} },
    )
    return pair.access ?? null
  } catch (error) {
    const problem = asProblem(error)
    // Only an answer ends a session; a server that cannot be reached or is busy may still say yes later.
    if (problem.code === 'unreachable' || problem.status === 429 || problem.status === 503) throw problem
    return null
  }
}
