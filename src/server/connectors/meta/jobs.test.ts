import { describe, expect, it } from 'vitest'
import { sourceOf, type AccountRef, type ReportRequest } from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import {
  fetchPages,
  rowsOf,
  summed,
  testJobs,
  testContext,
  type RequestFields,
} from '#server/connectors/testing/context.ts'
import { meta } from './report.ts'
import type { MetaIo, MetaLogin } from './schema.ts'

const NOW = '2026-11-21T04:00:00Z'
const login: MetaLogin = { access_token: 'sandbox-admin', app_secret: 'sandbox-app-secret' }
const aurora = account('10150357160960121', 'TWD', 'Asia/Taipei')
const large = account('10150733820019011', 'USD', 'America/Los_Angeles')
const jobsFail = account('10150733820019015', 'USD', 'America/Los_Angeles')
const jobsTooLarge = account('10150733820019016', 'USD', 'America/Los_Angeles')
const jobsSkipped = account('10150844730556017', 'TWD', 'Asia/Taipei')

const sandbox = sandboxOfFile(NOW)

const io = (changes: Partial<MetaIo> = {}): MetaIo => ({
  ...testContext(sandbox.base_url, NOW),
  login,
  ...changes,
})

const defaults: RequestFields = {
  range: { start: '2026-10-01', end: '2026-10-31' },
  time: 'date',
  dimensions: [],
  metrics: ['impressions', 'cost'],
  filters: [],
}
const requestOf = (request: Partial<ReportRequest> = {}): ReportRequest => ({
  channel: 'fb',
  account: aurora,
  ...defaults,
  ...request,
})
const fetchRows = (request: Partial<ReportRequest> = {}) =>
  rowsOf(fetchPages(sourceOf(meta, login), requestOf(request), io()))

const fault = (action: string, more: object = {}) => ({ platform: 'meta', action, ...more })

