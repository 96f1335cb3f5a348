import { describe, expect, it } from 'vitest'
import { gaEventMetrics, gaMetrics } from '#shared/channels/ga-metrics.ts'
import type { Filter } from '#shared/channels/catalogue.ts'
import { describeConformance, type SandboxFacts } from '#server/connectors/testing/conformance.ts'
import { sourceOf, type AccountRef, type ReportRequest, type RunNote } from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { rowsOf, summed, testContext, type RequestFields } from '#server/connectors/testing/context.ts'
import { dimensionFields } from './fields.ts'
import { universalAnalytics } from './report.ts'
import type { UaIo } from './schema.ts'

const NOW = '2026-11-21T04:00:00Z'
const login = {
  client_id: '100000000000-sandbox.apps.googleusercontent.com',
  client_secret: 'GOCSPX-sandbox-client-secret',
  refresh_token: 'sandbox-admin',
}
const aurora = view('92653581', 'TWD', 'Asia/Taipei')
const tokyo = view('92653583', 'JPY', 'Asia/Tokyo')
const large = view('92653590', 'USD', 'America/Los_Angeles')
const empty = view('92653591', 'USD', 'America/Los_Angeles')
const revoked = view('92653592', 'USD', 'America/Los_Angeles')

const sandbox = sandboxOfFile(NOW, { ua_quota: { per_user: 100_000, per_view: 100_000 } })

const io = (changes: Partial<UaIo> = {}): UaIo => ({
  ...testContext(sandbox.base_url, NOW),
  login,
  ...changes,
})

const May = { start: '2023-05-01', end: '2023-05-31' }
const sent: RequestFields = {
  range: May,
  time: 'date',
  dimensions: [],
  metrics: ['sessions', 'revenue'],
  filters: [],
}
const fetchRows = (request: Partial<ReportRequest> = {}, changes: Partial<UaIo> = {}) =>
  rowsOf(universalAnalytics.fetchReport({ channel: 'ga', account: aurora, ...sent, ...request }, io(changes)))

const fault = (action: string, more: object = {}) => ({ platform: 'ua', action, ...more })
const error = (status: number, code: string, message: string) => fault('error', { status, code, message })

const facts = (): Omit<SandboxFacts, 'channel' | 'additive' | 'single' | 'dimensions' | 'filters'> => ({
  source: sourceOf(universalAnalytics, login),
  context: () => testContext(sandbox.base_url, NOW),
  secrets: [login.client_secret, 'sandbox-admin', 'Bearer', 'ya29'],
  account: aurora,
  range: { start: '2023-03-16', end: '2023-04-24' },
  requests_ahead: 3,
  arm: (each: object, when = {}) => sandbox.setFaults([{ ...each, ...when }]),
  permanent: [
    { name: 'token expired', fault: fault('expired_token'), code: 'credential_expired' },
    { name: 'access taken back', fault: fault('revoked'), code: 'account_access_lost' },
    {
      name: 'scope missing',
      fault: error(403, 'PERMISSION_DENIED', 'Request had insufficient authentication scopes.'),
      code: 'credential_expired',
    },
    {
      name: 'service not enabled',
      fault: error(403, 'PERMISSION_DENIED', 'Google Analytics API has not been used in project 1 before'),
      code: 'credential_expired',
    },
    { name: 'gone by 403', fault: fault('shutdown', { status: 403 }), code: 'channel_retired' },
    { name: 'gone by a page', fault: fault('shutdown', { status: 404 }), code: 'channel_retired' },
    { name: 'gone by 410', fault: fault('shutdown', { status: 410 }), code: 'channel_retired' },
    {
      name: 'never together',
      fault: error(400, 'INVALID_ARGUMENT', 'Selected dimensions and metrics cannot be queried together.'),
      code: 'combination_not_allowed',
    },
    {
      name: 'too early',
      fault: error(400, 'INVALID_ARGUMENT', 'Invalid startDate: 2004. The earliest date is 2005-01-01.'),
      code: 'history_limit',
    },
    {
      name: 'unknown field',
      fault: error(400, 'INVALID_ARGUMENT', 'Unknown dimension(s): ga:x'),
      code: 'platform_error',
    },
    { name: 'rate limit', fault: fault('rate_limit'), code: 'quota_exhausted' },
    { name: 'HTTP 500', fault: fault('server_error'), code: 'platform_unavailable' },
    { name: 'HTTP 503', fault: fault('server_error', { status: 503 }), code: 'platform_unavailable' },
    { name: 'connection cut', fault: fault('cut'), code: 'platform_unavailable' },
    { name: 'broken JSON', fault: fault('malformed'), code: 'platform_error' },
  ],
  transient: [
    { name: 'token expired', fault: fault('expired_token') },
    { name: 'HTTP 500', fault: fault('server_error') },
    { name: 'HTTP 503', fault: fault('server_error', { status: 503 }) },
    { name: 'connection cut', fault: fault('cut') },
    { name: 'broken JSON', fault: fault('malformed') },
  ],
})

