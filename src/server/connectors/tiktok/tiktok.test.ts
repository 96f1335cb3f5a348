import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Filter } from '#shared/channels/catalogue.ts'
import { ttMetrics } from '#shared/channels/tt-metrics.ts'
import { describeConformance } from '../conformance.ts'
import { sourceOf, type AccountRef, type ReportRequest, type RunNote, type World } from '../connector.ts'
import {
  answerTo,
  rowsOf,
  startTestSandbox,
  summed,
  testWorld,
  type AskedFor,
  type TestSandbox,
} from '../testing.ts'
import { tiktok } from './report.ts'
import type { TikTokLogin } from './schema.ts'

const NOW = '2026-11-20T04:00:00Z'
const login: TikTokLogin = {
  access_token: 'sandbox-admin',
  app_id: '7300000000000000001',
  app_secret: 'sandbox-app-secret',
}
const aurora = account('7012345678901230032', 'TWD', 'Asia/Taipei')
const large = account('7012345678901230161', 'USD', 'America/Los_Angeles')
const empty = account('7012345678901230162', 'USD', 'America/Los_Angeles')
const revoked = account('7012345678901230163', 'USD', 'America/Los_Angeles')
const deleted = account('7012345678901230164', 'USD', 'America/Los_Angeles')

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
beforeEach(() => sandbox.reset(NOW))
afterAll(() => sandbox.stop())

const world = (changes: Partial<World> = {}): World => ({ ...testWorld(sandbox.base_url, NOW), ...changes })
const source = (changes: Partial<TikTokLogin> = {}) => sourceOf(tiktok, { ...login, ...changes })

const October = { start: '2026-10-01', end: '2026-10-31' }
const asked: AskedFor = {
  range: October,
  time: 'date',
  dimensions: [],
  metrics: ['impressions', 'cost'],
  filters: [],
}
const requestOf = (request: Partial<ReportRequest> = {}): ReportRequest => ({
  channel: 'tt',
  account: aurora,
  ...asked,
  ...request,
})
const fetchRows = (request: Partial<ReportRequest> = {}, changes: Partial<World> = {}) =>
  rowsOf(answerTo(source(), requestOf(request), world(changes)))

const fault = (action: string, more: object = {}) => ({ platform: 'tiktok', action, ...more })
const error = (code: number, message?: string) => fault('error', { code, ...(message && { message }) })

describeConformance('TikTok', () => ({
  source: source(),
  world: () => world(),
  channel: 'tt',
  secrets: ['sandbox-admin', 'sandbox-app-secret'],
  account: aurora,
  range: { start: '2026-09-16', end: '2026-10-25' },
  additive: ['impressions', 'cost', 'clicks', 'conversions', 'real_time_conversions', 'video_views', 'likes'],
  single: ['results', 'avg_play_time'],
  dimensions: [
    ['ad', 'device_type'],
    [],
    ['ad'],
    ['campaign'],
    ['device_type'],
    ['ad_group', 'campaign'],
    ['campaign', 'device_type'],
    ['ad', 'campaign', 'ad_group'],
  ],
  filters: [
    { field: 'campaign_name', rule: 'CONTAINS', values: ['TWIN'] },
    { field: 'campaign_name', rule: 'EQUAL', values: ['old stock'] },
    { field: 'campaign_name', rule: 'STARTS_WITH', values: ['"}],"x":["'] },
    { field: 'campaign_name', rule: 'CONTAINS', values: ['100%_OFF [sale] \\ "quoted"'] },
    { field: 'campaign_name', rule: 'NOT_CONTAINS', values: ['2026', '彩妝'] },
    { field: 'ad_group_name', rule: 'ENDS_WITH', values: ['1%'] },
    { field: 'ad_name', rule: 'CONTAINS', values: ['[50%]'] },
    { field: 'device_type', rule: 'EQUAL', values: ['ios'] },
  ],
  // This page, the next one, and the first of the next part.
  requests_ahead: 4,
  arm: (each, when = {}) => sandbox.setFaults([{ ...each, ...when, path: 'integrated' }]),
  lasting: [
    { name: 'token expired', fault: fault('expired_token'), code: 'credential_expired' },
    { name: 'token taken back', fault: fault('revoked'), code: 'credential_expired' },
    ...[40101, 40104, 40107, 40110, 40113].map(code => ({
      name: `login refused, ${code}`,
      fault: error(code),
      code: 'credential_expired' as const,
    })),
    {
      name: 'account taken back',
      fault: fault('revoked', { account: aurora.external_id }),
      code: 'account_access_lost',
    },
    ...[40001, 40106, 40119, 40125, 40300, 40301].map(code => ({
      name: `account refused, ${code}`,
      fault: error(code),
      code: 'account_access_lost' as const,
    })),
    {
      name: 'account deleted, told in words',
      fault: error(40002, "advertiser_id: Advertiser 1 doesn't exist or has been deleted."),
      code: 'account_access_lost',
    },
    {
      name: 'metric not supported',
      fault: error(40002, "metrics: ['reach'] is not supported, correct is ['spend']"),
      code: 'combination_not_allowed',
    },
    { name: 'bad parameter', fault: error(40002, 'page_size: too large'), code: 'platform_error' },
    ...[40000, 40006, 40007, 40010, 40011, 40051, 40118, 41000, 49999].map(code => ({
      name: `no way on, ${code}`,
      fault: error(code),
      code: 'platform_error' as const,
    })),
    { name: 'requests a second', fault: fault('rate_limit'), code: 'quota_exhausted' },
    { name: 'requests, other code', fault: fault('rate_limit', { code: 40016 }), code: 'quota_exhausted' },
    {
      name: 'requests of an advertiser',
      fault: fault('rate_limit', { window: 'advertiser' }),
      code: 'quota_exhausted',
    },
    ...[50000, 50002, 51305, 40202].map(code => ({
      name: `platform error, ${code}`,
      fault: fault('server_error', { code }),
      code: 'platform_unavailable' as const,
    })),
    { name: 'maintenance', fault: error(60001), code: 'platform_unavailable' },
    { name: 'HTTP 503 page', fault: fault('server_error', { status: 503 }), code: 'platform_unavailable' },
    { name: 'connection cut', fault: fault('cut'), code: 'platform_unavailable' },
    { name: 'broken JSON', fault: fault('malformed'), code: 'platform_error' },
    { name: 'the same page again and again', fault: fault('repeat_page'), code: 'platform_error' },
  ],
  passing: [
    { name: 'a limit of a second', fault: fault('rate_limit') },
    { name: 'a limit of the advertiser', fault: fault('rate_limit', { window: 'advertiser' }) },
    { name: 'platform error', fault: fault('server_error') },
    { name: 'write conflict', fault: error(40202) },
    { name: 'HTTP 502 page', fault: fault('server_error', { status: 502 }) },
    { name: 'connection cut', fault: fault('cut') },
    { name: 'broken JSON', fault: fault('malformed') },
    { name: 'partial success', fault: fault('partial') },
    { name: 'another page again', fault: fault('repeat_page') },
    { name: 'a page in another order', fault: fault('reorder') },
  ],
}))

