import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Client, startClient } from '#sandbox/testing/tiktok.ts'

const TAIPEI = '7012345678901230032'
const LOS_ANGELES = '7012345678901230035'
const TOKYO = '7012345678901230036'
const LARGE = '7012345678901230161'
const EMPTY = '7012345678901230162'
const WEEK = { start_date: '2026-11-02', end_date: '2026-11-08' }
const OCTOBER = { start_date: '2026-10-01', end_date: '2026-10-30' }
const ALL_IDS = { field_name: 'ad_status', filter_type: 'IN', filter_value: '["STATUS_ALL"]' }

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterEach(() => client.control('PUT', 'clock', { now: '2026-11-20T04:00:00Z', speed: 0 }))
afterAll(() => client.sandbox.stop())

type Row = { dimensions: Record<string, string>; metrics: Record<string, string> }

const LEVELS = {
  advertiser_id: 'AUCTION_ADVERTISER',
  campaign_id: 'AUCTION_CAMPAIGN',
  adgroup_id: 'AUCTION_ADGROUP',
  ad_id: 'AUCTION_AD',
}

/** A request by campaign in a week; `id` for another level. */
const parametersOf = (more: Record<string, unknown> = {}, id: keyof typeof LEVELS = 'campaign_id') => ({
  advertiser_id: TAIPEI,
  report_type: 'BASIC',
  data_level: LEVELS[id],
  dimensions: [id],
  ...WEEK,
  ...more,
})
const report = (parameters: object) =>
  client.get('report/integrated/get/', parameters as Record<string, unknown>)

async function rowsOf(parameters: object): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page++) {
    const { body } = await report({ page_size: 1000, ...parameters, page })
    if (body.code !== 0) throw new Error(JSON.stringify(body))
    rows.push(...body.data.list)
    if (page >= body.data.page_info.total_page) return rows
  }
}
const total = (rows: Row[], metric: string) =>
  rows.reduce((sum, row) => sum + Math.round(100 * Number(row.metrics[metric])), 0) / 100

describe('a row', () => {
  test('has its dimensions, and metrics that are all text', async () => {
    const metrics = [
      'campaign_name',
      'spend',
      'impressions',
      'clicks',
      'ctr',
      'reach',
      'currency',
      'frequency',
    ]
    const { body } = await report(parametersOf({ dimensions: ['campaign_id', 'stat_time_day'], metrics }))
    const [row] = body.data.list
    expect(row.dimensions).toEqual({
      campaign_id: expect.stringMatching(/^\d{19}$/),
      stat_time_day: expect.stringMatching(/^2026-11-0\d 00:00:00$/),
    })
    expect(Object.keys(row.metrics)).toEqual(metrics)
    expect(row.metrics.spend).toMatch(/^\d+\.\d\d$/)
    expect(Number(row.metrics.ctr)).toBeCloseTo((100 * row.metrics.clicks) / row.metrics.impressions, 1)
    expect(row.metrics.currency).toBe('TWD')
    expect(body.data.page_info).toMatchObject({ page: 1, page_size: 10 })
  })

  test('has spend and impressions when nothing is named', async () => {
    const [row] = await rowsOf(parametersOf())
    expect(Object.keys(row?.metrics ?? {})).toEqual(['spend', 'impressions'])
  })

  test('of yen has no decimals', async () => {
    const [row] = await rowsOf(parametersOf({ advertiser_id: TOKYO }))
    expect(row?.metrics['spend']).toMatch(/^\d+$/)
  })

  test('is there with zeros for some idle campaigns, in total and by day, and for others at no grain', async () => {
    const metrics = ['impressions', 'spend', 'ctr']
    const zeros = (rows: Row[]) => rows.filter(row => row.metrics['impressions'] === '0')
    const ids = (rows: Row[]) => new Set(rows.map(row => row.dimensions['campaign_id']))
    const alone = await rowsOf(parametersOf({ metrics }))
    const daily = await rowsOf(parametersOf({ metrics, dimensions: ['campaign_id', 'stat_time_day'] }))
    const idle = zeros(alone)
    expect(idle[0]?.metrics).toMatchObject({ spend: '0.00', ctr: '0.00' })
    for (const id of ids(idle))
      expect(zeros(daily).filter(row => row.dimensions['campaign_id'] === id)).toHaveLength(7)
    expect(ids(daily)).toEqual(ids(alone))
    const lifetime = await rowsOf({ ...parametersOf({ query_lifetime: true }), start_date: undefined })
    expect(lifetime.length).toBeGreaterThan(alone.length)
    expect(await rowsOf(parametersOf({ advertiser_id: EMPTY }))).toEqual([])
  })

  test('has its parents as metrics, each at its level', async () => {
    const metrics = [
      'campaign_id',
      'campaign_name',
      'adgroup_id',
      'adgroup_name',
      'ad_name',
      'objective_type',
    ]
    const [row] = await rowsOf(parametersOf({ metrics }, 'ad_id'))
    expect(row?.metrics['adgroup_id']).toMatch(/^\d{19}$/)
    expect(row?.metrics['objective_type']).toBe('WEB_CONVERSIONS')
    const { body } = await report(parametersOf({ metrics: ['ad_name'] }))
    expect(body).toMatchObject({ code: 40002, message: expect.stringContaining("['ad_name']") })
  })
})

