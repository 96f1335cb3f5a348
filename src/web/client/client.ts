import { fetchAccess } from './fetch-access.ts'
import { createClient } from './http.ts'
import { perVisit } from '#web/visit/per-visit.ts'
import { noteReachable } from './reachability.ts'
import { createSession, type Session } from './session.ts'

/** The browser's session: wired to the cookies of this site, one renewal at a time over all tabs. */
const own = perVisit(() =>
  createSession({
    protocol: location.protocol,
    readCookies: () => document.cookie,
    writeCookie: cookie => {
      document.cookie = cookie
    },
    fetchAccess: () => fetchAccess(client),
    revoke,
    exclusively: async work =>
      // Locks exist only on https and localhost; elsewhere the server's ten seconds of grace must do.
      'locks' in navigator ? await navigator.locks.request('sheetcast-renewal', work) : await work(),
    now: () => Date.now(),
  }),
)

export const session: Session = {
  state: () => own().state(),
  token: () => own().token(),
  renew: stale => own().renew(stale),
  isRenewable: () => own().isRenewable(),
  leave: () => own().leave(),
  clear: () => own().clear(),
  expire: () => own().expire(),
  end: () => own().end(),
  whenEnded: listener => own().whenEnded(listener),
  revoke: () => own().revoke(),
}

/** The one HTTP client of the web part. */
export const client = createClient({
  fetch: (path, init) => fetch(path, init),
  session,
  reachable: noteReachable,
  pause: ms => new Promise(resolve => setTimeout(resolve, ms)),
})

/**
 * Also while the page is left: the session must not outlive it. If the server is unreachable the session ends
 * by itself after fourteen days.
 */
function revoke() {
  void fetch('/api/token/revoke/', { method: 'POST', keepalive: true }).catch(() => null)
}
