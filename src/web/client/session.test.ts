import { describe, expect, it } from 'vitest'
import { createSession } from './session.ts'

const NOW = Date.parse('2026-11-20T09:00:00Z')
const inSeconds = (seconds: number) => String(Math.floor(NOW / 1000) + seconds)

describe('the session', () => {
  it('is open with an access token, renewable by an unexpired refresh token, else expired or none', () => {
    expect(browser({ access_token: 'a' }).tab().state()).toBe('open')
    expect(
      browser({ refresh_token_exp: inSeconds(60) })
        .tab()
        .state(),
    ).toBe('renewable')
    expect(
      browser({ refresh_token_exp: inSeconds(-1) })
        .tab()
        .state(),
    ).toBe('expired')
    expect(browser({}).tab().state()).toBe('none')
  })

  it('gives the access token without asking the server', async () => {
    const { tab, server } = browser({ access_token: 'a', refresh_token_exp: inSeconds(60) })
    expect(await tab().token()).toBe('a')
    expect(server.renewals).toBe(0)
  })

  it('renews first when there is no access token', async () => {
    const { tab } = browser({ refresh_token_exp: inSeconds(60) })
    expect(await tab().token()).toBe('fresh-1')
  })

  it('renews the token once for many requests at once', async () => {
    const { tab, server } = browser({ refresh_token_exp: inSeconds(60) })
    const session = tab()
    const tokens = await Promise.all(Array.from({ length: 50 }, () => session.token()))
    expect(new Set(tokens)).toEqual(new Set(['fresh-1']))
    expect(server.renewals).toBe(1)
  })

  it('renews the token once over all tabs', async () => {
    const { tab, server } = browser({ access_token: 'stale', refresh_token_exp: inSeconds(60) })
    const tokens = await Promise.all([tab(), tab(), tab()].map(session => session.renew('stale')))
    expect(tokens).toEqual(['fresh-1', 'fresh-1', 'fresh-1'])
    expect(server.renewals).toBe(1)
  })

  it('ends, with both tokens gone, when the server refuses to renew', async () => {
    const { tab, jar, server } = browser(
      { access_token: 'stale', refresh_token_exp: inSeconds(60) },
      async () => null,
    )
    const session = tab()
    let ended = 0
    session.whenEnded(() => (ended += 1))
    expect(await session.renew('stale')).toBeNull()
    expect(ended).toBe(1)
    expect(server.revocations).toBe(1)
    expect(jar.size).toBe(0)
    // A link that was clicked meanwhile leads to the expired page too, not to the sign-in page.
    expect(session.state()).toBe('expired')
    expect(tab().state()).toBe('none')
  })

  it('has expired already while the refusal, which takes the cookies along, is being read', async () => {
    const { tab, jar } = browser({ access_token: 'stale', refresh_token_exp: inSeconds(60) }, async () => {
      jar.clear()
      expect(session.state()).toBe('expired')
      return null
    })
    const session = tab()
    expect(await session.renew('stale')).toBeNull()
    expect(session.state()).toBe('expired')
  })

  it('counts as expired, not as signed out, once a preloaded page was refused', () => {
    const { tab, server } = browser({ access_token: 'revoked', refresh_token_exp: inSeconds(60) })
    const session = tab()
    let ended = 0
    session.whenEnded(() => (ended += 1))
    session.expire()
    expect(session.state()).toBe('expired')
    expect(server.revocations).toBe(1)
    session.clear()
    expect(session.state()).toBe('none')
    expect(ended).toBe(0)
  })

  it('does not end a second time while a person signs out, neither before the response nor after it', async () => {
    const { tab, server, jar } = browser({ access_token: 'a', refresh_token_exp: inSeconds(60) })
    const session = tab()
    let ended = 0
    session.whenEnded(() => (ended += 1))
    await session.token()
    session.leave()
    // The server has ended it, and refuses what was under way.
    session.end()
    expect(session.state()).toBe('open')
    session.clear()
    session.end()
    expect(await session.token()).toBeNull()
    expect(session.state()).toBe('none')
    expect({ ended, ...server }).toEqual({ ended: 0, renewals: 0, revocations: 0 })
    // The next person's session ends as any other.
    jar.set('access_token', 'b')
    await session.token()
    session.end()
    expect({ ended, state: session.state() }).toEqual({ ended: 1, state: 'expired' })
  })

  it('counts as expired where a response has removed the cookies of an open page', async () => {
    const { tab, jar } = browser({ access_token: 'ended elsewhere', refresh_token_exp: inSeconds(60) })
    const session = tab()
    await session.token()
    jar.clear()
    expect(session.state()).toBe('expired')
    expect(tab().state()).toBe('none')
  })

  it('reads over https only cookies that no other host can have put there', async () => {
    const own = { '__Host-access_token': 'a', '__Host-refresh_token_exp': inSeconds(60) }
    expect(await browser(own, undefined, 'https:').tab().token()).toBe('a')
    const foreign = { access_token: 'b', refresh_token_exp: inSeconds(60) }
    expect(browser(foreign, undefined, 'https:').tab().state()).toBe('none')
  })

  it('ends without asking when the refresh token is over', async () => {
    const { tab, server, jar } = browser({ refresh_token_exp: inSeconds(0) })
    expect(await tab().token()).toBeNull()
    expect(server.renewals).toBe(0)
    expect(jar.size).toBe(0)
  })

  it('stays when the server cannot be reached, and tries again the next time', async () => {
    let away = true
    const { tab, jar } = browser({ refresh_token_exp: inSeconds(60) }, async () => {
      if (away) throw new Error('no connection')
      return 'fresh'
    })
    const session = tab()
    await expect(session.token()).rejects.toThrow('no connection')
    expect(jar.size).toBe(1)
    away = false
    expect(await session.token()).toBe('fresh')
  })
})

/** A browser with a cookie jar, one lock for all tabs, and a server that renews. */
function browser(cookies: Record<string, string>, renew?: () => Promise<string | null>, protocol = 'http:') {
  const jar = new Map(Object.entries(cookies))
  const server = { renewals: 0, revocations: 0 }
  let lock: Promise<unknown> = Promise.resolve()
  const tab = () =>
    createSession({
      readCookies: () => [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      writeCookie: cookie => jar.delete(cookie.split('=')[0] ?? ''),
      fetchAccess: async () => {
        if (renew) return await renew()
        server.renewals += 1
        await Promise.resolve()
        const access = `fresh-${server.renewals}`
        jar.set('access_token', access)
        return access
      },
      exclusively(work) {
        const mine = lock.then(work)
        lock = mine.catch(() => null)
        return mine
      },
      protocol,
      revoke: () => (server.revocations += 1),
      now: () => NOW,
    })
  return { jar, server, tab }
}
