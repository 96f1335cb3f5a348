import { describe, expect, it } from 'vitest'
import { Delivery } from '#shared/api/quotations.ts'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'
import {
  ACCEPTANCE,
  act,
  agency,
  budgetLine,
  PAYMENTS,
  paymentsOf,
  plainPdf,
  quotationIn,
  QUOTATIONS,
  sent,
  units,
} from './testing/orders.ts'

const api = await testApi({ effects: { pdf: plainPdf().renderer } })
// Noon in Taipei on the day after the 21st.
api.clock.now = new Date('2026-11-22T04:00:00Z')
const us = await agency(api)
const { staff, stranger, finance, advertiser, fb } = us
const body = { advertiser, title: 'November', currency: 'TWD', tax: 'exempt' }

const known = async (ad_account: number, known_from: string, known_to: string) => {
  await api.db
    .insertInto('spend_account')
    .values({ ad_account, known_from, known_to, next_at: api.clock.now })
    .onConflict(conflict => conflict.column('ad_account').doUpdateSet({ known_from, known_to }))
    .execute()
}
const spends = async (ad_account: number, day: string, cost: number | null) => {
  await api.db
    .insertInto('spend_day')
    .values({
      ad_account,
      day,
      cost: cost === null ? null : units(cost),
      impressions: 0,
      clicks: 0,
      conversions: 0,
    })
    .execute()
}
const order = async (who: Client, lines: object[], more: object = {}) => {
  const { id } = await sent(who, { ...body, ...more, lines })
  return quotationIn(await act(who, id, 'accept', { ...ACCEPTANCE, accepted_on: '2026-11-20' }))
}
const deliveryOf = async (id: number, who: Client = staff) => {
  const response = await who.get(`${QUOTATIONS}${id}/delivery/`)
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return Delivery.parse(response.body)
}

