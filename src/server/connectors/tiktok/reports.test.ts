import { describe, expect, it } from 'vitest'
import type { Filter } from '#shared/channels/catalogue.ts'
import { ttMetrics } from '#shared/channels/tt-metrics.ts'
import type { ReportRequest, RunNote } from '#server/connectors/connector.ts'
import { summed } from '#server/connectors/testing/context.ts'
import {
  source,
  aurora,
  large,
  empty,
  revoked,
  deleted,
  account,
  October,
  fault,
  error,
  tiktokSandbox,
} from './testing/sandbox.ts'

const { fetchRows, requests, reset, setFaults, context } = tiktokSandbox()

describe('TikTok', () => {
  it('knows advertisers of the app and of business centers, but those without access any more', async () => {
    const accounts = (await Array.fromAsync(source().listAccounts(context()))).flat()
    expect(accounts.map(({ external_id }) => external_id)).toEqual(
      expect.arrayContaining([aurora.external_id, large.external_id, empty.external_id]),
    )
    expect(new Set(accounts.map(({ external_id }) => external_id)).size).toBe(8)
    expect(accounts[0]).toEqual({
      ...aurora,
      name: 'Aurora TikTok',
      status: 'enabled',
      owner_name: 'Aurora Cosmetics',
      analytics: null,
    })
  })

  it('lists the advertisers of a login without business centers', async () => {
    await setFaults([{ ...error(40125), path: '/bc/' }])
    expect((await Array.fromAsync(source().listAccounts(context()))).flat().length).toBe(8)
  })

  it('leaves idle campaigns out at every grain, though TikTok prints lines of zeros', async () => {
    const idsAt = async (time: ReportRequest['time']) =>
      new Set(
        (await fetchRows({ dimensions: ['campaign'], metrics: ['clicks'], time })).map(({ keys }) => keys[0]),
      )
    const printed: string[] = []
    const reading = context({
      fetch: async (to, init) => {
        const response = await fetch(to, init)
        printed.push(...((await response.clone().text()).match(/"impressions":"0"/g) ?? []))
        return response
      },
    })
    const byDay = await fetchRows({ dimensions: ['campaign'], metrics: ['impressions'] }, reading)
    expect(printed.length).toBeGreaterThan(0)
    expect(byDay.filter(({ values }) => values[0] === 0)).toEqual([])
    const [total, ...others] = await Promise.all((['total', 'date', 'week', 'month'] as const).map(idsAt))
    for (const ids of others) expect(ids).toEqual(total)
  })

  it('lists nothing for a secret of another app', async () => {
    const listing = Array.fromAsync(source({ app_secret: 'wrong' }).listAccounts(context()))
    await expect(listing).rejects.toThrow('credential_expired')
  })

  it('says of revoked and deleted advertisers that access is lost', async () => {
    for (const gone of [revoked, deleted, account('1', 'USD', 'UTC')]) {
      await expect(source().checkAccount(gone, context())).rejects.toThrow('account_access_lost')
    }
    await expect(source({ access_token: 'sandbox-expired' }).checkAccount(aurora, context())).rejects.toThrow(
      'credential_expired',
    )
  })

  it('reads every metric of the catalogue, by ads and by devices', async () => {
    const metrics = Object.entries(ttMetrics).filter(([, metric]) => metric.kind !== 'derived')
    const ids = metrics.map(([id]) => id)
    const ofDevices = metrics.filter(([, metric]) => !('not_with' in metric)).map(([id]) => id)
    const range = { start: '2026-09-01', end: '2026-10-31' }
    const request = { metrics: ids, range, time: 'month' as const }
    const rows = [
      ...(await fetchRows({ ...request, dimensions: ['ad'] })),
      ...(await fetchRows({ ...request, dimensions: ['campaign'], account: large })),
    ]
    for (const [at, id] of ids.entries()) expect([id, rows.some(row => row.values[at])]).toEqual([id, true])
    const devices = await fetchRows({
      dimensions: ['device_type'],
      metrics: ofDevices,
      range,
      time: 'total',
    })
    expect(devices.map(({ keys: [key] }) => key)).toEqual(['ANDROID', 'IOS', 'PC', 'UNKNOWN'])
    for (const [at, id] of ofDevices.entries())
      expect([id, devices.some(row => row.values[at])]).toEqual([id, true])
  })

  it('refuses metrics and dimensions that cannot be combined, before anything is sent', async () => {
    const reach = { metrics: ['reach'], dimensions: ['device_type' as const] }
    await expect(fetchRows(reach)).rejects.toThrow('combination_not_allowed: reach')
    await expect(fetchRows({ metrics: ['sessions'] })).rejects.toThrow('combination_not_allowed: sessions')
    await expect(fetchRows({ dimensions: ['keyword'] })).rejects.toThrow('combination_not_allowed: keyword')
    await expect(fetchRows({ range: { ...October, start: '2023-10-19' } })).rejects.toThrow('history_limit')
    expect(await requests()).toEqual([])
  })

  it('requests days in chunks of thirty, months and people one by one, weeks four at a time', async () => {
    const requestCount = async (request: Partial<ReportRequest>) => {
      await reset()
      await fetchRows({ range: { start: '2026-08-03', end: '2026-11-01' }, ...request })
      return (await requests()).length
    }
    expect(await requestCount({})).toBe(4)
    expect(await requestCount({ time: 'month' })).toBe(4)
    expect(await requestCount({ time: 'week' })).toBe(4)
    expect(await requestCount({ time: 'week', metrics: ['reach'] })).toBe(13)
  })

  it('gives reach as TikTok says it for each grain: less than the sum of its parts', async () => {
    const metrics = ['reach', 'frequency', 'impressions']
    const [total] = await fetchRows({ metrics, time: 'total' })
    const days = await fetchRows({ metrics })
    const people = days.map(({ values: [reach = 0] }) => reach)
    const [reach = 0, frequency = 0, impressions = 0] = total?.values ?? []
    expect(reach).toBeGreaterThan(Math.max(...people))
    expect(reach).toBeLessThan(people.reduce((sum, each) => sum + each, 0))
    expect(frequency).toBeCloseTo(impressions / reach, 2)
  })

  it('adds a range longer than a year up, but no people', async () => {
    const notes: RunNote[] = []
    const range = { start: '2025-01-01', end: '2026-10-31' }
    const metrics = ['impressions', 'cost', 'reach']
    const request = { range, metrics, dimensions: ['campaign' as const] }
    const total = await fetchRows({ ...request, time: 'total' }, { note: note => void notes.push(note) })
    const months = await fetchRows({ ...request, time: 'month' })
    expect(notes).toEqual([{ code: 'longer_than_a_year', detail: { account: aurora.external_id } }])
    expect(total.map(({ values: [, , reach] }) => reach)).toEqual(total.map(() => Number.NaN))
    expect(summed(total, ({ keys: [id] }) => id ?? '')).toEqual(
      Object.fromEntries(
        Object.entries(summed(months, ({ keys: [id] }) => id ?? '')).map(([id, [impressions, cost]]) => [
          id,
          [impressions, cost, Number.NaN],
        ]),
      ),
    )
  })

  it('says when people and devices are not yet counted', async () => {
    const noted = async (request: Partial<ReportRequest>) => {
      const notes: RunNote[] = []
      await fetchRows({ range: October, ...request }, { note: note => void notes.push(note) })
      return notes.map(({ code }) => code)
    }
    const until = (end: string) => ({ start: '2026-11-01', end })
    expect(await noted({ range: until('2026-11-19'), metrics: ['reach'] })).toEqual(['counted_late'])
    expect(await noted({ range: until('2026-11-18'), metrics: ['reach'] })).toEqual([])
    expect(await noted({ range: until('2026-11-19'), dimensions: ['device_type'] })).toEqual(['counted_late'])
    expect(await noted({ range: until('2026-11-19') })).toEqual([])
  })

  it('notes when TikTok calls its response partial', async () => {
    await setFaults([fault('partial', { count: 1 })])
    const notes: RunNote[] = []
    await fetchRows({ time: 'total' }, { note: note => void notes.push(note) })
    expect(notes.map(({ code }) => code)).toEqual(['partial_answer'])
  })

  it('has deleted campaigns, and none that delivered nothing', async () => {
    const campaigns = await fetchRows({ time: 'total', dimensions: ['campaign'] })
    expect(campaigns.map(({ labels: [name] }) => name)).toEqual(
      expect.arrayContaining(['Deleted by mistake']),
    )
    expect(campaigns.filter(({ values: [impressions] }) => impressions === 0)).toEqual([])
    expect(await fetchRows({ account: empty, dimensions: ['campaign'], time: 'total' })).toEqual([])
  })

  it('keeps a secret that TikTok repeats to itself', async () => {
    await setFaults([error(40000, 'no such field: sandbox-admin, sandbox-app-secret')])
    await expect(fetchRows()).rejects.toMatchObject({ platform_message: 'no such field: …, … [40000]' })
  })

  it('sends no text of a filter', async () => {
    const filters: Filter[] = [
      { field: 'campaign_name', rule: 'CONTAINS', values: ['"],"filter_type":"MATCH","x":["%'] },
    ]
    expect((await fetchRows({ dimensions: ['campaign'], filters })).length).toBeGreaterThan(0)
    expect((await requests()).filter(({ path }) => /MATCH|%25/.test(path))).toEqual([])
  })
})
