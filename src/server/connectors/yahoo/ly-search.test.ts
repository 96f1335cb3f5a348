import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ygMetrics } from '#shared/channels/yg-metrics.ts'
import { describeConformance } from '../conformance.ts'
import { JobUnderWay, sourceOf, type AccountRef, type ReportRequest, type World } from '../connector.ts'
import {
  answerTo,
  rowsOf,
  startTestSandbox,
  summed,
  testJobs,
  testWorld,
  type AskedFor,
  type TestSandbox,
} from '../testing.ts'
import { lyAds } from './report.ts'
import { NOW, recordedWorld } from './yahoo-testing.ts'

const login = { client_id: 'any', client_secret: 'sandbox-admin', refresh_token: 'sandbox-admin' }
const source = sourceOf(lyAds, login)
const aurora = account('1001926')

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
beforeEach(() => sandbox.reset(NOW))
afterAll(() => sandbox.stop())

const asked: AskedFor = {
  range: { start: '2026-10-01', end: '2026-10-31' },
  time: 'date',
  dimensions: [],
  metrics: ['impressions', 'cost'],
  filters: [],
}
const requestOf = (changes: Partial<ReportRequest> = {}): ReportRequest => ({
  channel: 'yg',
  account: aurora,
  ...asked,
  ...changes,
})
const world = (changes: Partial<World> = {}) => recordedWorld(sandbox.base_url, changes)
const fetchRows = (request: Partial<ReportRequest> = {}, to = world()) =>
  rowsOf(answerTo(source, requestOf(request), to.world))

const fault = (action: string, more: object = {}) => ({ platform: 'ly_search', action, ...more })
const error = (code: string, status = 200) => fault('error', { code, status })

describeConformance('LY search ads', () => ({
  source,
  world: () => testWorld(sandbox.base_url, NOW),
  channel: 'yg',
  secrets: ['sandbox-admin', 'Bearer'],
  account: aurora,
  range: { start: '2026-09-16', end: '2026-10-25' },
  additive: ['impressions', 'cost', 'clicks', 'conversions', 'conversion_value', 'all_conversions'],
  single: ['lost_is_rank', 'click_share'],
  dimensions: [
    ['ad_group'],
    [],
    ['campaign'],
    ['device_type'],
    ['ad', 'campaign'],
    ['campaign', 'device_type'],
  ],
  filters: [
    { field: 'campaign_name', rule: 'CONTAINS', values: ['TWIN'] },
    { field: 'campaign_name', rule: 'EQUAL', values: ['old stock'] },
    { field: 'campaign_name', rule: 'STARTS_WITH', values: ['春夏'] },
    { field: 'campaign_name', rule: 'CONTAINS', values: ['100%_OFF [sale] \\ "quoted"'] },
    { field: 'campaign_name', rule: 'CONTAINS', values: ['限定」コスメ', '2026-03-04'] },
    { field: 'campaign_name', rule: 'CONTAINS', values: ['","filterOperator":"NOT_EQUALS'] },
    { field: 'campaign_name', rule: 'NOT_CONTAINS', values: ['2026', '彩妝'] },
    { field: 'ad_group_name', rule: 'ENDS_WITH', values: ['1%'] },
    { field: 'ad_name', rule: 'CONTAINS', values: ['\n"2"'] },
    { field: 'keyword', rule: 'CONTAINS', values: ['口コミ'] },
    { field: 'keyword', rule: 'ENDS_WITH', values: ['100%_"お得"'] },
    { field: 'device_type', rule: 'EQUAL', values: ['Mobile'] },
  ],
  // A token, the report, three looks at it, the file, and its removal.
  requests_ahead: 7,
  arm: (each, when = {}) => sandbox.setFaults([{ ...each, ...when }]),
  lasting: [
    { name: 'token refused', fault: fault('expired_token'), code: 'credential_expired' },
    { name: 'no token', fault: error('0110', 401), code: 'credential_expired' },
    { name: 'scope', fault: error('0114', 400), code: 'credential_expired' },
    {
      name: 'refresh token dead',
      fault: { platform: 'ly_oauth', action: 'revoked' },
      code: 'credential_expired',
    },
    {
      name: 'token endpoint down',
      fault: { platform: 'ly_oauth', action: 'server_error' },
      code: 'platform_unavailable',
    },
    {
      name: 'token endpoint busy',
      fault: { platform: 'ly_oauth', action: 'rate_limit' },
      code: 'quota_exhausted',
    },
    { name: 'access taken back', fault: fault('revoked'), code: 'account_access_lost' },
    { name: 'no such account', fault: error('0112', 401), code: 'account_access_lost' },
    { name: 'account closed', fault: error('0113', 401), code: 'account_access_lost' },
    { name: 'too often', fault: fault('rate_limit'), code: 'quota_exhausted' },
    { name: 'internal error', fault: fault('server_error'), code: 'platform_unavailable' },
    { name: 'maintenance', fault: fault('server_error', { status: 503 }), code: 'platform_unavailable' },
    { name: 'HTTP 502 page', fault: fault('server_error', { status: 502 }), code: 'platform_unavailable' },
    { name: 'HTTP 504 page', fault: fault('server_error', { status: 504 }), code: 'platform_timeout' },
    { name: 'connection cut', fault: fault('cut'), code: 'platform_unavailable' },
    { name: 'half an answer', fault: fault('malformed'), code: 'platform_error' },
    { name: 'half a file', fault: fault('malformed', { path: 'download' }), code: 'platform_error' },
    { name: 'no file', fault: fault('download_error'), code: 'platform_unavailable' },
    { name: 'bad request', fault: error('0001'), code: 'platform_error' },
    { name: 'fields apart', fault: error('RL001'), code: 'combination_not_allowed' },
    { name: 'field not filterable', fault: error('240003'), code: 'platform_error' },
    { name: 'reports fail', fault: fault('job_failed'), code: 'platform_unavailable' },
  ],
  passing: [
    { name: 'token refused', fault: fault('expired_token') },
    { name: 'internal error', fault: fault('server_error') },
    { name: 'HTTP 502 page', fault: fault('server_error', { status: 502 }) },
    { name: 'connection cut', fault: fault('cut') },
    { name: 'half an answer', fault: fault('malformed') },
    { name: 'no file', fault: fault('download_error') },
    { name: 'a byte order mark', fault: fault('bom') },
    { name: 'a report that fails', fault: fault('job_failed') },
    { name: 'a slow report', fault: fault('job_slow', { looks: 3 }) },
  ],
}))