describe('delivery', () => {
  it('is what accounts have spent until yesterday, against an even pace (B11)', async () => {
    await known(fb, '2026-10-01', '2026-11-22')
    await spends(fb, '2026-10-31', 999)
    await spends(fb, '2026-11-01', 60_000)
    await spends(fb, '2026-11-21', 3200)
    await spends(fb, '2026-11-22', 777)
    const { id } = await order(staff, [budgetLine(100_000, 0, { channel: 'fb', accounts: [fb] })])
    const delivery = await deliveryOf(id)
    expect(delivery).toMatchObject({
      currency: 'TWD',
      through: '2026-11-21',
      lines: [
        {
          media: units(100_000),
          days: 30,
          days_over: 21,
          spent: units(63_200),
          expected: units(70_000),
          pace: 0.903,
          verdict: 'on_pace',
          forecast: units(90_286),
          is_final: false,
          code: null,
        },
      ],
      total: { spent: units(63_200), expected: units(70_000), pace: 0.903, verdict: 'on_pace' },
      months: [
        {
          month: '2026-11',
          ordered: units(100_000),
          delivered: units(63_200),
          asked: units(100_000),
          received: 0,
        },
      ],
    })
    expect(await deliveryOf(id, finance)).toEqual(delivery)
    expectRefusal(await stranger.get(`${QUOTATIONS}${id}/delivery/`), 404, 'not_found')
    const [payment] = await paymentsOf(finance, id)
    const receipt = { version: 1, on: '2026-11-21', amount: units(1000) }
    await finance.post(`${PAYMENTS}${payment?.id}/receipt/`, receipt)
    expect((await deliveryOf(id)).months[0]).toMatchObject({ received: units(1000) })
  })

  it('counts to the last whole day while the newest are still to be fetched', async () => {
    const account = await api.account({ advertiser })
    await known(account, '2026-10-01', '2026-11-21')
    await spends(account, '2026-11-20', 500)
    await spends(account, '2026-11-21', 12)
    const { id } = await order(staff, [budgetLine(3000, 0, { channel: 'fb', accounts: [account] })])
    expect(await deliveryOf(id)).toMatchObject({
      through: '2026-11-20',
      lines: [{ days_over: 20, spent: units(500), expected: units(2000), verdict: 'under' }],
    })
    await known(account, '2026-10-01', '2026-11-15')
    expect(await deliveryOf(id)).toMatchObject({
      through: '2026-11-21',
      lines: [{ spent: null, pace: null, forecast: null, code: 'days_missing' }],
      total: { spent: null, verdict: null },
    })
  })

  it('takes whole months that are older than the days, and says what is missing of others', async () => {
    const account = await api.account({ advertiser })
    await known(account, '2026-09-10', '2026-11-22')
    await spends(account, '2026-10-05', 200)
    await api.db
      .insertInto('spend_month')
      .values({
        ad_account: account,
        month: '2026-08-01',
        cost: units(100),
        known: 'full',
        origin: 'platform',
        as_of: api.clock.now,
      })
      .execute()
    const line = { channel: 'fb', accounts: [account], end: '2026-10-31' }
    const whole = await order(staff, [budgetLine(1000, 0, { ...line, start: '2026-08-01' })])
    expect((await deliveryOf(whole.id)).lines[0]).toMatchObject({ spent: null, code: 'days_missing' })
    await api.db
      .insertInto('spend_month')
      .values({
        ad_account: account,
        month: '2026-09-01',
        cost: units(50),
        known: 'full',
        origin: 'import',
        as_of: api.clock.now,
      })
      .execute()
    const delivery = await deliveryOf(whole.id)
    expect(delivery.lines[0]).toMatchObject({ spent: units(350), days_over: 92, code: null })
    expect(delivery.months.map(({ month, delivered }) => [month, delivered])).toEqual([
      ['2026-08', units(100)],
      ['2026-09', units(50)],
      ['2026-10', units(200)],
      ['2026-11', 0],
    ])
    const part = await order(staff, [budgetLine(1000, 0, { ...line, start: '2026-08-02' })])
    expect((await deliveryOf(part.id)).lines[0]).toMatchObject({ spent: null, code: 'days_missing' })
  })

  it('converts other currencies by the month’s rate', async () => {
    const account = await api.account({ advertiser, currency: 'USD' })
    await known(account, '2026-10-01', '2026-11-22')
    await spends(account, '2026-10-31', 100.5)
    await spends(account, '2026-11-02', 10)
    const lines = [budgetLine(10_000, 0, { channel: 'fb', accounts: [account], start: '2026-10-31' })]
    const { id } = await order(staff, lines)
    expect((await deliveryOf(id)).lines[0]).toMatchObject({ spent: null, code: 'rate_missing' })
    await api.db
      .insertInto('rate')
      .values({ month: '2026-10-01', currency: 'USD', rate: '31.505', kind: 'final' })
      .execute()
    // The running month takes the latest rate.
    expect((await deliveryOf(id)).lines[0]).toMatchObject({ spent: units(3481.3025), code: null })
  })

  it('of lines without accounts is typed', async () => {
    const { id, lines } = await order(staff, [
      budgetLine(1000, 0),
      budgetLine(500, 0, { start: '2026-11-25' }),
    ])
    expect((await deliveryOf(id)).lines.map(({ spent, days_over }) => [spent, days_over])).toEqual([
      [null, 21],
      [0, 0],
    ])
    await act(staff, id, 'spent', { lines: [{ line: lines[0]?.id, typed_spent: units(900) }] })
    expect(await deliveryOf(id)).toMatchObject({
      lines: [{ spent: units(900), verdict: 'over' }, { pace: null }],
      total: { spent: units(900), expected: units(700), verdict: 'over' },
    })
  })

  it('is of accepted orders', async () => {
    const { id } = await sent(staff, { ...body, lines: [budgetLine(1000, 0)] })
    expectRefusal(await staff.get(`${QUOTATIONS}${id}/delivery/`), 409, 'state_not_allowed')
  })
})
