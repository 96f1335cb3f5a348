import { describe, expect, it } from 'vitest'
import { ExchangeRate, ExchangeRateList } from '#shared/api/insight-settings.ts'
import { expectRefusal, testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'
import { ratesOf } from './rates.ts'

const api = await testApi()
const manager = await api.signedIn('manager', { department: 2 })
const finance = await api.signedIn('staff', { department: 7 })
const staff = await api.signedIn('staff', { department: 2 })
const client = await api.signedIn('external_user')

const PATH = '/api/insight-setting/rates/'
const one = (response: ApiResponse) => {
  expect(response.status, JSON.stringify(response.body)).toBeLessThan(300)
  return ExchangeRate.parse(response.body)
}
const listed = ({ body }: ApiResponse) => ExchangeRateList.parse(body)
const take = async (facts: object, who: Client = finance) =>
  one(await who.post(PATH, { currency: 'USD', rate: '31.505', ...facts }))
const lock = (month: string) =>
  api.db
    .insertInto('billing_month')
    .values({ month: `${month}-01`, state: 'locked', locked_at: new Date() })
    .execute()

describe('rates', () => {
  it('are of a month and currency, entered by managers and finance, and read by staff', async () => {
    expect(await take({ month: '2026-01', source: 'Bank' })).toMatchObject({
      month: '2026-01',
      currency: 'USD',
      rate: '31.505',
      kind: 'final',
      source: 'Bank',
      is_locked: false,
      version: 1,
    })
    expect(
      await take({ month: '2026-01', currency: 'JPY', rate: '0.2085', kind: 'provisional' }, manager),
    ).toMatchObject({ rate: '0.2085', kind: 'provisional' })
    expect(listed(await staff.get(PATH)).count).toBe(2)
    expectRefusal(await staff.post(PATH, { month: '2026-02', currency: 'USD', rate: '31' }), 403, 'forbidden')
    expectRefusal(await client.get(PATH), 403, 'forbidden')
  })

  it.each([
    [{ rate: '0' }, { rate: ['field_invalid'] }],
    [{ rate: '0.0000000000' }, { rate: ['field_invalid'] }],
    [{ rate: '31.12345678901' }, { rate: ['field_invalid'] }],
    [{ rate: '12345678901' }, { rate: ['field_invalid'] }],
    [{ rate: '-1' }, { rate: ['field_invalid'] }],
    [{ rate: 31.5 }, { rate: ['field_invalid'] }],
    [{ currency: 'TWD' }, { currency: ['rate_of_base'] }],
    [{ currency: 'usd' }, { currency: ['field_invalid'] }],
    [{ month: '2026-13' }, { month: ['field_invalid'] }],
  ])('are refused as %j', async (facts, fields) => {
    const body = { month: '2026-02', currency: 'USD', rate: '31', ...facts }
    expectRefusal(await finance.post(PATH, body), 400, 'invalid', fields as never)
  })

  it('have ten decimals and no float between', async () => {
    for (const [currency, rate] of [
      ['VND', '0.0012345679'],
      ['KWD', '1234567890.0123456789'],
      ['GBP', '100.5000000000'],
      ['ISK', '100'],
    ])
      expect((await take({ month: '2026-03', currency, rate })).rate).toBe(String(rate).replace(/0{9}$/, ''))
  })

  it('are one of each month and currency', async () => {
    await take({ month: '2026-04' })
    const responses = await Promise.all(
      ['EUR', 'EUR', 'USD'].map(currency => finance.post(PATH, { month: '2026-04', currency, rate: '1' })),
    )
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400])
    expectRefusal(responses[2] ?? { status: 0, headers: new Headers(), body: null }, 400, 'invalid', {
      currency: ['rate_taken'],
    })
  })

  it('are changed and deleted in the version that was read', async () => {
    const { id } = await take({ month: '2026-05' })
    const changed = one(
      await manager.patch(`${PATH}${id}/`, { version: 1, rate: '31.6', kind: 'provisional' }),
    )
    expect(changed).toMatchObject({ rate: '31.6', kind: 'provisional', version: 2 })
    const late = await finance.patch(`${PATH}${id}/`, { version: 1, rate: '30' })
    expectRefusal(late, 409, 'conflict')
    expect(late.body).toMatchObject({ rate: { rate: '31.6', version: 2 } })
    expectRefusal(await finance.delete(`${PATH}${id}/`, { version: 1 }), 409, 'conflict')
    expect((await finance.delete(`${PATH}${id}/`, { version: 2 })).status).toBe(204)
    expectRefusal(await finance.delete(`${PATH}${id}/`, { version: 2 }), 404, 'not_found')
  })

  it('of locked months stay, once they are final', async () => {
    const final = await take({ month: '2025-10' })
    const provisional = await take({ month: '2025-10', currency: 'JPY', rate: '0.2', kind: 'provisional' })
    await lock('2025-10')
    const [first, second] = listed(await staff.get(`${PATH}?from=2025-10&to=2025-10&ordering=id`)).results
    expect([first?.is_locked, second?.is_locked]).toEqual([true, false])
    const refused = await finance.patch(`${PATH}${final.id}/`, { version: 1, rate: '30' })
    expectRefusal(refused, 409, 'month_locked')
    expect(refused.body).toMatchObject({ months: ['2025-10'] })
    expectRefusal(await finance.delete(`${PATH}${final.id}/`, { version: 1 }), 409, 'month_locked')
    const path = `${PATH}${provisional.id}/`
    expect(one(await finance.patch(path, { version: 1, kind: 'final' })).is_locked).toBe(true)
    // Nothing has been converted with one that was not there.
    expect((await take({ month: '2025-10', currency: 'EUR', rate: '36' })).kind).toBe('final')
  })

  it('are listed with the base currency and those in use', async () => {
    const advertiser = await api.advertiser('Billed in yen')
    await api.db
      .updateTable('advertiser')
      .set({ billing_currency: 'JPY' })
      .where('id', '=', advertiser)
      .execute()
    for (const currency of ['USD', 'TWD', 'USD']) await api.account({ advertiser: null, currency })
    await take({ month: '2024-01', source: 'Findable' })
    const found = listed(await staff.get(`${PATH}?search=findable`))
    expect(found).toMatchObject({ count: 1, base: 'TWD', in_use: ['JPY', 'USD'] })
    const some = listed(await staff.get(`${PATH}?currency=USD&from=2024-01&to=2026-01&ordering=month`))
    expect(some.results.map(({ month }) => month)).toEqual(['2024-01', '2025-10', '2026-01'])
    const [last] = listed(await staff.get(`${PATH}?limit=1`)).results
    expect(last?.month).toBe('2026-04')
    for (const ordering of ['id', '-currency'])
      expect((await staff.get(`${PATH}?ordering=${ordering}`)).status).toBe(200)
    expect(String((await staff.get(`${PATH}?search=findable&format=csv`)).body)).toContain(
      '2024-01,USD,31.505,final,Findable',
    )
  })
})

describe('the rates of a month', () => {
  const rows = [
    { month: '2026-09', currency: 'USD', rate: '31', kind: 'final' },
    { month: '2026-10', currency: 'USD', rate: '31.9', kind: 'final' },
    { month: '2026-10', currency: 'JPY', rate: '0.2', kind: 'provisional' },
  ] as const
  const of = (month: string, today: string) => {
    const { rates, provisional } = ratesOf(rows, { month, today, base: 'TWD' })
    return { ...Object.fromEntries(rates), provisional: [...provisional] }
  }

  it('are its own, and the latest ones while it runs and until the tenth of the next', () => {
    expect(of('2026-10', '2026-12-01')).toEqual({ TWD: '1', USD: '31.9', JPY: '0.2', provisional: ['JPY'] })
    const running = { TWD: '1', USD: '31.9', JPY: '0.2', provisional: ['USD', 'JPY'] }
    expect(of('2026-11', '2026-11-20')).toEqual(running)
    expect(of('2026-11', '2026-12-10')).toEqual(running)
    expect(of('2026-11', '2026-12-11')).toEqual({ TWD: '1', provisional: [] })
  })
})
