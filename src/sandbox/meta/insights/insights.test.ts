import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, startClient, type Parameters } from '#sandbox/testing/meta.ts'
import type { Reply } from '#sandbox/testing/reply.ts'

const TAIPEI = 'act_10150357160960121'
const TOKYO = 'act_10150357160960123'
const LOS_ANGELES = 'act_10150400220131005'
const LARGE = 'act_10150733820019011'
const WEEK = { since: '2026-11-02', until: '2026-11-08' }
const ALL_STATUSES = [
  'ACTIVE',
  'PAUSED',
  'CAMPAIGN_PAUSED',
  'ADSET_PAUSED',
  'ARCHIVED',
  'DELETED',
  'PENDING_REVIEW',
  'DISAPPROVED',
  'PREAPPROVED',
  'PENDING_BILLING_INFO',
  'IN_PROCESS',
  'WITH_ISSUES',
]

let graph: Client
beforeAll(async () => {
  graph = await startClient()
})
afterAll(() => graph.sandbox.stop())

const insights = (account: string, parameters: Parameters) => graph.get(`${account}/insights`, parameters)

type Row = Record<string, string>
async function allRows(account: string, parameters: Parameters): Promise<Row[]> {
  const rows: Row[] = []
  let after: string | undefined
  for (;;) {
    const { status, body } = await insights(account, { limit: 500, ...parameters, ...(after && { after }) })
    if (status !== 200) throw new Error(JSON.stringify(body))
    rows.push(...body.data)
    if (!body.paging?.next) return rows
    after = body.paging.cursors.after
  }
}

const total = (rows: Row[], field: string) => rows.reduce((sum, row) => sum + Number(row[field] ?? 0), 0)
const cents = (rows: Row[]) => rows.reduce((sum, row) => sum + Math.round(Number(row['spend'] ?? 0) * 100), 0)
const expectRefusal = (
  reply: Reply,
  code: number,
  { message, subcode }: { message: RegExp | string; subcode?: number },
) => {
  expect(reply.body.error).toMatchObject({ code, ...(subcode !== undefined && { error_subcode: subcode }) })
  expect(reply.body.error.message).toMatch(message)
  expect(reply.body.error.fbtrace_id).toMatch(/^A/)
}

