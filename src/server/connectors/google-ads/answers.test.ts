import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { QuotaScope, ReportRequest } from '../connector.ts'
import { startServer } from '../server-testing.ts'
import { rowsOf, testWorld } from '../testing.ts'
import { googleAds } from './report.ts'
import { GoogleAdsLogin, type GoogleAdsIo } from './schema.ts'
import { aurora, login, NOW } from './testing.ts'

// Answers that the sandbox does not give, from a server of our own: odd fields, odd pages, refusals of the front door.

const request: ReportRequest = {
  channel: 'aw',
  account: aurora,
  range: { start: '2026-11-01', end: '2026-11-03' },
  time: 'date',
  dimensions: ['campaign'],
  metrics: ['impressions', 'cost', 'conversions', 'conversion_value', 'reach', 'video_p25'],
  filters: [],
}
const row = (day: number, id = '1', metrics: object = { impressions: '7' }) => ({
  campaign: { id, name: `Campaign ${id}` },
  segments: { date: `2026-11-0${day}` },
  metrics,
})

interface Answer {
  status?: number
  headers?: Record<string, string>
  body: unknown
}

interface Asked {
  headers: IncomingMessage['headers']
  query: string
  pageToken: string | undefined
}

/** Serves a token, then the answers in turn, the last one for good; keeps what was asked. */
async function serving(...answers: Answer[]): Promise<{ io: GoogleAdsIo; asked: Asked[] }> {
  const asked: Asked[] = []
  let tokens = 0
  const origin = await startServer(async (incoming, response) => {
    const sent = Buffer.concat(await Array.fromAsync(incoming)).toString()
    if (incoming.url === '/token') {
      tokens += 1
      return response.end(JSON.stringify({ access_token: `ya29.number-${tokens}`, expires_in: 3599 }))
    }
    asked.push({ headers: incoming.headers, ...JSON.parse(sent) })
    const {
      status = 200,
      headers = {},
      body,
    } = answers[Math.min(asked.length, answers.length) - 1] ?? { body: {} }
    return response
      .writeHead(status, headers)
      .end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
  })
  return {
    io: { ...testWorld(origin, NOW), login: GoogleAdsLogin.parse(login) },
    asked,
  }
}

const fetchFrom = async (...answers: Answer[]) =>
  rowsOf(googleAds.fetchReport(request, (await serving(...answers)).io))
const page = (results: unknown[], nextPageToken?: string) => ({ body: { results, nextPageToken } })
const failing = (status: number, details: object[], message = 'no') => ({
  status,
  body: { error: { code: status, message, details } },
})
const refusal = (family: string, code: string, more: object = {}) => ({
  errors: [{ errorCode: { [family]: code }, message: 'no', ...more }],
  requestId: 'v88qTFjn',
})

