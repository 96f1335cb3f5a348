import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Metric, PlatformDimension } from '#shared/channels/catalogue.ts'
import { ga4Metrics } from '#shared/channels/ga4-metrics.ts'
import type { AccountRef, ReportRequest, RunNote } from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { rowsOf, summed, testContext, type RequestFields } from '#server/connectors/testing/context.ts'
import { dimensionFields, isFetched, metricFields, type MetricField } from './fields.ts'
import { ga4 } from './report.ts'
import { Ga4Login, type Ga4Io } from './schema.ts'

const NOW = '2026-11-21T04:00:00Z'
const loginAs = (refresh_token: string) => ({
  client_id: '100000000000-sandbox.apps.googleusercontent.com',
  client_secret: 'GOCSPX-sandbox-client-secret',
  refresh_token,
})
const aurora = account('384626431', 'TWD', 'Asia/Taipei')
const borealis = account('384626432', 'USD', 'America/Los_Angeles')
const revoked = account('384626441', 'JPY', 'Asia/Tokyo')
const restricted = account('384626442', 'JPY', 'Asia/Tokyo')
const signals = account('384626443', 'JPY', 'Asia/Tokyo')
const empty = account('384626444', 'JPY', 'Asia/Tokyo')

const sandbox = sandboxOfFile(NOW)

const requestedPaths = async () => (await sandbox.requests()).map(({ path }) => path)

const io = (changes: Partial<Ga4Io> = {}): Ga4Io => ({
  ...testContext(sandbox.base_url, NOW),
  login: loginAs('sandbox-agency'),
  ...changes,
})
const October = { start: '2026-10-01', end: '2026-10-31' }
const defaults: RequestFields = {
  range: October,
  time: 'date',
  dimensions: [],
  metrics: ['sessions'],
  filters: [],
}
const fetchRows = (request: Partial<ReportRequest> = {}, changes: Partial<Ga4Io> = {}) =>
  rowsOf(ga4.fetchReport({ channel: 'ga4', account: aurora, ...defaults, ...request }, io(changes)))
const listed = async (changes: Partial<Ga4Io> = {}) =>
  (await Array.fromAsync(ga4.listAccounts(io(changes)))).flat()

