import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Spend } from '#shared/api/spend.ts'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'

const api = await testApi()
const client_a = await api.signedIn('external_user')
const client_b = await api.signedIn('external_user')
const director = await api.signedIn('director')
const A = await api.advertiser('A', [client_a.user.id])
const B = await api.advertiser('B', [client_b.user.id])
const taipei = await api.account({ advertiser: A, name: 'Taipei' })
const tokyo = await api.account({ advertiser: A, name: 'Tokyo', currency: 'JPY' })
const second = await api.account({ advertiser: A, name: 'Second' })
const foreign = await api.account({ advertiser: B, name: 'Strange' })
const property = await api.db
  .insertInto('ad_account')
  .values({
    channel: 'ga4',
    provider: 'ga4',
    external_id: 'properties/1',
    name: 'A property',
    currency: 'TWD',
    timezone: 'Asia/Taipei',
    advertiser: A,
  })
  .returning('id')
  .executeTakeFirstOrThrow()

const read = async (who: Client, query: string) => {
  const { status, body } = await who.get(`/api/ad/metrics/?start=2026-11-01&end=2026-11-03${query}`)
  expect(status).toBe(200)
  return body as z.infer<typeof Spend>
}

beforeAll(async () => {
  const day = (ad_account: number, of: string, cost: number, clicks: number) => ({
    ad_account,
    day: of,
    cost,
    impressions: 10 * clicks,
    clicks,
    conversions: clicks / 4,
  })
  await api.db
    .insertInto('spend_day')
    .values([
      day(taipei, '2026-10-31', 999, 9),
      day(taipei, '2026-11-01', 100_500_000, 10),
      day(taipei, '2026-11-03', 50_250_000, 2),
      day(second, '2026-11-03', 9_007_199_254_740_991, 1),
      day(tokyo, '2026-11-01', 700_000_000, 4),
      day(foreign, '2026-11-01', 5, 5),
    ])
    .execute()
  const known = { known_to: '2026-11-03', next_at: new Date() }
  await api.db
    .insertInto('spend_account')
    .values([
      {
        ad_account: taipei,
        known_from: '2026-10-01',
        refreshed_at: new Date('2026-11-03T06:00:00Z'),
        ...known,
      },
      {
        ad_account: second,
        known_from: '2026-11-03',
        refreshed_at: new Date('2026-11-03T05:00:00Z'),
        ...known,
      },
      {
        ad_account: foreign,
        known_from: '2026-11-01',
        refreshed_at: new Date('2026-11-03T01:00:00Z'),
        ...known,
      },
      { ad_account: tokyo, known_from: '2026-11-01', code: 'credential_expired', ...known },
    ])
    .execute()
})

describe('the spend by day', () => {
  it('is summed by channel, each currency for itself, with 0 where a day is known to have none', async () => {
    const { days, series, ...rest } = await read(client_a, '')
    expect(days).toEqual(['2026-11-01', '2026-11-02', '2026-11-03'])
    expect(rest).toEqual({
      accounts: 3,
      waiting: 0,
      failing: 1,
      as_of: '2026-11-03T05:00:00.000Z',
      // One of its accounts has only today, of which nothing is over.
      complete: null,
      home_currency: 'TWD',
    })
    expect(series.toSorted((a, b) => (a.currency < b.currency ? -1 : 1))).toEqual([
      {
        currency: 'JPY',
        channel: 'fb',
        account: null,
        account_name: null,
        accounts: 1,
        cost: [700_000_000, 0, 0],
        impressions: [40, 0, 0],
        clicks: [4, 0, 0],
        conversions: [1, 0, 0],
      },
      {
        currency: 'TWD',
        channel: 'fb',
        account: null,
        account_name: null,
        accounts: 2,
        cost: [100_500_000, 0, 9_007_199_254_740_991 + 50_250_000],
        impressions: [100, 0, 30],
        clicks: [10, 0, 3],
        conversions: [2.5, 0, 0.75],
      },
    ])
  })

  it('is split by account, with nothing where no day was fetched yet', async () => {
    const { series } = await read(client_a, `&group=account&accounts=${second},${taipei}`)
    expect(series.map(({ account, account_name, cost }) => ({ account, account_name, cost }))).toEqual([
      { account: second, account_name: 'Second', cost: [null, null, 9_007_199_254_740_991] },
      { account: taipei, account_name: 'Taipei', cost: [100_500_000, 0, 50_250_000] },
    ])
  })

  it('has one series a currency in total', async () => {
    const { series } = await read(director, '&group=total')
    expect(series.map(({ currency, channel, cost }) => [currency, channel, cost[0]]).toSorted()).toEqual([
      ['JPY', null, 700_000_000],
      ['TWD', null, 100_500_005],
    ])
  })

  it('counts the accounts that were not fetched yet', async () => {
    await api.account({ advertiser: B, name: 'New' })
    expect(await read(client_b, '')).toMatchObject({ accounts: 2, waiting: 1, failing: 0 })
  })

  it('is empty for a person without accounts', async () => {
    expect(await read(await api.signedIn('staff'), '')).toMatchObject({
      series: [],
      accounts: 0,
      as_of: null,
    })
  })
})

describe("another client's account", () => {
  it('is treated like one that does not exist, and so is one of analytics', async () => {
    const call = (who: Client, ids: string) =>
      who.get(`/api/ad/metrics/?start=2026-11-01&end=2026-11-03&accounts=${ids}`)
    const bodies = []
    for (const ids of [`${foreign}`, `${taipei},${foreign}`, '999999999', `${property.id}`]) {
      const response = await call(client_a, ids)
      expectRefusal(response, 404, 'not_found')
      bodies.push(JSON.stringify(response.body).replaceAll(/"request_id":"[^"]+"/g, ''))
    }
    expect(new Set(bodies).size).toBe(1)
    expect((await call(director, `${foreign}`)).status).toBe(200)
  })
})

describe('a range', () => {
  it.each([
    ['that ends before it begins', 'start=2026-11-03&end=2026-11-01'],
    ['of more than 400 days', 'start=2025-10-01&end=2026-11-05'],
    ['without a beginning', 'end=2026-11-01'],
    ['of days that do not exist', 'start=2026-02-28&end=2026-02-30'],
  ])('%s is refused', async (_, query) => {
    expect((await client_a.get(`/api/ad/metrics/?${query}`)).status).toBe(400)
  })
})
