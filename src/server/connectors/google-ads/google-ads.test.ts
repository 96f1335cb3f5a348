import { describeConformance, type SandboxFacts } from '#server/connectors/testing/conformance.ts'
import { sourceOf } from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { googleAds } from './report.ts'
import { aurora, fault, login, NOW, pageSize } from './testing/sandbox.ts'

const sandbox = sandboxOfFile(NOW, pageSize(100))

const refusal = (family: string, code: string, status = 400) => fault('error', { family, code, status })
const quota = (code: string) => fault('rate_limit', { code })
const frontDoor = (status: number, reason: string) => fault('front_door', { status, reason })

const facts = (): Omit<
  SandboxFacts,
  'channel' | 'single' | 'dimensions' | 'filters' | 'permanent' | 'transient'
> => ({
  source: sourceOf(googleAds, login),
  context: () => testContext(sandbox.base_url, NOW),
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
  permanent: [
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
  transient: [
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
  permanent: [{ name: 'access taken back', fault: fault('revoked'), code: 'account_access_lost' }],
  transient: [
    { name: 'page token expired', fault: fault('expired_page_token') },
    { name: 'HTTP 504', fault: fault('server_error', { status: 504 }) },
  ],
}))