describe('GA4', () => {
  it('knows properties with their account, currency and zone', async () => {
    const accounts = await listed()
    expect(accounts.length).toBe(9)
    expect(accounts[0]).toEqual({
      ...aurora,
      name: 'Aurora Cosmetics shop - GA4',
      status: 'enabled',
      owner_name: 'Aurora Cosmetics',
      analytics: {
        account_id: '314151',
        account_name: 'Aurora Cosmetics',
        property_id: '384626431',
        property_name: 'Aurora Cosmetics shop - GA4',
      },
    })
  })

  it('lists what the login may read, and leaves out what is revoked meanwhile', async () => {
    const ids = async (changes: Partial<Ga4Io>) => (await listed(changes)).map(each => each.external_id)
    expect(await ids({})).not.toContain(revoked.external_id)
    expect(await ids({ login: loginAs('sandbox-admin') })).toContain(revoked.external_id)
    await sandbox.setFaults([{ platform: 'ga4', action: 'revoked', account: borealis.external_id }])
    expect(await ids({})).not.toContain(borealis.external_id)
  })

  it('signs in as a service account too', async () => {
    const service_account_key = readFileSync(join(sandbox.folder, 'service-account.json'), 'utf8')
    const accounts = await listed({ login: Ga4Login.parse({ service_account_key }) })
    expect(accounts).toEqual(await listed())
  })

  it('says of a property that it may not read that access is lost', async () => {
    await expect(ga4.checkAccount(revoked, io())).rejects.toThrow('account_access_lost')
    await expect(ga4.checkAccount(account('1', 'TWD', 'Asia/Taipei'), io())).rejects.toThrow('access_lost')
    const odd = account('1/../384626431', 'TWD', 'Asia/Taipei')
    await expect(ga4.checkAccount(odd, io())).rejects.toThrow('platform_error')
  })

  it('has no rows for a property without visits', async () => {
    expect(await fetchRows({ account: empty })).toEqual([])
    expect(await fetchRows({ account: empty, metrics: ['sessions', 'cost', 'users'] })).toEqual([])
  })

  it('finds every field of its own among those of the property', async () => {
    const response = await fetch(`${sandbox.base_url}/v1beta/properties/${aurora.external_id}/metadata`, {
      headers: { authorization: 'Bearer sandbox-admin' },
    })
    const known = new Set((await response.text()).match(/(?<="apiName":")[^"]+/g))
    const fields: MetricField[] = Object.values(metricFields)
    const ours = fields.flatMap(({ field, less }) => (less === undefined ? [field] : [field, less]))
    expect([...Object.values(dimensionFields), ...ours].filter(field => !known.has(field))).toEqual([])
  })

  it('gives every metric of the catalogue beside each dimension that it can be combined with', async () => {
    const ids = Object.keys(ga4Metrics).filter(isFetched)
    const range = { start: '2026-10-10', end: '2026-10-12' }
    const found = new Set<string>()
    const expected: PlatformDimension[][] = [[], ...dimensionsOfGa4.map(each => [each])]
    for (const dimensions of expected) {
      const metrics = ids.filter(id => standsBeside(id, ['date', ...dimensions]))
      const rows = await fetchRows({ dimensions, metrics, range })
      expect(rows.flatMap(({ values }) => values).filter(Number.isNaN)).toEqual([])
      metrics.forEach((id, at) => rows.some(({ values }) => values[at]) && found.add(id))
    }
    expect(ids.filter(id => !found.has(id))).toEqual([])
  })

  it('refuses at once what GA4 cannot put together, and days before its first', async () => {
    await sandbox.reset(NOW)
    for (const request of [
      { metrics: ['cost'], dimensions: ['device_type'] },
      { metrics: ['wau'], time: 'week' },
      { metrics: ['wau'], dimensions: ['source'] },
      { metrics: ['organic_clicks'], dimensions: ['campaign'] },
      { metrics: ['unique_events'] },
      { metrics: ['sessions'], dimensions: ['event_action'] },
      { metrics: ['reach'] },
      { dimensions: ['ad_group'] },
    ] as const satisfies Partial<Record<keyof ReportRequest, unknown>>[]) {
      const requestOf = { ...request } as unknown as Partial<ReportRequest>
      await expect(fetchRows(requestOf)).rejects.toThrow('combination_not_allowed')
    }
    const range = { start: '2015-08-13', end: '2026-10-31' }
    await expect(fetchRows({ range })).rejects.toThrow('history_limit')
    expect(await requestedPaths()).toEqual([])
  })

  it('puts metrics side by side that GA4 refuses in one request', async () => {
    const metrics = ['cost', 'dau', 'organic_clicks', 'items_viewed', 'sessions']
    const rows = await fetchRows({ metrics })
    expect(rows.length).toBe(31)
    expect(rows.flatMap(({ values }) => values).filter(value => !(value > 0))).toEqual([])
    for (const [at, metric] of metrics.entries()) {
      const alone = await fetchRows({ metrics: [metric] })
      expect(alone.map(({ values }) => values[0])).toEqual(rows.map(({ values }) => values[at]))
    }
  })

  it('gives users as GA4 counts them for each grain: fewer than the sum of its parts', async () => {
    const metrics = ['users']
    const [total] = await fetchRows({ metrics, time: 'total' })
    const days = await fetchRows({ metrics })
    const sum = days.reduce((people, { values: [users] }) => people + (users ?? 0), 0)
    expect(total?.values[0]).toBeGreaterThan(Math.max(...days.map(({ values: [users] }) => users ?? 0)))
    expect(total?.values[0]).toBeLessThan(sum)
  })

  it('adds events up to the property, by whatever is summed and can be combined with them', async () => {
    const metrics = Object.keys(ga4Metrics)
      .filter(isFetched)
      .filter(id => ga4Metrics[id].kind === 'additive' && standsBeside(id, ['event_action']))
    const [total] = await fetchRows({ metrics, time: 'total' })
    for (const dimensions of [['event_action'], ['event_category', 'event_action', 'campaign']] as const) {
      const rows = await fetchRows({ metrics, time: 'total', dimensions: [...dimensions] })
      expect(summed(rows, () => 'all')).toEqual({ all: total?.values })
    }
  })

  it('knows weeks of two years, whole and cut by months', async () => {
    const range = { start: '2025-12-24', end: '2026-01-11' }
    const starts = async (time: ReportRequest['time']) =>
      (await fetchRows({ range, time })).map(({ date }) => date)
    expect(await starts('week')).toEqual(['2025-12-24', '2025-12-29', '2026-01-05'])
    expect(await starts('month_week')).toEqual(['2025-12-24', '2025-12-29', '2026-01-01', '2026-01-05'])
    expect(await starts('month')).toEqual(['2025-12-24', '2026-01-01'])
  })

  it('requests one day after the other where day and dimensions are more than nine', async () => {
    const range = { start: '2026-10-30', end: '2026-11-01' }
    const metrics = ['total_events', 'revenue']
    const rows = await fetchRows({ range, dimensions: dimensionsOfGa4, metrics })
    expect((await requestedPaths()).filter(path => path.includes('runReport')).length).toBe(3)
    expect(summed(rows, ({ date }) => date)).toEqual(
      Object.fromEntries((await fetchRows({ range, metrics })).map(({ date, values }) => [date, values])),
    )
  })

  it('prints campaigns by the names that are their keys, those of nothing included', async () => {
    const rows = await fetchRows({ time: 'total', dimensions: ['campaign'] })
    const names = rows.map(({ keys: [name] }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['(direct)', '(organic)', '100%_off [sale] "x"', '春夏彩妝']),
    )
    expect(rows.map(({ labels }) => labels)).toEqual(rows.map(({ keys }) => keys))
  })

  it('has event categories where the property has them registered, and refuses them elsewhere', async () => {
    const request = {
      time: 'total',
      dimensions: ['event_category', 'event_action'],
      metrics: ['total_events', 'unique_events'],
    } as const satisfies Partial<ReportRequest>
    const carts = (await fetchRows({ ...request, dimensions: [...request.dimensions] })).filter(
      ({ keys: [, event] }) => event === 'add_to_cart',
    )
    expect(carts.map(({ keys: [category] }) => category)).toEqual(['購物車'])
    await expect(
      fetchRows({ ...request, dimensions: [...request.dimensions], account: borealis }),
    ).rejects.toThrow('combination_not_allowed: Field customEvent:event_category is not a valid dimension.')
  })
})

