import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { awMetrics } from '#shared/channels/aw-metrics.ts'
import { awKeywordMetrics } from '#shared/channels/aw_keyword.ts'
import type { Filter, Metric } from '#shared/channels/catalogue.ts'
import { describeConformance, type SandboxFacts } from '../conformance.ts'
import { sourceOf, type ReportRequest, type RunNote } from '../connector.ts'
import { rowsOf, startTestSandbox, summed, testWorld, type AskedFor, type TestSandbox } from '../testing.ts'
import { API_VERSION, metricFields } from './fields.ts'
import { googleAds } from './report.ts'
import { GoogleAdsLogin, type GoogleAdsIo } from './schema.ts'
import { aurora, japan, login, NOW } from './testing.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
beforeEach(async () => {
  await sandbox.reset(NOW)
  await pageSize(100)
})
afterAll(() => sandbox.stop())

async function pageSize(google_ads_page_size: number) {
  const body = JSON.stringify({ google_ads_page_size })
  await fetch(`${sandbox.base_url}/control/limits`, { method: 'PUT', body })
}

const io = (changes: Partial<GoogleAdsIo> = {}): GoogleAdsIo => ({
  ...testWorld(sandbox.base_url, NOW),
  login: GoogleAdsLogin.parse(login),
  ...changes,
})

const October = { start: '2026-10-01', end: '2026-10-31' }
const asked: AskedFor = {
  range: October,
  time: 'date',
  dimensions: [],
  metrics: ['impressions', 'cost'],
  filters: [],
}
const fetchRows = (request: Partial<ReportRequest> = {}, changes: Partial<GoogleAdsIo> = {}) =>
  rowsOf(googleAds.fetchReport({ channel: 'aw', account: aurora, ...asked, ...request }, io(changes)))
const searches = async () =>
  (await sandbox.requests()).filter(({ path }) => path.includes('googleAds:search')).length

const fault = (action: string, more: object = {}) => ({ platform: 'google_ads', action, ...more })
const refusal = (family: string, code: string, status = 400) => fault('error', { family, code, status })
const quota = (code: string) => fault('rate_limit', { code })
const frontDoor = (status: number, reason: string) => fault('front_door', { status, reason })

const facts = (): Omit<
  SandboxFacts,
  'channel' | 'single' | 'dimensions' | 'filters' | 'lasting' | 'passing'
> => ({
  source: sourceOf(googleAds, login),
  world: () => testWorld(sandbox.base_url, NOW),
  secrets: [login.client_secret, login.refresh_token, 'Bearer', 'ya29'],
  account: aurora,
  range: { start: '2026-09-16', end: '2026-10-25' },
  additive: ['impressions', 'cost', 'clicks', 'conversions', 'conversion_value', 'video_views', 'video_p50'],
  // A token, what the ads are called, this page and the next one.
  requests_ahead: 4,
  arm: (each, when = {}) => sandbox.setFaults([{ ...each, ...when, path: 'googleAds:search' }]),
})