const filters: Filter[] = [
  { field: 'campaign_name', rule: 'CONTAINS', values: ['100%_OFF [sale]'] },
  { field: 'campaign_name', rule: 'EQUAL', values: ['GENERIC | 2023'] },
  { field: 'campaign_name', rule: 'EQUAL', values: ['Brand', '00123', '春夏彩妝'] },
  { field: 'campaign_name', rule: 'CONTAINS', values: ['.*', '^brand'] },
  { field: 'campaign_name', rule: 'NOT_CONTAINS', values: ['2023', '(not set)'] },
  { field: 'keyword', rule: 'ENDS_WITH', values: ['口コミ'] },
  { field: 'keyword', rule: 'STARTS_WITH', values: ['best, cheap;'] },
  { field: 'keyword', rule: 'STARTS_WITH', values: ['BRAND "'] },
  { field: 'ad_content', rule: 'EQUAL', values: ['=hyperlink("X")'] },
  { field: 'ad_content', rule: 'CONTAINS', values: ['\\ cut "b"', '🛒'] },
  { field: 'ad_content', rule: 'CONTAINS', values: ['x'.repeat(200)] },
  { field: 'source', rule: 'EQUAL', values: ['FACEBOOK'] },
  { field: 'medium', rule: 'STARTS_WITH', values: ['(', 'paid_'] },
  { field: 'device_type', rule: 'EQUAL', values: ['Desktop'] },
]

describeConformance('Universal Analytics', () => ({
  ...facts(),
  channel: 'ga',
  additive: [
    'sessions',
    'revenue',
    'new_users',
    'session_duration',
    'goal_2_completions',
    'cost',
    'total_events',
  ],
  single: ['users', 'unique_pageviews'],
  dimensions: [
    ['source_medium', 'campaign', 'keyword', 'ad_content', 'device_type'],
    [],
    ['campaign'],
    ['device_type'],
    ['source', 'medium'],
    ['keyword', 'source_medium', 'source', 'medium'],
  ],
  filters,
}))

describeConformance('Events of Universal Analytics', () => ({
  ...facts(),
  channel: 'ga_event',
  additive: ['total_events', 'event_value'],
  single: ['unique_events', 'sessions_with_event', 'users'],
  dimensions: [
    ['source_medium', 'campaign', 'keyword', 'ad_content', 'device_type', 'event_category', 'event_action'],
    [],
    ['event_action'],
    ['event_category', 'event_action'],
    ['campaign', 'event_category'],
  ],
  filters,
}))

