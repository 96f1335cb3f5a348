import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AdsClient, codeOf, startClient } from '#sandbox/testing/google-ads.ts'

const JAPAN = '4203141502'
const OCTOBER = `segments.date BETWEEN '2026-10-01' AND '2026-10-31'`

let client: AdsClient
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.sandbox.stop())

const names = async (condition: string, customer = JAPAN) => {
  const rows = await client.rows(`SELECT campaign.name FROM campaign WHERE ${condition}`, { customer })
  return rows.map(row => String(row.campaign.name))
}

describe('a query that cannot be read', () => {
  test.each([
    ['', 'fieldError.REQUIRED'],
    ['FROM campaign', 'queryError.EXPECTED_SELECT'],
    ['SELECT campaign.id', 'queryError.EXPECTED_FROM'],
    ['SELECT campaign.id FROM', 'queryError.UNEXPECTED_END_OF_QUERY'],
    ['SELECT campaign.id, FROM campaign', 'queryError.UNEXPECTED_INPUT'],
    ['SELECT campaign.id FROM campaign LIMIT 5 WHERE campaign.id = 1', 'queryError.UNEXPECTED_INPUT'],
    [
      'SELECT campaign.id FROM campaign WHERE campaign.id = 1 OR campaign.id = 2',
      'queryError.UNEXPECTED_INPUT',
    ],
    [
      `SELECT campaign.id FROM campaign WHERE campaign.name = 'x' OR campaign.id > 0 --'`,
      'queryError.BAD_SYMBOL',
    ],
    ['SELECT campaign.id FROM campaign; DROP', 'queryError.BAD_SYMBOL'],
    ['SELECT campaign.id FROM campaign WHERE campaign.名 = 1', 'queryError.BAD_FIELD_NAME'],
    [`SELECT campaign.id FROM campaign WHERE campaign.name = 'open`, 'queryError.STRING_NOT_TERMINATED'],
    [
      `SELECT campaign.id FROM campaign WHERE campaign.name = 'a\nb'`,
      'queryError.PROHIBITED_NEWLINE_IN_STRING',
    ],
    [
      String.raw`SELECT campaign.id FROM campaign WHERE campaign.name = 'a\d'`,
      'queryError.BAD_ESCAPE_SEQUENCE',
    ],
    [
      String.raw`SELECT campaign.id FROM campaign WHERE campaign.name = 'a\'`,
      'queryError.STRING_NOT_TERMINATED',
    ],
    ['SELECT campaign.id FROM campaign WHERE campaign.id = 1x', 'queryError.BAD_NUMBER'],
    [
      'SELECT campaign.id FROM campaign WHERE campaign.id IN ()',
      'queryError.PROHIBITED_EMPTY_LIST_IN_CONDITION',
    ],
    ['SELECT campaign.id FROM campaign WHERE campaign.id IN 1', 'queryError.EXPECTED_LIST'],
    ['SELECT campaign.id FROM campaign WHERE campaign.id = (1)', 'queryError.EXPECTED_SINGLE_VALUE'],
    ['SELECT campaign.id FROM campaign WHERE campaign.id NEAR 1', 'queryError.BAD_OPERATOR'],
    ['SELECT campaign.id FROM campaign WHERE campaign.id BETWEEN 1, 2', 'queryError.EXPECTED_AND'],
    ['SELECT campaign.id FROM campaign ORDER campaign.id', 'queryError.EXPECTED_BY'],
    ['SELECT campaign.id FROM campaign LIMIT 0', 'queryError.LIMIT_VALUE_TOO_LOW'],
    ['SELECT campaign.id FROM campaign LIMIT many', 'queryError.BAD_LIMIT_VALUE'],
    ['SELECT campaign.id FROM campaign PARAMETERS fast = true', 'queryError.BAD_PARAMETER_NAME'],
    ['SELECT campaign.id FROM campaign PARAMETERS include_drafts = 7', 'queryError.BAD_PARAMETER_VALUE'],
    ['SELECT campaign.id FROM campaigns', 'queryError.BAD_RESOURCE_TYPE_IN_FROM_CLAUSE'],
  ])('%s', async (query, code) => {
    const refused = await client.search(query)
    expect([refused.status, codeOf(refused)]).toEqual([400, code])
  })
})

