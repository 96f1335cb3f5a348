import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { rowsOf, startClient, sumOf } from '#sandbox/testing/yahoo.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'

const NOW = Date.parse('2026-11-20T04:00:00Z')
const client = resetAfterEach(await startClient())

const LOGIN = { 'x-auth-method': 'OAuth2', 'x-auth-token': 'sandbox-agency' }
const get = (path: string, headers: Record<string, string> = LOGIN) => client.send(path, { headers })
const OPTION = {
  timezone: 'Asia/Taipei',
  currency: 4,
  accountIds: [330_030],
  dimensionTypeIds: [4, 5],
  metricTypeIds: [1, 2, 44],
}
const RANGE = {
  intervalTypeId: 2,
  dateTypeId: 11,
  startDate: '2026-11-01T00:00:00+08:00',
  endDate: '2026-11-07T23:59:59+08:00',
}
const submit = (option: object = {}, range: object = {}) =>
  client.send('/yamplus_api/extreport/', {
    method: 'POST',
    headers: { ...LOGIN, 'content-type': 'application/json' },
    body: JSON.stringify({ reportOption: { ...OPTION, ...option }, ...RANGE, ...range }),
  })
const csv = async (option: object = {}, range: object = {}) => {
  const { body } = await submit(option, range)
  const path = `/yamplus_api/extreport/${body.customerReportId}`
  const responses = [await get(path), await get(path), await get(path)]
  const done = responses[2]?.body
  expect(responses.map(response => response.body.status)).toEqual(['Submitted', 'Processing', 'Success'])
  const file = await get(new URL(done.url).pathname)
  expect(done.numRows).toBe(rowsOf(file.body).length - 1)
  return String(file.body)
}

const assertion = (secret: string, claims: object = {}) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const said = { iss: 'client', sub: 'client', aud: 'https://id/realm', exp: NOW / 1000 + 60, ...claims }
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(said)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
const token = (client_assertion: string, more: Record<string, string> = {}) =>
  client.send('/identity/oauth2/access_token', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      scope: 'dsp-api-access',
      realm: 'dsp',
      client_assertion,
      ...more,
    }),
  })

describe('a login', () => {
  test('is given for an assertion signed with the secret, for an hour', async () => {
    const { status, body } = await token(assertion('sandbox-agency'))
    expect(status).toBe(200)
    const headers = { ...LOGIN, 'x-auth-token': body.access_token }
    expect((await get('/traffic/advertisers', headers)).status).toBe(200)
    client.sandbox.clock.set({ now: NOW + 3_600_001 })
    expect((await get('/traffic/advertisers', headers)).status).toBe(401)
  })

  test('is refused for a wrong signature, an old assertion or a missing parameter', async () => {
    expect((await token(assertion('guessed'))).status).toBe(401)
    expect((await token(assertion('sandbox-agency', { exp: NOW / 1000 - 1 }))).status).toBe(401)
    expect((await token(assertion('sandbox-agency', { sub: 'other' }))).status).toBe(401)
    expect((await token(assertion('sandbox-agency'), { scope: '' })).body.error).toBe('invalid_scope')
    expect((await get('/traffic/advertisers', { 'x-auth-token': 'sandbox-agency' })).status).toBe(401)
    expect((await get('/traffic/advertisers', { ...LOGIN, 'x-auth-token': 'guessed' })).status).toBe(401)
  })
})

