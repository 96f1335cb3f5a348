import { describe, expect, it } from 'vitest'
import { ygMetrics } from '#shared/channels/yg-metrics.ts'
import { describeConformance } from '#server/connectors/testing/conformance.ts'
import { sourceOf, type AccountRef, type ReportRequest } from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import {
  fetchPages,
  rowsOf,
  summed,
  testContext,
  type RequestFields,
} from '#server/connectors/testing/context.ts'
import { lyAds } from './report.ts'
import { NOW, recordedContext } from './testing/sandbox.ts'

const login = { client_id: 'any', client_secret: 'sandbox-agency', refresh_token: 'sandbox-agency' }
const source = sourceOf(lyAds, login)
const aurora: AccountRef = {
  provider: 'ly_display',
  external_id: '1002928',
  currency: 'JPY',
  timezone: 'Asia/Tokyo',
  via: '1000200',
}

const sandbox = sandboxOfFile(NOW)

const October = { start: '2026-10-01', end: '2026-10-31' }
const lastWeek = { start: '2026-11-09', end: '2026-11-15' }
const defaults: RequestFields = {
  range: October,
  time: 'date',
  dimensions: [],
  metrics: ['impressions', 'cost'],
  filters: [],
}
const context = () => recordedContext(sandbox.base_url)
const fetchRows = (request: Partial<ReportRequest> = {}, to = context()) =>
  rowsOf(fetchPages(source, { channel: 'yg', account: aurora, ...defaults, ...request }, to.context))

const fault = (action: string, more: object = {}) => ({ platform: 'ly_display', action, ...more })

describeConformance('LY display ads', () => ({
  source,
  context: () => testContext(sandbox.base_url, NOW),
  channel: 'yg',
  secrets: ['sandbox-agency', 'Bearer'],
  account: aurora,
  range: { start: '2026-09-16', end: '2026-10-25' },
  additive: [
    'impressions',
    'cost',
    'clicks',
    'conversions',
    'conversion_value',
    'video_views',
    'viewable_impressions',
  ],
  single: ['video_avg_time'],
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
    { field: 'ad_name', rule: 'CONTAINS', values: ['[50%]'] },
    { field: 'device_type', rule: 'NOT_CONTAINS', values: ['mobile'] },
  ],
  // A token, the report, three looks at it, the file, and its removal.
  requests_ahead: 7,
  arm: (each, when = {}) => sandbox.setFaults([{ ...each, ...when }]),
  permanent: [
    { name: 'token refused', fault: fault('expired_token'), code: 'credential_expired' },
    { name: 'access taken back', fault: fault('revoked'), code: 'account_access_lost' },
    { name: 'too often', fault: fault('rate_limit'), code: 'quota_exhausted' },
    { name: 'internal error', fault: fault('server_error'), code: 'platform_unavailable' },
    { name: 'half a file', fault: fault('malformed', { path: 'download' }), code: 'platform_error' },
    { name: 'reports cancelled', fault: fault('job_canceled'), code: 'platform_unavailable' },
  ],
  transient: [
    { name: 'token refused', fault: fault('expired_token') },
    { name: 'connection cut', fault: fault('cut') },
    { name: 'half an answer', fault: fault('malformed') },
    { name: 'a report that is cancelled', fault: fault('job_canceled') },
  ],
}))

describe('a report of LY display ads', () => {
  it('has every metric of the catalogue that LY says to have', async () => {
    const own = Object.entries(ygMetrics).filter(
      ([, metric]) =>
        metric.kind !== 'derived' && (!('providers' in metric) || metric.providers.includes('ly_display')),
    )
    const metrics = own.map(([id]) => id).filter(id => id !== 'viewable_reach')
    const rows = await fetchRows({ dimensions: [], metrics })
    for (const [at, id] of metrics.entries())
      expect([id, rows.some(({ values }) => Number(values[at]) > 0)]).toEqual([id, true])
    const [viewable] = await fetchRows({ metrics: ['viewable_reach'], time: 'total' })
    expect(viewable?.values[0]).toBeGreaterThan(0)
    expect(own.length).toBe(31)
  })

  it('reads a cost to its last decimal', async () => {
    const rows = await fetchRows({ dimensions: ['ad'] })
    const fractions = rows.map(({ values: [, cost] }) => Number(cost) % 1_000_000)
    expect(new Set(fractions)).toEqual(new Set([0, 250_000, 500_000, 750_000]))
  })

  it('puts old and new phones together, and distinguishes televisions', async () => {
    const devices = await fetchRows({ dimensions: ['device_type'], time: 'total' })
    expect(devices.map(({ keys: [device] }) => device)).toEqual([
      'connected_tv',
      'desktop',
      'mobile',
      'other',
      'tablet',
    ])
    const [total] = await fetchRows({ time: 'total' })
    expect(summed(devices, () => 'all')).toEqual({ all: total?.values })
  })

  it('is refused as too old by LY itself, which does not say how old is too old', async () => {
    const range = { start: '2022-01-01', end: '2022-01-31' }
    await expect(fetchRows({ range })).rejects.toThrow('history_limit')
  })

  it.each([
    ['keywords', { dimensions: ['keyword'] }],
    ['reach by device', { metrics: ['reach'], dimensions: ['device_type'] }],
    ['reach beside viewable reach', { metrics: ['reach', 'viewable_reach'] }],
    ['shares by ad', { metrics: ['impression_share'], dimensions: ['ad'] }],
    ['a metric of search ads', { metrics: ['click_share'] }],
  ] satisfies [string, Partial<ReportRequest>][])('refuses %s before asking', async (_, request) => {
    await expect(fetchRows(request)).rejects.toThrow('combination_not_allowed')
    expect(await sandbox.requests()).toEqual([])
  })
})

