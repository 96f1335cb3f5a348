import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type AdsClient,
  AURORA,
  codeOf,
  type Row,
  startClient,
  type Way,
} from '#sandbox/testing/google-ads.ts'

const WEEK = `segments.date BETWEEN '2026-11-02' AND '2026-11-08'`
const OCTOBER = `segments.date BETWEEN '2026-10-01' AND '2026-10-31'`
const METRICS =
  'metrics.impressions, metrics.clicks, metrics.cost_micros, metrics.conversions, metrics.conversions_value, metrics.all_conversions, metrics.video_trueview_views, metrics.active_view_impressions'

let client: AdsClient
beforeAll(async () => {
  client = await startClient()
})
afterEach(() => client.control('PUT', 'limits', { google_ads_page_size: 10_000 }))
afterAll(() => client.sandbox.stop())

/** The metrics of all rows added up; what is missing is zero. */
function sum(rows: Row[]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const { metrics = {} } of rows) {
    for (const [name, value] of Object.entries(metrics)) {
      total[name] = (total[name] ?? 0) + Math.round(Number(value) * 1e6)
    }
  }
  return total
}
const total = async (
  fields: string,
  from: string,
  { where = WEEK, way }: { where?: string; way?: Way } = {},
) =>
  sum(await client.rows(`SELECT ${fields ? `${fields}, ` : ''}${METRICS} FROM ${from} WHERE ${where}`, way))

const NO_PMAX = `${WEEK} AND campaign.advertising_channel_type != 'PERFORMANCE_MAX'`

describe('the facts', () => {
  test('add up over days, devices, networks, hours and down the tree, but for Performance Max', async () => {
    const account = await total('', 'customer')
    expect(account['impressions']).toBeGreaterThan(1e9)
    for (const fields of [
      'segments.date',
      'segments.device',
      'segments.ad_network_type',
      'segments.hour',
      'segments.device, segments.ad_network_type, segments.hour, segments.date',
      'segments.day_of_week',
      'segments.week',
    ])
      expect(await total(fields, 'customer'), fields).toEqual(account)
    expect(await total('campaign.id', 'campaign')).toEqual(account)
    expect(await total('campaign.id, segments.device', 'campaign')).toEqual(account)
    const without = await total('campaign.id', 'campaign', { where: NO_PMAX })
    expect(without['impressions']).toBeLessThan(account['impressions'] ?? 0)
    expect(await total('ad_group.id', 'ad_group')).toEqual(without)
    expect(await total('ad_group_ad.ad.id, segments.date', 'ad_group_ad')).toEqual(without)
  })

  test('of keywords are those of the search campaigns', async () => {
    const search = `${WEEK} AND campaign.advertising_channel_type = 'SEARCH'`
    const whole = await total('campaign.id', 'campaign', { where: search })
    const keyword = 'ad_group_criterion.keyword.text, ad_group_criterion.keyword.match_type'
    expect(await total(keyword, 'keyword_view')).toEqual(whole)
    expect(await total(`${keyword}, segments.device, segments.date`, 'keyword_view')).toEqual(whole)
    const rows = await client.rows(
      `SELECT ad_group.id, ${keyword}, ad_group_criterion.quality_info.quality_score FROM keyword_view LIMIT 2`,
    )
    const [one, other] = rows.map(row => row.adGroupCriterion)
    expect(one.keyword.text).toBe(other.keyword.text)
    expect(one.keyword.matchType).not.toBe(other.keyword.matchType)
    expect(one.qualityInfo.qualityScore).toBeTypeOf('number')
  })

  test('of conversion actions add up to all conversions, fractions included', async () => {
    const fields = 'metrics.conversions, metrics.all_conversions, metrics.conversions_value'
    const [whole] = await client.rows(`SELECT ${fields} FROM customer WHERE ${OCTOBER}`)
    const parts = await client.rows(
      `SELECT segments.conversion_action, segments.conversion_action_name, ${fields} FROM customer WHERE ${OCTOBER}`,
    )
    expect(parts.length).toBeGreaterThan(2)
    expect(sum(parts)).toEqual(sum([whole]))
    expect(whole.metrics.conversions % 1).not.toBe(0)
    expect(whole.metrics.allConversions).toBeGreaterThan(whole.metrics.conversions)
  })

  test('are the same whatever the page size and the day of the request', async () => {
    const query = `SELECT campaign.id, segments.device, metrics.clicks, metrics.cost_micros FROM campaign WHERE ${WEEK}`
    const whole = await client.rows(query)
    await client.control('PUT', 'limits', { google_ads_page_size: 3 })
    expect(await client.rows(query)).toEqual(whole)
    const older = `SELECT segments.date, metrics.conversions FROM customer WHERE segments.date = '2026-03-04'`
    const [now] = await client.rows(older)
    await client.control('PUT', 'clock', { now: '2026-12-24T04:00:00Z' })
    expect(await client.rows(older)).toEqual([now])
    await client.control('PUT', 'clock', { now: '2026-11-20T04:00:00Z', speed: 0 })
  })

  test('of recent days still grow', async () => {
    const query = `SELECT metrics.conversions FROM customer WHERE segments.date = '2026-11-18'`
    const [early] = await client.rows(query)
    await client.control('PUT', 'clock', { now: '2026-12-24T04:00:00Z' })
    const [late] = await client.rows(query)
    await client.control('PUT', 'clock', { now: '2026-11-20T04:00:00Z', speed: 0 })
    expect(late.metrics.conversions).toBeGreaterThan(early.metrics.conversions)
  })

  test("are in the account's own money and day", async () => {
    const [yen] = await client.rows(
      `SELECT customer.currency_code, metrics.cost_micros FROM customer WHERE ${WEEK}`,
      {
        customer: '4203141502',
      },
    )
    expect(yen.customer.currencyCode).toBe('JPY')
    expect(Number(yen.metrics.costMicros) % 1_000_000).toBe(0)
    const days = async (customer: string) => {
      const rows = await client.rows(
        `SELECT segments.date, metrics.clicks FROM customer WHERE segments.date DURING TODAY`,
        { customer },
      )
      return rows.map(row => row.segments.date)
    }
    expect([await days(AURORA), await days('5203141503')]).toEqual([['2026-11-20'], ['2026-11-19']])
  })
})

