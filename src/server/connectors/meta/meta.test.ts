import { describe, expect, it } from 'vitest'
import type { Filter } from '#shared/channels/catalogue.ts'
import { fbMetrics } from '#shared/channels/fb-metrics.ts'
import { describeConformance } from '#server/connectors/testing/conformance.ts'
import { sourceOf, type AccountRef, type ReportRequest } from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { fetchPages, rowsOf, testContext, type RequestFields } from '#server/connectors/testing/context.ts'
import { meta } from './report.ts'
import type { MetaIo, MetaLogin } from './schema.ts'

const NOW = '2026-11-21T04:00:00Z'
const login: MetaLogin = { access_token: 'sandbox-admin', app_secret: 'sandbox-app-secret' }
const aurora = account('10150357160960121', 'TWD', 'Asia/Taipei')
const noOmni = account('101506229110410181', 'JPY', 'Asia/Tokyo')

const sandbox = sandboxOfFile(NOW)

const io = (changes: Partial<MetaIo> = {}): MetaIo => ({
  ...testContext(sandbox.base_url, NOW),
  login,
  ...changes,
})

const October = { start: '2026-10-01', end: '2026-10-31' }
const defaults: RequestFields = {
  range: October,
  time: 'date',
  dimensions: [],
  metrics: ['impressions', 'cost'],
  filters: [],
}
const requestOf = (request: Partial<ReportRequest> = {}): ReportRequest => ({
  channel: 'fb',
  account: aurora,
  ...defaults,
  ...request,
})
const fetchRows = (request: Partial<ReportRequest> = {}, changes: Partial<MetaIo> = {}) =>
  rowsOf(fetchPages(sourceOf(meta, login), requestOf(request), io(changes)))

const fault = (action: string, more: object = {}) => ({ platform: 'meta', action, ...more })
const error = (code: number, error_subcode?: number, message?: string) =>
  fault('error', { code, ...(error_subcode !== undefined && { error_subcode }), ...(message && { message }) })

describeConformance('Meta', () => ({
  source: sourceOf(meta, login),
  context: () => testContext(sandbox.base_url, NOW),
  channel: 'fb',
  secrets: ['sandbox-admin', 'sandbox-app-secret', 'appsecret_proof', 'Bearer'],
  account: aurora,
  range: { start: '2026-09-16', end: '2026-10-25' },
  additive: ['impressions', 'cost', 'clicks', 'conversions', 'conversion_value', 'video_views', 'post_saves'],
  single: ['reach', 'frequency', 'unique_clicks', 'results', 'video_avg_time'],
  dimensions: [
    ['ad'],
    [],
    ['campaign'],
    ['device_type'],
    ['ad_group', 'campaign'],
    ['campaign', 'device_type'],
  ],
  filters: [
    { field: 'campaign_name', rule: 'CONTAINS', values: ['TWIN'] },
    { field: 'campaign_name', rule: 'EQUAL', values: ['old stock'] },
    { field: 'campaign_name', rule: 'STARTS_WITH', values: ['春夏'] },
    { field: 'campaign_name', rule: 'CONTAINS', values: ['100%_OFF [sale] \\ "quoted"'] },
    { field: 'campaign_name', rule: 'CONTAINS', values: ['限定」コスメ', '2026-03-04'] },
    { field: 'campaign_name', rule: 'CONTAINS', values: ['ＦＵＬＬ'] },
    { field: 'campaign_name', rule: 'NOT_CONTAINS', values: ['2026', '彩妝'] },
    { field: 'ad_group_name', rule: 'ENDS_WITH', values: ['1%'] },
    { field: 'ad_name', rule: 'CONTAINS', values: ['[50%]'] },
    { field: 'device_type', rule: 'EQUAL', values: ['Mobile_App'] },
  ],
  // The size of many days of ads (two pages), this page and the next one.
  requests_ahead: 4,
  arm: (each, when = {}) => sandbox.setFaults([{ ...each, ...when, path: 'insights' }]),
  permanent: [
    { name: 'token expired', fault: fault('expired_token'), code: 'credential_expired' },
    { name: 'session invalid', fault: error(102), code: 'credential_expired' },
    { name: 'access taken back', fault: fault('revoked'), code: 'account_access_lost' },
    { name: 'permission missing', fault: error(10), code: 'account_access_lost' },
    { name: 'account not visible', fault: error(100, 33), code: 'account_access_lost' },
    { name: 'insights denied', fault: error(100, 3191001), code: 'account_access_lost' },
    { name: 'older than 37 months', fault: error(3018), code: 'history_limit' },
    { name: 'invalid breakdowns', fault: error(2, 1504041), code: 'combination_not_allowed' },
    {
      name: 'illegal combination',
      fault: error(
        100,
        undefined,
        '(#100) Current combination of data breakdown columns (age, country) is invalid',
      ),
      code: 'combination_not_allowed',
    },
    { name: 'unknown field', fault: error(100), code: 'platform_error' },
    { name: 'version expired', fault: error(2635), code: 'platform_error' },
    { name: 'blocked as abusive', fault: error(368), code: 'platform_error' },
    { name: 'app limit', fault: fault('rate_limit', { code: 4 }), code: 'quota_exhausted' },
    {
      name: 'insights limit of the app',
      fault: fault('rate_limit', { code: 4, error_subcode: 1504022 }),
      code: 'quota_exhausted',
    },
    { name: 'score of the account', fault: fault('rate_limit'), code: 'quota_exhausted' },
    { name: 'user limit', fault: fault('rate_limit', { code: 32 }), code: 'quota_exhausted' },
    { name: 'abuse protection', fault: fault('rate_limit', { code: 613 }), code: 'quota_exhausted' },
    { name: 'insights quota', fault: fault('rate_limit', { code: 80000 }), code: 'quota_exhausted' },
    { name: 'unknown error', fault: error(1), code: 'platform_unavailable' },
    { name: 'service down', fault: error(2), code: 'platform_unavailable' },
    { name: 'temporary', fault: error(341), code: 'platform_unavailable' },
    { name: 'HTTP 500', fault: fault('server_error'), code: 'platform_unavailable' },
    { name: 'HTTP 503 page', fault: fault('server_error', { status: 503 }), code: 'platform_unavailable' },
    { name: 'connection cut', fault: fault('cut'), code: 'platform_unavailable' },
    { name: 'broken JSON', fault: fault('malformed'), code: 'platform_error' },
    { name: 'bad cursor', fault: error(2642), code: 'platform_error' },
    {
      name: 'too much in whichever way',
      fault: error(1, undefined, "Please reduce the amount of data you're asking for"),
      code: 'too_large',
    },
    { name: 'timed out in whichever way', fault: error(2, 1504038), code: 'too_large' },
  ],
  transient: [
    { name: 'bad cursor', fault: error(2642) },
    { name: 'service down', fault: error(2) },
    { name: 'HTTP 502 page', fault: fault('server_error', { status: 502 }) },
    { name: 'connection cut', fault: fault('cut') },
    { name: 'broken JSON', fault: fault('malformed') },
    { name: 'too much data', fault: fault('too_much_data') },
    { name: 'too long a page', fault: error(1, undefined, 'Please reduce the amount of data') },
    { name: 'timed out', fault: error(100, 1504018) },
    { name: 'another page again', fault: fault('repeat_page') },
    { name: 'a page in another order', fault: fault('reorder') },
  ],
}))