describe('what GA4 says about its numbers', () => {
  const notesOf = async (request: Partial<ReportRequest>) => {
    const notes: RunNote[] = []
    await fetchRows(request, { note: each => void notes.push(each) })
    return notes
  }

  it('is noted: money that the login may not see', async () => {
    const metrics = ['sessions', 'revenue', 'cost']
    expect(await notesOf({ account: restricted, metrics })).toEqual([
      { code: 'metrics_restricted', detail: { metrics: 'purchaseRevenue' } },
      { code: 'metrics_restricted', detail: { metrics: 'advertiserAdCost' } },
    ])
    expect(await notesOf({ account: restricted })).toEqual([])
  })

  it('is noted: rows with few people, whose numbers are unknown and not 0', async () => {
    const request: Partial<ReportRequest> = {
      account: signals,
      dimensions: ['campaign'],
      metrics: ['users', 'items_viewed'],
    }
    expect(await notesOf(request)).toEqual([{ code: 'thresholded', detail: {} }])
    const values = (await fetchRows(request)).map(({ values: [users] }) => users)
    expect(values.some(Number.isNaN)).toBe(true)
    expect(values.filter(users => users === 0)).toEqual([])
  })

  it('is noted: estimates, with how much of the events was read', async () => {
    await sandbox.setLimits({ ga4_sampling: 5000 })
    expect(await notesOf({})).toEqual([{ code: 'sampled', detail: { percent: expect.any(Number) } }])
  })

  it('is requested by months instead, where those are no estimates', async () => {
    const range = { start: '2026-07-01', end: '2026-10-31' }
    const exact = await fetchRows({ range })
    const total = {
      range,
      time: 'total',
      dimensions: ['campaign'],
      metrics: ['total_events', 'revenue'],
    } satisfies Partial<ReportRequest>
    const exactTotal = await fetchRows(total)
    await sandbox.setLimits({ ga4_sampling: 30_000 })
    // A whole range is put together from its months, but for people.
    expect(await notesOf(total)).toEqual([])
    expect(await fetchRows(total)).toEqual(exactTotal)
    expect(await notesOf({ ...total, metrics: ['users'] })).toMatchObject([{ code: 'sampled' }])
    expect(await notesOf({ range })).toEqual([])
    expect(await fetchRows({ range })).toEqual(exact)
  })

  it('is noted: values lumped together, days missing', async () => {
    await sandbox.setLimits({ ga4_cardinality: 3 })
    expect(await notesOf({ dimensions: ['campaign'], time: 'total' })).toEqual([
      { code: 'other_row', detail: {} },
    ])
    await sandbox.setLimits({ ga4_cardinality: 50_000 })
    await sandbox.setFaults([{ platform: 'ga4', action: 'truncated' }])
    expect(await notesOf({})).toEqual([
      { code: 'truncated', detail: { reasons: expect.stringContaining('DATE_RANGE_TRUNCATED') } },
    ])
  })
})