describe('LY Ads', () => {
  it('knows the accounts of both products with their manager, and each once', async () => {
    const accounts = (await Array.fromAsync(source.listAccounts(world().world))).flat()
    const ids = accounts.map(({ external_id }) => external_id).toSorted()
    expect(ids.join(' ')).toBe(
      '1001926 1001927 1001980 1001982 1001983 1001984 1001985 1001986 1002928 1002929 1002980 1002986',
    )
    expect(accounts[0]).toEqual({
      ...aurora,
      name: 'Aurora 検索広告',
      status: 'enabled',
      owner_name: 'Sheetcast Agency MCC',
      analytics: null,
    })
    expect(accounts.find(({ external_id }) => external_id === '1001980')?.status).toBe('disabled')
  })

  it('reaches an account by itself where the login has no manager', async () => {
    const own = { ...aurora, via: '1001926' }
    expect(await source.checkAccount(own, world().world)).toMatchObject({ via: '1001926', owner_name: null })
    expect(await source.checkAccount({ ...own, via: null }, world().world)).toMatchObject({ via: '1001926' })
    expect(await fetchRows({ account: own })).toEqual(await fetchRows())
  })

  it.each([
    ['a revoked account', '1001983', 'account_access_lost'],
    ['a closed account', '1001982', 'account_access_lost'],
    ['an account that does not exist', '1999999', 'account_access_lost'],
    ['an account that is no number', '1001926,"x":1', 'account_access_lost'],
    ['an account whose login has ended', '1001984', 'credential_expired'],
  ])('refuses %s', async (_, id, code) => {
    await expect(source.checkAccount(account(id), world().world)).rejects.toThrow(code)
    await expect(fetchRows({ account: account(id) })).rejects.toThrow(code)
  })

  it('lists one product where the other is closed to the login', async () => {
    await sandbox.setFaults([fault('revoked')])
    const accounts = (await Array.fromAsync(source.listAccounts(world().world))).flat()
    expect(new Set(accounts.map(({ provider }) => provider))).toEqual(new Set(['ly_display']))
    await sandbox.setFaults([fault('revoked'), { ...fault('revoked'), platform: 'ly_display' }])
    await expect(Array.fromAsync(source.listAccounts(world().world))).rejects.toThrow('account_access_lost')
  })

  it('has nothing to tell of an account without delivery', async () => {
    expect(await fetchRows({ account: account('1001985'), dimensions: ['ad'] })).toEqual([])
  })
})