describe('people', () => {
  const reach = async (where: string, fields = '') =>
    (
      await client.rows(
        `SELECT ${fields}metrics.unique_users, metrics.impressions FROM customer WHERE ${where}`,
      )
    ).map(row => Number(row.metrics.uniqueUsers ?? 0))

  test('do not add up', async () => {
    const [month = 0] = await reach(OCTOBER)
    const daily = await reach(OCTOBER, 'segments.date, ')
    expect(daily).toHaveLength(31)
    expect(month).toBeGreaterThan(Math.max(...daily))
    expect(month).toBeLessThan(daily.reduce((people, more) => people + more, 0) * 0.9)
  })

  test('who were met more often are fewer', async () => {
    const [{ metrics }] = await client.rows(
      `SELECT metrics.unique_users, metrics.unique_users_two_plus, metrics.unique_users_three_plus, metrics.unique_users_five_plus, metrics.average_impression_frequency_per_user FROM customer WHERE ${OCTOBER}`,
    )
    const counts = ['uniqueUsers', 'uniqueUsersTwoPlus', 'uniqueUsersThreePlus', 'uniqueUsersFivePlus'].map(
      name => Number(metrics[name]),
    )
    expect(counts).toEqual(counts.toSorted((left, right) => right - left))
    expect(new Set(counts).size).toBe(4)
    expect(metrics.averageImpressionFrequencyPerUser).toBeGreaterThan(1)
  })

  test('are not known of search campaigns', async () => {
    const rows = await client.rows(
      `SELECT campaign.advertising_channel_type, metrics.unique_users, metrics.search_impression_share, metrics.clicks FROM campaign WHERE ${WEEK} AND metrics.clicks > 10`,
    )
    for (const { campaign, metrics } of rows) {
      const type = campaign.advertisingChannelType
      expect(Object.keys(metrics)).toContain('clicks')
      expect('searchImpressionShare' in metrics).toBe(['SEARCH', 'SHOPPING'].includes(type))
      expect('uniqueUsers' in metrics).toBe(
        ['DISPLAY', 'VIDEO', 'DEMAND_GEN', 'MULTI_CHANNEL'].includes(type),
      )
    }
    expect(new Set(rows.map(row => row.campaign.advertisingChannelType))).toContain('PERFORMANCE_MAX')
  })
})