describe('a row of Google Ads', () => {
  it.each([
    [{ metrics: { impressions: 12 } }, 'results[1].metrics.impressions'],
    [{ metrics: { impressions: '' } }, 'results[1].metrics.impressions'],
    [{ metrics: { impressions: '1.5e3' } }, 'results[1].metrics.impressions'],
    [{ metrics: { costMicros: '12,000' } }, 'results[1].metrics.costMicros'],
    [{ metrics: { conversions: '3.5' } }, 'results[1].metrics.conversions'],
    [{ metrics: { conversionsValue: {} } }, 'results[1].metrics.conversionsValue'],
    [{ metrics: { uniqueUsers: true } }, 'results[1].metrics.uniqueUsers'],
    [{ campaign: { name: 'no id' } }, 'results[1].campaign.id'],
    [{ campaign: { id: 12, name: 'a number' } }, 'results[1].campaign.id'],
    [{ campaign: { id: '', name: 'empty' } }, 'results[1].campaign.id'],
    [{ campaign: { id: '1', name: 7 } }, 'results[1].campaign.name'],
    [{ segments: {} }, 'results[1].segments.date'],
    [{ segments: { date: '2026-11-04' } }, 'segments.date'],
    [{ segments: { date: 'tomorrow' } }, 'segments.date'],
  ])('that has %j is unreadable, and never 0', async (odd, path) => {
    await expect(fetchFrom(page([row(2), { ...row(2, '2'), ...odd }]))).rejects.toThrow(
      `platform_error: unreadable answer, ${path}`,
    )
  })

  it.each([[[null]], [['row']], [[7]]])('that is %j is unreadable', async results => {
    await expect(fetchFrom(page(results))).rejects.toThrow('unreadable answer, results[0]')
  })

  it('before the one that was there is unreadable: days come in order', async () => {
    await expect(fetchFrom(page([row(2), row(1)]))).rejects.toThrow('unreadable answer, segments.date')
    await expect(fetchFrom(page([row(2)], 'next'), page([row(1)]))).rejects.toThrow(
      'unreadable answer, segments.date',
    )
  })

  it('has nothing where a number is missing, but 0 where it is summed', async () => {
    const [none] = await fetchFrom(page([{ ...row(1), metrics: undefined }]))
    expect(none?.values).toEqual([0, 0, 0, 0, Number.NaN, 0])
    const [unsaid] = await fetchFrom(page([row(1, '1', { conversions: 'NaN', uniqueUsers: null })]))
    expect(unsaid?.values).toEqual([0, 0, 0, 0, Number.NaN, 0])
    for (const text of ['Infinity', '-Infinity']) {
      const [endless] = await fetchFrom(page([row(1, '1', { conversions: text, clicks: '1' })]))
      expect(endless?.values).toEqual([0, 0, 0, 0, Number.NaN, 0])
    }
  })

  it('is read to the millionth', async () => {
    const values = [180.70756678, 0.1, 1e-7, 1234567.891234, 4503599627.370496, 3]
    const rows = await fetchFrom(
      page(
        values.map((conversionsValue, at) => row(1, `${at}`, { conversionsValue, costMicros: '312690001' })),
      ),
    )
    expect(rows.map(({ values: [, cost, , value] }) => [cost, value])).toEqual(
      [180707567, 100000, 0, 1234567891234, 4503599627370496, 3000000].map(value => [312690001, value]),
    )
  })

  it('has plays of a video from the rate and its impressions', async () => {
    const [read] = await fetchFrom(
      page([row(1, '1', { impressions: '8801', videoQuartileP25Rate: 4400 / 8801 })]),
    )
    expect(read?.values.at(-1)).toBe(4400)
  })
})

