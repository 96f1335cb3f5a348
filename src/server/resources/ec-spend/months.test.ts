import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Checks, Reconciliation, Statements } from '#shared/api/ec-spend.ts'
import { testApi } from '#server/http/testing/api.ts'
import { billingData, units } from './testing/billing.ts'

const api = await testApi()
const data = billingData(api.db)
api.clock.now = new Date('2026-12-03T02:00:00Z')
const finance = await api.signedIn('staff', { department: 7 })

const get = async <Body>(path: string) => {
  const { status, body } = await finance.get(`/api/ad/ecspend/${path}`)
  expect([status, JSON.stringify(body)]).toEqual([200, expect.anything()])
  return body as Body
}
const statements = (query: string) => get<z.infer<typeof Statements>>(`statement/?${query}`)
const checks = (query: string) => get<z.infer<typeof Checks>>(`checks/?${query}`)
const reconciliation = (query: string) => get<z.infer<typeof Reconciliation>>(`reconciliation/?${query}`)

const invoice = (ad_account: number, amount: number, note = '') =>
  api.db
    .insertInto('platform_invoice')
    .values({ ad_account, month: '2026-11-01', amount: units(amount), note })
    .execute()

beforeAll(async () => {
  await data.rate('2026-11', 'JPY', '0.2085')
  await data.rate('2026-11', 'USD', '31.505')
})

