import { describe, expect, it } from 'vitest'
import { ygMetrics } from '#shared/channels/yg-metrics.ts'
import { describeConformance } from '#server/connectors/testing/conformance.ts'
import type { ReportRequest, ConnectorContext } from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { fetchPages, rowsOf, summed, testContext } from '#server/connectors/testing/context.ts'
import { aurora, NOW, recordedContext, requestOf, search } from './testing/sandbox.ts'

const sandbox = sandboxOfFile(NOW)

const context = (changes: Partial<ConnectorContext> = {}) => recordedContext(sandbox.base_url, changes)
const fetchRows = (request: Partial<ReportRequest> = {}, to = context()) =>
  rowsOf(fetchPages(search, requestOf(request), to.context))

const fault = (action: string, more: object = {}) => ({ platform: 'ly_search', action, ...more })
const error = (code: string, status = 200) => fault('error', { code, status })

describeConformance('LY search ads', () => ({
  source: search,
  context: () => testContext(sandbox.base_url, NOW),
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
  permanent: [
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
  transient: [
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

  it('requests what LY says can be requested, and nothing that it says cannot be combined', async () => {
    const to = context()
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
    const to = context()
    const [keywords] = await fetchRows({ time: 'total', dimensions: [] }, context())
    const byKeyword = await fetchRows({ time: 'total', dimensions: ['keyword'] }, to)
    expect(summed(byKeyword, () => 'all')['all']?.[0]).toBeLessThan(keywords?.values[0] ?? 0)
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

  it('has deleted campaigns, names of several lines, and devices in our words', async () => {
    const campaigns = await fetchRows({ time: 'total', dimensions: ['campaign'] })
    expect(campaigns.map(({ labels: [name] }) => name)).toContain('Deleted by mistake')
    const ads = await fetchRows({ time: 'total', dimensions: ['ad'] })
    expect(ads.some(({ labels: [name] }) => name?.includes('\n"2"'))).toBe(true)
    const devices = await fetchRows({ time: 'total', dimensions: ['device_type'] })
    expect(devices.map(({ keys: [device] }) => device)).toEqual(['desktop', 'mobile', 'other', 'tablet'])
  })

  it('sends a filter as far as it cannot lose a row', async () => {
    const to = context()
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
    const to = context()
    const rows = await fetchRows({ range: { start: '2026-11-19', end: '2026-12-31' } }, to)
    expect(rows.map(({ date }) => date)).toEqual(['2026-11-19', '2026-11-20', '2026-11-21'])
    expect(to.notes).toEqual(['not_final'])
    expect(await fetchRows({ range: { start: '2026-12-01', end: '2026-12-31' } })).toEqual([])
  })

  it('refuses days of more than eleven years ago before anything is sent', async () => {
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

/** The fields of a type of report, each with those that cannot be combined with it. */
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
