import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { EcSpend } from '#shared/api/ec-spend.ts'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'
import { billingData, units } from './testing/billing.ts'

const api = await testApi()
const data = billingData(api.db)
api.clock.now = new Date('2026-12-03T02:00:00Z')
const director = await api.signedIn('director')
const finance = await api.signedIn('staff', { department: 7 })

const read = async (query: string, who: Client = finance) => {
  const { status, body } = await who.get(`/api/ad/ecspend/?${query}`)
  expect([status, JSON.stringify(body)]).toEqual([200, expect.anything()])
  return body as z.infer<typeof EcSpend>
}
const november = (advertiser: number, more = '') =>
  read(`from=2026-11&to=2026-11&advertiser=${advertiser}${more}`)

/** The four accounts of C1. */
async function example(terms: Parameters<typeof data.customer>[0] = {}) {
  const advertiser = await data.customer(terms)
  const cost = (amount: number) => [{ month: '2026-11', cost: amount }]
  const fb = await data.account(advertiser, { channel: 'fb', costs: cost(123_456.78) })
  const aw = await data.account(advertiser, { channel: 'aw', costs: cost(88_000.5) })
  const jp = await data.account(advertiser, { channel: 'fb', currency: 'JPY', costs: cost(450_000) })
  const tt = await data.account(advertiser, { channel: 'tt', currency: 'USD', costs: cost(1234.56) })
  await data.fee(advertiser, 15)
  return { advertiser, accounts: { fb, aw, jp, tt } }
}

beforeAll(async () => {
  await data.rate('2026-11', 'JPY', '0.2085')
  await data.rate('2026-11', 'USD', '31.505')
})

describe('what an advertiser owes for a month', () => {
  it('is, per channel and currency, media by the rate of the month, with fee and tax (C1, C2)', async () => {
    const { advertiser } = await example()
    const { rows, totals, months } = await november(advertiser)
    const lines = rows.map(row => [row.channel, row.currency, row.spend, row.billed, row.fee])
    expect(lines).toEqual([
      ['fb', 'JPY', units(450_000), units(93_825), units(14_074)],
      ['fb', 'TWD', units(123_456.78), units(123_457), units(18_519)],
      ['aw', 'TWD', units(88_000.5), units(88_001), units(13_200)],
      ['tt', 'USD', units(1234.56), units(38_895), units(5_834)],
    ])
    expect(totals).toEqual([
      {
        month: '2026-11',
        billing_currency: 'TWD',
        billed: units(344_178),
        fee: units(51_627),
        tax_amount: units(19_790),
        total: units(415_595),
        is_complete: true,
      },
    ])
    expect(months).toEqual([
      { month: '2026-11', state: 'open', locked_by: null, locked_at: null, waivers: [] },
    ])
  })

  it('is the fee alone where the customer pays the platforms (C3)', async () => {
    const { advertiser } = await example({ media_billing: 'client' })
    const { totals } = await november(advertiser)
    expect(totals).toMatchObject([
      { billed: units(344_178), fee: units(51_627), tax_amount: units(2_581), total: units(54_208) },
    ])
  })

  it('has no amount without a rate, and says so (C7)', async () => {
    const advertiser = await data.customer()
    await data.account(advertiser, { channel: 'tt', currency: 'VND', costs: [{ month: '2026-11', cost: 5 }] })
    await data.fee(advertiser, 15)
    const { rows, totals } = await read(`from=2026-11&to=2026-11&advertiser=${advertiser}`)
    expect(rows).toMatchObject([
      { spend: units(5), billed: null, fee: null, total: null, code: 'rate_missing' },
    ])
    expect(totals).toMatchObject([{ billed: 0, is_complete: false }])
  })

  it('is not known while days are missing, and never 0', async () => {
    const advertiser = await data.customer()
    await data.account(advertiser, {
      channel: 'fb',
      costs: [{ month: '2026-11', cost: 5, known: 'partial' }],
    })
    await data.account(advertiser, { channel: 'aw', costs: [{ month: '2026-11', cost: null }] })
    await data.account(advertiser, { channel: 'tt', costs: [{ month: '2026-11', cost: 0 }] })
    await data.account(advertiser, { channel: 'ln' })
    const { rows, waiting } = await november(advertiser)
    expect(rows.map(row => [row.channel, row.spend, row.billed, row.code])).toEqual([
      ['fb', null, null, 'days_unknown'],
      ['aw', null, null, 'days_unknown'],
      ['tt', 0, 0, null],
      ['ln', null, null, 'days_unknown'],
    ])
    expect(waiting).toBe(1)
  })

  it('of a month that is not over is what is known so far, by the latest rate', async () => {
    const advertiser = await data.customer()
    const costs = [{ month: '2026-12', cost: 10, known: 'partial' as const }]
    await data.account(advertiser, { channel: 'tt', currency: 'USD', costs })
    await data.account(advertiser, { channel: 'fb', costs })
    const { rows } = await read(`from=2026-12&to=2026-12&advertiser=${advertiser}`)
    expect(rows.map(row => [row.channel, row.billed, row.is_provisional, row.code])).toEqual([
      ['fb', units(10), true, null],
      ['tt', units(315), true, null],
    ])
  })

  it('is billed in the currency of each account where nothing else is agreed', async () => {
    const advertiser = await data.customer({ billing_currency: null })
    const costs = [{ month: '2026-11', cost: 100.505 }]
    await data.account(advertiser, { channel: 'fb', costs })
    await data.account(advertiser, { channel: 'tt', currency: 'USD', costs })
    await data.fee(advertiser, 10, { currency: 'USD' })
    const { rows, totals } = await november(advertiser)
    expect(rows.map(row => [row.billing_currency, row.billed, row.fee])).toEqual([
      ['TWD', units(101), 0],
      ['USD', units(100.51), units(10.05)],
    ])
    expect(totals.map(total => [total.billing_currency, total.billed])).toEqual([
      ['TWD', units(101)],
      ['USD', units(100.51)],
    ])
    const converted = await november(advertiser, '&convert=true')
    expect(converted.rows.map(row => [row.currency, row.billing_currency, row.billed])).toEqual([
      ['TWD', 'TWD', units(101)],
      ['USD', 'TWD', units(3167)],
    ])
    expect(converted.totals).toMatchObject([{ billing_currency: 'TWD', billed: units(3268) }])
  })
})

