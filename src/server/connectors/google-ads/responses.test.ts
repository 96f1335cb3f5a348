import { describe, expect, it } from 'vitest'
import { rowsOf } from '#server/connectors/testing/context.ts'
import { plainPage } from '#server/connectors/testing/pages.ts'
import { failing, fetchFrom, page, refusal, request, row, serving } from './testing/responses.ts'
import { googleAds } from './report.ts'

describe('a row of Google Ads', () => {
  it.each([
    [{ metrics: { impressions: 12 } }, 'results[1].metrics.impressions'],
    [{ metrics: { impressions: '' } }, 'results[1].metrics.impressions'],
    [{ metrics: { impressions: '1.5e3' } }, 'results[1].metrics.impressions'],
    [{ metrics: { costMicros: '12,000' } }, 'results[1].metrics.costMicros'],
    [{ metrics: { conversions: '3.5' } }, 'results[1].metrics.conversions'],
    [{ metrics: { conversionsValue: {} } }, 'results[1].metrics.conversionsValue'],
    [{ metrics: { uniqueUsers: true } }, 'results[1].metrics.uniqueUsers'],
    [{ metrics: 'none' }, 'results[1].metrics'],
    [{ metrics: [] }, 'results[1].metrics'],
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

describe('a response of Google Ads', () => {
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

  it('that has a row twice is requested again, and refused when it stays', async () => {
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

  it('yields a day when the next one has begun', async () => {
    const { io, requests } = await serving(
      page([row(1, '1'), row(1, '2'), row(2, '1')], 'a'),
      page([row(2, '2'), row(3, '1')], 'b'),
      page([row(3, '2')]),
    )
    const pages = await Array.fromAsync(googleAds.fetchReport(request, io))
    expect(pages.map(each => plainPage(each).dates.join(' '))).toEqual([
      '2026-11-01 2026-11-01',
      '2026-11-02',
      '2026-11-02',
      '2026-11-03',
      '2026-11-03',
    ])
    expect(requests.map(({ pageToken }) => pageToken)).toEqual([undefined, 'a', 'b'])
    expect(new Set(requests.map(({ query }) => query)).size).toBe(1)
  })

  it('that breaks off is continued after the last whole day', async () => {
    const { io, requests } = await serving(
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
    expect(requests[2]?.query).toContain("BETWEEN '2026-11-02' AND '2026-11-03'")
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
    const { io, requests } = await serving(
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
    expect(requests.map(({ pageToken }) => pageToken)).toEqual([
      undefined,
      'a',
      undefined,
      'b',
      undefined,
      undefined,
    ])
  })

  it('that breaks off again and again without a whole day ends', async () => {
    const { io, requests } = await serving(failing(400, [refusal('requestError', 'INVALID_PAGE_TOKEN')]))
    await expect(rowsOf(googleAds.fetchReport(request, io))).rejects.toThrow('platform_error')
    expect(requests.length).toBe(4)
  })

  it('about a whole that takes too long is put together from its halves, where it can be summed', async () => {
    const { io, requests } = await serving(
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
    expect(requests.map(({ query }) => /'.*'/.exec(query)?.[0])).toEqual([
      "'2026-11-01' AND '2026-11-03'",
      "'2026-11-01' AND '2026-11-02'",
      "'2026-11-03' AND '2026-11-03'",
    ])
    const people = await serving(failing(504, []))
    const reached = { ...total, metrics: ['reach'] }
    await expect(rowsOf(googleAds.fetchReport(reached, people.io))).rejects.toThrow('platform_timeout')
    expect(new Set(people.requests.map(({ query }) => query)).size).toBe(1)
  })

  it('that takes too long is requested in halves, down to single days', async () => {
    const { io, requests } = await serving(failing(504, []))
    await expect(rowsOf(googleAds.fetchReport(request, io))).rejects.toThrow('platform_timeout')
    expect(requests.slice(0, 3).map(({ query }) => /'.*'/.exec(query)?.[0])).toEqual([
      "'2026-11-01' AND '2026-11-03'",
      "'2026-11-01' AND '2026-11-02'",
      "'2026-11-01' AND '2026-11-01'",
    ])
  })
})
