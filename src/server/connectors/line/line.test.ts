import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lnMetrics } from '#shared/channels/ln-metrics.ts'
import { describeConformance } from '../conformance.ts'
import {
  JobUnderWay,
  sourceOf,
  type AccountRef,
  type ReportRequest,
  type RunNote,
  type World,
} from '../connector.ts'
import {
  answerTo,
  rowsOf,
  startTestSandbox,
  summed,
  testWorld,
  type AskedFor,
  type TestSandbox,
} from '../testing.ts'
import { metricFields } from './fields.ts'
import { line } from './report.ts'
import { signed } from './signature.ts'

const NOW = '2026-11-21T04:00:00Z'
const GROUP = 'G10000000001'
const source = sourceOf(line, {
  access_key: 'sandbox-admin',
  secret_key: 'sandbox-admin',
  group_ids: `${GROUP}, G10000000003`,
})
const taipei = account('A37000000037', 'TWD', 'Asia/Taipei')
const tokyo = account('A39000000039', 'JPY', 'Asia/Tokyo')
const failing = account('A73000000173', 'TWD', 'Asia/Taipei')
const large = account('A76000000176', 'TWD', 'Asia/Taipei')

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
beforeEach(() => sandbox.reset(NOW))
afterAll(() => sandbox.stop())

