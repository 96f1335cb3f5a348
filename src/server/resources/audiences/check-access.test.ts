import { describe, expect, it } from 'vitest'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { sandboxHosts } from '#server/connectors/testing/context.ts'
import { createTokenCache } from '#server/connectors/kit/tokens.ts'
import { createAccessCheck } from './check-access.ts'
import type { ShareEffects } from './share-effects.ts'
import { fakePlatform } from './testing/share-platform.ts'

const NOW = new Date('2026-11-20T02:00:00Z')
const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)
const platforms = {
  fetch,
  hosts: sandboxHosts('http://127.0.0.1:9'),
  tokens: createTokenCache(() => NOW),
  limiter: { acquire: async () => {}, report: async () => {} },
}
const account = (more: { id?: number; public_account?: number | null } = {}) => ({
  id: 7,
  provider: 'meta' as const,
  public_account: 1,
  external_id: '1',
  currency: 'TWD',
  timezone: 'Asia/Taipei',
  via: null,
  ...more,
})

/** The check, and how often it has asked. */
function checking(answer: () => object = () => ({})) {
  const platform = fakePlatform()
  let checks = 0
  platform.faults.check = () => {
    checks += 1
    return answer()
  }
  const access = createAccessCheck({ audiencesOf: async () => platform.source, platforms })
  return { access, times: () => checks }
}

describe('what a platform says about an account', () => {
  it('is kept for ten minutes, for the account and the login', async () => {
    const { access, times } = checking(() => ({ business: 'b' }))
    const first = await access(account(), { now: NOW })
    expect(first).toEqual({ result: 'ok', business: 'b', fix_url: null })
    expect(await access(account(), { now: later(10) })).toEqual(first)
    expect(times()).toBe(1)
    await access(account({ id: 8 }), { now: NOW })
    await access(account({ public_account: 2 }), { now: NOW })
    expect(times()).toBe(3)
    await access(account(), { now: later(11) })
    expect(times()).toBe(4)
  })

  it('is asked again where somebody may have mended it', async () => {
    let result = 'terms_not_accepted'
    const { access, times } = checking(() => ({ result }))
    expect(await access(account(), { now: NOW })).toMatchObject({ result })
    result = 'ok'
    expect(await access(account(), { now: NOW })).toMatchObject({ result: 'terms_not_accepted' })
    expect(await access(account(), { now: NOW, again: true })).toMatchObject({ result: 'ok' })
    // What was no refusal is known.
    expect(await access(account(), { now: NOW, again: true })).toMatchObject({ result: 'ok' })
    expect(times()).toBe(2)
  })

  it('is not kept while it does not respond', async () => {
    const { access, times } = checking(() => {
      throw new PlatformFailure('platform_unavailable')
    })
    expect(await access(account(), { now: NOW })).toMatchObject({ result: 'platform_unavailable' })
    await access(account(), { now: NOW })
    expect(times()).toBe(2)
  })

  it.each<[string, ShareEffects['audiencesOf'], string]>([
    ['a platform without audiences', async () => null, 'unsupported_channel'],
    [
      'a login that is gone',
      async () => Promise.reject(new PlatformFailure('credential_missing')),
      'credential_expired',
    ],
    [
      'a login whose consent covers less',
      async () => Promise.reject(new PlatformFailure('scope_missing')),
      'credential_expired',
    ],
  ])('is of %s in our words', async (_, audiencesOf, result) => {
    const access = createAccessCheck({ audiencesOf, platforms })
    expect(await access(account(), { now: NOW })).toEqual({ result, business: null, fix_url: null })
  })
})
