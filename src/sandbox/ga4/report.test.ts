import { describe, expect, test } from 'vitest'
import { AURORA, BOREALIS, EMPTY, named, OCTOBER, SIGNALS, startClient } from '#sandbox/testing/ga4.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'

const client = resetAfterEach(await startClient())

const add = (rows: [string[], string[]][], index = 0) =>
  rows.reduce((total, [, metrics]) => total + Math.round(Number(metrics[index]) * 1e6), 0)
const whole = async (...metrics: string[]) => {
  const [row] = await client.rows({ metrics: named(...metrics) })
  return (row?.[1] ?? []).map(Number)
}
const message = async (query: object) => {
  const { status, body } = await client.report(query)
  return [status, body.error?.message ?? '']
}
const LIMITED = { dimensions: named('date'), metrics: named('sessions') }
const by = (...names: string[]) => names.map(dimensionName => ({ dimension: { dimensionName } }))

describe('the facts', () => {
  const METRICS = [
    'sessions',
    'newUsers',
    'eventCount',
    'purchaseRevenue',
    'transactions',
    'screenPageViews',
    'keyEvents',
    'addToCarts',
    'advertiserAdCost',
  ]

  test('add up over days and sources', async () => {
    const metrics = named(...METRICS)
    const [total] = await client.rows({ metrics })
    for (const dimensions of [
      ['date'],
      ['sessionSource', 'sessionMedium'],
      ['yearMonth'],
      ['sessionCampaignName', 'date'],
    ]) {
      const rows = await client.rows({ dimensions: named(...dimensions), metrics, limit: 250_000 })
      for (const index of METRICS.keys())
        expect(add(rows, index), `${METRICS[index]} by ${dimensions.join()}`).toBe(
          Math.round(Number(total?.[1][index]) * 1e6),
        )
    }
  })

  test('have each person once in every row', async () => {
    const [users = 0, active = 0, fresh = 0, returning = 0] = await whole(
      'totalUsers',
      'activeUsers',
      'newUsers',
      'returningUsers',
    )
    const daily = await client.rows({
      dimensions: named('date'),
      metrics: named('totalUsers', 'activeUsers'),
    })
    expect(daily).toHaveLength(31)
    expect(add(daily) / 1e6).toBeGreaterThan(users * 1.1)
    expect(users).toBeGreaterThan(Math.max(...daily.map(([, [value]]) => Number(value))))
    expect(active).toBeLessThan(users)
    expect(fresh).toBeLessThan(users)
    expect(returning + fresh).toBeGreaterThanOrEqual(users)
    const months = await client.rows({
      dateRanges: [{ startDate: '2026-09-01', endDate: '2026-10-31' }],
      dimensions: named('yearMonth'),
      metrics: named('totalUsers'),
    })
    const [[, [both]]] = (await client.rows({
      dateRanges: [{ startDate: '2026-09-01', endDate: '2026-10-31' }],
      metrics: named('totalUsers'),
    })) as [[string[], string[]]]
    expect(Number(both)).toBeLessThan(add(months) / 1e6)
  })

  test('of events count each visit once a row', async () => {
    const rows = await client.rows({
      dimensions: named('eventName'),
      metrics: named('eventCount', 'sessions', 'totalUsers'),
    })
    const [sessions = 0, events = 0, views = 0] = await whole('sessions', 'eventCount', 'screenPageViews')
    expect(add(rows) / 1e6).toBe(events)
    const of = (name: string) => (rows.find(([[event]]) => event === name)?.[1] ?? []).map(Number)
    expect(of('session_start')).toEqual([sessions, sessions, expect.any(Number)])
    expect(of('page_view')[0]).toBe(views)
    expect(of('page_view')[1]).toBeLessThanOrEqual(sessions)
  })

  test('of items go with item metrics only', async () => {
    const rows = await client.rows({
      dimensions: named('itemName'),
      metrics: named('itemRevenue', 'itemsPurchased'),
    })
    const [revenue = 0, gross = 0] = await whole('itemRevenue', 'grossPurchaseRevenue')
    expect(add(rows) / 1e6).toBe(revenue)
    expect(revenue).toBeLessThan(gross)
  })

  test('of rolling windows include earlier days', async () => {
    const rows = await client.rows({
      dimensions: named('date'),
      metrics: named('active1DayUsers', 'active7DayUsers', 'active28DayUsers', 'activeUsers'),
    })
    for (const [, [day, week, month, active]] of rows) {
      expect(day).toBe(active)
      expect(Number(week)).toBeGreaterThan(Number(day))
      expect(Number(month)).toBeGreaterThan(Number(week))
    }
  })

  test("are in the property's own days, also when clocks are put back", async () => {
    const today = (property: string) =>
      client.rows({ dateRanges: [{ startDate: 'today', endDate: 'today' }], ...LIMITED }, property)
    const [[taipei]] = (await today(AURORA)) as [[string[], string[]]]
    const [[angeles]] = (await today(BOREALIS)) as [[string[], string[]]]
    expect([taipei[0], angeles[0]]).toEqual(['20261120', '20261119'])
    // Los Angeles, 1 November 2026: 01:30 comes twice, and the day has 25 hours.
    for (const now of ['2026-11-01T08:30:00Z', '2026-11-01T09:30:00Z', '2026-11-02T07:30:00Z']) {
      await client.control('PUT', 'clock', { now, speed: 0 })
      const rows = await today(BOREALIS)
      expect(rows.map(([[day]]) => day)).toEqual(['20261101'])
    }
  })

  test('stay the same when requested again', async () => {
    const query = {
      dimensions: named('date', 'sessionSource'),
      metrics: named('sessions', 'totalUsers'),
      orderBys: by('date', 'sessionSource'),
    }
    const early = await client.rows(query)
    await client.control('PUT', 'clock', { now: '2027-02-01T00:00:00Z', speed: 0 })
    expect(await client.rows(query)).toEqual(early)
  })
})