describe('Universal Analytics', () => {
  it('knows views with their account, property, currency and zone', async () => {
    const views = (await Array.fromAsync(universalAnalytics.listAccounts(io()))).flat()
    expect(views.length).toBe(9)
    expect(views[0]).toEqual({
      ...aurora,
      name: 'All data',
      status: 'enabled',
      owner_name: 'Aurora Cosmetics',
      analytics: {
        account_id: '314151',
        account_name: 'Aurora Cosmetics',
        property_id: 'UA-314151-1',
        property_name: expect.any(String),
      },
    })
  })

  it('says of a revoked view, and of one that it does not see, that access is lost', async () => {
    for (const each of [revoked, view('1', 'USD', 'UTC')]) {
      await expect(universalAnalytics.checkAccount(each, io())).rejects.toThrow('account_access_lost')
      await expect(fetchRows({ account: each })).rejects.toThrow('account_access_lost')
    }
  })

  it('yields nothing for a view that never counted anything, or days after the last one', async () => {
    expect(await fetchRows({ account: empty })).toEqual([])
    expect(await fetchRows({ range: { start: '2023-07-01', end: '2026-11-20' } })).toEqual([])
  })

  it('reads every metric and dimension of the catalogues', async () => {
    const range = { start: '2023-05-10', end: '2023-05-11' }
    const fetched = Object.entries(gaMetrics).flatMap(([id, { kind }]) => (kind === 'derived' ? [] : [id]))
    const [day] = await fetchRows({ metrics: fetched, range })
    const goalsNotSet = fetched.filter(id => /^goal_([2-9]|1\d|20)_/.test(id))
    expect(fetched.filter((_, at) => day?.values[at] === 0)).toEqual(goalsNotSet)
    const eventMetrics = Object.keys(gaEventMetrics).filter(id => fetched.includes(id))
    expect((await fetchRows({ channel: 'ga_event', metrics: eventMetrics, range })).length).toBe(2)
    for (const dimension of Object.keys(dimensionFields) as (keyof typeof dimensionFields)[]) {
      const rows = await fetchRows({ dimensions: [dimension], metrics: ['users'], range })
      expect(rows.filter(({ keys: [key], values: [users] }) => !key || !users)).toEqual([])
    }
  })

  it('requests only fields that the platform lists as its own', async () => {
    const response = await fetch(`${sandbox.base_url}/analytics/v3/metadata/ga/columns`, {
      headers: { authorization: 'Bearer sandbox-admin' },
    })
    const { items } = (await response.json()) as { items: { id: string }[] }
    const listed = new Set(items.map(({ id }) => id))
    const fields = Object.values({ ...gaMetrics, ...gaEventMetrics }).flatMap(metric =>
      metric.kind === 'derived' ? [] : [metric.platform_field],
    )
    const used = [...fields, ...Object.values(dimensionFields)]
    expect(used.length).toBeGreaterThan(40)
    // A goal has a number of its view's own, and so no entry of its own.
    const numbered = /^ga:goal\d+Completions$/
    expect(used.filter(field => !numbered.test(field) && !listed.has(field))).toEqual([])
  })

  it('puts the responses of several requests together, row by row', async () => {
    const dimensions = ['keyword', 'device_type'] as const
    const metrics = ['item_revenue', 'cost', 'transactions']
    const rows = await fetchRows({ metrics, dimensions: [...dimensions] })
    const alone = await Promise.all(
      metrics.map(id => fetchRows({ metrics: [id], dimensions: [...dimensions] })),
    )
    expect(summed(rows, () => 'all')['all']).toEqual(alone.map(each => summed(each, () => 'all')['all']?.[0]))
    const reports = (await sandbox.requests()).filter(({ path }) => path.includes('batchGet'))
    expect(reports.length).toBeGreaterThan(metrics.length)
  })

  it('requests slice by slice where a row of nine dimensions cannot say its time', async () => {
    const dimensions = Object.keys(dimensionFields) as (keyof typeof dimensionFields)[]
    const request = {
      channel: 'ga_event' as const,
      dimensions,
      time: 'month_week' as const,
      metrics: ['total_events'],
    }
    const range = { start: '2023-05-29', end: '2023-06-06' }
    const rows = await fetchRows({ ...request, range })
    const total = await fetchRows({ ...request, range, dimensions: [], time: 'total' })
    expect([...new Set(rows.map(({ date }) => date))]).toEqual(['2023-05-29', '2023-06-01', '2023-06-05'])
    expect(summed(rows, () => 'all')['all']).toEqual(total[0]?.values)
  })

  it('gives users as the platform says them for each grain: fewer than the sum of its parts', async () => {
    const metrics = ['users']
    const [total] = await fetchRows({ metrics, time: 'total' })
    const days = await fetchRows({ metrics })
    const sum = days.reduce((people, { values: [users] }) => people + (users ?? 0), 0)
    expect(total?.values[0]).toBeLessThan(sum)
    expect(total?.values[0]).toBeGreaterThan(Math.max(...days.map(({ values: [users] }) => users ?? 0)))
  })

  it('reads money of currencies with and without decimals', async () => {
    const metrics = ['revenue']
    const [[yen], [dollars]] = await Promise.all([
      fetchRows({ account: tokyo, metrics, time: 'total' }),
      fetchRows({ account: aurora, metrics, time: 'total' }),
    ])
    expect(Number(yen?.values[0]) % 1_000_000).toBe(0)
    expect(dollars?.values[0]).toBeGreaterThan(1_000_000)
  })

  it('refuses what cannot be had before anything is sent', async () => {
    const byEvent = fetchRows({ channel: 'ga_event', dimensions: ['event_action'], metrics: ['sessions'] })
    await expect(byEvent).rejects.toThrow('combination_not_allowed')
    await expect(fetchRows({ metrics: ['reach'] })).rejects.toThrow('combination_not_allowed')
    await expect(fetchRows({ dimensions: ['ad_group'] })).rejects.toThrow('combination_not_allowed')
    await expect(fetchRows({ range: { ...May, start: '2004-12-31' } })).rejects.toThrow('history_limit')
    expect(await sandbox.requests()).toEqual([])
  })

  it('never retries a retired platform, nor its list of views', async () => {
    await sandbox.setLimits({ ua_era: 'shutdown' })
    await expect(fetchRows()).rejects.toThrow('channel_retired')
    await expect(Array.fromAsync(universalAnalytics.listAccounts(io()))).rejects.toThrow('channel_retired')
    const refused = (await sandbox.requests()).filter(({ status }) => status === 403)
    expect(refused.length).toBe(2)
  })

  it('waits for as long as a quota needs, in the scope that it is of', async () => {
    const pauses: Record<string, number> = {}
    const limiter: UaIo['limiter'] = {
      acquire: async () => {},
      report: async ({ kind }, { pause_ms }) => void (pauses[kind] = pause_ms),
    }
    await sandbox.setLimits({ ua_quota: { per_user: 1, per_view: 100 } })
    await fetchRows({ time: 'total' })
    await expect(fetchRows({}, { limiter })).rejects.toMatchObject({ retry_after_ms: 100_000 })
    expect(pauses).toEqual({ app: 0, credential: 100_000, account: 0 })
    await expect(Array.fromAsync(universalAnalytics.listAccounts(io()))).rejects.toThrow('quota_exhausted')
    await sandbox.setLimits({ ua_quota: { per_user: 100, per_view: 1 } })
    await expect(fetchRows({}, { limiter })).rejects.toMatchObject({ retry_after_ms: 3_600_000 })
    expect(pauses).toEqual({ app: 0, credential: 0, account: 3_600_000 })
  })
})

