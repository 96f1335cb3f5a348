import { describe, expect, it } from 'vitest'
import { ygMetrics } from '#shared/channels/yg-metrics.ts'
import { describeConformance } from '#server/connectors/testing/conformance.ts'
import {
  ReportPending,
  sourceOf,
  type ReportRequest,
  type ConnectorContext,
} from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import {
  fetchPages,
  rowsOf,
  testJobs,
  testContext,
  type RequestFields,
} from '#server/connectors/testing/context.ts'
import { yahooDsp } from './report.ts'
import { advertiser as aurora, NOW, recordedContext } from './testing/sandbox.ts'

const login = { client_id: 'any', client_secret: 'sandbox-admin' }
const source = sourceOf(yahooDsp, login)

const sandbox = sandboxOfFile(NOW)

const October = { start: '2026-10-01', end: '2026-10-31' }
const defaults: RequestFields = {
  range: October,
  time: 'date',
  dimensions: [],
  metrics: ['impressions', 'cost'],
  filters: [],
}
const requestOf = (changes: Partial<ReportRequest> = {}): ReportRequest => ({
  channel: 'yg',
  account: aurora,
  ...defaults,
  ...changes,
})
const context = (changes: Partial<ConnectorContext> = {}) => recordedContext(sandbox.base_url, changes)
const fetchRows = (request: Partial<ReportRequest> = {}, to = context()) =>
  rowsOf(fetchPages(source, requestOf(request), to.context))

const fault = (action: string, more: object = {}) => ({ platform: 'yahoo_dsp', action, ...more })

describeConformance('Yahoo DSP', () => ({
  source,
  context: () => testContext(sandbox.base_url, NOW),
  channel: 'yg',
  secrets: ['sandbox-admin', 'dsp.', 'client_assertion='],
  account: aurora,
  range: { start: '2026-09-16', end: '2026-10-25' },
  additive: ['impressions', 'cost', 'clicks', 'conversions', 'conversion_value', 'video_views'],
  single: ['reach', 'frequency'],
  dimensions: [['ad_group'], [], ['campaign'], ['ad_group', 'campaign'], ['ad']],
  filters: [
    { field: 'campaign_name', rule: 'CONTAINS', values: ['TWIN'] },
    { field: 'campaign_name', rule: 'EQUAL', values: ['old stock'] },
    { field: 'ad_name', rule: 'CONTAINS', values: ['[50%]'] },
    { field: 'device_type', rule: 'EQUAL', values: ['Mobile'] },
  ],
  // A token, the number of the currency, the report, three looks at it, another for its address, and the
  // file.
  requests_ahead: 8,
  arm: (each, when = {}) => sandbox.setFaults([{ ...each, ...when }]),
  permanent: [
    { name: 'token refused', fault: fault('expired_token'), code: 'credential_expired' },
    {
      name: 'client refused',
      fault: fault('error', { path: 'access_token', status: 401 }),
      code: 'credential_expired',
    },
    {
      name: 'access taken back',
      fault: fault('revoked', { path: 'extreport' }),
      code: 'account_access_lost',
    },
    { name: 'too often', fault: fault('rate_limit', { path: 'extreport' }), code: 'quota_exhausted' },
    { name: 'internal error', fault: fault('server_error'), code: 'platform_unavailable' },
    { name: 'HTTP 503', fault: fault('server_error', { status: 503 }), code: 'platform_unavailable' },
    { name: 'connection cut', fault: fault('cut'), code: 'platform_unavailable' },
    { name: 'half a file', fault: fault('malformed', { path: 'csv' }), code: 'platform_error' },
    { name: 'bad request', fault: fault('error', { path: 'extreport' }), code: 'platform_error' },
    { name: 'reports fail', fault: fault('job_failed'), code: 'platform_unavailable' },
  ],
  transient: [
    { name: 'internal error', fault: fault('server_error') },
    { name: 'connection cut', fault: fault('cut') },
    { name: 'half an answer', fault: fault('malformed') },
    { name: 'a report that fails', fault: fault('job_failed') },
    { name: 'a slow report', fault: fault('job_slow', { looks: 3 }) },
  ],
}))

describe('Yahoo DSP', () => {
  it('knows advertisers with their currency and zone', async () => {
    const [accounts] = await Array.fromAsync(source.listAccounts(context().context))
    expect(accounts).toEqual([
      { ...aurora, name: 'Aurora 原生廣告', status: 'enabled', owner_name: null, analytics: null },
      expect.objectContaining({ external_id: '330031' }),
    ])
    const unknown = { ...aurora, external_id: '330099' }
    await expect(source.checkAccount(unknown, context().context)).rejects.toThrow('account_access_lost')
    await expect(fetchRows({ account: unknown })).rejects.toThrow('account_access_lost')
  })

  it('takes a new token when the old one is refused', async () => {
    await sandbox.setFaults([fault('expired_token', { path: 'extreport', count: 1 })])
    expect((await fetchRows()).length).toBe(31)
  })

  it('says of a wrong secret that the login has expired', async () => {
    const other = sourceOf(yahooDsp, { client_id: 'any', client_secret: 'guessed' })
    await expect(Array.fromAsync(other.listAccounts(context().context))).rejects.toThrow('credential_expired')
  })
})