describeConformance('Google Ads', () => ({
  ...facts(),
  channel: 'aw',
  single: ['reach', 'frequency', 'reach_3plus', 'search_impression_share', 'top_impr_pct'],
  // Ads are not among them: Performance Max, which every account has, is missing there.
  dimensions: [['campaign'], [], ['device_type'], ['campaign', 'device_type']],
  filters: [
    { field: 'campaign_name', rule: 'CONTAINS', values: ['TWIN'] },
    { field: 'campaign_name', rule: 'EQUAL', values: ['old stock'] },
    { field: 'campaign_name', rule: 'STARTS_WITH', values: ['春夏'] },
    { field: 'campaign_name', rule: 'CONTAINS', values: ['100%_OFF [sale] \\ "quoted" \'single\''] },
    { field: 'campaign_name', rule: 'EQUAL', values: ["x' OR campaign.id > 0 --"] },
    { field: 'campaign_name', rule: 'ENDS_WITH', values: ['\\'] },
    { field: 'campaign_name', rule: 'CONTAINS', values: ['限定」コスメ', '2026-03-04'] },
    { field: 'campaign_name', rule: 'CONTAINS', values: ['istanbul'] },
    { field: 'campaign_name', rule: 'CONTAINS', values: ['ＦＵＬＬ'] },
    { field: 'campaign_name', rule: 'NOT_CONTAINS', values: ['2026', '彩妝'] },
    { field: 'ad_group_name', rule: 'ENDS_WITH', values: ['1%'] },
    { field: 'ad_group_name', rule: 'CONTAINS', values: ['TARGETING_30D'] },
    { field: 'ad_name', rule: 'CONTAINS', values: ['[50%]'] },
    { field: 'ad_name', rule: 'STARTS_WITH', values: ['static'] },
    { field: 'device_type', rule: 'EQUAL', values: ['mobile'] },
  ],
  lasting: [
    { name: 'token expired', fault: fault('expired_token'), code: 'credential_expired' },
    {
      name: 'token revoked',
      fault: refusal('authenticationError', 'OAUTH_TOKEN_REVOKED', 401),
      code: 'credential_expired',
    },
    {
      name: 'no second factor',
      fault: refusal('authenticationError', 'TWO_STEP_VERIFICATION_NOT_ENROLLED', 401),
      code: 'credential_expired',
    },
    {
      name: 'no Ads user',
      fault: refusal('authenticationError', 'NOT_ADS_USER', 401),
      code: 'credential_expired',
    },
    {
      name: 'front door knows no token',
      fault: frontDoor(401, 'ACCESS_TOKEN_EXPIRED'),
      code: 'credential_expired',
    },
    { name: 'API switched off', fault: frontDoor(403, 'SERVICE_DISABLED'), code: 'credential_expired' },
    {
      name: 'project not approved',
      fault: refusal('authorizationError', 'CLOUD_PROJECT_NOT_APPROVED_FOR_PRODUCTION', 403),
      code: 'credential_expired',
    },
    { name: 'access taken back', fault: fault('revoked'), code: 'account_access_lost' },
    {
      name: 'wrong manager',
      fault: refusal('headerError', 'INVALID_LOGIN_CUSTOMER_ID'),
      code: 'account_access_lost',
    },
    {
      name: 'account closed',
      fault: refusal('authorizationError', 'CUSTOMER_NOT_ENABLED', 403),
      code: 'account_access_lost',
    },
    {
      name: 'account suspended',
      fault: refusal('authorizationError', 'ACTION_NOT_PERMITTED_FOR_SUSPENDED_ACCOUNT', 403),
      code: 'account_access_lost',
    },
    {
      name: 'customer not found',
      fault: refusal('authenticationError', 'CUSTOMER_NOT_FOUND', 401),
      code: 'account_access_lost',
    },
    { name: 'front door forbids', fault: frontDoor(403, 'OTHER'), code: 'account_access_lost' },
    {
      name: 'metric not granted',
      fault: refusal('authorizationError', 'METRIC_ACCESS_DENIED', 403),
      code: 'combination_not_allowed',
    },
    {
      name: 'segment beside metric',
      fault: refusal('queryError', 'PROHIBITED_SEGMENT_WITH_METRIC_IN_SELECT_OR_WHERE_CLAUSE'),
      code: 'combination_not_allowed',
    },
    {
      name: 'manager asked for numbers',
      fault: refusal('queryError', 'REQUESTED_METRICS_FOR_MANAGER'),
      code: 'combination_not_allowed',
    },
    { name: 'unknown field', fault: refusal('queryError', 'UNRECOGNIZED_FIELD'), code: 'platform_error' },
    { name: 'version switched off', fault: fault('unsupported_version'), code: 'platform_error' },
    {
      name: 'days kept no more',
      fault: refusal('dateRangeError', 'REQUESTED_DATE_GRANULARITY_NOT_SUPPORTED'),
      code: 'history_limit',
    },
    { name: 'too many days', fault: refusal('queryError', 'DATE_RANGE_TOO_WIDE'), code: 'too_large' },
    { name: 'asked in a rush', fault: fault('rate_limit'), code: 'quota_exhausted' },
    { name: 'day used up', fault: quota('RESOURCE_EXHAUSTED'), code: 'quota_exhausted' },
    {
      name: 'query too costly',
      fault: quota('EXCESSIVE_SHORT_TERM_QUERY_RESOURCE_CONSUMPTION'),
      code: 'quota_exhausted',
    },
    {
      name: 'query too costly for a day',
      fault: quota('EXCESSIVE_LONG_TERM_QUERY_RESOURCE_CONSUMPTION'),
      code: 'quota_exhausted',
    },
    { name: 'front door is full', fault: frontDoor(429, 'RATE_LIMIT_EXCEEDED'), code: 'quota_exhausted' },
    { name: 'internal error', fault: fault('server_error'), code: 'platform_unavailable' },
    { name: 'HTTP 503', fault: fault('server_error', { status: 503 }), code: 'platform_unavailable' },
    { name: 'connection cut', fault: fault('cut'), code: 'platform_unavailable' },
    { name: 'HTTP 504', fault: fault('server_error', { status: 504 }), code: 'platform_timeout' },
    { name: 'broken JSON', fault: fault('malformed'), code: 'platform_error' },
  ],
  passing: [
    { name: 'token expired', fault: fault('expired_token') },
    { name: 'front door knows no token', fault: frontDoor(401, 'ACCESS_TOKEN_EXPIRED') },
    { name: 'asked in a rush', fault: fault('rate_limit', { retry_delay: '5s' }) },
    { name: 'internal error', fault: fault('server_error') },
    { name: 'HTTP 502', fault: fault('server_error', { status: 502 }) },
    { name: 'HTTP 504', fault: fault('server_error', { status: 504 }) },
    { name: 'connection cut', fault: fault('cut') },
    { name: 'broken JSON', fault: fault('malformed') },
    { name: 'page token expired', fault: fault('expired_page_token') },
  ],
}))

