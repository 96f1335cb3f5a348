import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Filter } from '#shared/channels/catalogue.ts'
import { sourceOf, type AccountRef, type ReportRequest, type World } from '../connector.ts'
import {
  answerTo,
  rowsOf,
  startTestSandbox,
  summed,
  testJobs,
  testWorld,
  type TestSandbox,
} from '../testing.ts'
import { tiktok } from './report.ts'

const NOW = '2026-11-20T04:00:00Z'
const source = sourceOf(tiktok, {
  access_token: 'sandbox-admin',
  app_id: '7300000000000000001',
  app_secret: 'sandbox-app-secret',
})
const large: AccountRef = {
  provider: 'tiktok',
  external_id: '7012345678901230161',
  currency: 'USD',
  timezone: 'America/Los_Angeles',
  via: null,
}

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
beforeEach(() => sandbox.reset(NOW))
afterAll(() => sandbox.stop())

const world = (changes: Partial<World> = {}): World => ({ ...testWorld(sandbox.base_url, NOW), ...changes })
const requestOf = (request: Partial<ReportRequest> = {}): ReportRequest => ({
  channel: 'tt',
  account: large,
  range: { start: '2026-10-01', end: '2026-10-31' },
  time: 'date',
  dimensions: [],
  metrics: ['impressions', 'cost'],
  filters: [],
  ...request,
})
const fetchRows = (request: Partial<ReportRequest> = {}, changes: Partial<World> = {}) =>
  rowsOf(answerTo(source, requestOf(request), world(changes)))

const fault = (action: string, more: object = {}) => ({ platform: 'tiktok', action, ...more })
const error = (code: number) => fault('error', { code })

describe('more ids than TikTok tells of at once', () => {
  const by_ad = { dimensions: ['ad' as const] }
  const created = async () => (await sandbox.requests()).filter(({ method }) => method === 'POST').length

  it('are asked for in tasks, all of them begun before anything is read', async () => {
    const rows = await fetchRows(by_ad)
    expect(await created()).toBe(2)
    expect(rows.length).toBeGreaterThan(20_000)
    expect(summed(rows, ({ date }) => date)).toEqual(
      Object.fromEntries((await fetchRows()).map(({ date, values }) => [date, values])),
    )
  })

  it('give the same names, parents and zeros as otherwise', async () => {
    const request: Partial<ReportRequest> = {
      dimensions: ['ad', 'campaign', 'ad_group'],
      metrics: ['impressions', 'cost', 'reach', 'secondary_goal_results'],
      time: 'total',
    }
    const by_task = await fetchRows(request)
    const filters: Filter[] = [
      { field: 'campaign_name', rule: 'EQUAL', values: [by_task[0]?.labels[1] ?? ''] },
    ]
    const own = by_task.filter(({ labels }) => labels[1] === by_task[0]?.labels[1])
    expect(own.length).toBeGreaterThan(10)
    await sandbox.reset(NOW)
    expect(await fetchRows({ ...request, filters })).toEqual(own)
    expect(await created()).toBe(0)
  })

  it('add up by device, too', async () => {
    const request = { time: 'total' as const, metrics: ['impressions', 'conversions'] }
    const by_ad_and_device = await fetchRows({ ...request, dimensions: ['ad', 'device_type'] })
    expect(await created()).toBe(1)
    const by_device = await fetchRows({ ...request, dimensions: ['device_type'] })
    expect(summed(by_ad_and_device, ({ keys: [, device] }) => device ?? '')).toEqual(
      summed(by_device, ({ keys: [device] }) => device ?? ''),
    )
  })

  it('are narrowed down by names first, read here one by one', async () => {
    const filters: Filter[] = [{ field: 'campaign_name', rule: 'EQUAL', values: ['no such campaign'] }]
    expect(await fetchRows({ ...by_ad, filters })).toEqual([])
    expect((await sandbox.requests()).map(({ path }) => path.split('?')[0])).toEqual([
      '/open_api/v1.3/report/integrated/get/',
      '/open_api/v1.3/campaign/get/',
    ])
  })

  it('are not asked for when a metric has no tasks', async () => {
    await expect(fetchRows({ ...by_ad, metrics: ['net_cost'] })).rejects.toThrow('too_large')
  })

  it('hold no worker while TikTok is at work, and are found again by the next attempt', async () => {
    await sandbox.setFaults([fault('async_slow', { looks: 9 })])
    const sleeps: number[] = []
    const waiting = world({ sleep: async ms => void sleeps.push(ms) })
    await expect(source.prepare(requestOf(by_ad), waiting)).rejects.toMatchObject({
      name: 'JobUnderWay',
      look_again_ms: 15_000,
    })
    expect(sleeps.reduce((sum, ms) => sum + ms, 0)).toBe(5000)
    expect((await rowsOf(answerTo(source, requestOf(by_ad), waiting))).length).toBeGreaterThan(20_000)
    expect(await created()).toBe(2)
    const at_once = (await sandbox.requests()).filter(({ path }) => path.includes('/integrated/'))
    expect(at_once.length).toBe(1)
  })

  it('are submitted again when a task fails, and three times at most', async () => {
    const total = { ...by_ad, time: 'total' as const }
    const undisturbed = await fetchRows(total)
    await sandbox.reset(NOW)
    await sandbox.setFaults([fault('async_failed', { path: 'create', count: 1 })])
    expect(await fetchRows(total)).toEqual(undisturbed)
    expect(await created()).toBe(2)
    await sandbox.reset(NOW)
    await sandbox.setFaults([fault('async_failed')])
    const jobs = testJobs()
    await expect(fetchRows(total, { jobs })).rejects.toThrow('platform_unavailable: report task')
    expect([await created(), jobs.known.size]).toEqual([3, 0])
  })

  it('are submitted again when a task has gone', async () => {
    const total = { ...by_ad, time: 'total' as const }
    await sandbox.setFaults([{ ...error(40007), path: 'task/check', count: 1 }])
    expect((await fetchRows(total)).length).toBeGreaterThan(0)
    expect(await created()).toBe(2)
    const jobs = testJobs()
    await sandbox.setFaults([{ ...error(40200), path: 'task/download', count: 1 }])
    await expect(fetchRows(total, { jobs })).rejects.toThrow('platform_unavailable')
    expect(jobs.known.size).toBe(0)
    expect((await fetchRows(total, { jobs })).length).toBeGreaterThan(0)
  })

  it('may be finished and not ready', async () => {
    await sandbox.setFaults([{ ...error(40201), path: 'task/download', count: 2 }])
    expect((await fetchRows({ ...by_ad, time: 'total' })).length).toBeGreaterThan(0)
    const downloads = (await sandbox.requests()).filter(({ path }) => path.includes('task/download'))
    expect(downloads.length).toBe(3)
  })
})