describe('a query that is invalid', () => {
  test.each([
    ['SELECT metrics.video_views FROM campaign', 'UNRECOGNIZED_FIELD'],
    ['SELECT campaign.start_date FROM campaign', 'UNRECOGNIZED_FIELD'],
    ['SELECT Campaign.id FROM campaign', 'UNRECOGNIZED_FIELD'],
    ['SELECT campaign FROM campaign', 'PROHIBITED_RESOURCE_TYPE_IN_SELECT_CLAUSE'],
    ['SELECT ad_group.name FROM campaign', 'PROHIBITED_RESOURCE_TYPE_IN_SELECT_CLAUSE'],
    [
      `SELECT campaign.id FROM campaign WHERE ad_group.name = 'x'`,
      'PROHIBITED_RESOURCE_TYPE_IN_WHERE_CLAUSE',
    ],
    ['SELECT ad_group_ad.ad.id FROM keyword_view', 'PROHIBITED_RESOURCE_TYPE_IN_SELECT_CLAUSE'],
    [
      `SELECT metrics.search_budget_lost_impression_share FROM keyword_view`,
      'PROHIBITED_METRIC_IN_SELECT_OR_WHERE_CLAUSE',
    ],
    [
      'SELECT metrics.search_impression_share FROM ad_group_ad',
      'PROHIBITED_METRIC_IN_SELECT_OR_WHERE_CLAUSE',
    ],
    ['SELECT metrics.invalid_clicks FROM ad_group', 'PROHIBITED_METRIC_IN_SELECT_OR_WHERE_CLAUSE'],
    [`SELECT metrics.unique_users FROM keyword_view`, 'PROHIBITED_METRIC_IN_SELECT_OR_WHERE_CLAUSE'],
    [
      `SELECT segments.hour, metrics.clicks FROM keyword_view`,
      'PROHIBITED_SEGMENT_IN_SELECT_OR_WHERE_CLAUSE',
    ],
    [
      'SELECT segments.conversion_action_name, metrics.clicks FROM campaign',
      'PROHIBITED_SEGMENT_WITH_METRIC_IN_SELECT_OR_WHERE_CLAUSE',
    ],
    [
      `SELECT segments.device, metrics.unique_users FROM campaign WHERE ${OCTOBER}`,
      'PROHIBITED_SEGMENT_WITH_METRIC_IN_SELECT_OR_WHERE_CLAUSE',
    ],
    [
      'SELECT segments.hour, metrics.search_impression_share FROM campaign',
      'PROHIBITED_SEGMENT_WITH_METRIC_IN_SELECT_OR_WHERE_CLAUSE',
    ],
    [
      `SELECT metrics.clicks FROM campaign WHERE segments.device = 'MOBILE'`,
      'EXPECTED_REFERENCED_FIELD_IN_SELECT_CLAUSE',
    ],
    [
      'SELECT campaign.id FROM campaign ORDER BY metrics.clicks',
      'EXPECTED_REFERENCED_FIELD_IN_SELECT_CLAUSE',
    ],
    ['SELECT segments.date, metrics.clicks FROM campaign', 'EXPECTED_FILTERS_ON_DATE_RANGE'],
    [
      `SELECT segments.date, metrics.clicks FROM campaign WHERE segments.date > '2026-10-01'`,
      'EXPECTED_FILTERS_ON_DATE_RANGE',
    ],
    [`SELECT campaign.id FROM campaign WHERE segments.date = '2026-02-30'`, 'INVALID_DATE_FORMAT'],
    [`SELECT campaign.id FROM campaign WHERE segments.month = '2026-10-02'`, 'MISALIGNED_DATE_FOR_FILTER'],
    [`SELECT campaign.id FROM campaign WHERE segments.week = '2026-10-06'`, 'MISALIGNED_DATE_FOR_FILTER'],
    [
      `SELECT campaign.id FROM campaign WHERE segments.date BETWEEN '2026-10-02' AND '2026-10-01'`,
      'INVALID_VALUE_WITH_BETWEEN_OPERATOR',
    ],
    [
      'SELECT campaign.id FROM campaign WHERE segments.date DURING LAST_CENTURY',
      'INVALID_VALUE_WITH_DURING_OPERATOR',
    ],
    [`SELECT campaign.id FROM campaign WHERE campaign.id LIKE '1%'`, 'OPERATOR_FIELD_MISMATCH'],
    [`SELECT campaign.id FROM campaign WHERE campaign.name > 'a'`, 'OPERATOR_FIELD_MISMATCH'],
    [`SELECT campaign.id FROM campaign WHERE campaign.name CONTAINS ANY ('a')`, 'OPERATOR_FIELD_MISMATCH'],
    [`SELECT campaign.id FROM campaign WHERE campaign.status LIKE 'EN%'`, 'OPERATOR_FIELD_MISMATCH'],
    [`SELECT campaign.id FROM campaign WHERE campaign.status = 'enabled'`, 'BAD_ENUM_CONSTANT'],
    ['SELECT campaign.id FROM campaign WHERE campaign.name = brand', 'INVALID_STRING_VALUE'],
    [`SELECT campaign.id FROM campaign WHERE campaign.id = 'x'`, 'BAD_NUMBER'],
    [`SELECT campaign.id FROM campaign WHERE campaign.name LIKE 'a[b'`, 'INVALID_VALUE_WITH_LIKE_OPERATOR'],
    [`SELECT campaign.id FROM campaign WHERE campaign.name REGEXP_MATCH '('`, 'BAD_VALUE'],
    [`SELECT campaign.id FROM campaign WHERE campaign.name REGEXP_MATCH '(?=a)a'`, 'BAD_VALUE'],
    ['SELECT metrics.unique_users FROM campaign', 'DATE_RANGE_TOO_WIDE'],
    [
      `SELECT metrics.unique_users FROM campaign WHERE segments.date BETWEEN '2026-07-01' AND '2026-10-31'`,
      'DATE_RANGE_TOO_WIDE',
    ],
    [
      `SELECT metrics.unique_users_two_plus FROM campaign WHERE segments.date BETWEEN '2026-10-01' AND '2026-11-01'`,
      'DATE_RANGE_TOO_WIDE',
    ],
  ])('%s', async (query, code) => {
    const refused = await client.search(query)
    expect([refused.status, codeOf(refused)]).toEqual([400, `queryError.${code}`])
    expect(refused.body.error.details[0].errors[0].location).toEqual({
      fieldPathElements: [{ fieldName: 'query' }],
    })
  })

  test('is older than the stored data', async () => {
    const rangeOf = async (
      fields: string,
      from: string,
      { to, version = 'v26' }: { to: string; version?: string },
    ) => {
      const query = `SELECT ${fields}, metrics.clicks FROM customer WHERE segments.date BETWEEN '${from}' AND '${to}'`
      const reply = await client.search(query, { version })
      return reply.status === 200 ? 200 : codeOf(reply)
    }
    const old = 'dateRangeError.REQUESTED_DATE_GRANULARITY_NOT_SUPPORTED'
    expect(await rangeOf('segments.date', '2023-10-20', { to: '2023-10-31' })).toBe(200)
    expect(await rangeOf('segments.date', '2023-10-19', { to: '2023-10-31' })).toBe(old)
    expect(await rangeOf('segments.date', '2023-10-19', { to: '2023-10-31', version: 'v23' })).toBe(
      'dateRangeError.INVALID_DATE',
    )
    expect(await rangeOf('segments.week', '2023-09-01', { to: '2023-09-30' })).toBe(old)
    expect(await rangeOf('segments.month', '2023-09-01', { to: '2023-09-30' })).toBe(200)
    expect(await rangeOf('customer.id', '2023-09-01', { to: '2023-09-30' })).toBe(200)
    expect(await rangeOf('customer.id', '2023-09-02', { to: '2023-09-30' })).toBe(old)
    expect(await rangeOf('segments.month', '2015-10-01', { to: '2015-10-31' })).toBe(old)
  })
})