describe('an answer of Google Ads', () => {
  it.each([{ fieldMask: 'campaign.id' }, { results: [], nextPageToken: '' }])(
    'of the form %j has no rows',
    async body => {
      expect(await fetchFrom({ body })).toEqual([])
    },
  )

  it.each([
    { body: {} },
    { body: { error: null } },
    { body: { results: {} } },
    { body: { results: [], nextPageToken: 7 } },
    { body: '' },
    { body: 'null' },
    { body: '<html>' },
    { body: Buffer.from('{"results":[],"x":"\xff"}', 'latin1') },
    { status: 302, headers: { location: '/elsewhere' }, body: '' },
    { status: 204, body: '' },
  ])('of the form %j is unreadable, and not no rows', async answer => {
    await expect(fetchFrom(answer)).rejects.toThrow('platform_error')
  })

  it('that has a row twice is asked for again, and not believed when it stays', async () => {
    const [one, other] = [row(1, '1'), row(1, '2')]
    expect((await fetchFrom(page([one, other, one]), page([one, other]))).length).toBe(2)
    expect((await fetchFrom(page([one, other], 'more'), page([one]), page([one, other]))).length).toBe(2)
    await expect(fetchFrom(page([one, other, one]))).rejects.toThrow('a row that came twice')
  })

  it('that has a next page without an end comes to one', async () => {
    await expect(fetchFrom(page([], 'more'))).rejects.toThrow('pages without end')
  })

  it('that is forbidden by something in between is no lost access', async () => {
    await expect(fetchFrom({ status: 403, body: '<html>' })).rejects.toThrow('platform_error')
  })

  it('that is an error in spite of its status is one', async () => {
    const body = {
      error: { code: 500, message: 'no', details: [refusal('internalError', 'INTERNAL_ERROR')] },
    }
    await expect(fetchFrom({ body })).rejects.toThrow('platform_unavailable')
  })

  it('hands a day on when the next one has begun', async () => {
    const { io, asked } = await serving(
      page([row(1, '1'), row(1, '2'), row(2, '1')], 'a'),
      page([row(2, '2'), row(3, '1')], 'b'),
      page([row(3, '2')]),
    )
    const pages = await Array.fromAsync(googleAds.fetchReport(request, io))
    expect(pages.map(({ dates }) => dates.join(' '))).toEqual([
      '2026-11-01 2026-11-01',
      '2026-11-02',
      '2026-11-02',
      '2026-11-03',
      '2026-11-03',
    ])
    expect(asked.map(({ pageToken }) => pageToken)).toEqual([undefined, 'a', 'b'])
    expect(new Set(asked.map(({ query }) => query)).size).toBe(1)
  })

  it('that breaks off is gone on with after the last whole day', async () => {
    const { io, asked } = await serving(
      page([row(1, '1'), row(2, '1')], 'a'),
      failing(400, [refusal('requestError', 'EXPIRED_PAGE_TOKEN')]),
      page([row(2, '1'), row(2, '2'), row(3, '1')]),
    )
    const rows = await rowsOf(googleAds.fetchReport(request, io))
    expect(rows.map(({ date, keys }) => `${date} ${keys}`)).toEqual([
      '2026-11-01 1',
      '2026-11-02 1',
      '2026-11-02 2',
      '2026-11-03 1',
    ])
    expect(asked[2]?.query).toContain("BETWEEN '2026-11-02' AND '2026-11-03'")
  })

  it('about what ads are called begins again when it breaks off', async () => {
    const ad = (id: string, text: string) => ({
      adGroup: { id: '5' },
      adGroupAd: { ad: { id, responsiveSearchAd: { headlines: [{ text }] } } },
    })
    const rows = [1, 2].map(id => ({
      ...row(1),
      adGroup: { id: '5' },
      adGroupAd: { ad: { id: `${id}`, type: 'RESPONSIVE_SEARCH_AD' } },
    }))
    const { io, asked } = await serving(
      page([ad('1', 'First')], 'a'),
      failing(400, [refusal('requestError', 'EXPIRED_PAGE_TOKEN')]),
      page([ad('1', 'First')], 'b'),
      page([ad('2', 'Second')]),
      page(rows),
      page([]),
    )
    const ads = await rowsOf(googleAds.fetchReport({ ...request, dimensions: ['ad'] }, io))
    expect(ads.map(({ keys, labels }) => [keys[0], labels[0]])).toEqual([
      ['5~1', 'First'],
      ['5~2', 'Second'],
    ])
    expect(asked.map(({ pageToken }) => pageToken)).toEqual([
      undefined,
      'a',
      undefined,
      'b',
      undefined,
      undefined,
    ])
  })

  it('that breaks off again and again without a whole day ends', async () => {
    const { io, asked } = await serving(failing(400, [refusal('requestError', 'INVALID_PAGE_TOKEN')]))
    await expect(rowsOf(googleAds.fetchReport(request, io))).rejects.toThrow('platform_error')
    expect(asked.length).toBe(4)
  })

  it('about a whole that takes too long is put together from its halves, where it can be summed', async () => {
    const { io, asked } = await serving(
      failing(504, []),
      page([{ ...row(1), metrics: { impressions: '7', costMicros: '1' } }]),
      page([
        { ...row(3), metrics: { impressions: '5', costMicros: '2' } },
        { ...row(3, '2'), metrics: { impressions: '1' } },
      ]),
    )
    const total = { ...request, time: 'total', metrics: ['impressions', 'cost'] } as const
    const rows = await rowsOf(googleAds.fetchReport({ ...total, metrics: [...total.metrics] }, io))
    expect(rows.map(({ date, keys, values }) => [date, keys[0], ...values])).toEqual([
      ['2026-11-01', '1', 12, 3],
      ['2026-11-01', '2', 1, 0],
    ])
    expect(asked.map(({ query }) => /'.*'/.exec(query)?.[0])).toEqual([
      "'2026-11-01' AND '2026-11-03'",
      "'2026-11-01' AND '2026-11-02'",
      "'2026-11-03' AND '2026-11-03'",
    ])
    const people = await serving(failing(504, []))
    const reached = { ...total, metrics: ['reach'] }
    await expect(rowsOf(googleAds.fetchReport(reached, people.io))).rejects.toThrow('platform_timeout')
    expect(new Set(people.asked.map(({ query }) => query)).size).toBe(1)
  })

  it('that takes too long is asked for in halves, down to single days', async () => {
    const { io, asked } = await serving(failing(504, []))
    await expect(rowsOf(googleAds.fetchReport(request, io))).rejects.toThrow('platform_timeout')
    expect(asked.slice(0, 3).map(({ query }) => /'.*'/.exec(query)?.[0])).toEqual([
      "'2026-11-01' AND '2026-11-03'",
      "'2026-11-01' AND '2026-11-02'",
      "'2026-11-01' AND '2026-11-01'",
    ])
  })
})

