import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { listOf, SECRET, serving, type HttpResponse } from './testing/responses.ts'
import { requestOf } from './testing/sandbox.ts'

// Lists and refusals that the sandbox does not give.

describe('the lists of LINE', () => {
  const node = { id: 'A1', name: 'One', configuredStatus: 'ACTIVE', currency: 'JPY', timezone: 'Asia/Tokyo' }
  const listed = async (...pages: HttpResponse[]) => {
    const { source, context, requests } = await serving(({ path }) => {
      if (path.includes('/children')) return listOf([])
      return pages[Number(/[?&]page=(\d+)/.exec(path)?.[1]) - 1] ?? listOf([])
    })
    return { accounts: (await Array.fromAsync(source.listAccounts(context))).flat(), requests }
  }

  it('are read to the end, even when pages are shorter than requested', async () => {
    const { accounts, requests } = await listed(
      listOf([node], 2, 1, 1),
      listOf([{ ...node, id: 2 }], 2, 1, 2),
    )
    expect(accounts.map(({ external_id }) => external_id)).toEqual(['A1', '2'])
    expect(requests.length).toBe(3)
  })

  it('are not believed when they end before their count, or go beyond it', async () => {
    await expect(listed(listOf([node], 1000), listOf([], 1000, 100, 2))).rejects.toThrow('1 of 1000 items')
    await expect(listed(listOf([node, { ...node, id: 2 }], 1))).rejects.toThrow('2 of 1 items')
    await expect(
      listed(...Array.from({ length: 9 }, (_, at) => listOf([node], 3, 0, at + 1))),
    ).rejects.toThrow('more than 3 items')
  })

  it('give an account once that they have twice', async () => {
    expect((await listed(listOf([node, node]))).accounts.length).toBe(1)
  })

  it('are unreadable when a page comes again instead of the next one', async () => {
    const first = listOf([node], 1000)
    await expect(listed(first, first)).rejects.toThrow('page 1 instead of 2')
  })

  it.each([
    [{ timezone: 'Asia/Tokyo', country: 'TW' }, 'Asia/Tokyo'],
    [{ timezone: 'JST', country: 'JP' }, 'Asia/Tokyo'],
    [{ timezone: 'UTC+8', country: 'TW' }, 'Asia/Taipei'],
    [{ timezone: 'Asia/Bankok', country: 'TH' }, 'Asia/Bangkok'],
    [{ timezone: undefined, country: 'TH' }, 'Asia/Bangkok'],
  ])('place %j in %s', async (place, timezone) => {
    const { accounts } = await listed(listOf([{ ...node, ...place }]))
    expect(accounts[0]?.timezone).toBe(timezone)
  })

  it.each([
    [{ timezone: 'Mars/Base', country: 'US' }, 'timezone'],
    [{ currency: 'yen' }, 'currency'],
    [{ id: null }, 'id'],
  ])('are unreadable with %j', async (odd, where) => {
    await expect(listed(listOf([{ ...node, ...odd }]))).rejects.toThrow(
      `platform_error: unreadable answer, groups/G1/adaccounts: datas[0]: ${where}`,
    )
  })

  it('give paused accounts as disabled, and no owner where there is none', async () => {
    const { accounts } = await listed(listOf([{ ...node, configuredStatus: 'PAUSED', lineAccount: null }]))
    expect(accounts[0]).toMatchObject({ status: 'disabled', owner_name: null })
  })
})

describe('a refusal of LINE', () => {
  const ending = async (response: HttpResponse) => {
    const { source, context, requests } = await serving(() => response)
    const failure: unknown = await source.prepare(requestOf(), context).catch((thrown: unknown) => thrown)
    return { failure, requests }
  }

  it('is stored in the words of LINE, without anything that is none of them', async () => {
    const errors = [{ reason: 'INVALID_VALUE', property: `breakdown ${SECRET}/<b>` }]
    const { failure } = await ending({ status: 400, body: JSON.stringify({ errors }) })
    expect(failure).toMatchObject({ platform_message: 'INVALID_VALUE (…) [HTTP 400]' })
    expect(inspect(failure)).not.toContain(SECRET)
  })

  it('counts by the reason that is known, and by its status where none is', async () => {
    const errors = [{ reason: 'NEW_ONE' }, { reason: 'ACCOUNT_NOT_ALLOWED' }]
    const { failure } = await ending({ status: 400, body: JSON.stringify(errors) })
    expect(failure).toMatchObject({ code: 'account_access_lost' })
    const other = await ending({ status: 401, body: '<h1>no</h1>' })
    expect([other.failure, other.requests.length]).toMatchObject([{ code: 'credential_expired' }, 2])
  })

  it('by a redirection is not followed', async () => {
    const { failure, requests } = await ending({ status: 302, headers: { location: '/elsewhere' }, body: '' })
    expect([failure, requests.length]).toMatchObject([{ code: 'platform_error' }, 1])
  })

  it.each([
    [{ 'x-request-quota-limit': '30', 'x-request-quota-used': 'EXCEED_LIMIT' }],
    [{ 'x-request-quota-limit': 'EXCEED_LIMIT' }],
  ])('that says %j is one for too many requests, whatever its status', async headers => {
    const { failure } = await ending({ status: 403, headers, body: '' })
    expect(failure).toMatchObject({ code: 'quota_exhausted', platform_message: 'HTTP 403' })
  })

  it('is foreseen where LINE says how much of a quota is used', async () => {
    const headers = { 'x-request-quota-limit': '30', 'x-request-quota-used': '24' }
    const { source, context } = await serving(() => ({ ...listOf([]), headers }))
    const states: object[] = []
    const report = async (_: unknown, state: object) => void states.push(state)
    await Array.fromAsync(source.listAccounts({ ...context, limiter: { ...context.limiter, report } }))
    expect(states).toEqual([80, 80].map(used_percent => ({ used_percent, pause_ms: 0 })))
  })

  it('without a body slows all requests with the key', async () => {
    const { source, context } = await serving(() => ({ status: 429, body: '' }))
    const pauses: number[] = []
    const report = async (_: unknown, { pause_ms }: { pause_ms: number }) => void pauses.push(pause_ms)
    const failure: unknown = await source
      .prepare(requestOf(), { ...context, limiter: { ...context.limiter, report } })
      .catch((thrown: unknown) => thrown)
    expect(failure).toMatchObject({ code: 'quota_exhausted', retry_after_ms: 60_000 })
    expect(pauses).toEqual([1000, 1000, 1000, 1000, 1000])
  })
})
