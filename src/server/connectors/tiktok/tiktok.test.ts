import { describeConformance } from '#server/connectors/testing/conformance.ts'
import { aurora, error, fault, source, tiktokSandbox } from './testing/sandbox.ts'

const { setFaults, context } = tiktokSandbox()

describeConformance('TikTok', () => ({
  source: source(),
  context: () => context(),
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
  arm: (each, when = {}) => setFaults([{ ...each, ...when, path: 'integrated' }]),
  permanent: [
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
  transient: [
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
