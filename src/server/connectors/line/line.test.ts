import { describe, expect, it } from 'vitest'
import { describeConformance } from '#server/connectors/testing/conformance.ts'
import { sourceOf } from '#server/connectors/connector.ts'
import { line } from './report.ts'
import {
  error,
  fault,
  GROUP,
  KEY,
  large,
  lineSandbox,
  NOW,
  source,
  taipei,
  tokyo,
} from './testing/sandbox.ts'

const { requests, setFaults, context } = lineSandbox()

describeConformance('LINE', () => ({
  source,
  context: () => context(),
  channel: 'ln',
  secrets: [KEY, 'Bearer'],
  account: taipei,
  range: { start: '2026-09-16', end: '2026-10-25' },
  additive: [
    'impressions',
    'cost',
    'clicks',
    'conversions',
    'conversion_value',
    'friends_added',
    'friend_cost',
    'video_views',
    'app_installs',
  ],
  single: ['reach', 'frequency'],
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
    { field: 'campaign_name', rule: 'STARTS_WITH', values: ['春夏'] },
    { field: 'ad_group_name', rule: 'ENDS_WITH', values: ['1%'] },
    { field: 'ad_name', rule: 'CONTAINS', values: ['[50%]', '"B"'] },
    { field: 'device_type', rule: 'EQUAL', values: ['IOS'] },
  ],
  // A report is created, looked at three times, downloaded; another's removal may have begun.
  requests_ahead: 6,
  arm: (each, when = {}) => setFaults({ ...each, ...when, path: 'pfreports' }),
  permanent: [
    { name: 'key regenerated', fault: fault('unauthorized'), code: 'credential_expired' },
    { name: 'link taken back', fault: fault('revoked'), code: 'account_access_lost' },
    { name: 'not allowed', fault: error('AUTHORIZATION_FAILED', 403), code: 'account_access_lost' },
    { name: 'role too low', fault: error('PARTNER_PERMISSION_DENIED', 403), code: 'account_access_lost' },
    { name: 'unknown reason of 403', fault: error('SOMETHING_NEW', 403), code: 'account_access_lost' },
    { name: 'account removed', fault: error('REMOVED_ENTITY'), code: 'account_access_lost' },
    { name: 'unknown account', fault: error('INVALID_ACCOUNT_ID'), code: 'account_access_lost' },
    { name: 'old version', fault: error('V2_API_AUTHORIZATION_FAILED', 403), code: 'platform_error' },
    { name: 'too long ago', fault: error('REQUEST_INPUT_START_DATE_TOO_PAST'), code: 'history_limit' },
    { name: 'days reversed', fault: error('REQUEST_INPUT_START_END_DATE_REVERSED'), code: 'platform_error' },
    { name: 'days to come', fault: error('REQUEST_INPUT_FUTURE'), code: 'platform_error' },
    {
      name: 'refused for a month in whichever part',
      fault: error('REQUEST_INPUT_PERIOD_LONGER_THAN_ONE_MONTH'),
      code: 'too_large',
    },
    {
      name: 'system of ads',
      fault: error('CANNOT_SPECIFY_DELIVERY_TYPE_ON_AD_REPORT'),
      code: 'combination_not_allowed',
    },
    ...['INVALID_ENUM', 'REQUIRED', 'REQUEST_ILLEGAL_ARGUMENT', 'SOMETHING_NEW'].map(reason => ({
      name: reason,
      fault: error(reason),
      code: 'platform_error' as const,
    })),
    { name: 'too fast', fault: fault('rate_limit'), code: 'quota_exhausted' },
    { name: 'locked', fault: fault('locked'), code: 'platform_unavailable' },
    {
      name: 'blocked',
      fault: error('BLOCKED_BY_EXCEEDING_TIME_LIMIT'),
      code: 'platform_unavailable',
    },
    { name: 'HTTP 500', fault: fault('server_error'), code: 'platform_unavailable' },
    { name: 'HTTP 503 page', fault: fault('server_error', { status: 503 }), code: 'platform_unavailable' },
    { name: 'HTTP 504 page', fault: fault('server_error', { status: 504 }), code: 'platform_timeout' },
    { name: 'connection cut', fault: fault('cut'), code: 'platform_unavailable' },
    { name: 'half an answer', fault: fault('malformed'), code: 'platform_error' },
  ],
  transient: [
    { name: 'too fast', fault: fault('rate_limit') },
    { name: 'a refused signature', fault: fault('unauthorized') },
    { name: 'locked', fault: fault('locked') },
    { name: 'HTTP 500', fault: fault('server_error') },
    { name: 'HTTP 502 page', fault: fault('server_error', { status: 502 }) },
    { name: 'connection cut', fault: fault('cut') },
    { name: 'half an answer', fault: fault('malformed') },
    { name: 'a report that fails', fault: fault('report_failed') },
    { name: 'a report that is slow', fault: fault('report_slow') },
  ],
}))

