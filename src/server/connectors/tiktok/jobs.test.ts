import { describe, expect, it } from 'vitest'
import type { Filter } from '#shared/channels/catalogue.ts'
import type { ReportRequest, ConnectorContext } from '#server/connectors/connector.ts'
import { fetchPages, rowsOf, summed, testJobs } from '#server/connectors/testing/context.ts'
import { error, fault, large, requestOf, source, tiktokSandbox } from './testing/sandbox.ts'

const { requests, reset, setFaults, context } = tiktokSandbox()

const requestOfLarge = (request: Partial<ReportRequest> = {}) => requestOf({ account: large, ...request })
const fetchRows = (request: Partial<ReportRequest> = {}, changes: Partial<ConnectorContext> = {}) =>
  rowsOf(fetchPages(source(), requestOfLarge(request), context(changes)))

describe('more ids than a synchronous report of TikTok has', () => {
  const byAd = { dimensions: ['ad' as const] }
  const created = async () => (await requests()).filter(({ method }) => method === 'POST').length

  it('are requested in tasks, all of them submitted before anything is read', async () => {
    const rows = await fetchRows(byAd)
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
    const byTask = await fetchRows(request)
    const filters: Filter[] = [
      { field: 'campaign_name', rule: 'EQUAL', values: [byTask[0]?.labels[1] ?? ''] },
    ]
    const own = byTask.filter(({ labels }) => labels[1] === byTask[0]?.labels[1])
    expect(own.length).toBeGreaterThan(10)
    await reset()
    expect(await fetchRows({ ...request, filters })).toEqual(own)
    expect(await created()).toBe(0)
  })

  it('leave idle ads out by day as in total, though their files have lines of zeros', async () => {
    const idsAt = async (time: ReportRequest['time']) => {
      const rows = await fetchRows({ dimensions: ['ad'], metrics: ['impressions'], time })
      expect(rows.filter(({ values }) => values[0] === 0)).toEqual([])
      return new Set(rows.map(({ keys }) => keys[0]))
    }
    expect(await idsAt('date')).toEqual(await idsAt('total'))
    expect(await created()).toBeGreaterThan(0)
  })

  it('add up by device, too', async () => {
    const request = { time: 'total' as const, metrics: ['impressions', 'conversions'] }
    const byAdAndDevice = await fetchRows({ ...request, dimensions: ['ad', 'device_type'] })
    expect(await created()).toBe(1)
    const byDevice = await fetchRows({ ...request, dimensions: ['device_type'] })
    expect(summed(byAdAndDevice, ({ keys: [, device] }) => device ?? '')).toEqual(
      summed(byDevice, ({ keys: [device] }) => device ?? ''),
    )
  })

  it('are narrowed down by names first, read here one by one', async () => {
    const filters: Filter[] = [{ field: 'campaign_name', rule: 'EQUAL', values: ['no such campaign'] }]
    expect(await fetchRows({ ...byAd, filters })).toEqual([])
    expect((await requests()).map(({ path }) => path.split('?')[0])).toEqual([
      '/open_api/v1.3/report/integrated/get/',
      '/open_api/v1.3/campaign/get/',
    ])
  })

  it('are not requested when a metric has no tasks', async () => {
    await expect(fetchRows({ ...byAd, metrics: ['net_cost'] })).rejects.toThrow('too_large')
  })

  it('hold no worker while TikTok is at work, and are found again by the next attempt', async () => {
    await setFaults([fault('async_slow', { looks: 9 })])
    const sleeps: number[] = []
    const waiting = context({ sleep: async ms => void sleeps.push(ms) })
    await expect(source().prepare(requestOfLarge(byAd), waiting)).rejects.toMatchObject({
      name: 'ReportPending',
      poll_after_ms: 10_000,
    })
    expect(sleeps.reduce((sum, ms) => sum + ms, 0)).toBe(2000)
    expect((await rowsOf(fetchPages(source(), requestOfLarge(byAd), waiting))).length).toBeGreaterThan(20_000)
    expect(await created()).toBe(2)
    const atOnce = (await requests()).filter(({ path }) => path.includes('/integrated/'))
    expect(atOnce.length).toBe(1)
  })

  it('are submitted again when a task fails, and three times at most', async () => {
    const total = { ...byAd, time: 'total' as const }
    const undisturbed = await fetchRows(total)
    await reset()
    await setFaults([fault('async_failed', { path: 'create', count: 1 })])
    expect(await fetchRows(total)).toEqual(undisturbed)
    expect(await created()).toBe(2)
    await reset()
    await setFaults([fault('async_failed')])
    const jobs = testJobs()
    await expect(fetchRows(total, { jobs })).rejects.toThrow('platform_unavailable: report task')
    expect([await created(), jobs.known.size]).toEqual([3, 0])
  })

  it('are submitted again when a task has gone', async () => {
    const total = { ...byAd, time: 'total' as const }
    await setFaults([{ ...error(40007), path: 'task/check', count: 1 }])
    expect((await fetchRows(total)).length).toBeGreaterThan(0)
    expect(await created()).toBe(2)
    const jobs = testJobs()
    await setFaults([{ ...error(40200), path: 'task/download', count: 1 }])
    await expect(fetchRows(total, { jobs })).rejects.toThrow('platform_unavailable')
    expect(jobs.known.size).toBe(0)
    expect((await fetchRows(total, { jobs })).length).toBeGreaterThan(0)
  })

  it('may be finished and not ready', async () => {
    await setFaults([{ ...error(40201), path: 'task/download', count: 2 }])
    expect((await fetchRows({ ...byAd, time: 'total' })).length).toBeGreaterThan(0)
    const downloads = (await requests()).filter(({ path }) => path.includes('task/download'))
    expect(downloads.length).toBe(3)
  })
})