describe('a row', () => {
  const fields =
    'account_id,account_name,account_currency,campaign_name,impressions,clicks,spend,reach,frequency,ctr'

  test('has numbers as text, ids, and its dates', async () => {
    const { status, body } = await insights(TAIPEI, { level: 'campaign', fields, time_range: WEEK })
    expect(status).toBe(200)
    const [row] = body.data
    expect(row).toMatchObject({
      account_id: '10150357160960121',
      account_name: 'Aurora Cosmetics Taiwan',
      account_currency: 'TWD',
      date_start: '2026-11-02',
      date_stop: '2026-11-08',
    })
    for (const name of ['impressions', 'clicks', 'reach']) expect(row[name]).toMatch(/^\d+$/)
    for (const name of ['spend', 'frequency', 'ctr']) expect(row[name]).toMatch(/^\d+(\.\d+)?$/)
    expect(Number(row.frequency)).toBeCloseTo(Number(row.impressions) / Number(row.reach), 5)
    expect(Number(row.ctr)).toBeCloseTo((100 * Number(row.clicks)) / Number(row.impressions), 5)
  })

  test('has impressions and spend when no fields are named, and no more', async () => {
    const { body } = await insights(TAIPEI, { time_range: WEEK })
    expect(Object.keys(body.data[0]).toSorted()).toEqual(['date_start', 'date_stop', 'impressions', 'spend'])
  })

  test('shows money in the main unit of the currency', async () => {
    const spend = async (account: string) =>
      String((await insights(account, { fields: 'spend', time_range: WEEK })).body.data[0].spend)
    expect(await spend(TOKYO)).toMatch(/^\d+$/)
    expect(await spend(LOS_ANGELES)).toMatch(/^\d+\.\d\d$/)
    expect(Number(await spend(TAIPEI))).toBeGreaterThan(1000)
  })

  test('leaves out what there was none of, and days without delivery altogether', async () => {
    const rows = await allRows(TAIPEI, {
      level: 'ad',
      fields: 'ad_id,impressions,clicks,actions,cpc,video_play_actions',
      time_range: WEEK,
      time_increment: 1,
    })
    expect(rows.some(row => !('video_play_actions' in row))).toBe(true)
    expect(rows.every(row => row['impressions'] !== '0')).toBe(true)
    expect(rows.every(row => 'clicks' in row === 'cpc' in row)).toBe(true)
    const ads = new Set(rows.map(row => row['ad_id']))
    expect(rows.length).toBeLessThan(ads.size * 7)
  })

  test('shows a purchase under all its names at once, and not as a conversion', async () => {
    const { body } = await insights(TAIPEI, {
      fields: 'actions,action_values,conversions,purchase_roas,results,cost_per_result,outbound_clicks',
      time_range: WEEK,
    })
    const [row] = body.data
    const count = (type: string) => row.actions.find((action: Row) => action['action_type'] === type)?.value
    expect(count('omni_purchase')).toMatch(/^\d+$/)
    expect(count('purchase')).toBe(count('omni_purchase'))
    expect(count('onsite_web_purchase')).toBe(count('offsite_conversion.fb_pixel_purchase'))
    expect(row.action_values[0]).toEqual({
      action_type: 'omni_purchase',
      value: expect.stringMatching(/^\d/),
    })
    expect(row.conversions.map((entry: Row) => entry['action_type'])).not.toContain('omni_purchase')
    expect(row.results[0]).toEqual({
      indicator: expect.stringContaining('actions:'),
      values: [{ value: expect.stringMatching(/^\d+$/), attribution_windows: ['default'] }],
    })
    expect(row.outbound_clicks).toEqual([{ action_type: 'outbound_click', value: expect.any(String) }])
  })

  test('has a key for every requested attribution window that has data', async () => {
    const { body } = await insights(TAIPEI, {
      fields: 'actions',
      time_range: WEEK,
      action_attribution_windows: ['1d_click', '7d_click', '1d_view', '7d_view'],
    })
    const [action] = body.data[0].actions
    expect(Object.keys(action).toSorted()).toEqual([
      '1d_click',
      '1d_view',
      '7d_click',
      'action_type',
      'value',
    ])
    expect(Number(action['7d_click']) + Number(action['1d_view'])).toBe(Number(action.value))
  })

  test('of some accounts has no omni types', async () => {
    const { body } = await insights('act_101506229110410181', { fields: 'actions', time_range: WEEK })
    const types = body.data[0].actions.map((action: Row) => action['action_type'])
    expect(types).toContain('purchase')
    expect(types).not.toContain('omni_purchase')
  })

  test('ranks ads, and only ads', async () => {
    const first = async (level: string) =>
      (await insights(TAIPEI, { level, fields: 'quality_ranking,impressions', time_range: WEEK })).body
        .data[0]
    expect((await first('ad')).quality_ranking).toMatch(/AVERAGE|UNKNOWN/)
    expect(await first('campaign')).not.toHaveProperty('quality_ranking')
  })
})