describe('a statement', () => {
  it('has its lines, their rates and what is charged (C1)', async () => {
    const advertiser = await data.customer({ name: 'Zeta' })
    const cost = (amount: number) => [{ month: '2026-11', cost: amount }]
    await data.account(advertiser, { channel: 'fb', costs: cost(123_456.78) })
    await data.account(advertiser, { channel: 'aw', costs: cost(88_000.5) })
    await data.account(advertiser, { channel: 'fb', currency: 'JPY', costs: cost(450_000) })
    await data.account(advertiser, { channel: 'tt', currency: 'USD', costs: cost(1234.56) })
    await data.fee(advertiser, 15)
    const { month, results } = await statements(`month=2026-11&advertiser=${advertiser}`)
    expect(month).toMatchObject({ month: '2026-11', state: 'open' })
    expect(results).toMatchObject([
      {
        id: null,
        advertiser_name: 'Zeta',
        currency: 'TWD',
        media: units(344_178),
        fee: units(51_627),
        untaxed: 0,
        taxable: units(395_805),
        tax_amount: units(19_790),
        total: units(415_595),
        warnings: [],
        payment: null,
        covered_by: null,
      },
    ])
    expect(results[0]?.lines.map(({ channel, currency, rate }) => [channel, currency, rate])).toEqual([
      ['fb', 'JPY', '0.2085'],
      ['fb', 'TWD', null],
      ['aw', 'TWD', null],
      ['tt', 'USD', '31.505'],
    ])
    const sum = (of: 'billed' | 'fee' | 'tax_amount' | 'total') =>
      results[0]?.lines.reduce((all, line) => all + (line[of] ?? 0), 0)
    expect([sum('billed'), sum('fee'), sum('tax_amount'), sum('total')]).toEqual(
      [344_178, 51_627, 19_790, 415_595].map(units),
    )
  })

  it('counts the platform’s invoice instead of its report, and says how far they are apart (C4)', async () => {
    const advertiser = await data.customer()
    const costs = [{ month: '2026-11', cost: 88_000.5 }]
    const account = await data.account(advertiser, { channel: 'aw', costs })
    await invoice(account, 87_650)
    const { results } = await statements(`month=2026-11&advertiser=${advertiser}`)
    expect(results[0]?.lines).toMatchObject([
      { spend: units(88_000.5), invoiced: units(87_650), billed: units(87_650) },
    ])
    expect(results[0]?.warnings).toEqual(['no_agreement'])
    expect((await reconciliation(`month=2026-11&advertiser=${advertiser}`)).results).toMatchObject([
      {
        ad_account: account,
        spend: units(88_000.5),
        invoice: { amount: units(87_650) },
        difference: units(-351),
        difference_rate: -399,
        locked_cost: null,
        drift: null,
      },
    ])
  })

  it('names an invoice that is more than half a percent off and says nothing about it', async () => {
    const advertiser = await data.customer()
    const costs = [{ month: '2026-11', cost: 1000 }]
    const off = await data.account(advertiser, { channel: 'aw', costs })
    const noted = await data.account(advertiser, { channel: 'fb', costs })
    await invoice(off, 1006)
    await invoice(noted, 500, 'a credit of October')
    const { results } = await checks(`month=2026-11&advertiser=${advertiser}`)
    expect(results.map(({ code, ad_account, channel }) => [code, ad_account, channel])).toEqual([
      ['no_agreement', null, 'fb'],
      ['no_agreement', null, 'aw'],
      ['invoice_differs', off, 'aw'],
    ])
    expect((await statements(`month=2026-11&advertiser=${advertiser}`)).results[0]?.warnings).toEqual([
      'no_agreement',
      'invoice_differs',
    ])
  })

  it('is covered by an accepted order of every day on which its channels cost something', async () => {
    const advertiser = await data.customer()
    const { id: owner } = finance.user
    const account = await data.account(advertiser, {
      channel: 'fb',
      costs: [{ month: '2026-11', cost: 900 }],
    })
    const order = async (start: string, end: string, facts: { channel?: 'aw'; currency?: string } = {}) => {
      const { id } = await api.db
        .insertInto('quotation')
        .values({
          number: randomUUID(),
          status: 'accepted',
          title: 'x',
          advertiser,
          owner,
          currency: facts.currency ?? 'TWD',
          tax: 'tw_vat',
          media_billing: 'agency',
          language: 'en',
          payment_terms: JSON.stringify({ kind: 'days', days: 30 }),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const line = { channel: facts.channel ?? 'fb', pricing: 'budget', budget: 1, media: 1, fee: 0 } as const
      await api.db
        .insertInto('quotation_line')
        .values({ quotation: id, position: 0, start, end, ...line })
        .execute()
      return id
    }
    const covered = async () =>
      (await statements(`month=2026-11&advertiser=${advertiser}`)).results[0]?.covered_by?.id ?? null
    await order('2026-11-01', '2026-11-30', { channel: 'aw' })
    await order('2026-11-01', '2026-11-30', { currency: 'USD' })
    const part = await order('2026-11-05', '2026-11-12')
    expect(await covered()).toBeNull()
    await api.db
      .insertInto('spend_day')
      .values(
        ['2026-11-05', '2026-11-12'].map(day => ({
          ad_account: account,
          day,
          cost: 1,
          impressions: 0,
          clicks: 0,
          conversions: 0,
        })),
      )
      .execute()
    expect(await covered()).toBe(part)
    await api.db
      .insertInto('spend_day')
      .values({ ad_account: account, day: '2026-11-13', cost: 1, impressions: 0, clicks: 0, conversions: 0 })
      .execute()
    expect(await covered()).toBeNull()
    expect(await order('2026-10-15', '2026-12-15')).toBe(await covered())
  })
})

describe('the checks of a month', () => {
  it('name everything that keeps it from being locked, at once', async () => {
    const advertiser = await data.customer({ name: 'Checked' })
    await data.account(advertiser, { channel: 'fb', name: 'Unknown' })
    const usd = await data.account(advertiser, {
      channel: 'tt',
      currency: 'EUR',
      costs: [{ month: '2026-11', cost: 1 }],
    })
    await data.cost(usd, { month: '2026-10', cost: 1 })
    const nobody = await data.account(null, { channel: 'ln', costs: [{ month: '2026-11', cost: 7 }] })
    const { results } = await checks('month=2026-11')
    const found = results.map(
      ({ code, is_blocker, can_waive, month, ad_account, currency, billing_currency }) => [
        code,
        is_blocker,
        can_waive,
        month,
        ad_account,
        currency,
        billing_currency,
      ],
    )
    expect(found).toContainEqual(['earlier_month_open', true, true, '2026-10', null, null, null])
    expect(found).toContainEqual(['days_unknown', true, true, '2026-11', expect.any(Number), 'TWD', null])
    expect(found).toContainEqual(['rate_missing', true, false, '2026-11', null, 'EUR', 'TWD'])
    expect(found).toContainEqual(['spend_of_nobody', true, true, '2026-11', nobody, 'TWD', null])
    await data.rate('2026-11', 'EUR', '34', 'provisional')
    const provisional = (await checks('month=2026-11')).results.find(({ currency }) => currency === 'EUR')
    expect(provisional).toMatchObject({ code: 'rate_provisional', is_blocker: true })
  })

  it('wait until the month is over where the last of its accounts is (C6)', async () => {
    const advertiser = await data.customer()
    await data.account(advertiser, { channel: 'fb', timezone: 'America/Los_Angeles', costs: [] })
    const { results } = await checks('month=2026-12')
    expect(results[0]).toMatchObject({ code: 'month_not_over', until: '2027-01-01T08:00:00.000Z' })
    expect((await checks('month=2026-11')).results.map(({ code }) => code)).not.toContain('month_not_over')
  })
})