/** How a report ends that is answered so, and who has to wait. */
async function met(answer: Answer) {
  const { io, asked } = await serving(answer)
  const paused: [string, number][] = []
  const after = async ({ kind }: QuotaScope, { pause_ms }: { pause_ms: number }) => {
    if (pause_ms > 0) paused.push([kind, pause_ms])
  }
  const quota = { before: async () => {}, after }
  const failure = await rowsOf(googleAds.fetchReport(request, { ...io, quota })).catch(
    (error: unknown) => error,
  )
  return { failure, paused, asked }
}

describe('a refusal of Google Ads', () => {
  const rush = (more: object) => failing(429, [refusal('quotaError', 'RESOURCE_TEMPORARILY_EXHAUSTED', more)])
  const delayed = (retryDelay: string, rateScope = 'ACCOUNT') => ({
    details: { quotaErrorDetails: { rateScope, rateName: 'Requests', retryDelay } },
  })

  it('for asking in a rush makes everybody wait as long as Google says, the account or the project', async () => {
    const account = await met(rush(delayed('7.5s')))
    expect(account.failure).toMatchObject({ code: 'quota_exhausted', retry_after_ms: 7500 })
    expect(account.paused).toEqual([1, 2, 3, 4].map(() => ['account', 7500]))
    expect((await met(rush(delayed('3s', 'DEVELOPER')))).paused[0]).toEqual(['app', 3000])
    expect((await met(rush({}))).paused[0]).toEqual(['account', 5000])
  })

  it('for the day holds the project back, and is not tried again', async () => {
    const day = failing(429, [refusal('quotaError', 'RESOURCE_EXHAUSTED', delayed('7200s'))])
    const { failure, paused, asked } = await met(day)
    expect(failure).toMatchObject({ code: 'quota_exhausted', retry_after_ms: 7_200_000 })
    expect([paused, asked.length]).toEqual([[['app', 7_200_000]], 1])
  })

  it('for a costly query holds nobody else back', async () => {
    const costly = refusal('quotaError', 'EXCESSIVE_SHORT_TERM_QUERY_RESOURCE_CONSUMPTION')
    const { failure, paused, asked } = await met(failing(429, [costly]))
    expect(failure).toMatchObject({ code: 'quota_exhausted', retry_after_ms: 300_000 })
    expect([paused, asked.length]).toEqual([[], 1])
  })

  it('of the front door is waited for as it says', async () => {
    const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '11s' }
    expect((await met(failing(429, [info]))).failure).toMatchObject({ retry_after_ms: 11_000 })
    expect((await met({ status: 429, body: 'slow down' })).failure).toMatchObject({
      code: 'quota_exhausted',
      retry_after_ms: 5000,
    })
  })

  it('is told in its own words, with the number that Google knows it by, but never with a secret', async () => {
    const words = `bad token ya29.number-1 of ${login.refresh_token}, ${login.client_secret}`
    const { failure } = await met(
      failing(400, [refusal('queryError', 'UNRECOGNIZED_FIELD', { message: words })]),
    )
    expect(failure).toMatchObject({
      code: 'platform_error',
      platform_message: 'bad token … of …, … [queryError.UNRECOGNIZED_FIELD]',
      platform_request_id: 'v88qTFjn',
    })
  })

  it.each([
    'Google Ads API has not been used in project 1000 before or it is disabled.',
    'Request had insufficient authentication scopes.',
  ])('is of the login where its words say so, and no account is called lost: %s', async message => {
    const { failure, asked } = await met(failing(403, [], message))
    expect(failure).toMatchObject({ code: 'credential_expired', platform_message: `${message} [403]` })
    expect(asked.length).toBe(1)
  })

  it('of a token is met with a new one, once', async () => {
    const { failure, asked } = await met(
      failing(401, [refusal('authenticationError', 'OAUTH_TOKEN_EXPIRED')]),
    )
    expect(failure).toMatchObject({ code: 'credential_expired' })
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer ya29.number-1',
      'Bearer ya29.number-2',
    ])
  })

  it.each([
    ['queryError', 'SOMETHING_NEW', 400, 'platform_error'],
    ['authorizationError', 'SOMETHING_NEW', 403, 'account_access_lost'],
    ['authenticationError', 'SOMETHING_NEW', 401, 'credential_expired'],
    ['internalError', 'SOMETHING_NEW', 500, 'platform_unavailable'],
    ['quotaError', 'SOMETHING_NEW', 429, 'quota_exhausted'],
    ['newError', 'SOMETHING_NEW', 400, 'platform_error'],
    ['dateRangeError', 'INVALID_DATE', 400, 'history_limit'],
  ])('of a kind unknown so far, %s.%s, is taken by its family', async (family, code, status, ends) => {
    expect((await met(failing(status, [refusal(family, code)]))).failure).toMatchObject({ code: ends })
  })
})

