import { expiredCookie, readCookie } from '#shared/cookies.ts'
import { sessionCookies } from '#shared/session-cookies.ts'

/**
 * open: there is an access token. renewable: none, but the refresh token is unexpired. expired: the refresh
 * token's time is over. none: nobody has signed in here, or they have signed out.
 */
export type SessionState = 'open' | 'renewable' | 'expired' | 'none'

/** What the session touches outside of itself. */
export interface SessionEffects {
  /** `location.protocol`, which decides what the cookies are called. */
  protocol: string
  /** `document.cookie` */
  readCookies: () => string
  writeCookie: (cookie: string) => void
  /**
   * Requests a new access token: null when the server refuses or gives none; throws when the outcome is
   * unknown (no connection, overload).
   */
  fetchAccess: () => Promise<string | null>
  /**
   * Ends the session at the server, which knows it by the refresh cookie that no page can read, and removes
   * that cookie. Never throws.
   */
  revoke: () => void
  /** Runs the work while no other tab of this site runs its own. */
  exclusively: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Milliseconds since 1970. */
  now: () => number
}

export type Session = ReturnType<typeof createSession>

/**
 * The token pair. Both tokens live in cookies that the server sets: of the access token's the value is
 * readable, of the refresh token's only the expiry. The only state here is the renewal under way, so that
 * every tab always acts on what the cookies say now.
 */
export function createSession(effects: SessionEffects) {
  let renewal: Promise<string | null> | null = null
  /**
   * A page that was opened signed in says that the session has expired, even after a response has removed the
   * cookies.
   */
  let wasOpen = false
  /** The person is signing out, and the page itself shows the outcome. */
  let isLeaving = false
  const cookies = sessionCookies(effects.protocol)
  const listeners = new Set<() => void>()

  const access = () => readCookie(effects.readCookies(), cookies.access)
  const refreshExpiry = () => {
    const seconds = readCookie(effects.readCookies(), cookies.refresh_expiry)
    return seconds === null ? null : Number(seconds) * 1000
  }
  const isRenewable = () => (refreshExpiry() ?? 0) > effects.now()

  function state(): SessionState {
    if (access() !== null) return 'open'
    if (isRenewable()) return 'renewable'
    return refreshExpiry() === null && !wasOpen ? 'none' : 'expired'
  }

  /**
   * The access token to send, at once, or renewed first when there is none; null when the session is over.
   */
  function token(): string | Promise<string | null> {
    const current = access()
    if (current === null) return renew(null)
    wasOpen = true
    return current
  }

  /**
   * A token other than `stale`, which the server has refused; null (and the session is over) when there is
   * none.
   */
  function renew(stale: string | null): Promise<string | null> {
    // The response that refuses a renewal, perhaps another tab's, removes the cookies before it is read here.
    if (isRenewable()) wasOpen = true
    renewal ??= effects
      .exclusively(() => renewOnce(stale))
      .finally(() => {
        renewal = null
      })
    return renewal
  }

  async function renewOnce(stale: string | null): Promise<string | null> {
    // Another tab may have renewed it while this one waited for the lock.
    const current = access()
    if (current !== null && current !== stale) return current
    const fresh = isRenewable() ? await effects.fetchAccess() : null
    if (fresh === null) end()
    return fresh
  }

  /** The person signs out: until `clear`, a refusal of what is under way ends nothing. */
  function leave() {
    isLeaving = true
  }

  /** Removes both tokens without calling the listeners: for a page that itself says what happened. */
  function clear() {
    forget()
    wasOpen = false
    isLeaving = false
  }

  /**
   * The server has refused: removes both tokens, and from here on says that the session has expired, also to
   * a page that was only preloaded.
   */
  function expire() {
    wasOpen = true
    forget()
    effects.revoke()
  }

  function forget() {
    for (const name of [cookies.access, cookies.refresh_expiry]) effects.writeCookie(expiredCookie(name))
  }

  /**
   * The session is over: removes both tokens and calls the listeners. Signing out is no expiry: neither
   * before the response nor after it.
   */
  function end() {
    if (isLeaving || state() === 'none') return
    expire()
    for (const listener of listeners) listener()
  }

  /** Calls the listener each time that the session expires; returns a function that unsubscribes. */
  function whenEnded(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  return { state, token, renew, isRenewable, leave, clear, expire, end, whenEnded, revoke: effects.revoke }
}