describeConformance('Google Ads keywords', () => ({
  ...facts(),
  channel: 'aw_keyword',
  single: ['search_impression_share', 'quality_score', 'historical_quality_score', 'top_impr_pct'],
  dimensions: [
    ['campaign', 'ad_group', 'keyword'],
    [],
    ['keyword'],
    ['keyword', 'device_type'],
    ['campaign'],
  ],
  filters: [
    { field: 'keyword', rule: 'EQUAL', values: ["WOMEN'S GIFTS"] },
    { field: 'keyword', rule: 'CONTAINS', values: ['%'] },
    { field: 'keyword', rule: 'ENDS_WITH', values: ['k\\slash'] },
    { field: 'keyword', rule: 'CONTAINS', values: ['new [sale]'] },
    { field: 'keyword', rule: 'STARTS_WITH', values: ['口紅 おす'] },
    { field: 'keyword', rule: 'NOT_CONTAINS', values: ['buy'] },
    { field: 'keyword', rule: 'CONTAINS', values: ['☕', '='] },
    { field: 'campaign_name', rule: 'CONTAINS', values: ['a'] },
  ],
  lasting: [{ name: 'access taken back', fault: fault('revoked'), code: 'account_access_lost' }],
  passing: [
    { name: 'page token expired', fault: fault('expired_page_token') },
    { name: 'HTTP 504', fault: fault('server_error', { status: 504 }) },
  ],
}))