describe('an asynchronous report of Meta', () => {
  it('is what a month of days by device comes to, and gives the same', async () => {
    const days = await fetchRows({ dimensions: ['device_type'] })
    expect(await submitted()).toBe(1)
    expect(summed(days, ({ date }) => date)).toEqual(
      Object.fromEntries((await fetchRows()).map(({ date, values }) => [date, values])),
    )
  })

  it('begins again what Meta does not know any more, and gives no account up for it', async () => {
    const source = sourceOf(meta, login)
    const request = requestOf({ dimensions: ['device_type'] })
    const context = io()
    const before = await rowsOf(fetchPages(source, request, context))
    await sandbox.reset(NOW)
    expect(await rowsOf(fetchPages(source, request, context))).toEqual(before)
    expect(await submitted()).toBe(1)
  })

  it('is what reach by device of long ago comes to, which is left out otherwise', async () => {
    const longAgo = { range: { start: '2025-09-01', end: '2025-09-30' }, time: 'total' } as const
    const rows = await fetchRows({
      ...longAgo,
      dimensions: ['device_type'],
      metrics: ['reach', 'frequency'],
    })
    expect(await submitted()).toBe(1)
    expect(rows.flatMap(({ values }) => values).filter(value => !(value > 0))).toEqual([])
  })

  it('refuses unique clicks by device of long ago, which are available for 13 months', async () => {
    const range = { start: '2025-09-01', end: '2025-09-30' }
    const request = fetchRows({ range, dimensions: ['device_type'], metrics: ['unique_clicks'] })
    await expect(request).rejects.toThrow('history_limit')
  })

  it('sizes a large account up, and reads its ads once', async () => {
    const range = { start: '2026-08-01', end: '2026-10-31' }
    const rows = await fetchRows({ account: large, range, dimensions: ['ad'] })
    expect(await submitted()).toBe(1)
    expect(rows.length).toBeGreaterThan(80_000)
    expect(summed(rows, ({ date }) => date)).toEqual(
      Object.fromEntries(
        (await fetchRows({ account: large, range })).map(({ date, values }) => [date, values]),
      ),
    )
  })

  it('has three jobs at work for a year of a large account, before anything is read', async () => {
    const range = { start: '2025-11-01', end: '2026-10-31' }
    const sleep = () => Promise.reject(new Error('enough'))
    const request = requestOf({ account: large, range, dimensions: ['ad'] })
    await expect(meta.prepare?.(request, io({ sleep }))).rejects.toThrow('enough')
    expect(await submitted()).toBe(3)
  })

  it('holds no worker while jobs are at work, and finds them again on the next attempt', async () => {
    const range = { start: '2025-11-01', end: '2026-10-31' }
    const sleeps: number[] = []
    const jobs = testJobs()
    const waiting = io({ jobs, sleep: async ms => void sleeps.push(ms) })
    const request = requestOf({ account: large, range, dimensions: ['ad'] })
    const underWay = { name: 'ReportPending', poll_after_ms: 10_000 }
    await expect(meta.prepare?.(request, waiting)).rejects.toMatchObject(underWay)
    expect(sleeps.reduce((sum, ms) => sum + ms, 0)).toBe(2000)
    const sampled = async () =>
      (await sandbox.requests()).filter(({ path }) => path.includes('fields=impressions&')).length
    const samples = await sampled()
    for (let looks = 0; looks < 9; looks += 1) {
      const left = await meta.prepare?.(request, waiting).catch((thrown: unknown) => thrown)
      if (left === undefined) break
      expect(left).toMatchObject(underWay)
    }
    const rows = await fetchFirst(request, waiting)
    expect(rows).toBeGreaterThan(0)
    // One job for each key, and the size of the account.
    expect([await submitted(), await sampled()]).toEqual([jobs.known.size - 1, samples])
  })

  it('continues in the job that replaced a request with too large a response', async () => {
    await sandbox.setFaults([fault('too_much_data', { method: 'GET', count: 1 })])
    const jobs = testJobs()
    const request = requestOf({ time: 'total', dimensions: ['campaign'] })
    const sleep = () => Promise.reject(new Error('enough'))
    await expect(rowsOf(meta.fetchReport(request, io({ jobs, sleep })))).rejects.toThrow('enough')
    expect((await rowsOf(meta.fetchReport(request, io({ jobs })))).length).toBeGreaterThan(0)
    expect(await submitted()).toBe(1)
    const directRequests = (await sandbox.requests()).filter(({ path }) => path.includes('act_'))
    expect(directRequests.filter(({ method }) => method === 'GET').length).toBe(1)
  })

  it('halves the days of a job that is too large', async () => {
    const rows = await fetchRows({ account: jobsTooLarge, dimensions: ['device_type'] })
    expect(new Set(rows.map(({ date }) => date)).size).toBe(31)
    expect(await submitted()).toBe(7)
  })

  it('ends when not even a single slice can be had', async () => {
    await sandbox.setFaults([fault('async_too_much'), fault('too_much_data')])
    await expect(fetchRows({ time: 'total' })).rejects.toThrow('too_large')
  })

  it('submits a skipped job again', async () => {
    const rows = await fetchRows({ account: jobsSkipped, dimensions: ['device_type'] })
    expect(rows.length).toBe(31 * 4)
    expect(await submitted()).toBe(2)
  })

  it('submits a job that fails three times at most', async () => {
    const request = fetchRows({ account: jobsFail, dimensions: ['device_type'] })
    await expect(request).rejects.toThrow('platform_unavailable')
    expect(await submitted()).toBe(3)
  })
})

/** How many rows the first page has. */
async function fetchFirst(request: ReportRequest, context: MetaIo): Promise<number> {
  for await (const { length } of meta.fetchReport(request, context)) return length
  return 0
}

async function submitted(): Promise<number> {
  return (await sandbox.requests()).filter(request => request.method === 'POST').length
}

function account(external_id: string, currency: string, timezone: string): AccountRef {
  return { provider: 'meta', external_id, currency, timezone, via: null }
}
