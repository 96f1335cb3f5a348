import { describe, expect, it } from 'vitest'
import { answerOf, fetchFrom, refusal, serving, type Answering } from './testing/responses.ts'
import { ga4 } from './report.ts'
import type { Ga4Io } from './schema.ts'

describe('what is requested of GA4', () => {
  const nothing: Answering = body => answerOf(body, [])

  it('is a report under a full ordering, long numbers as texts', async () => {
    const { requests } = await fetchFrom(nothing)
    expect(requests).toEqual([
      {
        dateRanges: [{ startDate: '2026-11-01', endDate: '2026-11-02' }],
        dimensions: [{ name: 'date' }, { name: 'sessionSource' }],
        metrics: [{ name: 'sessions' }, { name: 'purchaseRevenue' }],
        orderBys: [
          { dimension: { dimensionName: 'date', orderType: 'ALPHANUMERIC' } },
          { dimension: { dimensionName: 'sessionSource', orderType: 'ALPHANUMERIC' } },
        ],
        offset: '0',
        limit: '50000',
        keepEmptyRows: false,
        returnPropertyQuota: true,
      },
    ])
  })

  it('has a field once, ten at most, and no two families together', async () => {
    const metrics = [
      'sessions',
      'engaged_sessions',
      'bounces',
      'revenue',
      'conversion_value',
      'conversions',
      'transactions',
      'tax',
      'shipping',
      'users',
      'new_users',
      'pageviews',
      'cost',
      'add_to_carts',
    ]
    const { requests } = await fetchFrom(nothing, { metrics })
    const names = requests.map(body => body.metrics.map(({ name }) => name))
    expect(names.map(each => each.length)).toEqual([10, 1, 1])
    expect(new Set(names.flat()).size).toBe(12)
    expect(names).toContainEqual(['advertiserAdCost'])
  })

  const expression = (fieldName: string, matchType: string, value: string) => ({
    filter: { fieldName, stringFilter: { matchType, value, caseSensitive: false } },
  })

  it.each([
    [[['source', 'EQUAL', ['ad']]], expression('sessionSource', 'EXACT', 'ad')],
    [[['medium', 'STARTS_WITH', ['(none']]], expression('sessionMedium', 'BEGINS_WITH', '(none')],
    [[['campaign_name', 'ENDS_WITH', ['春夏']]], expression('sessionCampaignName', 'ENDS_WITH', '春夏')],
    // k and s have relatives beyond the alphabet; a part without them is sought anywhere.
    [[['keyword', 'EQUAL', ['desk lamp']]], expression('sessionManualTerm', 'CONTAINS', 'lamp')],
    [
      [['ad_content', 'CONTAINS', ['"},"x":{".*']]],
      expression('sessionManualAdContent', 'CONTAINS', '"},"x":{".*'),
    ],
    [[['device_type', 'CONTAINS', ['.*|^(a)']]], expression('deviceCategory', 'CONTAINS', '(a)')],
    // The mark for no value may not be found by its text.
    [[['medium', 'STARTS_WITH', ['(n']]], undefined],
    [[['campaign_name', 'EQUAL', ['(Other)', 'ad']]], undefined],
    [[['source', 'NOT_CONTAINS', ['ad']]], undefined],
    [[['source', 'EQUAL', ['ss', 'ad']]], undefined],
    [[['property_name', 'EQUAL', ['ad']]], undefined],
    [
      [
        ['source', 'EQUAL', ['ad', 'new']],
        ['medium', 'CONTAINS', ['cpc']],
      ],
      {
        andGroup: {
          expressions: [
            {
              orGroup: {
                expressions: [
                  expression('sessionSource', 'EXACT', 'ad'),
                  expression('sessionSource', 'EXACT', 'new'),
                ],
              },
            },
            expression('sessionMedium', 'CONTAINS', 'cpc'),
          ],
        },
      },
    ],
  ] as const)('for the filters %j is narrowed as far as no row is lost', async (filters, expected) => {
    const { requests } = await fetchFrom(nothing, {
      filters: filters.map(([field, rule, texts]) => ({ field, rule, values: [...texts] })),
    })
    expect(requests.map(({ dimensionFilter }) => dimensionFilter)).toEqual([expected])
  })
})

describe('a login', () => {
  it('gets a new token once when its own is refused, and reveals none', async () => {
    const onceRefused = await fetchFrom((body, number) =>
      number === 0 ? refusal(401, 'expired') : answerOf(body, []),
    )
    expect(onceRefused.requests.length).toBe(2)
    const refusing = refusal(401, 'Bad: ya29.hidden-2, 1//hidden, GOCSPX-hidden')
    await expect(fetchFrom(() => refusing)).rejects.toThrow('credential_expired: Bad: …, …, …')
  })

  it('that lists its properties too fast waits a minute, with all of its project', async () => {
    const words = "Quota exceeded for quota metric 'Read requests' and limit 'Read requests per minute'."
    const { io } = await serving(() => refusal(429, words))
    const pauses: [string, string, number][] = []
    const report: Ga4Io['limiter']['report'] = async ({ kind, id }, { pause_ms }) =>
      void (pause_ms > 0 && pauses.push([kind, id, pause_ms]))
    await expect(
      Array.fromAsync(ga4.listAccounts({ ...io, limiter: { ...io.limiter, report } })),
    ).rejects.toMatchObject({ code: 'quota_exhausted', retry_after_ms: 60_000 })
    expect(pauses).toEqual([['app', 'id', 60_000]])
  })

  it('lists each property once, over all pages of its tree', async () => {
    const summary = (id: string, ...properties: string[]) => ({
      account: `accounts/${id}`,
      displayName: `Account ${id}`,
      ...(properties.length > 0 && {
        propertySummaries: properties.map(property => ({ property: `properties/${property}` })),
      }),
    })
    const { io, paths } = await serving((_, number) => {
      if (number === 0) return { body: { accountSummaries: [summary('1', '11')], nextPageToken: 'a b&c' } }
      const id = /properties\/(\d+)/.exec(paths.at(-1) ?? '')?.[1]
      if (id === undefined) return { body: { accountSummaries: [summary('2'), summary('3', '11', '12')] } }
      const node = { name: `properties/${id}`, timeZone: 'Asia/Taipei', currencyCode: 'TWD' }
      return { body: { ...node, ...(id === '12' && { deleteTime: '2026-11-01T00:00:00Z' }) } }
    })
    const accounts = (await Array.fromAsync(ga4.listAccounts(io))).flat()
    expect(accounts.map(each => [each.external_id, each.owner_name, each.status])).toEqual([
      ['11', 'Account 1', 'enabled'],
      ['12', 'Account 3', 'disabled'],
    ])
    expect(paths).toContain('/v1beta/accountSummaries?pageSize=200&pageToken=a+b%26c')
  })
})