describe('the rows', () => {
  it('can be of advertisers, and of accounts, and add up to the same', async () => {
    const { advertiser, accounts } = await example()
    await data.account(advertiser, { channel: 'fb', costs: [{ month: '2026-11', cost: 0.11 }] })
    await api.db
      .insertInto('adjustment')
      .values({
        advertiser,
        channel: 'aw',
        month: '2026-11-01',
        concerns_month: '2026-10-01',
        currency: 'TWD',
        amount: units(-500),
        reason: 'credit',
      })
      .execute()
    const byChannel = await november(advertiser)
    const byAdvertiser = await november(advertiser, '&group=advertiser')
    const byAccount = await november(advertiser, '&group=account')
    expect(byAdvertiser.totals).toEqual(byChannel.totals)
    expect(byAccount.totals).toEqual(byChannel.totals)
    expect(byAdvertiser.rows.map(({ channel, currency }) => [channel, currency])).toEqual([
      [null, 'JPY'],
      [null, 'TWD'],
      [null, 'USD'],
    ])
    const google = byAccount.rows.filter(({ channel }) => channel === 'aw')
    expect(google.map(row => [row.ad_account, row.spend, row.adjusted, row.billed])).toEqual([
      [accounts.aw, units(88_000.5), 0, expect.anything()],
      [null, 0, units(-500), expect.anything()],
    ])
    expect(google.reduce((sum, row) => sum + (row.billed ?? 0), 0)).toBe(units(87_501))
  })

  it('are of accounts for one advertiser or one month only', async () => {
    const response = await finance.get('/api/ad/ecspend/?from=2026-10&to=2026-11&group=account')
    expectRefusal(response, 400, 'invalid', { group: ['field_invalid'] })
    expect((await finance.get('/api/ad/ecspend/?from=2026-11&to=2026-11&group=account')).status).toBe(200)
  })

  it('have what nobody is billed for, and what has no cost of its own not at all', async () => {
    const nobody = await data.account(null, { channel: 'fb', costs: [{ month: '2026-11', cost: 77 }] })
    await data.account(null, { channel: 'aw', costs: [{ month: '2026-11', cost: 0 }] })
    await api.account({ advertiser: null, channel: 'ga4', provider: 'ga4' })
    const { rows } = await read('from=2026-11&to=2026-11&group=account')
    const own = rows.filter(row => row.advertiser === null)
    expect(own.map(row => [row.ad_account, row.spend, row.billing_currency, row.billed])).toEqual([
      [nobody, units(77), null, null],
    ])
    expect(rows.filter(row => row.channel === null)).toEqual([])
  })

  it('are those of an industry or of a channel, with the fee that the whole month gives', async () => {
    const { id: industry } = await api.db
      .insertInto('industry')
      .values({ name: 'Only here', name_zh: '僅此' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { advertiser } = await example({ industry })
    const found = await read(`from=2026-11&to=2026-11&industry=${industry}`)
    expect(new Set(found.rows.map(row => row.advertiser))).toEqual(new Set([advertiser]))
    const google = await read(`from=2026-11&to=2026-11&industry=${industry}&channel=aw`)
    expect(google.rows.map(({ channel, fee }) => [channel, fee])).toEqual([['aw', units(13_200)]])
    expect(google.totals).toMatchObject([{ billed: units(88_001), fee: units(13_200) }])
  })

  it('are of at most 36 months, the earlier before the later', async () => {
    for (const range of ['from=2023-11&to=2026-11', 'from=2026-11&to=2026-10', 'from=2026-11', 'from=x&to=y'])
      expect((await finance.get(`/api/ad/ecspend/?${range}`)).status, range).toBe(400)
    expect((await finance.get('/api/ad/ecspend/?from=2023-12&to=2026-11')).status).toBe(200)
  })

  it('are exported as a table', async () => {
    const { advertiser } = await example({ name: '=Formula' })
    const { status, headers, body } = await finance.get(
      `/api/ad/ecspend/?from=2026-10&to=2026-11&advertiser=${advertiser}&format=csv`,
    )
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    const lines = String(body).trim().split('\r\n')
    expect(lines.at(-1)).toBe("2026-11,'=Formula,tt,,USD,1234.56,,0,TWD,38895,5834,2236,46965,")
  })
})

describe('EC spending', () => {
  it('is open to directors and to the people of finance, whatever their role (C9)', async () => {
    const query = '/api/ad/ecspend/?from=2026-11&to=2026-11'
    expectRefusal(await (await api.signedIn('manager')).get(query), 403, 'forbidden')
    expectRefusal(await (await api.signedIn('external_user')).get(query), 403, 'forbidden')
    expectRefusal(await (await api.signedIn('external_user', { department: 7 })).get(query), 403, 'forbidden')
    for (const who of [director, finance, await api.signedIn('superuser')])
      expect((await who.get(query)).status).toBe(200)
  })
})