describe('a question to Google Ads', () => {
  it('names the manager without dashes, and a developer token only when there is one', async () => {
    const { io, asked } = await serving(page([]))
    await rowsOf(googleAds.fetchReport(request, io))
    const with_token = GoogleAdsLogin.parse({ ...login, developer_token: 'of-long-ago' })
    await rowsOf(googleAds.fetchReport(request, { ...io, login: with_token }))
    expect(asked.map(({ headers }) => headers['login-customer-id'])).toEqual(['1110000001', '1110000001'])
    expect(asked.map(({ headers }) => headers['developer-token'])).toEqual([undefined, 'of-long-ago'])
  })

  it('asks by the coarsest resource that has every dimension', async () => {
    const { io, asked } = await serving(page([]))
    const from = async (channel: 'aw' | 'aw_keyword', ...dimensions: ReportRequest['dimensions']) => {
      await rowsOf(googleAds.fetchReport({ ...request, channel, dimensions, metrics: ['clicks'] }, io))
      const [main] = asked.splice(0).filter(({ query }) => query.includes('metrics.clicks'))
      return /FROM (\w+)/.exec(main?.query ?? '')?.[1]
    }
    expect(await from('aw')).toBe('customer')
    expect(await from('aw', 'device_type')).toBe('customer')
    expect(await from('aw', 'device_type', 'campaign')).toBe('campaign')
    expect(await from('aw', 'campaign', 'ad_group')).toBe('ad_group')
    expect(await from('aw', 'ad', 'campaign')).toBe('ad_group_ad')
    expect(await from('aw_keyword')).toBe('keyword_view')
    expect(await from('aw_keyword', 'ad_group', 'keyword')).toBe('keyword_view')
  })
})
