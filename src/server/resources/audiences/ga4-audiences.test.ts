import { expect, it } from 'vitest'
import { PlatformFailure, type AnalyticsAudience } from '#server/connectors/connector.ts'
import { createTokenCache } from '#server/connectors/kit/tokens.ts'
import { sandboxHosts } from '#server/connectors/testing/context.ts'
import { createGa4Audiences } from './ga4-audiences.ts'

const platforms = {
  fetch,
  hosts: sandboxHosts('http://127.0.0.1:9'),
  tokens: createTokenCache(() => new Date(0)),
  limiter: { acquire: async () => {}, report: async () => {} },
}
const view = (external_id: string) => ({
  provider: 'ga4' as const,
  public_account: 1,
  external_id,
  currency: 'TWD',
  timezone: 'Asia/Taipei',
  via: null,
})
const cart: AnalyticsAudience = { id: '77', name: 'Cart', window_days: 30, users: 1840 }

/** A property, and how often it is read. */
function properties(listAudiences: () => Promise<AnalyticsAudience[]>) {
  const clock = { now: 0 }
  let calls = 0
  const source = {
    listAudiences: () => {
      calls += 1
      return listAudiences()
    },
  }
  const sourceOf = async () => source
  return {
    read: createGa4Audiences({ sourceOf, platforms, now: () => clock.now }),
    clock,
    times: () => calls,
  }
}

it('reads the audiences of a property once in ten minutes', async () => {
  const { read, clock, times } = properties(async () => [cart])
  const audiences = [{ audience: '77', name: 'Cart', window_days: 30, users: 1840 }]
  expect(await read(view('1'))).toEqual({ audiences, code: null })
  clock.now = 10 * 60_000 - 1
  expect(await read(view('1'))).toEqual({ audiences, code: null })
  expect(times()).toBe(1)
  await read(view('2'))
  expect(times()).toBe(2)
  clock.now += 1
  await read(view('1'))
  expect(times()).toBe(3)
})

it('says why there are none, and reads again next time', async () => {
  const { read, times } = properties(async () => {
    throw new PlatformFailure('no_access')
  })
  for (let n = 1; n <= 2; n++) expect(await read(view('1'))).toEqual({ audiences: [], code: 'no_access' })
  expect(times()).toBe(2)
  const nowhere = createGa4Audiences({ sourceOf: async () => null, platforms, now: () => 0 })
  expect(await nowhere(view('1'))).toEqual({ audiences: [], code: 'credential_missing' })
})

it('does not hide a fault of our own', async () => {
  const { read } = properties(async () => {
    throw new TypeError('oops')
  })
  await expect(read(view('1'))).rejects.toThrow('oops')
})