test('the traffic API lists advertisers with currency and zone, and what is below them', async () => {
  const { body } = await get('/traffic/advertisers')
  expect(body).toMatchObject({ errors: null, timeStamp: '2026-11-20T04:00:00.000Z' })
  expect(body.response.map(({ id }: { id: number }) => id)).toEqual([330_030, 330_031])
  expect(body.response[0]).toMatchObject({ currency: 'TWD', timezone: 'Asia/Taipei' })
  const campaigns = await get('/traffic/campaigns?advertiserId=330030')
  const lines = await get('/traffic/lines?advertiserId=330030')
  const ads = await get('/traffic/ads?advertiserId=330030')
  expect(campaigns.body.response.length).toBeLessThan(lines.body.response.length)
  expect(lines.body.response.length).toBeLessThan(ads.body.response.length)
  expect((await get('/traffic/advertisers?page=1')).status).toBe(400)
  expect((await get('/traffic/campaigns?advertiserId=1')).status).toBe(403)
  expect((await get('/traffic/keywords?advertiserId=330030')).status).toBe(404)
})

describe('a report', () => {
  test('is submitted, processed and downloaded; levels and devices add up', async () => {
    const byCampaign = await csv()
    expect(byCampaign.split('\n')[0]).toBe(
      'Day,Advertiser ID,Advertiser,Campaign ID,Campaign,Impressions,Clicks,Advertiser Spending',
    )
    const byAd = await csv({ dimensionTypeIds: [7, 34] }, { intervalTypeId: 1 })
    for (const column of ['Impressions', 'Clicks'])
      expect(sumOf(byAd, column)).toBe(sumOf(byCampaign, column))
    expect(sumOf(byAd, 'Advertiser Spending')).toBeCloseTo(sumOf(byCampaign, 'Advertiser Spending'), 2)
  })

  test('counts viewers once', async () => {
    const of = (intervalTypeId: number) =>
      csv({ dimensionTypeIds: [4], metricTypeIds: [1, 115] }, { intervalTypeId })
    const [days, whole] = [await of(2), await of(1)]
    expect(sumOf(days, 'Impressions')).toBe(sumOf(whole, 'Impressions'))
    expect(sumOf(days, 'Unique Viewers')).toBeGreaterThan(sumOf(whole, 'Unique Viewers'))
  })

  test('is filtered by id', async () => {
    const [, first] = rowsOf(await csv())
    const id = first?.[3] ?? ''
    const filter = { dimensionTypeId: 5, isExcluded: false, includeValues: [{ id }] }
    const only = rowsOf(await csv({ filterOptions: [filter] })).slice(1)
    expect(new Set(only.map(row => row[3]))).toEqual(new Set([id]))
    const without = rowsOf(await csv({ filterOptions: [{ ...filter, isExcluded: true }] })).slice(1)
    expect(without.some(row => row[3] === id)).toBe(false)
  })

  test.each([
    ['another currency', { currency: 1 }, {}],
    ['another time zone', { timezone: 'UTC' }, {}],
    ['an unknown metric', { metricTypeIds: [1, 9999] }, {}],
    ['an unknown dimension', { dimensionTypeIds: [9999] }, {}],
    ['an unknown option', { colour: 1 }, {}],
    ['a date without its offset', {}, { startDate: '2026-11-01' }],
    ['an interval that does not exist', {}, { intervalTypeId: 9 }],
  ])('with %s is refused', async (_, option, range) => {
    expect((await submit(option, range)).status).toBe(400)
  })

  test('fails where reports fail', async () => {
    await client.control('PUT', 'faults', [{ platform: 'yahoo_dsp', action: 'job_failed' }])
    const { body } = await submit()
    const path = `/yamplus_api/extreport/${body.customerReportId}`
    for (let polls = 0; polls < 2; polls++) await get(path)
    expect((await get(path)).body).toMatchObject({ status: 'Failed', errorMsg: expect.any(String) })
    await client.control('PUT', 'faults', [{ platform: 'yahoo_dsp', action: 'rate_limit' }])
    expect((await get(path)).status).toBe(429)
  })
})

test('the books of a day are closed later', async () => {
  const closed = async (day: string) =>
    (await get(`/yamplus_api/extreport/cob?advertiserId=330030&day=${day}`)).body.closeOfBooks
  expect([await closed('2026-11-20'), await closed('2026-11-15')]).toEqual([false, true])
})