describe('levels and ranges', () => {
  test('add up exactly, and people do not', async () => {
    const parameters = { fields: 'impressions,clicks,spend,reach', time_range: WEEK }
    const [account, campaigns, ad_sets, ads, daily] = await Promise.all([
      allRows(TAIPEI, parameters),
      allRows(TAIPEI, { ...parameters, level: 'campaign' }),
      allRows(TAIPEI, { ...parameters, level: 'adset' }),
      allRows(TAIPEI, { ...parameters, level: 'ad' }),
      allRows(TAIPEI, { ...parameters, level: 'ad', time_increment: 1 }),
    ])
    for (const rows of [campaigns, ad_sets, ads, daily]) {
      expect(total(rows, 'impressions')).toBe(total(account, 'impressions'))
      expect(total(rows, 'clicks')).toBe(total(account, 'clicks'))
      expect(cents(rows)).toBe(cents(account))
      expect(total(rows, 'reach')).toBeGreaterThan(total(account, 'reach'))
    }
    expect(total(daily, 'reach')).toBeGreaterThan(total(ads, 'reach'))
  })

  test('are cut into weeks from since, months clipped to the range, and one slice a range', async () => {
    const slices = async (parameters: Parameters) =>
      (await allRows(TAIPEI, { fields: 'spend', ...parameters })).map(
        row => `${row['date_start']} ${row['date_stop']}`,
      )
    const range = { since: '2026-09-28', until: '2026-10-10' }
    expect(await slices({ time_range: range, time_increment: 7 })).toEqual([
      '2026-09-28 2026-10-04',
      '2026-10-05 2026-10-10',
    ])
    expect(await slices({ time_range: range, time_increment: 'monthly' })).toEqual([
      '2026-09-28 2026-09-30',
      '2026-10-01 2026-10-10',
    ])
    expect(await slices({ time_ranges: [WEEK, range], time_increment: 1 })).toEqual([
      '2026-11-02 2026-11-08',
      '2026-09-28 2026-10-10',
    ])
  })

  test('have no slices after today', async () => {
    const range = { since: '2026-11-18', until: '9999-12-31' }
    const rows = await allRows(TAIPEI, { fields: 'spend', time_range: range, time_increment: 1 })
    expect(rows.map(row => row['date_start'])).toEqual(['2026-11-18', '2026-11-19', '2026-11-20'])
  })

  test('mean today of the account: in Tokyo it is tomorrow already', async () => {
    const late = await startClient('2026-11-19T15:30:00Z')
    const today = async (account: string) =>
      (await late.get(`${account}/insights`, { date_preset: 'yesterday' })).body.data[0].date_start
    expect(await today(TOKYO)).toBe('2026-11-19')
    expect(await today(TAIPEI)).toBe('2026-11-18')
    expect(await today(LOS_ANGELES)).toBe('2026-11-18')
    await late.sandbox.stop()
  })

  test('end 37 months ago', async () => {
    expectRefusal(
      await insights(TAIPEI, { time_range: { since: '2023-10-19', until: '2023-10-31' } }),
      3018,
      { message: '37 months' },
    )
    expect(
      (await insights(TAIPEI, { time_range: { since: '2023-10-20', until: '2023-10-31' } })).status,
    ).toBe(200)
  })

  test('refuse what is no range', async () => {
    const expectRefused = async (parameters: Parameters) =>
      expectRefusal(await insights(TAIPEI, parameters), 100, { message: /^\(#100\)/ })
    await expectRefused({ time_range: { since: '2026-11-08', until: '2026-11-02' } })
    await expectRefused({ time_range: { since: 1_790_000_000, until: 1_790_100_000 } })
    await expectRefused({ time_range: { since: '2026-02-30', until: '2026-03-01' } })
    await expectRefused({ time_range: '2026-11-02' })
    await expectRefused({ date_preset: 'last_weekend' })
    await expectRefused({ time_increment: 'weekly' })
    await expectRefused({ time_increment: 91 })
  })
})

describe('a request', () => {
  test('is refused for a field, parameter, level or sort that does not exist', async () => {
    expectRefusal(await insights(TAIPEI, { fields: 'impressions,cost' }), 100, {
      message: '(#100) cost is not valid for fields param. please check',
    })
    expectRefusal(await insights(TAIPEI, { feilds: 'impressions' }), 100, {
      message: 'Unknown parameter: feilds',
    })
    expectRefusal(await insights(TAIPEI, { level: 'keyword' }), 100, { message: 'level must be one of' })
    expectRefusal(await insights(TAIPEI, { sort: ['spend'] }), 100, { message: 'sort' })
    expectRefusal(await insights(TAIPEI, { limit: 'many' }), 100, { message: 'limit' })
    expectRefusal(await insights(TAIPEI, { filtering: 'campaign.name' }), 100, { message: 'valid JSON' })
  })

  test('sorts by a field or an action', async () => {
    const rows = await allRows(TAIPEI, {
      level: 'campaign',
      fields: 'spend,actions',
      sort: ['spend_descending'],
      time_range: WEEK,
    })
    const spends = rows.map(row => Number(row['spend']))
    expect(spends).toEqual(spends.toSorted((left, right) => right - left))
    const sorted = await insights(TAIPEI, {
      level: 'campaign',
      fields: 'actions',
      sort: ['actions:link_click_descending'],
      time_range: WEEK,
    })
    expect(sorted.status).toBe(200)
  })

  test('gives the same rows whatever the page size, forwards and backwards', async () => {
    const parameters = { level: 'ad', fields: 'ad_id,impressions', time_range: WEEK, time_increment: 1 }
    const large = await allRows(TAIPEI, parameters)
    expect(await allRows(TAIPEI, { ...parameters, limit: 37 })).toEqual(large)
    const second = await insights(TAIPEI, {
      ...parameters,
      limit: 10,
      after: (await insights(TAIPEI, { ...parameters, limit: 10 })).body.paging.cursors.after,
    })
    const back = await insights(TAIPEI, {
      ...parameters,
      limit: 10,
      before: second.body.paging.cursors.before,
    })
    expect(back.body.data).toEqual(large.slice(0, 10))
  })

  test('may have a page that is empty and still has a next one', async () => {
    const parameters = {
      level: 'ad',
      fields: 'ad_id,impressions',
      time_range: { since: '2026-09-01', until: '2026-11-10' },
      time_increment: 1,
      filtering: [{ field: 'impressions', operator: 'GREATER_THAN', value: 3500 }],
    }
    const pages: Row[][] = []
    let after: string | undefined
    for (;;) {
      const { body } = await insights(TAIPEI, { ...parameters, limit: 500, ...(after && { after }) })
      pages.push(body.data)
      if (!body.paging?.next) break
      after = body.paging.cursors.after
    }
    expect(pages.slice(0, -1).some(page => page.length === 0)).toBe(true)
    expect(pages.flat().length).toBeGreaterThan(0)
    expect(await allRows(TAIPEI, { ...parameters, limit: 3 })).toEqual(pages.flat())
  })

  test('gives 25 rows a page, with the token in the address of the next one', async () => {
    const { body } = await insights(TAIPEI, { level: 'ad', fields: 'ad_id', time_range: WEEK })
    expect(body.data).toHaveLength(25)
    expect(body.paging.next).toContain('access_token=sandbox-admin')
    const next = await fetch(body.paging.next)
    expect(next.status).toBe(200)
  })

  test('refuses a cursor of another request', async () => {
    const { body } = await insights(TAIPEI, { level: 'ad', fields: 'ad_id', time_range: WEEK })
    const other = { level: 'ad', fields: 'ad_id,spend', time_range: WEEK, after: body.paging.cursors.after }
    expectRefusal(await insights(TAIPEI, other), 2642, { message: 'cursors' })
    expectRefusal(await insights(TAIPEI, { after: 'nonsense' }), 2642, { message: 'cursors' })
  })

  test('of more rows than fit is refused, unless asynchronous', async () => {
    const parameters = {
      level: 'ad',
      fields: 'ad_id',
      time_range: { since: '2026-01-01', until: '2026-10-31' },
    }
    expectRefusal(await insights(LARGE, { ...parameters, time_increment: 1 }), 100, {
      message: 'reduce the amount of data',
      subcode: 1487534,
    })
    expect((await insights(LARGE, { ...parameters, time_range: WEEK, time_increment: 1 })).status).toBe(200)
  })

  test('about a campaign, an ad set or an ad returns that object', async () => {
    const [row] = await allRows(TAIPEI, {
      level: 'ad',
      fields: 'campaign_id,ad_id,impressions',
      time_range: WEEK,
    })
    const one = await graph.get(`${row?.['ad_id']}/insights`, { fields: 'impressions', time_range: WEEK })
    expect(one.body.data[0].impressions).toBe(row?.['impressions'])
    const campaign = await graph.get(`${row?.['campaign_id']}/insights`, {
      fields: 'campaign_id',
      time_range: WEEK,
    })
    expect(campaign.body.data).toHaveLength(1)
  })
})

describe('breakdowns', () => {
  const parameters = { fields: 'impressions,clicks,spend,reach', time_range: WEEK }

  test.each([
    ['device_platform'],
    ['age,gender'],
    ['publisher_platform,platform_position,impression_device'],
    ['country,region'],
    ['hourly_stats_aggregated_by_advertiser_time_zone'],
  ])('by %s add up to the whole, people not', async breakdowns => {
    const whole = await allRows(TAIPEI, parameters)
    const parts = await allRows(TAIPEI, { ...parameters, breakdowns })
    expect(parts.length).toBeGreaterThan(2)
    for (const name of breakdowns.split(','))
      expect(parts.every(row => typeof row[name] === 'string')).toBe(true)
    expect(total(parts, 'impressions')).toBe(total(whole, 'impressions'))
    expect(total(parts, 'clicks')).toBe(total(whole, 'clicks'))
    expect(cents(parts)).toBe(cents(whole))
    const hourly = breakdowns.startsWith('hourly')
    expect(parts.every(row => (row['reach'] === '0') === hourly)).toBe(true)
    expect(total(parts, 'reach') > total(whole, 'reach')).toBe(!hourly)
  })

  test('that do not go together are refused in these words', async () => {
    const expectRefused = async (breakdowns: string, columns: string) =>
      expect((await insights(TAIPEI, { ...parameters, breakdowns })).body.error.message).toBe(
        `(#100) Current combination of data breakdown columns (${columns}) is invalid`,
      )
    await expectRefused('age,country', 'action_type, age, country')
    await expectRefused('publisher_platform,age', 'action_type, publisher_platform, age')
    await expectRefused('impression_device', 'action_type, impression_device')
    await expectRefused('platform_position', 'action_type, platform_position')
    expectRefusal(await insights(TAIPEI, { ...parameters, breakdowns: 'device' }), 100, {
      message: 'breakdowns[0] must be one of',
    })
    expectRefusal(
      await insights(TAIPEI, {
        fields: 'video_play_actions',
        breakdowns: 'hourly_stats_aggregated_by_advertiser_time_zone',
      }),
      100,
      { message: 'video_play_actions' },
    )
  })

  test('by impression device are empty in accounts without the option', async () => {
    const breakdowns = 'publisher_platform,impression_device'
    expect((await insights('act_10150844730556009', { ...parameters, breakdowns })).body.data).toEqual([])
    expect((await insights(TAIPEI, { ...parameters, breakdowns })).body.data).not.toEqual([])
  })

  test('by region do not cover what happens outside Meta', async () => {
    const { body } = await insights(TAIPEI, { fields: 'actions', breakdowns: 'region', time_range: WEEK })
    const types = body.data[0].actions.map((action: Row) => action['action_type'])
    expect(types).toContain('link_click')
    expect(types).not.toContain('omni_purchase')
  })

  test('lose reach silently when the range starts more than 13 months ago', async () => {
    const old = { since: '2025-10-01', until: '2025-10-31' }
    const both = { fields: 'impressions,reach,frequency,cpp,spend', time_range: old }
    expect((await insights(TAIPEI, both)).body.data[0]).toHaveProperty('reach')
    const [row] = (await insights(TAIPEI, { ...both, breakdowns: 'device_platform' })).body.data
    expect(Object.keys(row).toSorted()).toEqual([
      'date_start',
      'date_stop',
      'device_platform',
      'impressions',
      'spend',
    ])
  })
})

describe('filtering', () => {
  const fields = 'campaign_id,campaign_name,ad_id,ad_name,impressions'
  const parameters = { level: 'ad', fields, time_range: { since: '2026-10-01', until: '2026-11-10' } }
  const status = { field: 'ad.effective_status', operator: 'IN', value: ALL_STATUSES }
  const filtered = (...filtering: object[]) => allRows(TAIPEI, { ...parameters, filtering })

  test('drops deleted and archived objects unless statuses are named', async () => {
    const all = await allRows(TAIPEI, parameters)
    const silent = await filtered({ field: 'impressions', operator: 'GREATER_THAN', value: 0 })
    const named = await filtered(status)
    expect(silent.length).toBeLessThan(all.length)
    expect(named).toEqual(all)
  })

  test('finds names, more loosely than a strict rule', async () => {
    const names = async (operator: string, value: unknown) => [
      ...new Set(
        (await filtered(status, { field: 'campaign.name', operator, value })).map(
          row => row['campaign_name'],
        ),
      ),
    ]
    expect(await names('EQUAL', '@sum')).toEqual(['@sum'])
    expect(await names('IN', ['@sum', '+1'])).toEqual(['+1', '@sum'])
    expect(await names('CONTAIN', 'TWIN')).toEqual(['Twin'])
    expect(await names('CONTAIN', '100%_off [sale] \\ "')).toHaveLength(1)
    expect(await names('STARTS_WITH', '=hyper')).toEqual(['=HYPERLINK("http://x","y")'])
    expect(await names('ENDS_WITH', 'IN')).toEqual(['Twin'])
    expect(await names('NOT_CONTAIN', 'twin')).not.toContain('Twin')
  })

  test('compares numbers', async () => {
    const rows = await filtered({ field: 'ad.impressions', operator: 'GREATER_THAN', value: 20_000 })
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every(row => Number(row['impressions']) > 20_000)).toBe(true)
  })

  test('refuses unknown fields, operators and shapes, and names finer than the level', async () => {
    const expectRefused = async (filter: unknown, level = 'ad') =>
      expectRefusal(await insights(TAIPEI, { ...parameters, level, filtering: [filter] as object }), 100, {
        message: /^\(#100\)/,
      })
    await expectRefused({ field: 'campaign.nam', operator: 'EQUAL', value: 'x' })
    await expectRefused({ field: 'campaign.name', operator: 'CONTAINS', value: 'x' })
    await expectRefused({ field: 'campaign.name', operator: 'GREATER_THAN', value: 'x' })
    await expectRefused({ field: 'campaign.name', operator: 'IN', value: 'x' })
    await expectRefused({ field: 'campaign.name', operator: 'EQUAL' })
    await expectRefused({ field: 'ad.name', operator: 'EQUAL', value: 'x' }, 'campaign')
    await expectRefused('campaign.name')
  })
})

describe('the clock', () => {
  test('renames campaigns in all rows at once', async () => {
    const names = async (client: Client) => {
      const { body } = await client.get(`${TAIPEI}/insights`, {
        level: 'campaign',
        fields: 'campaign_name',
        time_range: { since: '2026-09-01', until: '2026-09-10' },
        limit: 500,
      })
      return body.data.map((row: Row) => row['campaign_name'])
    }
    const before = await startClient('2026-09-14T04:00:00Z')
    expect(await names(before)).toContain('Working title')
    expect(await names(graph)).not.toContain('Working title')
    expect(await names(graph)).toContain('Brand film "Aurora" (final)')
    await before.sandbox.stop()
  })

  test('lets purchases grow for 28 days and no longer', async () => {
    const purchases = async (now: string) => {
      const then = await startClient(now)
      const { body } = await then.get(`${TAIPEI}/insights`, {
        fields: 'actions',
        time_range: { since: '2026-09-01', until: '2026-09-01' },
      })
      await then.sandbox.stop()
      return Number(
        body.data[0].actions.find((action: Row) => action['action_type'] === 'omni_purchase')?.value,
      )
    }
    const counts = [await purchases('2026-09-02T04:00:00Z'), await purchases('2026-09-29T04:00:00Z')]
    expect(counts[0]).toBeLessThan(counts[1] ?? 0)
    expect(await purchases('2026-11-20T04:00:00Z')).toBe(counts[1])
  })
})