describe('a report of LY search ads', () => {
  it('has every metric of the catalogue, beside keywords of ad groups and beside campaigns', async () => {
    const own = Object.entries(ygMetrics).filter(
      ([, metric]) =>
        metric.kind !== 'derived' && (!('providers' in metric) || metric.providers.includes('ly_search')),
    )
    const found = new Set<string>()
    for (const [dimension, ...others] of [['keyword', 'ad_group'], ['campaign']] as const) {
      const fits = own.filter(([, metric]) => {
        const {
          not_with = [],
          only_with = [],
        }: { not_with?: readonly string[]; only_with?: readonly string[] } = metric
        return !not_with.includes(dimension) && only_with.every(each => each === dimension)
      })
      const metrics = fits.map(([id]) => id)
      const rows = await fetchRows({ dimensions: [dimension, ...others], metrics, time: 'week' })
      for (const [at, id] of metrics.entries()) {
        if (rows.some(({ values }) => Number(values[at]) > 0)) found.add(id)
      }
    }
    expect([...found].toSorted()).toEqual(own.map(([id]) => id).toSorted())
  })

  it('asks for what LY says can be asked for, and for nothing that it says is apart', async () => {
    const to = world()
    const questions: [Partial<ReportRequest>, string][] = [
      [{ metrics: ['invalid_clicks', 'lost_is_budget'] }, 'ACCOUNT'],
      [
        { dimensions: ['campaign'], metrics: ['invalid_clicks', 'lost_is_budget'], time: 'month' },
        'CAMPAIGN',
      ],
      [{ dimensions: ['ad_group', 'device_type'], metrics: ['click_share'], time: 'week' }, 'ADGROUP'],
      [{ dimensions: ['ad'], metrics: ['conversions', 'top_rate'], time: 'total' }, 'AD'],
      [{ dimensions: ['keyword', 'campaign'], metrics: ['quality_index_then', 'bid'] }, 'KEYWORDS'],
    ]
    for (const [request, reportType] of questions) {
      await fetchRows(request, to)
      const operands = to.sent('ReportDefinitionService/add').flatMap(({ operand }) => operand ?? [])
      const fields = operands.at(-1)?.['fields'] as string[]
      expect(operands.at(-1)?.['reportType']).toBe(reportType)
      const known = await fieldsOf(reportType)
      for (const field of fields) {
        expect(known.has(field), field).toBe(true)
        expect(fields.filter(each => known.get(field)?.includes(each))).toEqual([])
      }
    }
  })

  it('has fewer numbers by keyword than by campaign, and says so', async () => {
    const to = world()
    const [keywords] = await fetchRows({ time: 'total', dimensions: [] }, world())
    const by_keyword = await fetchRows({ time: 'total', dimensions: ['keyword'] }, to)
    expect(summed(by_keyword, () => 'all')['all']?.[0]).toBeLessThan(keywords?.values[0] ?? 0)
    expect(to.notes).toEqual(['keywords_only'])
  })

  it('keeps a row for each text of a keyword, whatever its keywords are set to', async () => {
    const metrics = ['impressions', 'quality_index', 'bid']
    const rows = await fetchRows({ time: 'total', dimensions: ['keyword'], metrics })
    const plain = await fetchRows({ time: 'total', dimensions: ['keyword'], metrics: ['impressions'] })
    expect(rows.map(({ keys, values }) => [keys, values[0]])).toEqual(
      plain.map(({ keys, values }) => [keys, values[0]]),
    )
    const exact = await fetchRows({ time: 'total', dimensions: ['keyword', 'ad_group'], metrics })
    for (const {
      values: [, quality, bid],
    } of exact) {
      expect(quality).toBeGreaterThanOrEqual(1)
      expect(quality).toBeLessThanOrEqual(10)
      expect(bid).toBeGreaterThanOrEqual(20_000_000)
    }
    expect(rows.some(({ values }) => Number.isNaN(values[1]))).toBe(true)
  })

  it('keeps shares as shares, and money in millionths', async () => {
    const [row] = await fetchRows({ time: 'total', metrics: ['impression_share', 'cost', 'impressions'] })
    expect(row?.values[0]).toBeGreaterThan(0.18)
    expect(row?.values[0]).toBeLessThan(0.92)
    expect(Number(row?.values[1]) % 1_000_000).toBe(0)
  })

  it('tells deleted campaigns, names of several lines, and devices in our words', async () => {
    const campaigns = await fetchRows({ time: 'total', dimensions: ['campaign'] })
    expect(campaigns.map(({ labels: [name] }) => name)).toContain('Deleted by mistake')
    const ads = await fetchRows({ time: 'total', dimensions: ['ad'] })
    expect(ads.some(({ labels: [name] }) => name?.includes('\n"2"'))).toBe(true)
    const devices = await fetchRows({ time: 'total', dimensions: ['device_type'] })
    expect(devices.map(({ keys: [device] }) => device)).toEqual(['desktop', 'mobile', 'other', 'tablet'])
  })

  it('sends a filter as far as it cannot lose a row', async () => {
    const to = world()
    const filters = [
      { field: 'campaign_name' as const, rule: 'CONTAINS' as const, values: ['春夏%Sale'] },
      { field: 'campaign_name' as const, rule: 'CONTAINS' as const, values: ['Sale_'] },
      { field: 'device_type' as const, rule: 'EQUAL' as const, values: ['2'] },
    ]
    await fetchRows({ dimensions: ['campaign', 'device_type'], filters }, to)
    const [operand] = to.sent('add')[0]?.operand ?? []
    expect(operand?.['filters']).toEqual([
      { field: 'CAMPAIGN_NAME', filterOperator: 'CONTAINS', values: ['春夏'] },
    ])
  })

  it('goes up to today in Japan, and says that today is not final', async () => {
    const to = world()
    const rows = await fetchRows({ range: { start: '2026-11-19', end: '2026-12-31' } }, to)
    expect(rows.map(({ date }) => date)).toEqual(['2026-11-19', '2026-11-20', '2026-11-21'])
    expect(to.notes).toEqual(['not_final'])
    expect(await fetchRows({ range: { start: '2026-12-01', end: '2026-12-31' } })).toEqual([])
  })

  it('refuses days of more than eleven years ago before asking', async () => {
    const of = (start: string) => fetchRows({ range: { start, end: '2026-10-31' }, time: 'total' })
    await expect(of('2015-11-20')).rejects.toThrow('history_limit')
    expect(await sandbox.requests()).toEqual([])
    expect((await of('2015-11-21')).length).toBe(1)
  })

  it.each([
    ['a metric of display ads', { metrics: ['video_views'] }],
    ['a metric that does not exist', { metrics: ['constructor'] }],
    [
      'a metric beside a dimension that it excludes',
      { metrics: ['invalid_clicks'], dimensions: ['device_type'] },
    ],
    ['a setting of keywords without them', { metrics: ['bid'] }],
    ['keywords beside ads', { dimensions: ['keyword', 'ad'] }],
    ['a dimension of another channel', { dimensions: ['source'] }],
  ] satisfies [string, Partial<ReportRequest>][])('refuses %s before asking', async (_, request) => {
    await expect(fetchRows(request)).rejects.toThrow('combination_not_allowed')
    expect(await sandbox.requests()).toEqual([])
  })
})

