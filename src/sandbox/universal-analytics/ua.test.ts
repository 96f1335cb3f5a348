import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createClock } from '#sandbox/clock.ts'
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts'

const NOW = Date.parse('2026-11-20T04:00:00Z')
const TAIPEI = '92653581'
const TOKYO = '92653583'
const LARGE = '92653590'
const REVOKED = '92653592'

let sandbox: Sandbox
beforeAll(async () => {
  const clock = createClock()
  clock.set({ now: NOW, speed: 0 })
  sandbox = await startSandbox({ clock })
})
afterEach(async () => {
  await control('POST', 'reset', {})
  sandbox.clock.set({ now: NOW, speed: 0 })
})
afterAll(() => sandbox.stop())

// oxlint-disable-next-line typescript/no-explicit-any -- what comes over the wire is what the tests judge
type Reply = { status: number; body: any }

async function send(path: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(`${sandbox.origin}${path}`, init)
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text }
}
const control = (method: string, path: string, body: unknown) =>
  send(`/control/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const get = (path: string, token = 'sandbox-agency') =>
  send(`/analytics/v3/${path}`, { headers: { authorization: `Bearer ${token}` } })
const batch = (reportRequests: object[], more: object = {}, token = 'sandbox-admin') =>
  send('/v4/reports:batchGet', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ reportRequests, ...more }),
  })

const MAY = { startDate: '2023-05-01', endDate: '2023-05-31' }
const names = (...list: string[]) => list.map(name => ({ name }))
const expressions = (...list: string[]) => list.map(expression => ({ expression }))
const BASIC = {
  viewId: TAIPEI,
  dateRanges: [MAY],
  dimensions: names('ga:date'),
  metrics: expressions('ga:sessions'),
}
const one = async (change: object) => {
  const { status, body } = await batch([{ ...BASIC, ...change }])
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.reports[0]
}
type Row = { dimensions: string[]; metrics: { values: string[] }[] }
const sum = (report: { data: { rows?: Row[] } }, index = 0) =>
  (report.data.rows ?? []).reduce((total, row) => total + Number(row.metrics[0]?.values[index]), 0)
const refused = async (change: object) => {
  const { status, body } = await batch([{ ...BASIC, ...change }])
  return [status, body.error?.status, body.error?.message]
}
const filtered = (filter: object, more: object = {}) => ({
  dimensions: names('ga:campaign'),
  dimensionFilterClauses: [{ filters: [{ dimensionName: 'ga:campaign', ...filter }], ...more }],
  pageSize: 100,
})
const campaigns = async (filter: object) =>
  ((await one(filtered(filter))).data.rows ?? []).map((row: Row) => row.dimensions[0])

describe('the account tree', () => {
  test('has accounts, properties and views, in pages', async () => {
    const { status, body } = await get('management/accountSummaries')
    expect(status).toBe(200)
    expect(body).toMatchObject({ kind: 'analytics#accountSummaries', totalResults: 6, startIndex: 1 })
    expect(body.items[0]).toMatchObject({
      id: '314151',
      name: 'Aurora Cosmetics',
      webProperties: [
        { id: 'UA-314151-1', level: 'STANDARD', profiles: [{ id: TAIPEI, name: 'All data', type: 'WEB' }] },
      ],
    })
    const page = await get('management/accountSummaries?start-index=5&max-results=1')
    expect(page.body.items[0].name).toBe('Ember Games')
    expect(page.body.nextLink).toContain('start-index=6&max-results=1')
    expect((await get('management/accountSummaries?max-results=0')).status).toBe(400)
    expect((await get('management/accountSummaries?page=2')).status).toBe(400)
  })

  test('knows currency and zone of a view, and what the administrator sees beyond', async () => {
    const path = 'management/accounts/314153/webproperties/UA-314153-1/profiles'
    const { body } = await get(`${path}/${TOKYO}`)
    expect(body).toMatchObject({ currency: 'JPY', timezone: 'Asia/Tokyo', eCommerceTracking: true })
    expect((await get(path)).body.totalResults).toBe(1)
    const views = async (token: string) =>
      (await get('management/accounts/~all/webproperties/~all/profiles', token)).body.totalResults
    expect([await views('sandbox-agency'), await views('sandbox-admin')]).toEqual([6, 9])
    const columns = await get('metadata/ga/columns')
    expect(columns.body.items).toContainEqual(
      expect.objectContaining({ id: 'ga:users', attributes: expect.objectContaining({ type: 'METRIC' }) }),
    )
  })

  test('refuses unknown logins in the older shape', async () => {
    const { status, body } = await get('management/accountSummaries', 'guessed')
    expect([status, body.error.errors[0].reason]).toEqual([401, 'authError'])
    const other = await get('management/accounts/1/webproperties/UA-1-1/profiles/1')
    expect([other.status, other.body.error.errors[0].reason]).toEqual([403, 'insufficientPermissions'])
  })
})

describe('a report', () => {
  test('has the shape of the reporting API', async () => {
    const { body } = await batch([
      {
        ...BASIC,
        dimensions: names('ga:date', 'ga:sourceMedium'),
        metrics: expressions('ga:sessions', 'ga:transactionRevenue', 'ga:bounceRate', 'ga:sessionDuration'),
        pageSize: 3,
      },
    ])
    const [report] = body.reports
    expect(body.queryCost).toBe(1)
    expect(report.columnHeader).toEqual({
      dimensions: ['ga:date', 'ga:sourceMedium'],
      metricHeader: {
        metricHeaderEntries: [
          { name: 'ga:sessions', type: 'INTEGER' },
          { name: 'ga:transactionRevenue', type: 'CURRENCY' },
          { name: 'ga:bounceRate', type: 'PERCENT' },
          { name: 'ga:sessionDuration', type: 'TIME' },
        ],
      },
    })
    expect(report.data.rows[0].dimensions).toEqual(['20230501', '(direct) / (none)'])
    expect(report.data.rows[0].metrics[0].values[0]).toMatch(/^\d+$/)
    expect(report.data.rows[0].metrics[0].values[1]).toMatch(/^\d+\.\d+$/)
    expect(report.data.rowCount).toBeGreaterThan(100)
    expect(report.data.isDataGolden).toBe(true)
    expect(report.data.samplesReadCounts).toBeUndefined()
    expect(report.nextPageToken).toBe('3')
  })

  test('comes in pages that make the whole, and ends with June 2023', async () => {
    const whole = await one({ dimensions: names('ga:date', 'ga:source'), pageSize: 100_000 })
    const pages: Row[] = []
    for (let pageToken: string | undefined = '0'; pageToken !== undefined;) {
      const page = await one({ dimensions: names('ga:date', 'ga:source'), pageSize: 77, pageToken })
      pages.push(...page.data.rows)
      pageToken = page.nextPageToken
    }
    expect(pages).toEqual(whole.data.rows)
    const late = await one({ dateRanges: [{ startDate: '2023-06-29', endDate: '2023-07-31' }] })
    expect(late.data.rows.map((row: Row) => row.dimensions[0])).toEqual(['20230629', '20230630'])
    const none = await one({ dateRanges: [{ startDate: '2023-07-01', endDate: '2023-07-31' }] })
    expect(none.data.rows).toBeUndefined()
    expect(none.data.totals).toEqual([{ values: ['0'] }])
  })

  test('adds up over dimensions and days; users do not', async () => {
    const metrics = expressions('ga:sessions', 'ga:pageviews', 'ga:transactions', 'ga:users')
    const of = (...dimensions: string[]) =>
      one({ dimensions: names(...dimensions), metrics, pageSize: 100_000 })
    const whole = await of()
    for (const dimensions of [
      ['ga:date'],
      ['ga:keyword', 'ga:deviceCategory'],
      ['ga:isoYearIsoWeek', 'ga:adContent'],
    ]) {
      const report = await of(...dimensions)
      for (const index of [0, 1, 2]) expect(sum(report, index)).toBe(sum(whole, index))
      expect(sum(report, 3)).toBeGreaterThan(sum(whole, 3))
      expect(report.data.totals).toEqual(whole.data.totals)
    }
    expect(sum(whole, 3)).toBeLessThanOrEqual(sum(whole, 0))
  })

  test('of one day is the same in every range', async () => {
    const of = async (startDate: string, endDate: string) =>
      (await one({ dimensions: names('ga:date', 'ga:campaign'), dateRanges: [{ startDate, endDate }] })).data
        .rows as Row[]
    const many = await of('2023-05-01', '2023-05-20')
    expect(many.filter(row => row.dimensions[0] === '20230507')).toEqual(await of('2023-05-07', '2023-05-07'))
  })

  test('counts events, and sessions with events once', async () => {
    const metrics = expressions('ga:totalEvents', 'ga:uniqueEvents', 'ga:sessionsWithEvent', 'ga:sessions')
    const of = (...dimensions: string[]) => one({ dimensions: names(...dimensions), metrics })
    const [whole, fine] = [await of(), await of('ga:eventCategory', 'ga:eventAction')]
    expect(sum(fine, 0)).toBe(sum(whole, 0))
    expect(sum(fine, 2)).toBeGreaterThan(sum(whole, 2))
    expect(sum(fine, 3)).toBeLessThan(sum(whole, 3))
    expect(fine.data.rows.map((row: Row) => row.dimensions[0])).toContain('購物車')
  })

  test('compares two ranges', async () => {
    const before = { startDate: '2023-04-01', endDate: '2023-04-30' }
    const both = await one({ dimensions: [], dateRanges: [MAY, before] })
    const april = await one({ dimensions: [], dateRanges: [before] })
    expect(both.data.rows[0].metrics).toHaveLength(2)
    expect(both.data.rows[0].metrics[1]).toEqual(april.data.rows[0].metrics[0])
  })

  test('computes expressions under another name, and users of the last days', async () => {
    const report = await one({
      metrics: [
        { expression: '(ga:pageviews - ga:entrances) / ga:sessions', alias: 'more', formattingType: 'FLOAT' },
        { expression: 'ga:7dayUsers' },
      ],
    })
    expect(report.columnHeader.metricHeader.metricHeaderEntries[0]).toEqual({ name: 'more', type: 'FLOAT' })
    const users = await one({ metrics: expressions('ga:users') })
    expect(sum(report, 1)).toBeGreaterThan(sum(users) * 3)
  })

  test('is ordered as requested', async () => {
    const orderBys = [{ fieldName: 'ga:sessions', orderType: 'VALUE', sortOrder: 'DESCENDING' }]
    const rows = (await one({ orderBys })).data.rows.map((row: Row) => Number(row.metrics[0]?.values[0]))
    expect(rows).toEqual(rows.toSorted((left: number, right: number) => right - left))
  })

  test('is a sample of a range with too many sessions, and says so', async () => {
    const whole = await one({ viewId: LARGE, dimensions: names('ga:deviceCategory') })
    expect(whole.data.samplesReadCounts).toEqual(['249630'])
    expect(Number(whole.data.samplingSpaceSizes[0])).toBeGreaterThan(500_000)
    const large = await one({ viewId: LARGE, dimensions: names('ga:source'), samplingLevel: 'LARGE' })
    expect(large.data.samplesReadCounts).toEqual(['499630'])
    const day = { startDate: '2023-05-01', endDate: '2023-05-01' }
    expect((await one({ viewId: LARGE, dateRanges: [day] })).data.samplesReadCounts).toBeUndefined()
  })

  test('has a row called (other) for what is too much', async () => {
    await control('PUT', 'faults', [{ platform: 'ua', action: 'other_row', rows: 5 }])
    const few = await one({ dimensions: names('ga:campaign') })
    expect(few.data.rows).toHaveLength(5)
    expect(few.data.rows.map((row: Row) => row.dimensions[0])).toContain('(other)')
    await control('PUT', 'faults', [])
    expect(sum(few)).toBe(sum(await one({ dimensions: names('ga:campaign') })))
  })
})

describe('filters', () => {
  test('are regular expressions when nothing else is said', async () => {
    expect(await campaigns({ expressions: ['^brand|2023$'] })).toEqual(['brand', 'generic | 2023'])
    expect(await refused(filtered({ expressions: ['['] }))).toEqual([
      400,
      'INVALID_ARGUMENT',
      expect.stringContaining('regular expression'),
    ])
  })

  test('take text literally under the other operators, ignoring case unless requested', async () => {
    expect(await campaigns({ operator: 'EXACT', expressions: ['BRAND'] })).toEqual(['brand'])
    expect(await campaigns({ operator: 'EXACT', expressions: ['BRAND'], caseSensitive: true })).toEqual([])
    expect(await campaigns({ operator: 'PARTIAL', expressions: ['_off [s'] })).toEqual(['100%_off [sale]'])
    expect(await campaigns({ operator: 'BEGINS_WITH', expressions: ['generic |'] })).toEqual([
      'generic | 2023',
    ])
    expect(await campaigns({ operator: 'ENDS_WITH', expressions: ['検索'] })).toEqual(['test 検索'])
    expect(await campaigns({ operator: 'IN_LIST', expressions: ['brand', '00123'] })).toEqual([
      '00123',
      'brand',
    ])
    expect(await campaigns({ operator: 'PARTIAL', not: true, expressions: ['r'] })).toEqual(
      expect.arrayContaining(['(not set)', '00123']),
    )
  })

  test('of several clauses must all hold; metrics filter rows', async () => {
    const clause = (dimensionName: string, text: string) => ({
      operator: 'AND',
      filters: [{ dimensionName, operator: 'EXACT', expressions: [text] }],
    })
    const report = await one({
      dimensions: names('ga:keyword'),
      dimensionFilterClauses: [clause('ga:source', 'google'), clause('ga:medium', 'organic')],
    })
    expect(report.data.rows.map((row: Row) => row.dimensions[0])).toEqual(['(not provided)'])
    const large = { metricName: 'ga:sessions', operator: 'GREATER_THAN', comparisonValue: '999999' }
    expect((await one({ metricFilterClauses: [{ filters: [large] }] })).data.rows).toBeUndefined()
  })
})

describe('refusals', () => {
  const NEVER = 'Selected dimensions and metrics cannot be queried together.'
  test.each([
    ['an unknown dimension', { dimensions: names('ga:colour') }, /^Unknown dimension\(s\): ga:colour/],
    ['an unknown metric', { metrics: expressions('ga:colour') }, /^Unknown metric\(s\): ga:colour/],
    ['no metric', { metrics: [] }, /At least one metric/],
    [
      'ten dimensions',
      {
        dimensions: names(
          ...[
            'date',
            'yearMonth',
            'year',
            'month',
            'source',
            'medium',
            'campaign',
            'keyword',
            'adContent',
            'deviceCategory',
          ].map(name => `ga:${name}`),
        ),
      },
      /limited to 9 dimensions/,
    ],
    [
      'eleven metrics',
      { metrics: expressions(...Array.from({ length: 11 }, () => 'ga:sessions')) },
      /limited to 10 metrics/,
    ],
    ['three ranges', { dateRanges: [MAY, MAY, MAY] }, /1 to 2 date ranges/],
    [
      'a range the wrong way round',
      { dateRanges: [{ startDate: '2023-05-02', endDate: '2023-05-01' }] },
      /start date/,
    ],
    ['a day before 2005', { dateRanges: [{ startDate: '2004-12-31', endDate: '2023-05-01' }] }, /2005-01-01/],
    ['a date that is none', { dateRanges: [{ startDate: '20230501', endDate: 'today' }] }, /Invalid date/],
    ['too large a page', { pageSize: 100_001 }, /pageSize/],
    ['a page token that is none', { pageToken: 'abc' }, /pageToken/],
    ['an order by what is not there', { orderBys: [{ fieldName: 'ga:users' }] }, /orderBy/],
    ['ad cost by event', { dimensions: names('ga:eventAction'), metrics: expressions('ga:adCost') }, NEVER],
    ['items with ad cost', { metrics: expressions('ga:itemRevenue', 'ga:adCost') }, NEVER],
    ['users of seven days without days', { dimensions: [], metrics: expressions('ga:7dayUsers') }, NEVER],
    ['users of two spans', { metrics: expressions('ga:7dayUsers', 'ga:28dayUsers') }, NEVER],
    ['an unknown field', { colour: 1 }, /Unknown name "colour" at 'report_requests\[0\]'/],
    ['the old filter syntax', { filtersExpression: 'ga:medium==cpc' }, /Unknown name "filtersExpression"/],
    [
      'two values for one operator',
      filtered({ operator: 'EXACT', expressions: ['a', 'b'] }),
      /Only one expression/,
    ],
    ['a pattern of 129 characters', filtered({ expressions: ['a'.repeat(129)] }), /128 characters/],
  ])('meet %s', async (_, change, message) => {
    expect(await refused(change)).toEqual([400, 'INVALID_ARGUMENT', expect.stringMatching(message)])
  })

  test('meet a batch of six, and one of two views', async () => {
    expect((await batch(Array.from({ length: 6 }, () => BASIC))).status).toBe(400)
    expect((await batch([BASIC, { ...BASIC, viewId: TOKYO }])).body.error.message).toContain('same viewId')
    expect((await batch([BASIC, BASIC])).body.reports).toHaveLength(2)
  })

  test('meet unknown logins, revoked views and those of others', async () => {
    expect(await refused({ viewId: REVOKED })).toEqual([
      403,
      'PERMISSION_DENIED',
      'User does not have sufficient permissions for this profile.',
    ])
    expect((await batch([{ ...BASIC, viewId: LARGE }], {}, 'sandbox-agency')).status).toBe(403)
    expect((await batch([BASIC], {}, 'sandbox-agency')).status).toBe(200)
    expect((await batch([BASIC], {}, 'guessed')).body.error.status).toBe('UNAUTHENTICATED')
  })

  test('meet too many requests of a login, or about a view', async () => {
    const statusOf = async () => (await batch([BASIC])).body.error?.status
    await control('PUT', 'limits', { ua_quota: { per_user: 2, per_view: 100 } })
    expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([
      undefined,
      undefined,
      'RESOURCE_EXHAUSTED',
    ])
    const managed = await get('management/accountSummaries', 'sandbox-admin')
    expect([managed.status, managed.body.error.errors[0]]).toEqual([
      403,
      expect.objectContaining({ domain: 'usageLimits', reason: 'userRateLimitExceeded' }),
    ])
    sandbox.clock.set({ now: NOW + 100_001 })
    expect(await statusOf()).toBeUndefined()
    await control('PUT', 'limits', { ua_quota: { per_user: 100, per_view: 1 } })
    expect(await statusOf()).toBe('RESOURCE_EXHAUSTED')
  })

  test('meet faults in the platform’s own words', async () => {
    const armed = async (fault: object) => {
      await control('PUT', 'faults', [{ platform: 'ua', count: 1, ...fault }])
      const { status, body } = await batch([BASIC])
      return [status, body.error?.status]
    }
    expect(await armed({ action: 'rate_limit' })).toEqual([429, 'RESOURCE_EXHAUSTED'])
    expect(await armed({ action: 'server_error' })).toEqual([500, 'INTERNAL'])
    expect(await armed({ action: 'server_error', status: 503 })).toEqual([503, 'UNAVAILABLE'])
    expect(await armed({ action: 'expired_token' })).toEqual([401, 'UNAUTHENTICATED'])
    expect(await armed({ action: 'revoked', account: TAIPEI })).toEqual([403, 'PERMISSION_DENIED'])
    expect(await armed({ action: 'revoked', account: TOKYO })).toEqual([200, undefined])
    await expect(armed({ action: 'cut' })).rejects.toThrow(/terminated|fetch failed/)
  })
})

describe('after the shutdown', () => {
  test('every request fails, for good', async () => {
    expect((await control('PUT', 'limits', { ua_era: 'shutdown' })).status).toBe(200)
    const gone = {
      error: { code: 403, message: 'Universal Analytics has been shut down.', status: 'PERMISSION_DENIED' },
    }
    expect(await batch([BASIC])).toEqual({ status: 403, body: gone })
    expect(await get('management/accountSummaries')).toEqual({ status: 403, body: gone })
    expect((await get('metadata/ga/columns')).status).toBe(403)
  })

  test('it may respond with a page, or with 410', async () => {
    await control('PUT', 'faults', [{ platform: 'ua', action: 'shutdown', status: 404 }])
    expect((await batch([BASIC])).body).toContain('<html>')
    await control('PUT', 'faults', [{ platform: 'ua', action: 'shutdown', status: 410 }])
    expect((await batch([BASIC])).status).toBe(410)
    await control('PUT', 'faults', [{ platform: 'ua', action: 'shutdown' }])
    expect((await batch([BASIC])).status).toBe(403)
  })
})
