import { beforeEach, describe } from 'vitest'
import { describeConformance } from '#server/connectors/testing/conformance.ts'
import { sourceOf, type AccountRef } from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { ga4 } from './report.ts'

const NOW = '2026-11-21T04:00:00Z'
const login = {
  client_id: '100000000000-sandbox.apps.googleusercontent.com',
  client_secret: 'GOCSPX-sandbox-client-secret',
  refresh_token: 'sandbox-agency',
}
const aurora: AccountRef = {
  provider: 'ga4',
  external_id: '384626431',
  currency: 'TWD',
  timezone: 'Asia/Taipei',
  via: null,
}
const secrets = [login.client_secret, login.refresh_token, 'Bearer', 'ya29.']

// Ten server errors in an hour lock a property; here more are made on purpose.
const sandbox = sandboxOfFile(NOW, { ga4_quota: { serverErrorsPerProjectPerHour: 1000 } })

const fault = (action: string, more: object = {}) => ({ platform: 'ga4', action, ...more })
const error = (status: number, message: string) => fault('error', { status, message })
const quota = (name: string) => fault('rate_limit', { quota: name })

describeConformance('GA4', () => ({
  source: sourceOf(ga4, login),
  context: () => testContext(sandbox.base_url, NOW),
  channel: 'ga4',
  secrets,
  account: aurora,
  range: { start: '2026-09-16', end: '2026-10-25' },
  // More than ten, so that several responses are put together; some of a family of their own.
  additive: [
    'sessions',
    'total_events',
    'revenue',
    'conversions',
    'bounces',
    'new_users',
    'pageviews',
    'tax',
    'add_to_carts',
    'checkouts',
    'shipping',
    'engagement_time',
    'event_value',
    'items_purchased',
  ],
  single: ['users', 'active_users', 'purchasers', 'avg_session_duration', 'sessions_per_user', 'arpu'],
  dimensions: [
    ['campaign', 'source_medium', 'ad_content', 'keyword'],
    [],
    ['campaign'],
    ['device_type'],
    ['source', 'medium'],
    ['campaign', 'keyword', 'device_type', 'source', 'medium', 'source_medium', 'ad_content'],
  ],
  filters: [
    { field: 'source', rule: 'EQUAL', values: ['FACEBOOK'] },
    { field: 'source', rule: 'EQUAL', values: ['google', 'partner.example'] },
    { field: 'source', rule: 'ENDS_WITH', values: ['ER'] },
    { field: 'medium', rule: 'STARTS_WITH', values: ['(N'] },
    { field: 'medium', rule: 'NOT_CONTAINS', values: ['c', 'paid'] },
    { field: 'campaign_name', rule: 'STARTS_WITH', values: ['100%_OFF [SALE] "x"'] },
    { field: 'campaign_name', rule: 'EQUAL', values: ['pmax 全部商品', '(DIRECT)'] },
    { field: 'campaign_name', rule: 'CONTAINS', values: ['.*'] },
    { field: 'keyword', rule: 'EQUAL', values: ['=1+1'] },
    { field: 'keyword', rule: 'CONTAINS', values: ['TEST 検索'] },
    { field: 'keyword', rule: 'CONTAINS', values: ['(not \u017fet)'] },
    { field: 'ad_content', rule: 'CONTAINS', values: ['\\ CUT', '🛒'] },
    { field: 'device_type', rule: 'EQUAL', values: ['Smart TV'] },
  ],
  // The token, and the three responses that are put together.
  requests_ahead: 4,
  arm: (each, when = {}) => sandbox.setFaults([{ ...each, ...when, path: 'runReport' }]),
  permanent: [
    { name: 'token refused', fault: fault('expired_token'), code: 'credential_expired' },
    { name: 'viewer taken off', fault: fault('revoked'), code: 'account_access_lost' },
    {
      name: 'scope too small',
      fault: error(403, 'Request had insufficient authentication scopes.'),
      code: 'credential_expired',
    },
    { name: 'API off in the project', fault: fault('service_disabled'), code: 'credential_expired' },
    { name: 'property not there', fault: error(404, 'Not found.'), code: 'account_access_lost' },
    {
      name: 'incompatible',
      fault: error(
        400,
        'Please remove sessionSource to make the request compatible. The … are incompatible.',
      ),
      code: 'combination_not_allowed',
    },
    {
      name: 'unknown metric',
      fault: error(400, 'Field returningUsers is not a valid metric.'),
      code: 'combination_not_allowed',
    },
    {
      name: 'too early',
      fault: error(400, 'Invalid startDate : 2015-01-01. The earliest supported date is 2015-08-14.'),
      code: 'history_limit',
    },
    { name: 'too many', fault: error(400, 'Requests are limited to 9 dimensions.'), code: 'platform_error' },
    { name: 'too many at once', fault: quota('concurrent'), code: 'quota_exhausted' },
    { name: 'tokens of our hour', fault: quota('project_hour'), code: 'quota_exhausted' },
    { name: 'tokens of the hour', fault: quota('hour'), code: 'quota_exhausted' },
    { name: 'tokens of the day', fault: quota('day'), code: 'quota_exhausted' },
    { name: 'thresholded requests', fault: quota('thresholded'), code: 'quota_exhausted' },
    { name: 'server errors', fault: quota('server_errors'), code: 'quota_exhausted' },
    { name: 'an unknown quota', fault: error(429, 'Exhausted something new.'), code: 'quota_exhausted' },
    { name: 'HTTP 500', fault: fault('server_error'), code: 'platform_unavailable' },
    { name: 'HTTP 503', fault: fault('server_error', { status: 503 }), code: 'platform_unavailable' },
    { name: 'HTTP 504', fault: fault('server_error', { status: 504 }), code: 'platform_timeout' },
    { name: 'connection cut', fault: fault('cut'), code: 'platform_unavailable' },
    { name: 'broken JSON', fault: fault('malformed'), code: 'platform_error' },
  ],
  transient: [
    { name: 'token refused', fault: fault('expired_token') },
    { name: 'HTTP 500', fault: fault('server_error') },
    { name: 'HTTP 503', fault: fault('server_error', { status: 503 }) },
    { name: 'HTTP 504', fault: fault('server_error', { status: 504 }) },
    { name: 'connection cut', fault: fault('cut') },
    { name: 'broken JSON', fault: fault('malformed') },
  ],
}))

describe('GA4 with short pages', () => {
  beforeEach(() => sandbox.setLimits({ ga4_page_rows: 300 }))

  describeConformance('GA4, page by page', () => ({
    source: sourceOf(ga4, login),
    context: () => testContext(sandbox.base_url, NOW),
    channel: 'ga4',
    secrets,
    account: aurora,
    range: { start: '2026-09-16', end: '2026-10-25' },
    additive: ['sessions', 'bounces', 'revenue'],
    single: ['users', 'active_users'],
    dimensions: [['campaign', 'device_type', 'source', 'ad_content'], [], ['device_type', 'campaign']],
    filters: [{ field: 'device_type', rule: 'EQUAL', values: ['mobile'] }],
    requests_ahead: 3,
    arm: (each, when = {}) => sandbox.setFaults([{ ...each, ...when, path: 'runReport' }]),
    permanent: [{ name: 'HTTP 500', fault: fault('server_error'), code: 'platform_unavailable' }],
    transient: [
      { name: 'HTTP 500', fault: fault('server_error') },
      { name: 'connection cut', fault: fault('cut') },
      { name: 'token refused', fault: fault('expired_token') },
    ],
  }))
})
