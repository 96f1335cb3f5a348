import { describe, expect, it } from 'vitest'
import { lnMetrics } from '#shared/channels/ln-metrics.ts'
import type { ReportRequest } from '#server/connectors/connector.ts'
import { summed } from '#server/connectors/testing/context.ts'
import { empty, large, lineSandbox, tokyo } from './testing/sandbox.ts'

const { fetchRows, requests, reset, submitted } = lineSandbox()

describe('the numbers of LINE', () => {
  const fetched = Object.entries(lnMetrics).filter(([, metric]) => metric.kind !== 'derived')

  it('are there for every metric of the catalogue, by ad group and by device', async () => {
    const ids = fetched.map(([id]) => id)
    const october = { account: large, time: 'month' } as const
    const groups = await fetchRows({ ...october, dimensions: ['ad_group'], metrics: ids })
    for (const [at, id] of ids.entries())
      expect([id, groups.some(row => (row.values[at] ?? 0) > 0)]).toEqual([id, true])
    const byDevice = fetched.filter(([, metric]) => !('not_with' in metric)).map(([id]) => id)
    const devices = await fetchRows({ ...october, dimensions: ['device_type'], metrics: byDevice })
    expect(new Set(devices.map(({ keys: [key] }) => key))).toEqual(new Set(['iOS', 'Android']))
    for (const [at, id] of byDevice.entries())
      expect([id, devices.some(row => row.values[at])]).toEqual([id, true])
  })

  it('have yen without fractions and dollars with cents, in millionths', async () => {
    const [yen] = await fetchRows({ account: tokyo, time: 'total', metrics: ['cost'] })
    const [dollars] = await fetchRows({ metrics: ['cost'] })
    expect((yen?.values[0] ?? 0.5) % 1_000_000).toBe(0)
    expect((dollars?.values[0] ?? 0.5) % 10_000).toBe(0)
    expect(yen?.values[0]).toBeGreaterThan(1_000_000_000)
  })

  it('are those of removed campaigns too, and of two campaigns of one name', async () => {
    const rows = await fetchRows({ time: 'total', dimensions: ['campaign'] })
    const names = rows.map(({ labels: [name] }) => name)
    expect(names).toContain('Deleted by mistake')
    expect(names.filter(name => name === 'Twin').length).toBe(2)
  })

  it('leave out what was not delivered', async () => {
    const rows = await fetchRows({ time: 'total', dimensions: ['ad'] })
    expect(rows.filter(({ values: [impressions] }) => !(Number(impressions) > 0))).toEqual([])
    expect(await fetchRows({ account: empty, time: 'total' })).toEqual([])
  })

  it('have people of each week from a report of its own, who are fewer than those of its days', async () => {
    const range = { start: '2026-10-01', end: '2026-10-18' }
    const metrics = ['impressions', 'reach', 'frequency']
    const days = await fetchRows({ range, metrics })
    await reset()
    const weeks = await fetchRows({ range, metrics, time: 'week' })
    expect(weeks.map(({ date }) => date)).toEqual(['2026-10-01', '2026-10-05', '2026-10-12'])
    expect(await submitted()).toBe(3)
    for (const { date, values } of weeks) {
      const [impressions = 0, reach = 0, frequency] = values
      const until = Temporal.PlainDate.from(date).add({ days: 7 }).toString()
      const summedReach = days
        .filter(day => day.date >= date && day.date < until)
        .reduce((sum, day) => sum + (day.values[1] ?? 0), 0)
      expect(reach).toBeLessThan(summedReach)
      expect(frequency).toBe(impressions / reach)
    }
  })

  it('count friends of campaigns that gain them, beside the people of the account', async () => {
    const range = { start: '2026-01-01', end: '2026-10-31' }
    const campaigns = await fetchRows({
      range,
      time: 'total',
      dimensions: ['campaign'],
      metrics: ['friends_added', 'friend_cost', 'conversions', 'cost'],
    })
    const gaining = campaigns.filter(({ values: [friends] }) => Number(friends) > 0)
    expect(gaining.length).toBeGreaterThan(0)
    expect(gaining.length).toBeLessThan(campaigns.length)
    for (const { values } of gaining) expect(values.slice(0, 2)).toEqual(values.slice(2))
    const [reached] = await fetchRows({ range, time: 'total', metrics: ['reach'] })
    const [account_row] = await fetchRows({
      range,
      time: 'total',
      metrics: ['friend_cost', 'reach', 'friends_added'],
    })
    const sums = summed(campaigns, () => 'all')['all'] ?? []
    expect(account_row?.values).toEqual([sums[1], reached?.values[0], sums[0]])
  })

  it('have what only the online report has, at each level and by month', async () => {
    const range = { start: '2026-09-01', end: '2026-10-31' }
    const expected = { range, time: 'month', metrics: ['viewable_impressions', 'impressions'] } as const
    const accountRows = await fetchRows({ ...expected, metrics: [...expected.metrics] })
    for (const dimension of ['campaign', 'ad_group', 'ad'] as const) {
      const rows = await fetchRows({ ...expected, metrics: [...expected.metrics], dimensions: [dimension] })
      expect(summed(rows, ({ date }) => date)).toEqual(
        Object.fromEntries(accountRows.map(({ date, values }) => [date, values])),
      )
    }
    await reset()
    const shares = await fetchRows({ time: 'total', dimensions: ['ad_group'], metrics: ['impression_share'] })
    expect(await submitted()).toBe(0)
    expect(shares.filter(({ values: [share = 0] }) => !(share > 0 && share < 1))).toEqual([])
  })

  it.each<[string, Partial<ReportRequest>, string]>([
    ['systems of single ads', { dimensions: ['ad', 'device_type'] }, 'combination_not_allowed'],
    ['people by system', { dimensions: ['device_type'], metrics: ['reach'] }, 'combination_not_allowed'],
    ['online numbers by day', { metrics: ['viewable_impressions'] }, 'combination_not_allowed'],
    ['keywords', { dimensions: ['keyword'] }, 'combination_not_allowed'],
    ['metrics of others', { metrics: ['sessions'] }, 'combination_not_allowed'],
    ['more than five years', { range: { start: '2021-11-20', end: '2026-10-31' } }, 'history_limit'],
  ])('are refused without asking for %s', async (_, request, code) => {
    await expect(fetchRows(request)).rejects.toThrow(code)
    expect(await requests()).toEqual([])
  })

  it('end today, whatever day it is elsewhere, and are none of days to come', async () => {
    const late = '2026-11-20T20:00:00Z'
    await reset(late)
    const range = { start: '2026-11-19', end: '2026-11-22' }
    const rows = await fetchRows({ range }, { now: () => new Date(late) })
    expect(rows.at(-1)?.date).toBe('2026-11-21')
    expect(await fetchRows({ range: { start: '2026-11-22', end: '2026-11-23' } })).toEqual([])
  })

  it('of a large account are read', async () => {
    const range = { start: '2026-10-01', end: '2026-10-14' }
    const ads = await fetchRows({ account: large, range, dimensions: ['ad'] })
    expect(ads.length).toBeGreaterThan(10_000)
    const [total] = await fetchRows({ account: large, range, time: 'total' })
    expect(summed(ads, () => 'all')).toEqual({ all: total?.values })
  })
})