describe('levels', () => {
  const metrics = [
    'spend',
    'impressions',
    'clicks',
    'conversion',
    'total_complete_payment_rate',
    'video_play_actions',
  ]

  test('add up, deleted entities included', async () => {
    const ads = await rowsOf(parametersOf({ metrics, filtering: [ALL_IDS] }, 'ad_id'))
    const adgroupStatus = { ...ALL_IDS, field_name: 'adgroup_status' }
    const groups = await rowsOf(parametersOf({ metrics, filtering: [adgroupStatus] }, 'adgroup_id'))
    const campaignStatus = { ...ALL_IDS, field_name: 'campaign_status' }
    const campaigns = await rowsOf(parametersOf({ metrics, filtering: [campaignStatus] }))
    const account = await rowsOf(parametersOf({ metrics }, 'advertiser_id'))
    for (const metric of metrics) {
      expect(total(ads, metric)).toBe(total(account, metric))
      expect(total(groups, metric)).toBe(total(account, metric))
      expect(total(campaigns, metric)).toBe(total(account, metric))
    }
    const daily = await rowsOf(
      parametersOf({ metrics, dimensions: ['advertiser_id', 'stat_time_day'] }, 'advertiser_id'),
    )
    for (const metric of metrics) expect(total(daily, metric)).toBe(total(account, metric))
  })

  test('leave deleted entities of the level out unless requested', async () => {
    const month = { ...OCTOBER, metrics: ['spend'] }
    const usual = total(await rowsOf(parametersOf(month, 'ad_id')), 'spend')
    const all = total(await rowsOf(parametersOf({ ...month, filtering: [ALL_IDS] }, 'ad_id')), 'spend')
    const deleted = { ...ALL_IDS, filter_value: '["STATUS_DELETE"]' }
    const gone = total(await rowsOf(parametersOf({ ...month, filtering: [deleted] }, 'ad_id')), 'spend')
    expect(gone).toBeGreaterThan(0)
    expect(usual + gone).toBeCloseTo(all, 2)
  })

  test('are the same whatever the page size and the range', async () => {
    const parameters = parametersOf({ metrics, dimensions: ['adgroup_id', 'stat_time_day'] }, 'adgroup_id')
    const whole = await rowsOf(parameters)
    expect(await rowsOf({ ...parameters, page_size: 7 })).toEqual(whole)
    const day = await rowsOf({ ...parameters, start_date: '2026-11-05', end_date: '2026-11-05' })
    expect(day).toEqual(whole.filter(row => row.dimensions['stat_time_day'] === '2026-11-05 00:00:00'))
  })
})

