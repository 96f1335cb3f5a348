import { describe, expect, it } from 'vitest'
import { PlatformFailure, type QuotaKey, type QuotaState } from '#server/connectors/connector.ts'
import { callPlatform, refused, type Outcome, type PlatformCall } from './client.ts'
import { final, quota, RecoverableFailure, renew, retry, unreadable, type Verdict } from './failures.ts'

const app: QuotaKey = { platform: 'meta', kind: 'app', id: 'a' }
const account: QuotaKey = { platform: 'meta', kind: 'account', id: '1' }

/** Sends calls nowhere: each response is an empty one with the next outcome of the list. */
function caller(...outcomes: (Outcome<string> | PlatformFailure)[]) {
  const states: [string, QuotaState][] = []
  const slept: number[] = []
  const tokens: string[] = []
  let sent = 0
  const context = {
    fetch: async () => new Response(''),
    signal: new AbortController().signal,
    sleep: async (ms: number) => void slept.push(ms),
    limiter: {
      acquire: async () => {},
      report: async (key: QuotaKey, state: QuotaState) => void states.push([key.kind, state]),
    },
  }
  const call = (changes: Partial<PlatformCall<string>> = {}) =>
    callPlatform(
      {
        url: 'https://ads.example/v1/x',
        init: token => {
          tokens.push(token)
          return {}
        },
        quotaKeys: [app, account],
        outcomeOf: () => {
          const outcome = outcomes[Math.min(sent, outcomes.length - 1)]
          sent += 1
          if (outcome === undefined || outcome instanceof PlatformFailure) throw outcome
          return outcome
        },
        ...changes,
      },
      context,
    )
  return { call, context, states, slept, tokens, sent: () => sent }
}

const means = (verdict: Verdict) => refused(verdict, { reason: 'R', platform_message: 'why' })
const done = { value: 'done' }
const free: QuotaState = { used_percent: 0, pause_ms: 0 }

describe('a call of a platform', () => {
  it('is sent again while it fails for a moment, a little later each time', async () => {
    const { call, slept } = caller(means(retry), means(retry), done)
    expect(await call()).toBe('done')
    expect(slept).toEqual([500, 1000])
  })

  it('ends after its attempts with the failure that lasts', async () => {
    const { call, sent } = caller(means(retry))
    await expect(call({ attempts: 3 })).rejects.toMatchObject({ code: 'platform_unavailable', reason: 'R' })
    expect(sent()).toBe(3)
  })

  it('is not sent again for what is final, whatever its code', async () => {
    const { call, sent } = caller(means(final('platform_unavailable')))
    await expect(call()).rejects.toThrow('platform_unavailable: why')
    expect(sent()).toBe(1)
  })

  it('gets a new token once', async () => {
    let minted = 0
    const signIn = async () => ({ token: `t${minted}`, drop: () => void (minted += 1) })
    const { call, tokens, slept } = caller(means(renew), done)
    expect(await call({ signIn })).toBe('done')
    expect([tokens, slept]).toEqual([['t0', 't1'], []])
    const refusing = caller(means(renew))
    await expect(refusing.call({ signIn })).rejects.toMatchObject({ code: 'credential_expired' })
    expect(refusing.sent()).toBe(2)
  })

  it('pauses the quota that a refusal is about, and no other', async () => {
    const { call, states } = caller(means(quota('account', 7000)))
    await expect(call()).rejects.toMatchObject({ code: 'quota_exhausted', retry_after_ms: 7000 })
    expect(states).toEqual([
      ['app', free],
      ['account', { used_percent: 100, pause_ms: 7000 }],
    ])
  })

  it('waits for a short quota by itself', async () => {
    const { call, slept } = caller(means({ ...quota('app', 2000), retries: 'after_wait' }), done)
    expect(await call()).toBe('done')
    expect(slept).toEqual([2000])
  })

  it('reports every response to the limiter, one that cannot be read too', async () => {
    const { call, states, sent } = caller(unreadable('x'))
    await expect(call({ quotaStates: () => [{ used_percent: 80, pause_ms: 0 }] })).rejects.toThrow(
      'unreadable',
    )
    expect(states).toEqual([
      ['app', { used_percent: 80, pause_ms: 0 }],
      ['account', free],
    ])
    expect(sent()).toBe(1)
  })

  it('recovers from what never was a response', async () => {
    const { call, context } = caller(done)
    context.fetch = async () => new Response('too long')
    const recoverFrom = ({ code }: PlatformFailure) =>
      code === 'too_large' ? new RecoverableFailure('smaller_page') : new PlatformFailure(code)
    await expect(call({ recoverFrom, limits: { max_bytes: 3 } })).rejects.toMatchObject({
      recovery: 'smaller_page',
    })
  })
})