describe('the values of time', () => {
  test('have year and week of the standard, and others that trap', async () => {
    const rows = await client.rows({
      dateRanges: [{ startDate: '2025-12-28', endDate: '2026-01-05' }],
      dimensions: named('date', 'isoYearIsoWeek', 'yearWeek', 'yearMonth', 'month', 'week', 'dayOfWeek'),
      metrics: named('sessions'),
      orderBys: by('date'),
    })
    const of = (day: string) => rows.find(([[date]]) => date === day)?.[0]
    expect(of('20251228')).toEqual(['20251228', '202552', '202553', '202512', '12', '53', '0'])
    expect(of('20251229')).toEqual(['20251229', '202601', '202553', '202512', '12', '53', '1'])
    expect(of('20260101')).toEqual(['20260101', '202601', '202601', '202601', '01', '01', '4'])
    expect(of('20260105')).toEqual(['20260105', '202602', '202602', '202601', '01', '02', '1'])
  })
})

describe('a response', () => {
  test('has headers, texts only, and totals with each person once', async () => {
    const { body } = await client.report({
      ...LIMITED,
      metrics: named('sessions', 'totalUsers', 'purchaseRevenue'),
      limit: 2,
      metricAggregations: ['TOTAL'],
    })
    const [sessions, users, revenue] = await whole('sessions', 'totalUsers', 'purchaseRevenue')
    expect(body).toEqual({
      dimensionHeaders: [{ name: 'date' }],
      metricHeaders: [
        { name: 'sessions', type: 'TYPE_INTEGER' },
        { name: 'totalUsers', type: 'TYPE_INTEGER' },
        { name: 'purchaseRevenue', type: 'TYPE_CURRENCY' },
      ],
      rows: [expect.any(Object), expect.any(Object)],
      totals: [
        {
          dimensionValues: [{ value: 'RESERVED_TOTAL' }],
          metricValues: [{ value: String(sessions) }, { value: String(users) }, { value: String(revenue) }],
        },
      ],
      rowCount: 31,
      metadata: { currencyCode: 'TWD', timeZone: 'Asia/Taipei' },
      kind: 'analyticsData#runReport',
    })
    for (const { metricValues } of body.rows)
      for (const { value } of metricValues) expect(value).toBeTypeOf('string')
  })

  test('of nothing has neither headers nor rows', async () => {
    expect((await client.report(LIMITED, EMPTY)).body).toEqual({
      metadata: { currencyCode: 'JPY', timeZone: 'Asia/Tokyo' },
      kind: 'analyticsData#runReport',
    })
  })

  test('drops rows of zeros unless keepEmptyRows is set', async () => {
    const query = { dimensions: named('sessionSource', 'date'), metrics: named('transactions') }
    const [few, all] = [await client.rows(query), await client.rows({ ...query, keepEmptyRows: true })]
    expect(few.every(([, [count]]) => count !== '0')).toBe(true)
    expect(all.length).toBeGreaterThan(few.length)
  })

  test('is in another currency when requested', async () => {
    const [own] = await client.rows({ metrics: named('purchaseRevenue') })
    const [dollars] = await client.rows({ metrics: named('purchaseRevenue'), currencyCode: 'USD' })
    expect(Number(dollars?.[1][0]) * 32).toBeCloseTo(Number(own?.[1][0]), 2)
    expect((await message({ metrics: named('sessions'), currencyCode: 'XXX' }))[0]).toBe(400)
  })

  test('to several ranges says which', async () => {
    const rows = await client.rows({
      dateRanges: [
        { startDate: '2026-10-01', endDate: '2026-10-01' },
        { startDate: '2026-10-02', endDate: '2026-10-02', name: 'other' },
      ],
      metrics: named('sessions'),
    })
    expect(rows.map(([[range]]) => range).toSorted()).toEqual(['date_range_0', 'other'])
  })

  test('to a batch is a list', async () => {
    const request = { dateRanges: OCTOBER, metrics: named('sessions') }
    const { body } = await client.post(`v1beta/properties/${AURORA}:batchRunReports`, {
      requests: [request, request],
    })
    expect(body.kind).toBe('analyticsData#batchRunReports')
    expect(body.reports[0]).toEqual((await client.report({ metrics: named('sessions') })).body)
    const six = await client.post(`v1beta/properties/${AURORA}:batchRunReports`, {
      requests: Array.from({ length: 6 }, () => request),
    })
    expect(six.status).toBe(400)
  })
})