describe('a quota of GA4', () => {
  /** 21 November, 04:00 UTC is 20 November, 20:00 in California. */
  it.each([
    ['concurrent', 30_000],
    ['project_hour', 1_800_000],
    ['hour', 1_800_000],
    ['thresholded', 1_800_000],
    ['server_errors', 3_600_000],
    ['day', 4 * 3_600_000],
  ])('that is used up (%s) keeps the property at rest', async (quota, retry_after_ms) => {
    const pauses: [string, number][] = []
    const limiter = {
      acquire: async () => {},
      report: async ({ id }: { id: string }, { pause_ms }: { pause_ms: number }) => {
        if (pause_ms > 0) pauses.push([id, pause_ms])
      },
    }
    await sandbox.setFaults([{ platform: 'ga4', action: 'rate_limit', quota }])
    await expect(fetchRows({}, { limiter })).rejects.toMatchObject({
      code: 'quota_exhausted',
      retry_after_ms,
    })
    expect(pauses).toEqual([[aurora.external_id, retry_after_ms]])
  })

  it('that is nearly used up keeps it at rest as well, with the rows that it gave', async () => {
    await sandbox.setLimits({ ga4_quota: { tokensPerProjectPerHour: 600 } })
    const states: { used_percent: number; pause_ms: number }[] = []
    const limiter = {
      acquire: async () => {},
      report: async (_: unknown, state: { used_percent: number; pause_ms: number }) =>
        void states.push(state),
    }
    expect((await fetchRows({}, { limiter })).length).toBe(31)
    expect(states.at(-1)?.pause_ms).toBe(1_800_000)
    expect(states.at(-1)?.used_percent).toBeGreaterThan(95)
  })

  it('of server errors slows the property down before it is locked', async () => {
    await sandbox.setLimits({ ga4_quota: { serverErrorsPerProjectPerHour: 10 } })
    const states: { used_percent: number; pause_ms: number }[] = []
    const report = async (_: unknown, state: { used_percent: number; pause_ms: number }) =>
      void states.push(state)
    const limiter = { acquire: async () => {}, report }
    for (const used_percent of [20, 40]) {
      await sandbox.setFaults([{ platform: 'ga4', action: 'server_error', count: 2 }])
      await fetchRows({}, { limiter })
      expect(states.at(-1)).toEqual({ used_percent, pause_ms: 0 })
    }
  })
})

const dimensionsOfGa4 = Object.keys(dimensionFields).filter(isDimensionOfGa4)

function isDimensionOfGa4(id: string): id is keyof typeof dimensionFields {
  return Object.hasOwn(dimensionFields, id)
}

function standsBeside(id: keyof typeof metricFields, selected: string[]): boolean {
  const { not_with = [], only_with = [] }: Metric = ga4Metrics[id]
  return only_with.every(each => selected.includes(each)) && !not_with.some(each => selected.includes(each))
}

function account(external_id: string, currency: string, timezone: string): AccountRef {
  return { provider: 'ga4', external_id, currency, timezone, via: null }
}