describe('Meta', () => {
  it('knows accounts with their owner, currency and zone', async () => {
    const accounts = (await Array.fromAsync(meta.listAccounts(io()))).flat()
    expect(accounts.length).toBe(18)
    expect(accounts[0]).toEqual({
      ...aurora,
      name: 'Aurora Cosmetics Taiwan',
      status: 'enabled',
      owner_name: 'Aurora Cosmetics',
      analytics: null,
    })
  })

  it('says of a revoked account that access is lost', async () => {
    const revoked = account('10150844730556013', 'JPY', 'Asia/Tokyo')
    await expect(meta.checkAccount(revoked, io())).rejects.toThrow('account_access_lost')
  })

  it('reads every metric of the catalogue, beside ads and beside devices', async () => {
    const metrics = Object.entries(fbMetrics).filter(([, metric]) => metric.kind !== 'derived')
    const ids = metrics.map(([id]) => id)
    const besideDevices = metrics.filter(([, metric]) => metric.unit !== 'text').map(([id]) => id)
    const days = { start: '2026-10-10', end: '2026-10-12' }
    const ads = await fetchRows({ dimensions: ['ad'], metrics: ids, range: days })
    const devices = await fetchRows({ dimensions: ['device_type'], metrics: besideDevices, range: days })
    for (const [at, id] of ids.entries()) expect([id, ads.some(row => row.values[at])]).toEqual([id, true])
    expect(devices.length).toBe(12)
  })

  it('gives reach as Meta says it for each grain: less than the sum of its parts', async () => {
    const metrics = ['reach']
    const [total] = await fetchRows({ metrics, time: 'total' })
    const days = await fetchRows({ metrics })
    const sum = days.reduce((people, { values: [reach] }) => people + (reach ?? 0), 0)
    expect(total?.values[0]).toBeGreaterThan(Math.max(...days.map(({ values: [reach] }) => reach ?? 0)))
    expect(total?.values[0]).toBeLessThan(sum)
  })

  it('counts purchases by their plain name where there is none over all surfaces', async () => {
    const [row] = await fetchRows({ account: noOmni, time: 'total', metrics: ['conversions', 'purchases'] })
    expect(row?.values[0]).toBeGreaterThan(0)
    expect(row?.values[1]).toBe(0)
  })

  it('leaves results empty where several kinds meet, and gives them where there is one', async () => {
    const [all] = await fetchRows({ time: 'total', metrics: ['results'] })
    const campaigns = await fetchRows({ time: 'total', metrics: ['results'], dimensions: ['campaign'] })
    expect(all?.values).toEqual([Number.NaN])
    expect(campaigns.filter(({ values: [results] }) => !(Number(results) >= 0))).toEqual([])
  })

  it('keeps archived and deleted campaigns when it filters', async () => {
    const filters: Filter[] = [{ field: 'ad_name', rule: 'CONTAINS', values: ['("A","B")'] }]
    const rows = await fetchRows({ time: 'total', dimensions: ['campaign', 'ad'], filters })
    expect((await sandbox.requests()).at(-1)?.path).toContain('filtering')
    expect(rows.map(({ labels: [name] }) => name)).toEqual(
      expect.arrayContaining(['Old stock', 'Deleted by mistake']),
    )
  })

  it('refuses rankings but of ads, and days too long ago', async () => {
    const rank = { metrics: ['quality_ranking'] }
    await expect(fetchRows({ ...rank, dimensions: ['campaign'] })).rejects.toThrow('combination_not_allowed')
    await expect(fetchRows({ ...rank, dimensions: ['ad', 'device_type'] })).rejects.toThrow('combination_not')
    await expect(fetchRows({ range: { ...October, start: '2023-10-20' } })).rejects.toThrow('history_limit')
    expect(await sandbox.requests()).toEqual([])
    expect((await fetchRows({ range: { ...October, start: '2023-10-21' }, time: 'month' })).length).toBe(37)
  })
})

function account(external_id: string, currency: string, timezone: string): AccountRef {
  return { provider: 'meta', external_id, currency, timezone, via: null }
}