describe('the accounts of LINE', () => {
  const as = (key: string, group_ids: string, secret_key = key) =>
    sourceOf(line, { access_key: key, secret_key, group_ids })
  const listed = async (of: typeof source) => (await Array.fromAsync(of.listAccounts(context()))).flat()

  it('are those of the groups and of the groups below them, owned and linked, each once', async () => {
    const accounts = await listed(as('sandbox-agency', `${GROUP} G10000000002`))
    expect(accounts.map(({ external_id, via }) => [external_id, via]).toSorted()).toEqual([
      ['A37000000037', GROUP],
      ['A38000000038', GROUP],
      ['A39000000039', 'G10000000002'],
      ['A40000000040', 'G10000000002'],
    ])
    expect(accounts.find(({ external_id }) => external_id === 'A37000000037')).toEqual({
      ...taipei,
      name: 'Aurora LINE',
      status: 'enabled',
      owner_name: 'Aurora Cosmetics',
      analytics: null,
    })
  })

  it('are found again without the group that they were found through', async () => {
    const agency = as('sandbox-agency', GROUP)
    const japanese = { ...tokyo, via: null }
    const found = await agency.checkAccount(japanese, context())
    expect(found).toMatchObject({ name: 'Cedar Coffee LINE', via: 'G10000000002' })
    expect(await agency.checkAccount({ ...tokyo, via: 'G20000000009' }, context())).toEqual(found)
  })

  it.each([
    ['whose link was taken back', 'A75000000175'],
    ['that was removed', 'A74000000174'],
    ['that there is not', 'A1'],
    ['that looks like a path', '../groups/x?y'],
  ])('end as lost for one %s', async (_, external_id) => {
    const ref = { ...taipei, external_id }
    await expect(source.checkAccount(ref, context())).rejects.toThrow('account_access_lost')
  })

  it('end as lost for an unknown one, and for an unknown group', async () => {
    const agency = as('sandbox-agency', GROUP)
    await expect(agency.checkAccount(large, context())).rejects.toThrow('account_access_lost')
    await expect(listed(as('sandbox-agency', 'G10000000003'))).rejects.toThrow('account_access_lost')
    await expect(listed(as('sandbox-agency', 'G10000000001/children?'))).rejects.toThrow('account_access')
  })

  it('are seen with a clock that is far off, by the time that LINE says it is', async () => {
    const fast = context({ now: () => new Date(Date.parse(NOW) + 3 * 24 * 60 * 60_000) })
    expect((await Array.fromAsync(source.listAccounts(fast))).flat().length).toBeGreaterThan(4)
    const statuses = (await requests()).map(({ status }) => status)
    expect(statuses.slice(0, 4)).toEqual([401, 200, 401, 200])
  })

  it('need the right secret, which is tried twice with fresh dates', async () => {
    const wrong = as('sandbox-agency', GROUP, 'guessed')
    await expect(listed(wrong)).rejects.toThrow('credential_expired')
    expect((await requests()).map(({ status }) => status)).toEqual([401, 401])
  })
})