describe('pages', () => {
  const query = {
    dimensions: named('date', 'sessionSourceMedium', 'sessionCampaignName'),
    metrics: named('sessions'),
  }
  const read = async (orderBys: object[], size: number) => {
    const rows: [string[], string[]][] = []
    for (let offset = 0; ; offset += size) {
      const page = await client.rows({ ...query, orderBys, offset: String(offset), limit: String(size) })
      if (page.length === 0) return rows
      rows.push(...page)
    }
  }

  test('under a full ordering have every row once; under none they do not', async () => {
    const full = by('date', 'sessionSourceMedium', 'sessionCampaignName')
    const all = await client.rows({ ...query, orderBys: full })
    expect(await read(full, 100)).toEqual(all)
    const keys = (rows: [string[], string[]][]) =>
      new Set(rows.map(([dimensions]) => dimensions.join('|'))).size
    expect(keys(all)).toBe(all.length)
    expect(keys(await read(by('date'), 100))).toBeLessThan(all.length)
  })

  test('are ordered by text, number or metric', async () => {
    const top = await client.rows({
      dimensions: named('sessionSource'),
      metrics: named('sessions'),
      orderBys: [{ metric: { metricName: 'sessions' }, desc: true }],
    })
    const counts = top.map(([, [count]]) => Number(count))
    expect(counts).toEqual(counts.toSorted((left, right) => right - left))
    const names = async (orderType: string) =>
      (
        await client.rows({
          dimensions: named('sessionSource'),
          metrics: named('sessions'),
          orderBys: [{ dimension: { dimensionName: 'sessionSource', orderType } }],
        })
      ).map(([[name]]) => name)
    expect((await names('ALPHANUMERIC')).indexOf('Facebook')).toBe(1)
    expect((await names('CASE_INSENSITIVE_ALPHANUMERIC')).indexOf('Facebook')).toBeLessThan(3)
  })

  test('are cut at 10,000 rows unless requested otherwise', async () => {
    const long = {
      dateRanges: [{ startDate: '2026-01-01', endDate: '2026-10-31' }],
      dimensions: named('date', 'sessionSourceMedium', 'landingPage', 'deviceCategory'),
      metrics: named('sessions'),
    }
    const usual = await client.report(long)
    expect(usual.body.rows).toHaveLength(10_000)
    expect(usual.body.rowCount).toBeGreaterThan(10_000)
    const most = await client.report({ ...long, limit: 1_000_000 })
    expect(most.body.rows).toHaveLength(most.body.rowCount)
    await client.control('PUT', 'limits', { ga4_page_rows: 300 })
    const short = await client.report({ ...long, limit: 1_000_000 })
    expect([short.body.rows.length, short.body.rowCount]).toEqual([300, most.body.rowCount])
  })
})