describe('Google Ads', () => {
  it('asks for ads and ad groups, which add up to campaigns but for Performance Max, and says so', async () => {
    const notes: RunNote[] = []
    const asking = { note: (note: RunNote) => void notes.push(note) }
    const metrics = ['impressions', 'cost', 'conversions']
    const campaigns = await fetchRows({ dimensions: ['campaign'], metrics }, asking)
    expect(notes).toEqual([])
    const groups = await fetchRows({ dimensions: ['campaign', 'ad_group'], metrics }, asking)
    expect(notes).toEqual([{ code: 'no_performance_max', detail: { account: aurora.external_id } }])
    const ads = await fetchRows({ dimensions: ['campaign', 'ad'], metrics })
    const byCampaign = ({ date, keys: [campaign] }: { date: string; keys: string[] }) => `${date} ${campaign}`
    expect(summed(ads, byCampaign)).toEqual(summed(groups, byCampaign))
    const of_campaigns = summed(campaigns, byCampaign)
    const of_groups = summed(groups, byCampaign)
    const alike = Object.keys(of_groups)
    expect(of_groups).toEqual(Object.fromEntries(alike.map(key => [key, of_campaigns[key]])))
    expect(alike.length).toBeLessThan(Object.keys(of_campaigns).length)
  })

  it('says nothing of Performance Max where the filters leave it out', async () => {
    const notes: RunNote[] = []
    const filters: Filter[] = [{ field: 'campaign_name', rule: 'EQUAL', values: ['春夏彩妝'] }]
    const dimensions = ['ad_group', 'campaign'] as const
    const asking = { note: (note: RunNote) => void notes.push(note) }
    expect(await fetchRows({ dimensions: [...dimensions], filters }, asking)).not.toEqual([])
    expect(notes).toEqual([])
  })

  it('hands on every ad once, whatever passes by at any of its requests', async () => {
    const fortnight = { start: '2026-10-01', end: '2026-10-14' }
    const request = { dimensions: ['ad' as const], range: fortnight }
    const undisturbed = await fetchRows(request)
    const requests = await searches()
    expect(requests).toBeGreaterThan(8)
    for (const passing of [fault('expired_page_token'), fault('server_error', { status: 504 })]) {
      for (let skip = 0; skip < requests; skip += 1) {
        await sandbox.setFaults([{ ...passing, skip, count: 1, path: 'googleAds:search' }])
        expect(await fetchRows(request), `${passing.action} at ${skip}`).toEqual(undisturbed)
      }
    }
  })

  it('names ads by their headline where they have no name, and by what they are where they have none either', async () => {
    const rows = await fetchRows({ dimensions: ['ad'], time: 'total' })
    expect(rows.filter(({ labels: [label] }) => label === '')).toEqual([])
    expect(rows.map(({ labels: [label] }) => label)).toContain('[50%] off_now A')
    const dropped = await fetchRows({ dimensions: ['ad'], time: 'total' }, { fetch: withoutHeadlines })
    const nameless = dropped.filter(({ labels: [label = ''] }) =>
      label.startsWith('RESPONSIVE_SEARCH_AD 1202'),
    )
    expect(nameless.length).toBeGreaterThan(3)
  })

  it('gives reach as Google says it for each grain: less than the sum of its parts', async () => {
    const metrics = ['reach', 'impressions']
    const [total] = await fetchRows({ metrics, time: 'total' })
    const days = await fetchRows({ metrics })
    const reaches = days.map(({ values: [reach = 0] }) => reach)
    expect(total?.values[0]).toBeGreaterThan(Math.max(...reaches))
    expect(total?.values[0]).toBeLessThan(reaches.reduce((people, more) => people + more, 0))
    const [month] = await fetchRows({ metrics, time: 'month' })
    expect(month?.values).toEqual(total?.values)
  })

  it('asks for people in as many parts as it takes, and refuses a row that is too long', async () => {
    const range = { start: '2026-03-10', end: '2026-10-31' }
    const before = await searches()
    const weeks = await fetchRows({ range, time: 'week', metrics: ['reach'] })
    expect((await searches()) - before).toBe(3)
    expect(weeks.length).toBe(34)
    const often = await fetchRows({ range, time: 'week', metrics: ['reach', 'reach_2plus'] })
    expect((await searches()) - before).toBe(3 + 9)
    expect(often.map(({ date, values }) => [date, values[0]])).toEqual(
      weeks.map(({ date, values }) => [date, values[0]]),
    )
    await expect(fetchRows({ range, time: 'total', metrics: ['reach'] })).rejects.toThrow('too_large')
    await expect(fetchRows({ range, time: 'total' })).resolves.toHaveLength(1)
  })

  it('leaves people empty where Google does not know them', async () => {
    const rows = await fetchRows({ time: 'total', dimensions: ['campaign'], metrics: ['reach', 'clicks'] })
    const unknown = rows.filter(({ values: [reach] }) => Number.isNaN(reach))
    expect(unknown.length).toBeGreaterThan(2)
    expect(unknown.length).toBeLessThan(rows.length)
    expect(rows.filter(({ values: [, clicks] }) => Number.isNaN(clicks))).toEqual([])
  })

  it('leaves out what never delivered, whatever the grain and the metrics', async () => {
    const keysOf = async (request: Partial<ReportRequest>) => [
      ...new Set((await fetchRows({ dimensions: ['campaign'], ...request })).map(({ keys: [key] }) => key)),
    ]
    const keys = await keysOf({})
    expect((await keysOf({ time: 'total' })).toSorted()).toEqual(keys.toSorted())
    expect((await keysOf({ time: 'total', metrics: ['phone_calls'] })).toSorted()).toEqual(keys.toSorted())
    expect((await keysOf({ metrics: ['conversions'] })).toSorted()).toEqual(keys.toSorted())
  })

  it('keeps removed campaigns', async () => {
    const range = { start: '2026-09-01', end: '2026-09-30' }
    const rows = await fetchRows({ range, time: 'total', dimensions: ['campaign'] })
    expect(rows.map(({ labels: [name] }) => name)).toEqual(
      expect.arrayContaining(['Old stock', 'Deleted by mistake']),
    )
  })

  it('adds match types and ad groups of a keyword up, and leaves empty in what they differ', async () => {
    const notes: RunNote[] = []
    const asking = { note: (note: RunNote) => void notes.push(note) }
    const metrics = ['impressions', 'quality_score', 'search_impression_share']
    const dimensions: ReportRequest['dimensions'] = ['campaign', 'ad_group', 'keyword']
    const request = { channel: 'aw_keyword', time: 'total', metrics } as const
    const rows = await fetchRows({ ...request, dimensions }, asking)
    expect(notes).toEqual([{ code: 'keywords_only', detail: {} }])
    const scores = rows.map(({ values: [, score] }) => score ?? 0)
    expect(scores.filter(score => Number.isNaN(score)).length).toBeGreaterThan(2)
    expect(scores.filter(score => score >= 1 && score <= 10).length).toBeGreaterThan(8)
    const texts = await fetchRows({ ...request, metrics: ['impressions'], dimensions: ['keyword'] })
    const sums = summed(rows, ({ keys }) => keys[2] ?? '')
    for (const { keys, values } of texts) expect(sums[keys[0] ?? '']?.[0]).toBe(values[0])
  })

  it('reads every metric of the catalogue, each at a grain that has it', async () => {
    const unsaid = async (channel: 'aw' | 'aw_keyword', metrics: Record<string, Metric>) => {
      const never: string[] = []
      for (const [id, { kind, only_with = [] }] of Object.entries(metrics)) {
        if (kind === 'derived') continue
        const dimensions = only_with as ReportRequest['dimensions']
        const rows = await fetchRows({ channel, dimensions, metrics: [id], time: 'total' })
        // Few people are met ten times: that Google says 0 is an answer, too.
        const isSaid = (value = 0) => (kind === 'additive' ? value > 0 : !Number.isNaN(value))
        if (!rows.some(({ values: [value] }) => isSaid(value))) never.push(id)
      }
      return never
    }
    expect(await unsaid('aw', awMetrics)).toEqual([])
    // Search ads have no videos.
    const videos = Object.keys(awKeywordMetrics).filter(id => /^video_(views|watch_time|p\d+)$/.test(id))
    expect(await unsaid('aw_keyword', awKeywordMetrics)).toEqual(videos)
  })

  it('reads each field as the type that Google says it has', async () => {
    const query = 'SELECT name, data_type, selectable, selectable_with'
    const reply = await fetch(`${sandbox.base_url}/${API_VERSION}/googleAdsFields:search`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-agency', 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const said = FieldList.parse(await reply.json()).results
    const types = new Map(said.map(field => [field.name, field]))
    for (const [metric, { read, field }] of Object.entries(metricFields)) {
      const { dataType, selectableWith = [] } = types.get(field) ?? {}
      const as_text = read === 'whole' || read === 'milliseconds'
      expect(as_text ? ['INT64'] : ['DOUBLE', 'INT32'], metric).toContain(dataType)
      if (!isOf(awMetrics, metric)) continue
      // The catalogue lets a metric stand beside devices, ad groups and ads just where Google does.
      const { not_with = [] }: Metric = awMetrics[metric]
      const apart = (['ad_group', 'ad', 'device_type'] as const).filter(
        dimension => !selectableWith.includes(besides[dimension]),
      )
      expect([metric, [...not_with].toSorted()]).toEqual([metric, apart.toSorted()])
    }
  })

  it('may ask for each metric beside every dimension that the catalogue lets stand beside it', async () => {
    const range = { start: '2026-10-10', end: '2026-10-10' }
    for (const [channel, metrics, finest] of [
      ['aw', awMetrics, ['campaign', 'ad_group', 'ad', 'device_type']],
      ['aw_keyword', awKeywordMetrics, ['campaign', 'ad_group', 'keyword', 'device_type']],
    ] as const) {
      const every: [string, Metric][] = Object.entries(metrics)
      for (const dimension of finest) {
        const dimensions = [
          ...finest.slice(
            0,
            finest.findIndex(each => each === dimension),
          ),
          dimension,
        ]
        const ids = every
          .filter(([, { kind }]) => kind !== 'derived')
          .filter(([, { only_with = [], not_with = [] }]) => {
            const own: readonly string[] = dimensions
            return only_with.every(each => own.includes(each)) && !not_with.some(each => own.includes(each))
          })
          .map(([id]) => id)
        const rows = await fetchRows({ channel, range, dimensions, metrics: ids, account: japan })
        expect(rows.length, `${channel} ${dimensions}`).toBeGreaterThan(0)
      }
    }
  })

  it('knows no field that the version before does not know', async () => {
    const older: typeof fetch = (url, init) => fetch(String(url).replace('/v26/', '/v25/'), init)
    const ids = Object.entries(awMetrics).filter(([, { kind }]) => kind !== 'derived')
    const metrics = ids.map(([id]) => id).filter(id => !id.startsWith('phone_'))
    expect(await fetchRows({ metrics }, { fetch: older })).toEqual(await fetchRows({ metrics }))
    const dimensions: ReportRequest['dimensions'] = ['ad']
    expect(await fetchRows({ dimensions }, { fetch: older })).toEqual(await fetchRows({ dimensions }))
    expect((await sandbox.requests()).some(({ path }) => path.startsWith('/v25/'))).toBe(true)
  })

  it('refuses what Google cannot give before asking', async () => {
    const refused = async (request: Partial<ReportRequest>) =>
      expect(fetchRows(request)).rejects.toThrow('combination_not_allowed')
    await refused({ metrics: ['reach'], dimensions: ['device_type'] })
    await refused({ metrics: ['search_lost_is_budget'], dimensions: ['ad_group'] })
    await refused({ metrics: ['phone_calls'] })
    await refused({ dimensions: ['keyword'] })
    await refused({ metrics: ['sessions'] })
    await refused({ channel: 'aw_keyword', metrics: ['quality_score'], dimensions: ['keyword'] })
    await refused({ channel: 'aw_keyword', metrics: ['reach'] })
    await refused({ channel: 'aw_keyword', dimensions: ['ad'] })
    const too_old = { ...October, start: '2023-10-20' }
    await expect(fetchRows({ range: too_old })).rejects.toThrow('history_limit')
    expect(await sandbox.requests()).toEqual([])
    expect((await fetchRows({ range: { ...October, start: '2023-10-21' }, time: 'month' })).length).toBe(37)
  })

  it('reads money to the millionth, whole yen among it', async () => {
    const [row] = await fetchRows({
      account: japan,
      time: 'total',
      metrics: ['cost', 'conversion_value', 'revenue'],
    })
    expect(row?.values.every(value => Number.isSafeInteger(value) && value > 0)).toBe(true)
    expect((row?.values[0] ?? 0) % 1_000_000).toBe(0)
  })
})

const FieldList = z.object({
  results: z.array(
    z.object({ name: z.string(), dataType: z.string(), selectableWith: z.array(z.string()).optional() }),
  ),
})
const besides = { ad_group: 'ad_group', ad: 'ad_group_ad', device_type: 'segments.device' }
const isOf = <Metrics extends object>(metrics: Metrics, id: string): id is string & keyof Metrics =>
  Object.hasOwn(metrics, id)

const withoutHeadlines: typeof fetch = async (url, init) => {
  const reply = await fetch(url, init)
  if (!String(init?.body).includes('headlines')) return reply
  return Response.json(JSON.parse((await reply.text()).replaceAll('"headlines"', '"descriptions"')))
}