describe('TikTok', () => {
  it('knows advertisers of the app and of business centers, but those that may not be asked any more', async () => {
    const accounts = (await Array.fromAsync(source().listAccounts(world()))).flat()
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
    await sandbox.setFaults([{ ...error(40125), path: '/bc/' }])
    expect((await Array.fromAsync(source().listAccounts(world()))).flat().length).toBe(8)
  })

  it('lists nothing for a secret of another app', async () => {
    const listing = Array.fromAsync(source({ app_secret: 'wrong' }).listAccounts(world()))
    await expect(listing).rejects.toThrow('credential_expired')
  })

  it('says of revoked and deleted advertisers that access is lost', async () => {
    for (const gone of [revoked, deleted, account('1', 'USD', 'UTC')]) {
      await expect(source().checkAccount(gone, world())).rejects.toThrow('account_access_lost')
    }
    await expect(source({ access_token: 'sandbox-expired' }).checkAccount(aurora, world())).rejects.toThrow(
      'credential_expired',
    )
  })

  it('reads every metric of the catalogue, by ads and by devices', async () => {
    const metrics = Object.entries(ttMetrics).filter(([, metric]) => metric.kind !== 'derived')
    const ids = metrics.map(([id]) => id)
    const of_devices = metrics.filter(([, metric]) => !('not_with' in metric)).map(([id]) => id)
    const range = { start: '2026-09-01', end: '2026-10-31' }
    const request = { metrics: ids, range, time: 'month' as const }
    const rows = [
      ...(await fetchRows({ ...request, dimensions: ['ad'] })),
      ...(await fetchRows({ ...request, dimensions: ['campaign'], account: large })),
    ]
    for (const [at, id] of ids.entries()) expect([id, rows.some(row => row.values[at])]).toEqual([id, true])
    const devices = await fetchRows({
      dimensions: ['device_type'],
      metrics: of_devices,
      range,
      time: 'total',
    })
    expect(devices.map(({ keys: [key] }) => key)).toEqual(['ANDROID', 'IOS', 'PC', 'UNKNOWN'])
    for (const [at, id] of of_devices.entries())
      expect([id, devices.some(row => row.values[at])]).toEqual([id, true])
  })

  it('asks for metrics and dimensions that stand apart in vain, without asking', async () => {
    const reach = { metrics: ['reach'], dimensions: ['device_type' as const] }
    await expect(fetchRows(reach)).rejects.toThrow('combination_not_allowed: reach')
    await expect(fetchRows({ metrics: ['sessions'] })).rejects.toThrow('combination_not_allowed: sessions')
    await expect(fetchRows({ dimensions: ['keyword'] })).rejects.toThrow('combination_not_allowed: keyword')
    await expect(fetchRows({ range: { ...October, start: '2023-10-19' } })).rejects.toThrow('history_limit')
    expect(await sandbox.requests()).toEqual([])
  })

  it('asks for days in chunks of thirty, for months and people one by one, for weeks four at a time', async () => {
    const asked_for = async (request: Partial<ReportRequest>) => {
      await sandbox.reset(NOW)
      await fetchRows({ range: { start: '2026-08-03', end: '2026-11-01' }, ...request })
      return (await sandbox.requests()).length
    }
    expect(await asked_for({})).toBe(4)
    expect(await asked_for({ time: 'month' })).toBe(4)
    expect(await asked_for({ time: 'week' })).toBe(4)
    expect(await asked_for({ time: 'week', metrics: ['reach'] })).toBe(13)
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

  it('says when TikTok calls its answer partial', async () => {
    await sandbox.setFaults([fault('partial', { count: 1 })])
    const notes: RunNote[] = []
    await fetchRows({ time: 'total' }, { note: note => void notes.push(note) })
    expect(notes.map(({ code }) => code)).toEqual(['partial_answer'])
  })

  it('tells of deleted campaigns, and of none that delivered nothing', async () => {
    const campaigns = await fetchRows({ time: 'total', dimensions: ['campaign'] })
    expect(campaigns.map(({ labels: [name] }) => name)).toEqual(
      expect.arrayContaining(['Deleted by mistake']),
    )
    expect(campaigns.filter(({ values: [impressions] }) => impressions === 0)).toEqual([])
    expect(await fetchRows({ account: empty, dimensions: ['campaign'], time: 'total' })).toEqual([])
  })

  it('keeps a secret that TikTok repeats to itself', async () => {
    await sandbox.setFaults([error(40000, 'no such field: sandbox-admin, sandbox-app-secret')])
    await expect(fetchRows()).rejects.toMatchObject({ platform_message: 'no such field: …, … [40000]' })
  })

  it('sends no text of a filter', async () => {
    const filters: Filter[] = [
      { field: 'campaign_name', rule: 'CONTAINS', values: ['"],"filter_type":"MATCH","x":["%'] },
    ]
    expect((await fetchRows({ dimensions: ['campaign'], filters })).length).toBeGreaterThan(0)
    expect((await sandbox.requests()).filter(({ path }) => /MATCH|%25/.test(path))).toEqual([])
  })
})

describe('limits of TikTok', () => {
  const waits = async (window: string) => {
    await sandbox.setFaults([fault('rate_limit', { window })])
    const sleeps: number[] = []
    const pauses: [string, number][] = []
    const base = world()
    const after: World['quota']['after'] = async ({ kind }, { pause_ms }) =>
      void (pause_ms > 0 && pauses.push([kind, pause_ms]))
    const sleep = async (ms: number) => void sleeps.push(ms)
    const failure = await fetchRows({ time: 'total' }, { sleep, quota: { ...base.quota, after } }).catch(
      (thrown: unknown) => thrown,
    )
    return { failure, sleeps, pauses }
  }

  it('of a second are waited out, twice; then the run waits', async () => {
    expect(await waits('second')).toEqual({
      failure: expect.objectContaining({ code: 'quota_exhausted', retry_after_ms: 305_000 }),
      sleeps: [2000, 10_000],
      pauses: [
        ['app', 2000],
        ['app', 10_000],
        ['app', 305_000],
      ],
    })
  })

  it('of a minute make the run wait for five', async () => {
    expect(await waits('minute')).toEqual({
      failure: expect.objectContaining({ code: 'quota_exhausted', retry_after_ms: 305_000 }),
      sleeps: [],
      pauses: [['app', 305_000]],
    })
  })

  it('of a day make the run wait for midnight', async () => {
    const retry_after_ms = 20 * 3_600_000
    expect(await waits('day')).toEqual({
      failure: expect.objectContaining({ code: 'quota_exhausted', retry_after_ms }),
      sleeps: [],
      pauses: [['app', retry_after_ms]],
    })
  })

  it('of an advertiser hold up nobody else', async () => {
    const { failure, pauses } = await waits('advertiser')
    expect(failure).toMatchObject({ code: 'quota_exhausted', retry_after_ms: 60_000 })
    expect(pauses.map(([kind]) => kind)).toEqual(['account', 'account', 'account'])
  })

  it('are kept by paces of the app and of its tasks', async () => {
    const scopes = new Map<string, number>()
    const before: World['quota']['before'] = async ({ id, pace }) =>
      void scopes.set(id, pace?.per_minute ?? 0)
    await fetchRows({ account: large, dimensions: ['ad'] }, { quota: { ...world().quota, before } })
    expect(Object.fromEntries(scopes)).toEqual({
      [login.app_id]: 480,
      [`${login.app_id} tasks`]: 55,
      [large.external_id]: 0,
    })
  })
})

function account(external_id: string, currency: string, timezone: string): AccountRef {
  return { provider: 'tiktok', external_id, currency, timezone, via: null }
}