describe('reach of LY display ads', () => {
  const metrics = ['impressions', 'reach', 'frequency']

  it('is what LY counts for the whole of last month: less than the sum of its days', async () => {
    const to = context()
    const [month] = await fetchRows({ metrics, time: 'month' }, to)
    const days = await fetchRows({ metrics })
    const reach = days.map(({ values }) => values[1] ?? 0)
    expect(month?.values[1]).toBeGreaterThan(Math.max(...reach))
    expect(month?.values[1]).toBeLessThan(reach.reduce((sum, people) => sum + people, 0))
    expect(month?.values[2]).toBeCloseTo(Number(month?.values[0]) / Number(month?.values[1]), 6)
    expect(reachReports(to)).toEqual([['LAST_MONTH', 'MONTHLY']])
    expect(to.notes).toEqual([])
  })

  it('is there for last week, campaign by campaign', async () => {
    const to = context()
    const rows = await fetchRows({ metrics, time: 'week', range: lastWeek, dimensions: ['campaign'] }, to)
    expect(
      rows.filter(({ values }) => !(Number(values[1]) > 0 && Number(values[1]) <= Number(values[0]))),
    ).toEqual([])
    expect(reachReports(to)).toEqual([['LAST_WEEK', 'WEEKLY']])
  })

  it('is there for single days since the start of last month, by as few reports as possible', async () => {
    const to = context()
    const rows = await fetchRows({ metrics, range: { start: '2026-10-01', end: '2026-11-20' } }, to)
    expect(rows.length).toBe(51)
    expect(rows.filter(({ values }) => !(Number(values[1]) > 0))).toEqual([])
    expect(reachReports(to)).toEqual([
      ['LAST_MONTH', 'DAILY'],
      ['LAST_30_DAYS', 'DAILY'],
    ])
    const short = context()
    await fetchRows({ metrics, range: { start: '2026-11-20', end: '2026-11-20' } }, short)
    expect(reachReports(short)).toEqual([['YESTERDAY', 'DAILY']])
  })

  it('is empty for other days, of which a note says so; the other numbers are there', async () => {
    const to = context()
    const rows = await fetchRows({ metrics, range: { start: '2026-09-29', end: '2026-11-21' } }, to)
    const empty = rows.filter(({ values }) => Number.isNaN(values[1]))
    expect(empty.map(({ date }) => date)).toEqual(['2026-09-29', '2026-09-30', '2026-11-21'])
    expect(empty.every(({ values }) => Number(values[0]) > 0)).toBe(true)
    expect(to.notes).toEqual(['not_final', 'no_reach'])
  })

  it('is refused where LY has none of it', async () => {
    const of = (request: Partial<ReportRequest>) => fetchRows({ metrics, time: 'total', ...request })
    await expect(of({ range: { start: '2026-11-01', end: '2026-11-20' } })).rejects.toThrow('history_limit')
    await expect(of({ range: { start: '2026-09-01', end: '2026-09-30' } })).rejects.toThrow('history_limit')
    expect(await of({ range: { start: '2026-12-01', end: '2026-12-31' } })).toEqual([])
    expect(await sandbox.requests()).toEqual([])
  })
})

const reachReports = (to: ReturnType<typeof context>) =>
  to
    .sent('add')
    .flatMap(({ operand }) => operand ?? [])
    .flatMap(({ reportDateRangeType, reportTypeCondition }) => {
      const { reachReportCondition } = reportTypeCondition as {
        reachReportCondition?: { frequencyRange: string }
      }
      return reachReportCondition ? [[reportDateRangeType, reachReportCondition.frequencyRange]] : []
    })