describe('a report of Yahoo DSP', () => {
  it('has every metric of the catalogue that Yahoo DSP says to have', async () => {
    const own = Object.entries(ygMetrics).filter(
      ([, metric]) =>
        metric.kind !== 'derived' && (!('providers' in metric) || metric.providers.includes('yahoo_dsp')),
    )
    const metrics = own.map(([id]) => id)
    const rows = await fetchRows({ dimensions: ['campaign'], metrics, time: 'week' })
    for (const [at, id] of metrics.entries())
      expect([id, rows.some(({ values }) => Number(values[at]) > 0)]).toEqual([id, true])
    expect(own.length).toBe(15)
  })

  it('counts people once, at every grain', async () => {
    const metrics = ['reach']
    const [total] = await fetchRows({ metrics, time: 'total' })
    const [first, ...weeks] = await fetchRows({ metrics, time: 'week' })
    const sum = weeks.reduce((people, { values: [reach] }) => people + (reach ?? 0), first?.values[0] ?? 0)
    expect(first?.date).toBe('2026-10-01')
    expect(total?.values[0]).toBeLessThan(sum)
  })

  it('cuts weeks at the ends of months by requests month by month', async () => {
    const to = context()
    const range = { start: '2026-09-16', end: '2026-10-25' }
    const rows = await fetchRows({ metrics: ['reach'], time: 'month_week', range }, to)
    expect(rows.map(({ date }) => date)).toEqual([
      '2026-09-16',
      '2026-09-21',
      '2026-09-28',
      '2026-10-01',
      '2026-10-05',
      '2026-10-12',
      '2026-10-19',
    ])
    expect(to.sent('extreport/').length).toBe(2)
  })

  it('sends days in the offset of the zone, and the number of the currency', async () => {
    const to = context()
    await fetchRows({ dimensions: ['device_type'] }, to)
    expect(to.sent('extreport/')).toMatchObject([
      {
        reportOption: {
          timezone: 'Asia/Taipei',
          currency: 4,
          accountIds: [330030],
          dimensionTypeIds: [4, 34],
        },
        intervalTypeId: 2,
        startDate: '2026-10-01T00:00:00+08:00',
        endDate: '2026-10-31T23:59:59+08:00',
      },
    ])
  })

  it('gives devices in our words, and reads spending to its last decimal', async () => {
    const rows = await fetchRows({ dimensions: ['device_type'], time: 'total' })
    expect(rows.map(({ keys: [device] }) => device)).toEqual(['connected_tv', 'desktop', 'mobile', 'tablet'])
    const ads = await fetchRows({ dimensions: ['ad'] })
    expect(ads.every(({ values: [, cost] }) => Number.isInteger(cost))).toBe(true)
  })

  it('says that recent days are not final', async () => {
    const to = context()
    await fetchRows({ range: { start: '2026-11-10', end: '2026-11-30' } }, to)
    await fetchRows({ range: { start: '2026-11-10', end: '2026-11-18' } }, to)
    expect(to.notes).toEqual(['not_final'])
  })

  it('is waited for by the run, and begun once', async () => {
    await sandbox.setFaults([fault('job_slow', { looks: 4 })])
    const to = context({ jobs: testJobs() })
    await expect(source.prepare(requestOf(), to.context)).rejects.toBeInstanceOf(ReportPending)
    await expect(rowsOf(source.fetchReport(requestOf(), to.context))).rejects.toBeInstanceOf(ReportPending)
    await source.prepare(requestOf(), to.context).catch(() => {})
    await source.prepare(requestOf(), to.context)
    expect((await rowsOf(source.fetchReport(requestOf(), to.context))).length).toBe(31)
    expect(to.sent('extreport/').length).toBe(1)
  })

  it('is begun three times at most when it fails', async () => {
    await sandbox.setFaults([fault('job_failed')])
    const to = context()
    await expect(fetchRows({}, to)).rejects.toThrow('Report generation failed')
    expect(to.sent('extreport/').length).toBe(3)
  })

  it('is begun anew when it has vanished', async () => {
    const jobs = testJobs()
    await source.prepare(requestOf(), context({ jobs }).context)
    await sandbox.reset(NOW)
    expect((await fetchRows({}, context({ jobs }))).length).toBe(31)
  })

  it.each([
    ['keywords', { dimensions: ['keyword'] }],
    ['a metric of display ads', { metrics: ['paid_video_views'] }],
    ['reach by device', { metrics: ['reach'], dimensions: ['device_type'] }],
  ] satisfies [string, Partial<ReportRequest>][])('refuses %s before asking', async (_, request) => {
    await expect(fetchRows(request)).rejects.toThrow('combination_not_allowed')
    expect(await sandbox.requests()).toEqual([])
  })
})