describe('a condition', () => {
  const UGLY = String.raw`100%_off [sale] \ "quoted" 'single'`

  test('compares text by case unless it is LIKE, which has wildcards and brackets', async () => {
    expect(await names(`campaign.name = 'twin'`)).toEqual([])
    expect(await names(`campaign.name = 'Twin'`)).toEqual(['Twin', 'Twin'])
    expect(await names(`campaign.name IN ('Twin', 'nothing') AND campaign.name != 'x'`)).toHaveLength(2)
    expect(await names(`campaign.name LIKE 'tWi_'`)).toEqual(['Twin', 'Twin'])
    expect(await names(`campaign.name LIKE '%[%][_]OFF [[]sale[]]%'`)).toEqual([UGLY])
    const all = await names('campaign.id > 0')
    const [win, no_win] = [
      await names(`campaign.name LIKE '%win%'`),
      await names(`campaign.name NOT LIKE '%win%'`),
    ]
    expect(win.length).toBeGreaterThan(2)
    expect(win.length + no_win.length).toBe(all.length)
  })

  test('reads both kinds of quotes with their escapes', async () => {
    expect(await names(String.raw`campaign.name = '100%_off [sale] \\ "quoted" \'single\''`)).toEqual([UGLY])
    expect(await names(String.raw`campaign.name = "100%_off [sale] \\ \"quoted\" 'single'"`)).toEqual([UGLY])
    const [tabbed] = await names(String.raw`campaign.name LIKE '%tab\tand%'`)
    expect(tabbed).toContain('tab\tand')
  })

  test('matches regular expressions as a whole', async () => {
    expect(await names(`campaign.name REGEXP_MATCH 'Twi'`)).toEqual([])
    expect(await names(`campaign.name REGEXP_MATCH 'Twi.'`)).toHaveLength(2)
    expect(await names(String.raw`campaign.name REGEXP_MATCH '(?i)^(?:.*\\%_OFF \\[.*|twin)$'`)).toEqual([
      UGLY,
      'Twin',
      'Twin',
    ])
    expect(await names(`campaign.name NOT REGEXP_MATCH '.*'`)).toEqual([])
  })

  test('keeps every digit of an id, and knows constants with and without quotes', async () => {
    const rows = await client.rows(`SELECT campaign.id FROM campaign WHERE campaign.status = REMOVED`)
    const { id } = rows[0].campaign
    expect(id).toMatch(/^\d{18}$/)
    expect(await client.rows(`SELECT campaign.id FROM campaign WHERE campaign.id = ${id}`)).toHaveLength(1)
    const next = String(BigInt(id) + 1n)
    expect(await client.rows(`SELECT campaign.id FROM campaign WHERE campaign.id = ${next}`)).toHaveLength(0)
    expect(
      await client.rows(`SELECT campaign.id FROM campaign WHERE campaign.status IN ('REMOVED')`),
    ).toEqual(rows)
  })

  test("knows names of ranges, in the account's own time", async () => {
    const days = async (range: string) => {
      const rows = await client.rows(
        `SELECT segments.date, metrics.impressions FROM customer WHERE segments.date DURING ${range} ORDER BY segments.date`,
      )
      return [rows[0]?.segments.date, rows.at(-1)?.segments.date]
    }
    expect(await days('TODAY')).toEqual(['2026-11-20', '2026-11-20'])
    expect(await days('LAST_7_DAYS')).toEqual(['2026-11-13', '2026-11-19'])
    expect(await days('LAST_MONTH')).toEqual(['2026-10-01', '2026-10-31'])
    expect(await days('THIS_MONTH')).toEqual(['2026-11-01', '2026-11-20'])
    expect(await days('LAST_WEEK_MON_SUN')).toEqual(['2026-11-09', '2026-11-15'])
    expect(await days('LAST_WEEK_SUN_SAT')).toEqual(['2026-11-08', '2026-11-14'])
    expect(await days('LAST_BUSINESS_WEEK')).toEqual(['2026-11-09', '2026-11-13'])
  })

  test('works on metrics and on unset fields', async () => {
    const rows = await client.rows(
      `SELECT campaign.name, metrics.clicks FROM campaign WHERE ${OCTOBER} AND metrics.clicks > 100 ORDER BY metrics.clicks DESC LIMIT 3`,
    )
    const clicks = rows.map(row => Number(row.metrics.clicks))
    expect(clicks).toEqual(clicks.toSorted((left, right) => right - left))
    const unnamed = await client.rows(
      'SELECT ad_group_ad.ad.type FROM ad_group_ad WHERE ad_group_ad.ad.name IS NULL',
    )
    expect(new Set(unnamed.map(row => row.adGroupAd.ad.type))).toEqual(new Set(['RESPONSIVE_SEARCH_AD']))
    const filtered = await client.rows(
      `SELECT ad_group_ad.ad.id FROM ad_group_ad WHERE ad_group_ad.ad.name NOT LIKE '%x%' AND campaign.advertising_channel_type = SEARCH`,
    )
    expect(filtered.length).toBe(unnamed.length)
  })
})