describe('A view with more sessions than a report reads', () => {
  const notesOf = async (request: Partial<ReportRequest>) => {
    const notes: RunNote[] = []
    const rows = await fetchRows({ account: large, ...request }, { note: note => void notes.push(note) })
    return { rows, notes }
  }

  it('is requested for fewer days at once, until nothing is a sample', async () => {
    const { rows, notes } = await notesOf({ metrics: ['sessions'] })
    expect(notes).toEqual([])
    const days = await Promise.all(
      ['2023-05-01', '2023-05-31'].map(day => fetchRows({ account: large, range: { start: day, end: day } })),
    )
    expect([rows[0], rows[30]].map(row => row?.values[0])).toEqual(days.map(([row]) => row?.values[0]))
  })

  it('is requested by days where a whole slice would be a sample, and the days can be summed', async () => {
    const { rows, notes } = await notesOf({ time: 'month', dimensions: ['device_type'] })
    expect(notes).toEqual([])
    const days = await fetchRows({ account: large, dimensions: ['device_type'] })
    expect(summed(rows, ({ keys }) => keys.join())).toEqual(summed(days, ({ keys }) => keys.join()))
    expect(rows.map(({ date }) => date)).toEqual(['2023-05-01', '2023-05-01', '2023-05-01'])
  })

  it('is said to be a sample where it remains one', async () => {
    const { notes } = await notesOf({ time: 'total', dimensions: ['device_type'], metrics: ['users'] })
    expect(notes).toEqual([{ code: 'sampled', detail: { percent: 27.8 } }])
  })

  it('is said to have put rare values together', async () => {
    await sandbox.setFaults([fault('other_row', { rows: 5 })])
    const range = { start: '2023-05-01', end: '2023-05-02' }
    const { rows, notes } = await notesOf({ range, time: 'total', dimensions: ['keyword'] })
    expect(rows.map(({ keys: [key] }) => key)).toContain('(other)')
    expect(notes).toEqual([{ code: 'other_row', detail: {} }])
  })
})

function view(external_id: string, currency: string, timezone: string): AccountRef {
  return { provider: 'universal_analytics', external_id, currency, timezone, via: null }
}