describe('a row', () => {
  test("has 64 bits as text, doubles as numbers, constants by name, and its resources' names", async () => {
    const [row] = await client.rows(
      `SELECT ad_group_ad.ad.id, ad_group_ad.ad.final_urls, ad_group_ad.status, campaign.start_date_time, segments.month, segments.year, metrics.clicks, metrics.ctr FROM ad_group_ad WHERE ${OCTOBER} AND metrics.clicks > 0`,
    )
    expect(row).toEqual({
      adGroupAd: {
        resourceName: expect.stringMatching(/^customers\/4203141501\/adGroupAds\/\d+~\d+$/),
        status: expect.stringMatching(/^(ENABLED|PAUSED|REMOVED)$/),
        ad: {
          resourceName: expect.stringMatching(/^customers\/4203141501\/ads\/\d+$/),
          id: expect.stringMatching(/^\d+$/),
          finalUrls: [expect.stringContaining('https://')],
        },
      },
      campaign: {
        resourceName: expect.stringMatching(/campaigns\/\d+$/),
        startDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\d 00:00:00$/),
      },
      segments: { month: '2026-10-01', year: 2026 },
      metrics: { clicks: expect.stringMatching(/^\d+$/), ctr: expect.any(Number) },
    })
    const [bare] = await client.rows(
      'SELECT campaign.id FROM campaign LIMIT 1 PARAMETERS omit_unselected_resource_names = true',
    )
    expect(bare).toEqual({ campaign: { id: expect.any(String) } })
  })

  test('of nothing but zeros is there only without segments; some leave their zeros out', async () => {
    const bare = await client.rows(`SELECT campaign.id, metrics.clicks FROM campaign WHERE ${WEEK}`)
    const without = bare.filter(row => !Number(row.metrics?.clicks ?? 0))
    expect(without.length).toBeGreaterThan(2)
    expect(new Set(without.map(row => row.metrics?.clicks))).toEqual(new Set(['0', undefined]))
    const dated = await client.rows(
      `SELECT campaign.id, segments.week, metrics.clicks FROM campaign WHERE ${WEEK}`,
    )
    expect(dated.every(row => Number(row.metrics.clicks) > 0)).toBe(true)
    expect(dated.length).toBe(bare.length - without.length)
  })

  test('of something removed is there as long as nobody filters it out', async () => {
    const rows = await client.rows(
      `SELECT campaign.name, campaign.status, metrics.cost_micros FROM campaign WHERE segments.date BETWEEN '2026-09-01' AND '2026-09-30' AND campaign.status = 'REMOVED' AND metrics.cost_micros > 0`,
    )
    expect(rows.map(row => row.campaign.name)).toEqual(
      expect.arrayContaining(['Deleted by mistake', 'Old stock']),
    )
  })

  test('has the newest name', async () => {
    const [row] = await client.rows(
      `SELECT campaign.name, metrics.clicks FROM campaign WHERE segments.date BETWEEN '2026-04-01' AND '2026-04-30' AND campaign.name LIKE 'brand film%'`,
    )
    expect(row.campaign.name).toBe('Brand film "Aurora" (final)')
  })
})