describe('the making of LY reports', () => {
  const long = { range: { start: '2025-11-01', end: '2026-10-31' }, dimensions: ['ad' as const] }

  it('cuts a year of days of ads in four, and takes all back', async () => {
    const to = world()
    const rows = await fetchRows(long, to)
    expect(new Set(rows.map(({ date }) => date)).size).toBeGreaterThan(300)
    expect(to.sent('add').length).toBe(4)
    expect(to.sent('remove').length).toBe(1)
    expect(to.sent('remove')[0]?.operand?.length).toBe(4)
  })

  it('lets the run wait for a slow report, and goes on with what it began', async () => {
    await sandbox.setFaults([fault('job_slow', { looks: 4 })])
    const jobs = testJobs()
    const to = world({ jobs })
    const first = await source.prepare(requestOf(), to.world).catch((failure: unknown) => failure)
    expect(first).toBeInstanceOf(JobUnderWay)
    expect(first).toMatchObject({ look_again_ms: 5000 })
    expect(jobs.known.size).toBe(1)
    await source.prepare(requestOf(), to.world).catch(() => {})
    await source.prepare(requestOf(), to.world)
    expect((await rowsOf(source.fetchReport(requestOf(), to.world))).length).toBe(31)
    expect(to.sent('add').length).toBe(1)
    expect(jobs.known.size).toBe(0)
  })

  it('looks less often at what takes long, and gives up after half an hour', async () => {
    await sandbox.setFaults([fault('job_slow', { looks: 100 })])
    const jobs = testJobs()
    const ends: unknown[] = []
    for (const minutes of [0, 1, 10, 31]) {
      const now = new Date(Date.parse(NOW) + minutes * 60_000)
      const to = world({ jobs, now: () => now })
      ends.push(await source.prepare(requestOf(), to.world).catch((failure: unknown) => failure))
    }
    expect(ends).toMatchObject([
      { look_again_ms: 5000 },
      { look_again_ms: 10_000 },
      { look_again_ms: 30_000 },
      { code: 'platform_timeout' },
    ])
  })

  it('begins a report that fails three times at most, however often it is looked at', async () => {
    const to = world()
    const request = fetchRows({ account: account('1001986') }, to)
    await expect(request).rejects.toThrow('platform_unavailable')
    expect(to.sent('add').length).toBe(3)
  })

  it('begins anew what has vanished', async () => {
    const jobs = testJobs()
    await source.prepare(requestOf(), world({ jobs }).world)
    await sandbox.reset(NOW)
    const to = world({ jobs })
    expect((await fetchRows({}, to)).length).toBe(31)
    expect(to.sent('add').length).toBe(1)
  })

  it('shares a report between two questions of a run that come to the same, as often as it takes', async () => {
    await sandbox.setFaults([fault('job_slow', { looks: 3 })])
    const to = world({ jobs: testJobs() })
    const both = async () => {
      await source.prepare(requestOf(), to.world)
      const first = await rowsOf(source.fetchReport(requestOf(), to.world))
      return [first, await rowsOf(source.fetchReport(requestOf(), to.world))]
    }
    const ends: unknown[] = []
    for (let attempt = 0; attempt < 5; attempt += 1)
      ends.push(await both().catch((failure: unknown) => failure))
    const [one, other] = (ends.at(-1) as unknown[][]).map(rows => rows.length)
    expect([one, other]).toEqual([31, 31])
    expect(to.sent('add').length).toBe(2)
    expect(to.sent('remove').length).toBe(1)
  })

  it('is begun by reading where nobody has prepared it', async () => {
    expect((await rowsOf(source.fetchReport(requestOf(), world().world))).length).toBe(31)
  })

  it('waits where sixty reports of the account are under way already', async () => {
    await sandbox.setFaults([fault('job_slow', { looks: 1000 })])
    const others = Array.from({ length: 60 }, (_, at) => ({ metrics: ['clicks'], range: dayOf(at) }))
    const to = world({ jobs: testJobs() })
    for (const other of others) await source.prepare(requestOf(other), to.world).catch(() => {})
    const end = await source.prepare(requestOf(), to.world).catch((failure: unknown) => failure)
    expect(end).toMatchObject({ name: 'JobUnderWay', look_again_ms: 30_000 })
  })

  it('takes back what it has begun when one of its reports is refused', async () => {
    await sandbox.setFaults([{ ...error('RL001'), path: 'add', skip: 1 }])
    const to = world()
    await expect(fetchRows(long, to)).rejects.toThrow('combination_not_allowed')
    expect(to.sent('remove')[0]?.operand?.length).toBe(1)
  })

  it('keeps a report for the next attempt when its file cannot be had for now', async () => {
    const jobs = testJobs()
    await sandbox.setFaults([fault('rate_limit', { path: 'download' })])
    await expect(fetchRows({}, world({ jobs }))).rejects.toThrow('quota_exhausted')
    await sandbox.setFaults([])
    const to = world({ jobs })
    expect((await fetchRows({}, to)).length).toBe(31)
    expect(to.sent('add')).toEqual([])
  })

  it('pauses everybody on the account when LY is asked too often', async () => {
    await sandbox.setFaults([fault('rate_limit')])
    const pauses: [string, number][] = []
    const quota = {
      before: async () => {},
      after: async ({ kind }: { kind: string }, { pause_ms }: { pause_ms: number }) =>
        void pauses.push([kind, pause_ms]),
    }
    await expect(fetchRows({}, world({ quota }))).rejects.toMatchObject({ retry_after_ms: 10_000 })
    expect(pauses).toEqual([
      ['credential', 10_000],
      ['account', 10_000],
    ])
  })
})

const dayOf = (at: number) => {
  const day = Temporal.PlainDate.from('2026-08-01').add({ days: at }).toString()
  return { start: day, end: day }
}

/** The fields of a type of report, each with those that cannot stand beside it. */
async function fieldsOf(reportType: string): Promise<Map<string, string[]>> {
  const response = await fetch(
    `${sandbox.base_url}/ly-search/api/v20/ReportDefinitionService/getReportFields`,
    {
      method: 'POST',
      headers: {
        authorization: 'Bearer sandbox-admin',
        'content-type': 'application/json',
        'x-z-base-account-id': '1000100',
      },
      body: JSON.stringify({ reportType }),
    },
  )
  const { rval } = (await response.json()) as {
    rval: { fields: { fieldName: string; impossibleCombinationFields: string[] | null }[] }
  }
  return new Map(
    rval.fields.map(({ fieldName, impossibleCombinationFields }) => [
      fieldName,
      impossibleCombinationFields ?? [],
    ]),
  )
}

function account(external_id: string, via = '1000100'): AccountRef {
  return { provider: 'ly_search', external_id, currency: 'JPY', timezone: 'Asia/Tokyo', via }
}