describe('people', () => {
  test('do not add up over days and campaigns', async () => {
    const reach = async (more: object, id?: keyof typeof LEVELS) =>
      total(await rowsOf(parametersOf({ ...OCTOBER, metrics: ['reach'], ...more }, id)), 'reach')
    const month = await reach({}, 'advertiser_id')
    expect(await reach({ dimensions: ['advertiser_id', 'stat_time_day'] }, 'advertiser_id')).toBeGreaterThan(
      month,
    )
    expect(await reach({})).toBeGreaterThan(month)
  })

  test('are counted 16 hours after the end of their day', async () => {
    const reachOf = async (now: string) => {
      await client.control('PUT', 'clock', { now, speed: 0 })
      const rows = await rowsOf(
        parametersOf(
          {
            start_date: '2026-11-18',
            end_date: '2026-11-20',
            metrics: ['reach', 'impressions'],
            dimensions: ['advertiser_id', 'stat_time_day'],
          },
          'advertiser_id',
        ),
      )
      return rows.map(row => row.metrics['reach'] !== '0' && row.metrics['impressions'] !== '0')
    }
    expect(await reachOf('2026-11-20T07:59:00Z')).toEqual([true, false, false])
    expect(await reachOf('2026-11-20T08:00:00Z')).toEqual([true, true, false])
  })
})

describe('conversions', () => {
  const read = async (now: string, day: string) => {
    await client.control('PUT', 'clock', { now, speed: 0 })
    const metrics = ['conversion', 'real_time_conversion', 'cta_conversion', 'vta_conversion']
    const rows = await rowsOf(parametersOf({ start_date: day, end_date: day, metrics }, 'advertiser_id'))
    return Object.fromEntries(metrics.map(metric => [metric, total(rows, metric)]))
  }

  test('of a day grow for weeks; those by the day of conversion do not', async () => {
    const early = await read('2026-11-20T04:00:00Z', '2026-11-18')
    const late = await read('2027-01-20T04:00:00Z', '2026-11-18')
    expect(late['conversion']).toBeGreaterThan(early['conversion'] ?? 0)
    expect(late['real_time_conversion']).toBe(early['real_time_conversion'])
    expect(late['conversion']).toBe(late['real_time_conversion'])
  })

  test('follow from clicks, views and watched videos', async () => {
    const of = await read('2026-11-20T04:00:00Z', '2026-10-10')
    expect(of['cta_conversion']).toBeLessThan(of['conversion'] ?? 0)
    expect((of['cta_conversion'] ?? 0) + (of['vta_conversion'] ?? 0)).toBeLessThanOrEqual(
      of['conversion'] ?? 0,
    )
  })
})

describe('devices', () => {
  const metrics = ['spend', 'impressions', 'conversion', 'video_views_p25']
  const audience = (more: object = {}) =>
    parametersOf({ report_type: 'AUDIENCE', dimensions: ['campaign_id', 'platform'], metrics, ...more })

  test('are operating systems, add up, and have no people', async () => {
    const rows = await rowsOf(audience())
    expect(new Set(rows.map(row => row.dimensions['platform']))).toEqual(
      new Set(['ANDROID', 'IOS', 'PC', 'UNKNOWN']),
    )
    const whole = await rowsOf(parametersOf({ metrics }))
    for (const metric of metrics) expect(total(rows, metric)).toBe(total(whole, metric))
    for (const metric of ['reach', 'complete_payment', 'total_complete_payment_rate']) {
      expect((await report(audience({ metrics: [metric] }))).body.code).toBe(40002)
    }
  })

  test('are reported 16 hours late', async () => {
    const daily = { dimensions: ['campaign_id', 'stat_time_day', 'platform'], start_date: '2026-11-17' }
    const rows = await rowsOf(audience({ ...daily, end_date: '2026-11-20' }))
    const days = new Set(rows.map(row => row.dimensions['stat_time_day']?.slice(0, 10)))
    expect(days).toEqual(new Set(['2026-11-17', '2026-11-18']))
  })

  test('are not in a basic report, nor without an audience dimension', async () => {
    const basic = await report(parametersOf({ dimensions: ['campaign_id', 'platform'] }))
    expect(basic.body).toMatchObject({ code: 40002, message: expect.stringContaining("['platform']") })
    expect((await report(audience({ dimensions: ['campaign_id'] }))).body.code).toBe(40002)
    const pair = await rowsOf(audience({ dimensions: ['campaign_id', 'age', 'gender'] }))
    expect(pair[0]?.dimensions).toMatchObject({ age: 'AGE_13_17', gender: 'FEMALE' })
  })
})