const world = (changes: Partial<World> = {}): World => ({
  ...testWorld(sandbox.base_url, NOW),
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
const requestOf = (request: Partial<ReportRequest>): ReportRequest => ({
  channel: 'ln',
  account: taipei,
  ...asked,
  ...request,
})
const fetchRows = (request: Partial<ReportRequest> = {}, changes: Partial<World> = {}) =>
  rowsOf(answerTo(source, requestOf(request), world(changes)))

const fault = (action: string, more: object = {}) => ({ platform: 'line', action, ...more })
const error = (reason: string, status = 400) => fault('error', { reason, status })

describeConformance('LINE', () => ({
  source,
  world,
  channel: 'ln',
  secrets: ['sandbox-admin', 'Bearer'],
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
  arm: (each, when = {}) => sandbox.setFaults([{ ...each, ...when, path: 'pfreports' }]),
  lasting: [
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
    { name: 'no leave to download', fault: error('CANNOT_DOWNLOAD_REPORT'), code: 'platform_unavailable' },
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
  passing: [
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
  const listed = async (of: typeof source) => (await Array.fromAsync(of.listAccounts(world()))).flat()

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
    const found = await agency.checkAccount(japanese, world())
    expect(found).toMatchObject({ name: 'Cedar Coffee LINE', via: 'G10000000002' })
    expect(await agency.checkAccount({ ...tokyo, via: 'G20000000009' }, world())).toEqual(found)
  })

  it.each([
    ['whose link was taken back', 'A75000000175'],
    ['that was removed', 'A74000000174'],
    ['that there is not', 'A1'],
    ['that looks like a path', '../groups/x?y'],
  ])('end as lost for one %s', async (_, external_id) => {
    const ref = { ...taipei, external_id }
    await expect(source.checkAccount(ref, world())).rejects.toThrow('account_access_lost')
  })

  it('end as lost for one of a stranger, and for a group of a stranger', async () => {
    const agency = as('sandbox-agency', GROUP)
    await expect(agency.checkAccount(large, world())).rejects.toThrow('account_access_lost')
    await expect(listed(as('sandbox-agency', 'G10000000003'))).rejects.toThrow('account_access_lost')
    await expect(listed(as('sandbox-agency', 'G10000000001/children?'))).rejects.toThrow('account_access')
  })

  it('need the right secret, which is tried twice with fresh dates', async () => {
    const wrong = as('sandbox-agency', GROUP, 'guessed')
    await expect(listed(wrong)).rejects.toThrow('credential_expired')
    expect((await sandbox.requests()).map(({ status }) => status)).toEqual([401, 401])
  })
})

describe('the numbers of LINE', () => {
  const fetched = Object.entries(lnMetrics).filter(([, metric]) => metric.kind !== 'derived')

  it('are there for every metric of the catalogue, by ad group and by device', async () => {
    const ids = fetched.map(([id]) => id)
    const october = { account: large, time: 'month' } as const
    const groups = await fetchRows({ ...october, dimensions: ['ad_group'], metrics: ids })
    for (const [at, id] of ids.entries())
      expect([id, groups.some(row => (row.values[at] ?? 0) > 0)]).toEqual([id, true])
    const by_device = fetched.filter(([, metric]) => !('not_with' in metric)).map(([id]) => id)
    const devices = await fetchRows({ ...october, dimensions: ['device_type'], metrics: by_device })
    expect(new Set(devices.map(({ keys: [key] }) => key))).toEqual(new Set(['iOS', 'Android']))
    for (const [at, id] of by_device.entries())
      expect([id, devices.some(row => row.values[at])]).toEqual([id, true])
  })

  it('have yen without fractions and dollars with cents, in millionths', async () => {
    const [yen] = await fetchRows({ account: tokyo, time: 'total', metrics: ['cost'] })
    const [dollars] = await fetchRows({ metrics: ['cost'] })
    expect((yen?.values[0] ?? 0.5) % 1_000_000).toBe(0)
    expect((dollars?.values[0] ?? 0.5) % 10_000).toBe(0)
    expect(yen?.values[0]).toBeGreaterThan(1_000_000_000)
  })

  it('are those of removed campaigns too, and of two campaigns of one name', async () => {
    const rows = await fetchRows({ time: 'total', dimensions: ['campaign'] })
    const names = rows.map(({ labels: [name] }) => name)
    expect(names).toContain('Deleted by mistake')
    expect(names.filter(name => name === 'Twin').length).toBe(2)
  })

  it('leave out what was not delivered', async () => {
    const rows = await fetchRows({ time: 'total', dimensions: ['ad'] })
    expect(rows.filter(({ values: [impressions] }) => !(Number(impressions) > 0))).toEqual([])
    const empty = account('A72000000172', 'TWD', 'Asia/Taipei')
    expect(await fetchRows({ account: empty, time: 'total' })).toEqual([])
  })

  it('have people of each week from a report of its own, who are fewer than those of its days', async () => {
    const range = { start: '2026-10-01', end: '2026-10-18' }
    const metrics = ['impressions', 'reach', 'frequency']
    const days = await fetchRows({ range, metrics })
    await sandbox.reset(NOW)
    const weeks = await fetchRows({ range, metrics, time: 'week' })
    expect(weeks.map(({ date }) => date)).toEqual(['2026-10-01', '2026-10-05', '2026-10-12'])
    expect((await submitted()).length).toBe(3)
    for (const { date, values } of weeks) {
      const [impressions = 0, reach = 0, frequency] = values
      const until = Temporal.PlainDate.from(date).add({ days: 7 }).toString()
      const summed_reach = days
        .filter(day => day.date >= date && day.date < until)
        .reduce((sum, day) => sum + (day.values[1] ?? 0), 0)
      expect(reach).toBeLessThan(summed_reach)
      expect(frequency).toBe(impressions / reach)
    }
  })

  it('count friends of campaigns that gain them, beside the people of the account', async () => {
    const range = { start: '2026-01-01', end: '2026-10-31' }
    const campaigns = await fetchRows({
      range,
      time: 'total',
      dimensions: ['campaign'],
      metrics: ['friends_added', 'friend_cost', 'conversions', 'cost'],
    })
    const gaining = campaigns.filter(({ values: [friends] }) => Number(friends) > 0)
    expect(gaining.length).toBeGreaterThan(0)
    expect(gaining.length).toBeLessThan(campaigns.length)
    for (const { values } of gaining) expect(values.slice(0, 2)).toEqual(values.slice(2))
    const [reached] = await fetchRows({ range, time: 'total', metrics: ['reach'] })
    const [account_row] = await fetchRows({
      range,
      time: 'total',
      metrics: ['friend_cost', 'reach', 'friends_added'],
    })
    const sums = summed(campaigns, () => 'all')['all'] ?? []
    expect(account_row?.values).toEqual([sums[1], reached?.values[0], sums[0]])
  })

  it('have what only the online report has, at each level and by month', async () => {
    const range = { start: '2026-09-01', end: '2026-10-31' }
    const wanted = { range, time: 'month', metrics: ['viewable_impressions', 'impressions'] } as const
    const account_rows = await fetchRows({ ...wanted, metrics: [...wanted.metrics] })
    for (const dimension of ['campaign', 'ad_group', 'ad'] as const) {
      const rows = await fetchRows({ ...wanted, metrics: [...wanted.metrics], dimensions: [dimension] })
      expect(summed(rows, ({ date }) => date)).toEqual(
        Object.fromEntries(account_rows.map(({ date, values }) => [date, values])),
      )
    }
    await sandbox.reset(NOW)
    const shares = await fetchRows({ time: 'total', dimensions: ['ad_group'], metrics: ['impression_share'] })
    expect(await submitted()).toEqual([])
    expect(shares.filter(({ values: [share = 0] }) => !(share > 0 && share < 1))).toEqual([])
  })

  it.each<[string, Partial<ReportRequest>, string]>([
    ['systems of single ads', { dimensions: ['ad', 'device_type'] }, 'combination_not_allowed'],
    ['people by system', { dimensions: ['device_type'], metrics: ['reach'] }, 'combination_not_allowed'],
    ['online numbers by day', { metrics: ['viewable_impressions'] }, 'combination_not_allowed'],
    ['keywords', { dimensions: ['keyword'] }, 'combination_not_allowed'],
    ['metrics of others', { metrics: ['sessions'] }, 'combination_not_allowed'],
    ['more than five years', { range: { ...October, start: '2021-11-20' } }, 'history_limit'],
  ])('are refused without asking for %s', async (_, request, code) => {
    await expect(fetchRows(request)).rejects.toThrow(code)
    expect(await sandbox.requests()).toEqual([])
  })

  it('end today, whatever day it is elsewhere, and are none of days to come', async () => {
    const late = '2026-11-20T20:00:00Z'
    await sandbox.reset(late)
    const range = { start: '2026-11-19', end: '2026-11-22' }
    const rows = await fetchRows({ range }, { now: () => new Date(late) })
    expect(rows.at(-1)?.date).toBe('2026-11-21')
    expect(await fetchRows({ range: { start: '2026-11-22', end: '2026-11-23' } })).toEqual([])
  })

  it('of a large account are read', async () => {
    const range = { start: '2026-10-01', end: '2026-10-14' }
    const ads = await fetchRows({ account: large, range, dimensions: ['ad'] })
    expect(ads.length).toBeGreaterThan(10_000)
    const [total] = await fetchRows({ account: large, range, time: 'total' })
    expect(summed(ads, () => 'all')).toEqual({ all: total?.values })
  })
})

describe('the reports of LINE', () => {
  it('are begun together, looked at together and thrown away after the last', async () => {
    await fetchRows({ range: { start: '2026-08-01', end: '2026-10-31' }, time: 'month', metrics: ['reach'] })
    const asked_for = (await sandbox.requests()).map(({ method, path }) =>
      path.endsWith('/download') ? 'download' : method === 'GET' ? 'look' : method,
    )
    const thrice = ['POST', 'look', 'download', 'DELETE'].flatMap(each => [each, each, each])
    expect(asked_for).toEqual(thrice)
  })

  it('let the run wait when they take long, and are gone on with', async () => {
    await sandbox.setFaults([fault('report_slow', { looks: 3 })])
    const here = world()
    const failure: unknown = await source.prepare(requestOf({}), here).catch((thrown: unknown) => thrown)
    expect(failure).toBeInstanceOf(JobUnderWay)
    expect(failure).toMatchObject({ look_again_ms: 5000 })
    const later = { ...here, now: () => new Date(Date.parse(NOW) + 12_000) }
    await source.prepare(requestOf({}), later)
    expect((await rowsOf(source.fetchReport(requestOf({}), later))).length).toBe(31)
    expect((await submitted()).length).toBe(1)
  })

  it('are given up after an hour, and begun anew by the next attempt', async () => {
    await sandbox.setFaults([fault('report_slow', { looks: 100 })])
    const here = world()
    await expect(source.prepare(requestOf({}), here)).rejects.toThrow(JobUnderWay)
    const hour_later = later(here, 61 * 60_000)
    await control('clock', { now: hour_later.now().toISOString(), speed: 0 })
    await expect(source.prepare(requestOf({}), hour_later)).rejects.toThrow('platform_timeout')
    await sandbox.setFaults([])
    await source.prepare(requestOf({}), hour_later)
    expect((await submitted()).length).toBe(2)
  })

  it('are begun again once when they fail', async () => {
    await sandbox.setFaults([fault('report_failed', { method: 'POST', count: 1 })])
    expect((await fetchRows()).length).toBe(31)
    expect((await submitted()).length).toBe(2)
    await sandbox.reset(NOW)
    await expect(fetchRows({ account: failing })).rejects.toThrow('platform_unavailable')
    expect((await submitted()).length).toBe(2)
  })

  it('are begun again when LINE does not know them any more', async () => {
    const here = world()
    await source.prepare(requestOf({}), here)
    await sandbox.reset(NOW)
    expect((await rowsOf(answerTo(source, requestOf({}), later(here, 61_000)))).length).toBe(31)
    await source.prepare(requestOf({}), here)
    await sandbox.reset(NOW)
    expect((await rowsOf(source.fetchReport(requestOf({}), here))).length).toBe(31)
  })

  it('are asked for by month where more is refused, and add up to the same', async () => {
    const range = { start: '2026-08-15', end: '2026-10-20' }
    for (const time of ['total', 'date', 'week'] as const) {
      await control('limits', { line_one_month: false })
      const whole = await fetchRows({ range, time, dimensions: ['campaign'] })
      await control('limits', { line_one_month: true })
      expect(await fetchRows({ range, time, dimensions: ['campaign'] })).toEqual(whole)
    }
    await expect(fetchRows({ range, time: 'total', metrics: ['reach'] })).rejects.toThrow('too_large')
    expect((await fetchRows({ range, time: 'month', metrics: ['reach'] })).length).toBe(3)
  })

  it('are read in the labels of an earlier release, which lacks metrics, and without a byte order mark', async () => {
    const metrics = [
      'cost',
      'conversions',
      'video_views',
      'video_p95',
      'app_installs_skan',
      'reach',
      'purchases',
    ]
    const wanted = { metrics, dimensions: ['campaign' as const] }
    const rows = await fetchRows(wanted)
    await sandbox.setFaults([fault('old_labels'), fault('no_bom')])
    const notes: RunNote[] = []
    const old = await fetchRows(wanted, { note: note => void notes.push(note) })
    expect(old).toEqual(rows.map(row => ({ ...row, values: [...row.values.slice(0, -1), Number.NaN] })))
    expect(notes).toEqual([
      { code: 'metrics_missing', detail: { account: taipei.external_id, metrics: 'purchases' } },
    ])
  })

  it.each([
    ['ja', 'CSV'],
    ['zh_TW', 'CSV_EXCEL'],
    ['th', 'CSV_EXCEL'],
  ])('are read just the same when LINE answers in %s and %s', async (locale, fileFormat) => {
    const metrics = Object.entries(metricFields).flatMap(([id, field]) =>
      field.read === 'file' || field.read === 'friends' ? [id] : [],
    )
    const wanted = { metrics, dimensions: ['ad' as const, 'campaign' as const] }
    expect(await fetchRows(wanted, { fetch: answeringIn({ locale, fileFormat }) })).toEqual(
      await fetchRows(wanted),
    )
    const systems = { dimensions: ['device_type' as const] }
    expect(await fetchRows(systems, { fetch: answeringIn({ locale, fileFormat }) })).toEqual(
      await fetchRows(systems),
    )
  })

  it('by system are told to lag behind, before eight by another day', async () => {
    const lagging = async (now: string, end: string) => {
      await sandbox.reset(now)
      const notes: RunNote[] = []
      const range = { start: '2026-11-16', end }
      const rows = await fetchRows(
        { range, dimensions: ['device_type'] },
        { now: () => new Date(now), note: note => void notes.push(note) },
      )
      return [rows.at(-1)?.date, notes.map(({ detail }) => detail['last'])]
    }
    expect(await lagging('2026-11-20T23:59:00Z', '2026-11-20')).toEqual(['2026-11-19', ['2026-11-19']])
    expect(await lagging('2026-11-21T00:00:00Z', '2026-11-21')).toEqual(['2026-11-20', ['2026-11-20']])
    expect(await lagging('2026-11-21T00:00:00Z', '2026-11-20')).toEqual(['2026-11-20', []])
  })

  it('keep the pace of a reporting key, by a name that is not the key', async () => {
    const scopes = new Set<string>()
    const before = async (scope: object) => void scopes.add(JSON.stringify(scope))
    await fetchRows({}, { quota: { before, after: async () => {} } })
    expect(scopes.size).toBe(1)
    expect(JSON.parse([...scopes].join(''))).toMatchObject({
      platform: 'line',
      kind: 'credential',
      pace: { per_minute: 96 },
    })
    expect([...scopes].join('')).not.toContain('sandbox')
  })

  it('are refused in an object or without one', async () => {
    await control('limits', { line_bare_errors: true })
    await sandbox.setFaults([error('REQUEST_INPUT_START_DATE_TOO_PAST')])
    await expect(fetchRows()).rejects.toThrow('history_limit: REQUEST_INPUT_START_DATE_TOO_PAST')
  })
})

/** Asks for another kind of file than the connector does, signed as well. */
function answeringIn(wanted: object): typeof fetch {
  return (input, init) => {
    if (init?.method !== 'POST') return fetch(input, init)
    const body = JSON.stringify({ ...JSON.parse(String(init.body)), ...wanted })
    const key = { access_key: 'sandbox-admin', secret_key: 'sandbox-admin' }
    const path = new URL(String(input)).pathname
    const headers = { ...signed(key, { path, body, now: new Date(NOW) }), 'content-type': 'application/json' }
    return fetch(input, { ...init, headers, body })
  }
}

const later = (from: World, ms: number): World => ({ ...from, now: () => new Date(Date.parse(NOW) + ms) })

async function submitted() {
  return (await sandbox.requests()).filter(({ method }) => method === 'POST')
}

async function control(path: string, wanted: object) {
  const response = await fetch(`${sandbox.base_url}/control/${path}`, {
    method: 'PUT',
    body: JSON.stringify(wanted),
  })
  if (!response.ok) throw new Error(await response.text())
}

function account(external_id: string, currency: string, timezone: string): AccountRef {
  return { provider: 'line', external_id, currency, timezone, via: GROUP }
}