describe('a filter', () => {
  const filter = (fieldName: string, kind: object) => ({ filter: { fieldName, ...kind } })
  const text = (value: string, matchType = 'EXACT', caseSensitive = false) => ({
    stringFilter: { matchType, value, caseSensitive },
  })
  const sources = async (dimensionFilter: object) =>
    (await client.rows({ dimensions: named('sessionSource'), metrics: named('sessions'), dimensionFilter }))
      .map(([[name]]) => name)
      .toSorted()

  test('compares text whatever its case, unless requested otherwise', async () => {
    expect(await sources(filter('sessionSource', text('facebook')))).toEqual(['Facebook', 'facebook'])
    expect(await sources(filter('sessionSource', text('facebook', 'EXACT', true)))).toEqual(['facebook'])
    expect(await sources(filter('sessionSource', text('face', 'BEGINS_WITH')))).toEqual([
      'Facebook',
      'facebook',
    ])
    expect(await sources(filter('sessionSource', text('ER', 'ENDS_WITH')))).toEqual(['newsletter'])
    expect(await sources(filter('sessionSource', text('OO', 'CONTAINS')))).toEqual([
      'Facebook',
      'facebook',
      'google',
      'yahoo',
    ])
    expect(await sources(filter('sessionSource', text('g.*e', 'FULL_REGEXP')))).toEqual(['google'])
    expect(await sources(filter('sessionSource', text('oo', 'PARTIAL_REGEXP')))).toHaveLength(4)
    expect(await sources(filter('sessionSource', { inListFilter: { values: ['GOOGLE', 'yahoo'] } }))).toEqual(
      ['google', 'yahoo'],
    )
  })

  test('is put together by and, or and not, also on fields that are not selected', async () => {
    const cpc = filter('sessionMedium', text('cpc'))
    const google = filter('sessionSource', text('google'))
    expect(await sources(cpc)).toEqual(['google', 'yahoo'])
    expect(await sources({ andGroup: { expressions: [cpc, { notExpression: google }] } })).toEqual(['yahoo'])
    expect(
      await sources({ orGroup: { expressions: [google, filter('sessionSource', text('line'))] } }),
    ).toEqual(['google', 'line'])
    const without = await client.rows({
      dimensions: named('sessionManualTerm'),
      metrics: named('sessions'),
      dimensionFilter: { notExpression: filter('sessionManualTerm', text('brand', 'CONTAINS')) },
    })
    expect(without.map(([[term]]) => term)).toContain('(not set)')
    const empty = await client.rows({
      dimensions: named('sessionManualTerm'),
      metrics: named('sessions'),
      dimensionFilter: filter('sessionManualTerm', { emptyFilter: {} }),
    })
    expect(empty.map(([[term]]) => term)).toEqual(['(not set)'])
  })

  test('works on metrics', async () => {
    const atLeast = (value: object) =>
      filter('sessions', { numericFilter: { operation: 'GREATER_THAN_OR_EQUAL', value } })
    const rows = await client.rows({
      dimensions: named('sessionSource'),
      metrics: named('sessions'),
      metricFilter: atLeast({ int64Value: '300' }),
    })
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every(([, [count]]) => Number(count) >= 300)).toBe(true)
  })

  test.each([
    [{}, 'exactly one'],
    [{ andGroup: { expressions: [] } }, 'at least one expression'],
    [{ filter: { fieldName: 'sessionSource' } }, 'exactly one'],
    [{ filter: { fieldName: 'sessionSource', ...text('x'), emptyFilter: {} } }, 'exactly one'],
    [filter('nothing', text('x')), 'Field nothing is not a valid dimension'],
    [filter('sessionSource', text('(', 'FULL_REGEXP')), 'regular expression is invalid'],
    [filter('itemName', text('x')), 'Please remove itemName'],
    [
      filter('sessionSource', { stringFilter: { matchType: 'LIKE', value: 'x' } }),
      "Invalid value at 'dimensionFilter",
    ],
    [{ filter: { field: 'sessionSource' } }, 'Unknown name "field"'],
  ])('that is wrong is refused: %o', async (dimensionFilter, words) => {
    expect(await message({ ...LIMITED, dimensionFilter })).toEqual([400, expect.stringContaining(words)])
  })
})