describe('pages', () => {
  const query = `SELECT campaign.id, segments.date, metrics.clicks FROM campaign WHERE ${WEEK} ORDER BY segments.date`

  test('end without a token, and have a token of their own query', async () => {
    await client.control('PUT', 'limits', { google_ads_page_size: 3 })
    const first = await client.search(query, {}, { searchSettings: { returnTotalResultsCount: true } })
    expect(first.body.results).toHaveLength(3)
    expect(first.body.fieldMask).toBe('campaign.id,segments.date,metrics.clicks')
    const token = first.body.nextPageToken
    const count = (await client.rows(query)).length
    expect(first.body.totalResultsCount).toBe(String(count))
    const other = await client.search(`${query} `, {}, { pageToken: token })
    expect([other.status, codeOf(other)]).toEqual([400, 'requestError.INVALID_PAGE_TOKEN'])
    expect(codeOf(await client.search(query, {}, { pageToken: 'guessed' }))).toBe(
      'requestError.INVALID_PAGE_TOKEN',
    )
    expect(codeOf(await client.search(query, { customer: '4203141502' }, { pageToken: token }))).toBe(
      'requestError.INVALID_PAGE_TOKEN',
    )
  })

  test('cannot be sized by the caller, and expire', async () => {
    expect(codeOf(await client.search(query, {}, { pageSize: 100 }))).toBe(
      'requestError.PAGE_SIZE_NOT_SUPPORTED',
    )
    await client.control('PUT', 'limits', { google_ads_page_size: 3 })
    const { body } = await client.search(query)
    await client.control('PUT', 'clock', { now: '2026-11-20T07:00:00Z' })
    const late = await client.search(query, {}, { pageToken: body.nextPageToken })
    await client.control('PUT', 'clock', { now: '2026-11-20T04:00:00Z', speed: 0 })
    expect(codeOf(late)).toBe('requestError.EXPIRED_PAGE_TOKEN')
  })

  test('have no results key when there are none, nor when a query is only checked', async () => {
    const { body } = await client.search(`SELECT campaign.id FROM campaign WHERE campaign.name = 'nothing'`)
    expect(body).toEqual({ fieldMask: 'campaign.id', queryResourceConsumption: expect.any(String) })
    expect((await client.search(query, {}, { validateOnly: true })).body).toEqual({})
    expect(codeOf(await client.search('SELECT', {}, { validateOnly: true }))).toBe(
      'queryError.UNEXPECTED_END_OF_QUERY',
    )
  })

  test('have a summary at the end when requested', async () => {
    const settings = { searchSettings: { returnSummaryRow: true, omitResults: true } }
    const { body } = await client.search(
      `SELECT campaign.id, ${METRICS} FROM campaign WHERE ${WEEK}`,
      {},
      settings,
    )
    expect(body).not.toHaveProperty('results')
    expect(sum([body.summaryRow])).toEqual(await total('', 'customer'))
  })
})

describe('a stream', () => {
  test('is one array of batches, with a summary alone in the last', async () => {
    await client.control('PUT', 'limits', { google_ads_page_size: 50 })
    const query = `SELECT campaign.id, segments.date, metrics.clicks FROM campaign WHERE ${WEEK}`
    const { body } = await client.stream(query, {}, { summaryRowSetting: 'SUMMARY_ROW_WITH_RESULTS' })
    const batches = body.slice(0, -1)
    expect(batches.flatMap((batch: Row) => batch.results)).toEqual(await client.rows(query))
    expect(body.at(-1)).toEqual({
      summaryRow: { metrics: { clicks: expect.any(String) } },
      fieldMask: 'campaign.id,segments.date,metrics.clicks',
      requestId: body[0].requestId,
      queryResourceConsumption: expect.any(String),
    })
    const only = await client.stream(query, {}, { summaryRowSetting: 'SUMMARY_ROW_ONLY' })
    expect(only.body).toHaveLength(1)
  })

  test('of nothing is one batch without results; its refusals are arrays, too', async () => {
    const { body } = await client.stream(`SELECT campaign.id FROM campaign WHERE campaign.name = 'nothing'`)
    expect(body).toEqual([
      {
        fieldMask: 'campaign.id',
        requestId: expect.any(String),
        queryResourceConsumption: expect.any(String),
      },
    ])
    const refused = await client.stream('SELECT nothing FROM campaign')
    expect([refused.status, refused.body.length, codeOf(refused)]).toEqual([
      400,
      1,
      'queryError.UNRECOGNIZED_FIELD',
    ])
  })
})
