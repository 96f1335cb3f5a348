import { describe, expect, test } from 'vitest'
import { startClient } from '#sandbox/testing/tiktok.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'

const TAIPEI = '7012345678901230032'
const TOKYO = '7012345678901230036'
const NOON = '2026-11-20T04:00:00Z'

const client = resetAfterEach(await startClient(NOON))

const at = (now: string) => client.control('PUT', 'clock', { now, speed: 0 })
const arm = async (...faults: object[]) => {
  const list = faults.map(fault => ({ platform: 'tiktok', ...fault }))
  expect((await client.control('PUT', 'faults', list)).status).toBe(200)
}
const report = (more: object = {}) =>
  client.get('report/integrated/get/', {
    advertiser_id: TAIPEI,
    report_type: 'BASIC',
    data_level: 'AUCTION_CAMPAIGN',
    dimensions: ['campaign_id'],
    start_date: '2026-11-02',
    end_date: '2026-11-08',
    page_size: 9,
    ...more,
  })
const code = async (more?: object) => (await report(more)).body.code

describe('too many requests', () => {
  test('of a second pass with it', async () => {
    await arm({ action: 'rate_limit', count: 1 })
    expect((await report()).body).toMatchObject({ code: 40100, message: expect.stringContaining('QPS') })
    expect(await code()).toBe(0)
    await arm({ action: 'rate_limit', code: 40016, count: 1 })
    expect(await code()).toBe(40016)
  })

  test('of a minute lock the app for five', async () => {
    await arm({ action: 'rate_limit', window: 'minute', count: 1 })
    expect(await code()).toBe(40100)
    expect((await report({ advertiser_id: TOKYO })).body.message).toContain('QPM')
    await at('2026-11-20T04:04:59Z')
    expect(await code()).toBe(40100)
    await at('2026-11-20T04:05:00Z')
    expect(await code()).toBe(0)
  })

  test('of a day lock the app until midnight UTC', async () => {
    await arm({ action: 'rate_limit', window: 'day', count: 1 })
    await report()
    await at('2026-11-20T23:59:59Z')
    expect((await report()).body.message).toContain('daily')
    await at('2026-11-21T00:00:00Z')
    expect(await code()).toBe(0)
  })

  test('of an advertiser are their own', async () => {
    await arm({ action: 'rate_limit', window: 'advertiser', account: TAIPEI })
    expect([await code(), await code({ advertiser_id: TOKYO })]).toEqual([40133, 0])
  })

  test('are counted when the app has a tier', async () => {
    expect((await client.control('PUT', 'limits', { tiktok_tier: 'basic' })).body).toMatchObject({
      tiktok_tier: 'basic',
    })
    expect((await client.control('PUT', 'limits', { tiktok_tier: 'gold' })).status).toBe(400)
    const codes = []
    for (let count = 0; count < 11; count++) codes.push(await code())
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 0), 40100])
    await at('2026-11-20T04:00:01Z')
    const create = async () => (await client.post('report/task/create/', {})).body.code
    expect([await create(), await create(), await create()]).toEqual([40002, 40002, 40100])
  })
})

describe('faults', () => {
  test('end access', async () => {
    await arm({ action: 'expired_token' })
    expect(await code()).toBe(40102)
    await arm({ action: 'revoked', account: TAIPEI })
    expect([await code(), await code({ advertiser_id: TOKYO })]).toEqual([40001, 0])
    await arm({ action: 'revoked' })
    expect(await code()).toBe(40105)
  })

  test('break the platform, in its form and in none', async () => {
    await arm({ action: 'server_error', code: 51305 })
    expect(await code()).toBe(51305)
    await arm({ action: 'server_error', status: 503 })
    const broken = await report()
    expect([broken.status, broken.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
    await arm({ action: 'cut', count: 1 })
    await expect(report()).rejects.toThrow('terminated')
    await arm({ action: 'malformed', count: 1 })
    await expect(report()).rejects.toThrow(SyntaxError)
    await arm({ action: 'error', code: 60001, message: 'Maintenance' })
    expect((await report()).body).toMatchObject({ code: 60001, message: 'Maintenance' })
  })

  test('respond late, and with partial success', async () => {
    await arm({ action: 'latency', delay_ms: 1 }, { action: 'partial' })
    const { body } = await report()
    expect([body.code, body.data.list.length]).toEqual([20001, 9])
  })

  test('repeat a page, and cut pages out of the list in another order without losing a row', async () => {
    const pages = async (...faults: object[]) => {
      await arm(...faults)
      const ids: string[][] = []
      for (let page = 1, most = 1; page <= most; page++) {
        const { data } = (await report({ page })).body
        most = data.page_info.total_page
        ids.push(data.list.map((row: { dimensions: { campaign_id: string } }) => row.dimensions.campaign_id))
      }
      return ids
    }
    const usual = await pages()
    const repeated = await pages({ action: 'repeat_page', skip: 1, count: 1 })
    expect(repeated).toEqual([usual[0], usual[0], ...usual.slice(2)])
    const reordered = await pages({ action: 'reorder' })
    expect(reordered[0]).not.toEqual(usual[0])
    expect(reordered.flat().toSorted()).toEqual(usual.flat().toSorted())
  })

  test('spoil and slow report tasks', async () => {
    const statuses = async (fault: object) => {
      await arm(fault)
      const { body } = await client.post('report/task/create/', {
        advertiser_id: TAIPEI,
        report_type: 'BASIC',
        data_level: 'AUCTION_CAMPAIGN',
        dimensions: ['campaign_id'],
        start_date: '2026-11-02',
        end_date: '2026-11-08',
      })
      const results = []
      for (let polls = 0; polls < 4; polls++) {
        const parameters = { advertiser_id: TAIPEI, task_id: body.data.task_id }
        results.push((await client.get('report/task/check/', parameters)).body.data.status)
      }
      return results
    }
    expect(await statuses({ action: 'async_failed' })).toEqual(['QUEUING', 'PROCESSING', 'FAILED', 'FAILED'])
    expect(await statuses({ action: 'async_slow', looks: 2 })).toEqual([
      'QUEUING',
      'QUEUING',
      'QUEUING',
      'PROCESSING',
    ])
  })

  test('are logged under the platform and the advertiser', async () => {
    await report()
    const { body } = await client.control('GET', 'requests')
    expect(body.totals.tiktok).toMatchObject({ requests: 1, by_status: { 200: 1 } })
    expect(body.requests[0]).toMatchObject({ platform: 'tiktok', account: TAIPEI, status: 200 })
  })
})