describe('the catalogue of fields', () => {
  const fields = (query: string) => client.call('POST', 'googleAdsFields:search', { query })

  test('says which fields can be combined', async () => {
    const { body } = await fields(
      `SELECT name, category, selectable, filterable, sortable, is_repeated, selectable_with, data_type WHERE name = 'segments.device'`,
    )
    expect(body.results).toEqual([
      {
        resourceName: 'googleAdsFields/segments.device',
        name: 'segments.device',
        category: 'SEGMENT',
        dataType: 'ENUM',
        selectable: true,
        filterable: true,
        sortable: true,
        isRepeated: false,
        selectableWith: expect.arrayContaining(['campaign', 'metrics.clicks', 'segments.date']),
      },
    ])
    expect(body.results[0].selectableWith).not.toContain('metrics.unique_users')
  })

  test('is searched like everything else, but without FROM', async () => {
    const metrics = await fields(
      `SELECT name, data_type WHERE category = 'METRIC' AND name LIKE 'metrics.video%'`,
    )
    expect(metrics.body.results.length).toBeGreaterThan(4)
    expect(codeOf(await fields('SELECT name FROM campaign'))).toBe('queryError.UNEXPECTED_FROM_CLAUSE')
    expect(codeOf(await fields('SELECT nothing'))).toBe('queryError.UNRECOGNIZED_FIELD')
    const one = await client.call('GET', 'googleAdsFields/campaign')
    expect(one.body).toMatchObject({
      name: 'campaign',
      category: 'RESOURCE',
      attributeResources: ['customer'],
    })
    expect(codeOf(await client.call('GET', 'googleAdsFields/metrics.video_views'))).toBe(
      'requestError.BAD_RESOURCE_ID',
    )
  })
})