describe('a request', () => {
  const many = (count: number) =>
    named(
      'date',
      'sessionSource',
      'sessionMedium',
      'sessionCampaignName',
      'deviceCategory',
      'country',
      'city',
      'browser',
      'hostName',
      'operatingSystem',
    ).slice(0, count)

  test.each([
    [{ metrics: named('clicks') }, /^Field clicks is not a valid metric\./],
    [{ ...LIMITED, dimensions: named('foo') }, /^Field foo is not a valid dimension\./],
    [{ ...LIMITED, dimensions: many(10) }, /^Requests are limited to 9 dimensions/],
    [{ metrics: named(...Array<string>(11).fill('sessions')) }, /^Requests are limited to 10 metrics/],
    [{}, /at least one dimension or metric/],
    [{ ...LIMITED, dateRanges: [] }, /dateRange is required/],
    [{ ...LIMITED, dateRanges: Array(5).fill(OCTOBER[0]) }, /limited to 4/],
    [{ ...LIMITED, dateRanges: [{ startDate: '2015-08-13', endDate: '2026-10-01' }] }, /2015-08-14/],
    [{ ...LIMITED, dateRanges: [{ startDate: '2026-10-02', endDate: '2026-10-01' }] }, /after the end date/],
    [{ ...LIMITED, dateRanges: [{ startDate: '01/10/2026', endDate: 'today' }] }, /Invalid date/],
    [{ ...LIMITED, orderBys: by('sessionSource') }, /not in the request/],
    [{ ...LIMITED, orderBys: [{ desc: true }] }, /exactly one/],
    [{ ...LIMITED, limit: -1 }, /negative/],
    [{ ...LIMITED, limit: 'all' }, /Invalid value at 'limit'/],
    [
      { ...LIMITED, pageSize: 5 },
      /^Invalid JSON payload received\. Unknown name "pageSize": Cannot find field\.$/,
    ],
    [{ metrics: [{ name: 'sessions', alias: 'x' }] }, /Unknown name "alias" at 'metrics\[0\]'/],
    [
      { dimensions: named('eventName'), metrics: named('advertiserAdCost') },
      /^Please remove eventName to make the request compatible\. The request's dimensions & metrics are incompatible\./,
    ],
    [{ dimensions: named('itemName'), metrics: named('sessions') }, /^Please remove itemName/],
    [
      { dimensions: named('sessionSource'), metrics: named('active7DayUsers') },
      /^Please remove sessionSource/,
    ],
    [
      { dimensions: named('sessionSource'), metrics: named('organicGoogleSearchClicks') },
      /^Please remove sessionSource/,
    ],
  ])('is refused: %o', async (query, words) => {
    expect(await message(query)).toEqual([400, expect.stringMatching(words)])
  })

  test('may have nine dimensions and ten metrics', async () => {
    const metrics = named(
      'sessions',
      'totalUsers',
      'newUsers',
      'eventCount',
      'keyEvents',
      'transactions',
      'bounceRate',
      'eventValue',
      'checkouts',
      'conversions',
    )
    expect((await client.report({ dimensions: many(9), metrics })).status).toBe(200)
  })
})

describe('the flags', () => {
  test('say that rows were merged into (other)', async () => {
    await client.control('PUT', 'limits', { ga4_cardinality: 3 })
    const query = { dimensions: named('sessionSource'), metrics: named('sessions') }
    const { body } = await client.report(query)
    expect(body.metadata.dataLossFromOtherRow).toBe(true)
    const rows = await client.rows(query)
    expect(rows).toHaveLength(4)
    expect(rows.map(([[name]]) => name)).toContain('(other)')
    expect(add(rows) / 1e6).toBe((await whole('sessions'))[0])
  })

  test('say that rows were withheld', async () => {
    const query = { dimensions: named('date', 'sessionSourceMedium'), metrics: named('totalUsers') }
    const { body } = await client.report(query, SIGNALS)
    expect(body.metadata.subjectToThresholding).toBe(true)
    expect((await client.rows(query, SIGNALS)).every(([, [users]]) => Number(users) >= 3)).toBe(true)
    expect(
      (await client.report({ ...query, metrics: named('sessions') }, SIGNALS)).body.metadata,
    ).not.toHaveProperty('subjectToThresholding')
  })

  test('say that the result is an estimate', async () => {
    const [exact = 0] = await whole('sessions')
    await client.control('PUT', 'limits', { ga4_sampling: 3000 })
    const { body } = await client.report({ metrics: named('sessions') })
    const [{ samplesReadCount, samplingSpaceSize }] = body.metadata.samplingMetadatas
    expect(Number(samplesReadCount)).toBeLessThanOrEqual(3000)
    expect(Number(samplingSpaceSize)).toBeGreaterThan(3000)
    const [estimate = 0] = await whole('sessions')
    expect(estimate).not.toBe(exact)
    expect(Math.abs(estimate / exact - 1)).toBeLessThan(0.2)
  })
})