describe('a request is refused', () => {
  const daily = ['campaign_id', 'stat_time_day']
  const many = JSON.stringify(Array.from({ length: 101 }, (_, index) => String(index)))
  const ids = { field_name: 'campaign_ids', filter_type: 'IN', filter_value: '["1"]' }

  test.each([
    ['for 31 days by day', { dimensions: daily, ...OCTOBER, end_date: '2026-10-31' }, 40002, /30 days/],
    ['for 366 days', { start_date: '2025-10-01', end_date: '2026-10-01' }, 40002, /365 days/],
    ['for two days by hour', { dimensions: ['campaign_id', 'stat_time_hour'] }, 40002, /1 day/],
    ['with its days reversed', { end_date: '2026-11-01' }, 40002, /later than/],
    ['with a day that does not exist', { end_date: '2026-11-31' }, 40002, /Not a valid date/],
    ['without days', { start_date: '' }, 40002, /start_date/],
    ['for pages that are too long', { page_size: 1001 }, 40002, /between 1 and 1000/],
    ['for page 0', { page: 0 }, 40002, /page/],
    ['with two ids', { dimensions: ['campaign_id', 'adgroup_id'] }, 40002, /Exactly one id/],
    ['without an id', { dimensions: ['stat_time_day'] }, 40002, /Exactly one id/],
    ['with the id of another level', { dimensions: ['ad_id'] }, 40002, /data_level/],
    ['with a dimension nobody knows', { dimensions: ['campaign_id', 'week'] }, 40002, /\['week'\]/],
    ['with a metric nobody knows', { metrics: ['cost'] }, 40002, /\['cost'\].* correct is \['adv.*'spend'/],
    ['with a parameter nobody knows', { level: 'ad' }, 40002, /level: Unknown field/],
    ['of another type', { report_type: 'TT_SHOP' }, 40118, /allow-listed/],
    ['of an unknown type', { report_type: 'ODD' }, 40002, /report_type/],
    ['for reservations', { service_type: 'RESERVATION' }, 40002, /deprecated/],
    ['in chunks', { query_mode: 'CHUNK' }, 40002, /REGULAR/],
    ['ordered by what it does not ask for', { order_field: 'clicks' }, 40002, /order_field/],
    ['for a lifetime by day', { query_lifetime: true, dimensions: daily }, 40002, /query_lifetime/],
    [
      'with reach by kind of ad',
      { dimensions: ['campaign_id', 'ad_type'], metrics: ['reach'] },
      40002,
      /reach/,
    ],
    ['with two accounts', { advertiser_ids: [TAIPEI, TOKYO] }, 40002, /Exactly one of/],
    [
      'with a filter on names',
      { filtering: [{ ...ids, field_name: 'campaign_name' }] },
      40002,
      /campaign_name/,
    ],
    [
      'with a list as filter value',
      { filtering: [{ ...ids, filter_value: ['1'] }] },
      40002,
      /Not a valid string/,
    ],
    [
      'with a filter that is no list',
      { filtering: [{ ...ids, filter_value: '1' }] },
      40002,
      /Not a valid list/,
    ],
    ['with a filter of another kind', { filtering: [{ ...ids, filter_type: 'MATCH' }] }, 40002, /MATCH/],
    ['with a filter below its level', { filtering: [{ ...ids, field_name: 'ad_ids' }] }, 40002, /ad_ids/],
    ['with filters as an object', { filtering: {} }, 40002, /Not a valid list/],
    ['with 101 ids', { filtering: [{ ...ids, filter_value: many }] }, 40011, /100/],
  ])('%s', async (_, more, code, message) => {
    const { status, body } = await report(parametersOf(more))
    expect([status, body.code]).toEqual([200, code])
    expect(body.message).toMatch(message)
  })

  test('for an advertiser of somebody else', async () => {
    const { body } = await client.get(
      'report/integrated/get/',
      parametersOf({ advertiser_id: LARGE }),
      'sandbox-agency',
    )
    expect(body.code).toBe(40001)
  })
})

describe('other forms', () => {
  test('are ordered by a metric', async () => {
    const spend = (await rowsOf(parametersOf({ order_field: 'spend' }))).map(row =>
      Number(row.metrics['spend']),
    )
    expect(spend).toEqual(spend.toSorted((left, right) => right - left))
  })

  test('have totals on the first page; names and people are not available', async () => {
    const metrics = ['spend', 'ctr', 'reach', 'campaign_name']
    const parameters = parametersOf({ enable_total_metrics: true, metrics })
    const { body } = await report(parameters)
    expect(body.data.total_metrics).toMatchObject({ reach: '-', campaign_name: '-' })
    expect(Number(body.data.total_metrics.spend)).toBeCloseTo(total(await rowsOf(parameters), 'spend'), 2)
    expect((await report({ ...parameters, page: 2 })).body.data).not.toHaveProperty('total_metrics')
  })

  test('cover several advertisers without decimals', async () => {
    const { advertiser_id: _, ...parameters } = parametersOf(
      { advertiser_ids: [TAIPEI, LOS_ANGELES] },
      'advertiser_id',
    )
    const rows = await rowsOf(parameters)
    expect(rows.map(row => row.metrics)).toEqual([
      expect.objectContaining({ currency: 'TWD', timezone: 'Etc/GMT-8', advertiser_id: TAIPEI }),
      expect.objectContaining({ currency: 'USD', spend: expect.stringMatching(/^\d+$/) }),
    ])
  })

  test('go by hour of one day, and over the whole lifetime', async () => {
    const day = { start_date: '2026-11-05', end_date: '2026-11-05', metrics: ['impressions'] }
    const hours = await rowsOf(parametersOf({ ...day, dimensions: ['campaign_id', 'stat_time_hour'] }))
    expect(hours.map(row => row.dimensions['stat_time_hour'])).toContain('2026-11-05 20:00:00')
    expect(total(hours, 'impressions')).toBe(total(await rowsOf(parametersOf(day)), 'impressions'))
    const {
      start_date: _,
      end_date: __,
      ...parameters
    } = parametersOf({ query_lifetime: true, metrics: ['impressions'] })
    const year = { start_date: '2025-11-20', end_date: '2026-11-19', metrics: ['impressions'] }
    expect(total(await rowsOf(parameters), 'impressions')).toBeGreaterThan(
      total(await rowsOf(parametersOf(year)), 'impressions'),
    )
  })

  test('narrow by ids', async () => {
    const [first, second] = await rowsOf(parametersOf())
    const campaigns = [first, second].map(row => row?.dimensions['campaign_id'])
    const filter = { field_name: 'campaign_ids', filter_type: 'IN', filter_value: JSON.stringify(campaigns) }
    expect(await rowsOf(parametersOf({ filtering: [filter] }))).toEqual([first, second])
    const ads = await rowsOf(parametersOf({ filtering: [filter], metrics: ['campaign_id'] }, 'ad_id'))
    expect(new Set(ads.map(row => row.metrics['campaign_id']))).toEqual(new Set(campaigns))
  })
})

test('too many ids are cut to the newest, and only a header says so', async () => {
  const parameters = parametersOf({ advertiser_id: LARGE, page_size: 1000 }, 'ad_id')
  const { body, headers } = await report(parameters)
  expect(headers.get('x-tt-ads-throttle')).toContain("only return the top 20k id's results")
  // Of the newest 1000, but those that have delivered nothing and are left out.
  expect(body.data.page_info.total_number).toBeGreaterThan(900)
  expect(body.data.page_info.total_number).toBeLessThanOrEqual(1000)
  const ads = await rowsOf({ ...parameters, metrics: ['campaign_id', 'spend'] })
  const [account] = await rowsOf(parametersOf({ advertiser_id: LARGE }, 'advertiser_id'))
  expect(total(ads, 'spend')).toBeLessThan(Number(account?.metrics['spend']))
  const one = {
    field_name: 'campaign_ids',
    filter_type: 'IN',
    filter_value: JSON.stringify([ads[0]?.metrics['campaign_id']]),
  }
  const narrow = await report({ ...parameters, filtering: [one] })
  expect(narrow.headers.get('x-tt-ads-throttle')).toBeNull()
  expect(narrow.body.data.page_info.total_number).toBeGreaterThan(50)
})
