import { describe, expect, it } from 'vitest'
import { QuotationList } from '#shared/api/quotations.ts'
import { expectRefusal, testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'
import { agency, budgetLine, exampleBody, quotationIn, QUOTATIONS, units, written } from './testing/orders.ts'

const api = await testApi()
// Noon in Taipei.
api.clock.now = new Date('2026-11-26T04:00:00Z')
const us = await agency(api)
const { staff, manager, finance, stranger, client, advertiser, fb, aw } = us
const example = exampleBody(us)

const listed = async (who: Client, query = '') => {
  const response = await who.get(`${QUOTATIONS}?limit=100&${query}`)
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return QuotationList.parse(response.body)
}
const sumsOf = ({ body }: ApiResponse) => {
  const { subtotal, service_fee, minimum_fee, untaxed, taxable, tax_amount, total } = quotationIn({
    status: 200,
    headers: new Headers(),
    body,
  })
  return Object.fromEntries(
    Object.entries({ subtotal, service_fee, minimum_fee, untaxed, taxable, tax_amount, total }).map(
      ([name, amount]) => [name, amount / 1_000_000],
    ),
  )
}

describe('the sums of a draft', () => {
  it('are those of its lines, taxed once (B1)', async () => {
    const response = await staff.post(QUOTATIONS, example)
    const draft = quotationIn(response)
    expect(response).toMatchObject({ status: 201, body: { status: 'draft', number: null, version: 1 } })
    expect(draft.lines.map(({ budget, fee }) => [budget / 1e6, fee / 1e6])).toEqual([
      [100_000, 15_000],
      [55_555, 6944],
      [100_000, 10_000],
    ])
    expect(sumsOf(response)).toMatchObject({
      subtotal: 255_555,
      service_fee: 31_944,
      taxable: 282_499,
      tax_amount: 14_125,
      total: 296_624,
    })
  })

  it('are of the fee alone where the customer pays the platforms, and untaxed media where we advance it (B2)', async () => {
    const ofClient = await staff.post(QUOTATIONS, { ...example, media_billing: 'client' })
    expect(sumsOf(ofClient)).toMatchObject({ taxable: 26_944, tax_amount: 1347, total: 28_291 })
    const advanced = await staff.post(QUOTATIONS, { ...example, media_billing: 'advance' })
    expect(sumsOf(advanced)).toMatchObject({ untaxed: 255_555, total: 283_846 })
  })

  it('have the tax of the document, not of its lines (B3)', async () => {
    const lines = [budgetLine(10_010, 0), budgetLine(10_010, 0)]
    expect(sumsOf(await staff.post(QUOTATIONS, { ...example, discount: 0, lines }))).toMatchObject({
      tax_amount: 1001,
    })
  })

  it('round Japanese tax down (B5)', async () => {
    const lines = [budgetLine(123_456, 2000), budgetLine(98_765, 2000)]
    const body = { ...example, currency: 'JPY', tax: 'jp_ct', discount: 0, lines }
    const response = await staff.post(QUOTATIONS, body)
    expect(quotationIn(response).lines.map(({ fee }) => fee / 1e6)).toEqual([24_691, 19_753])
    expect(sumsOf(response)).toMatchObject({ tax_amount: 26_666, total: 293_331 })
  })

  it('have a least fee (B6)', async () => {
    const body = {
      ...example,
      discount: 0,
      fee_minimum: units(20_000),
      lines: [budgetLine(60_000, 1500)],
    }
    expect(sumsOf(await staff.post(QUOTATIONS, body))).toMatchObject({
      service_fee: 20_000,
      minimum_fee: 11_000,
      tax_amount: 4000,
      total: 84_000,
    })
  })

  it('have the decimals of their currency (B7)', async () => {
    const body = {
      ...example,
      currency: 'USD',
      tax: 'zero_rated',
      discount: 0,
      lines: [budgetLine(1234.56, 1500)],
    }
    expect(sumsOf(await staff.post(QUOTATIONS, body))).toMatchObject({ service_fee: 185.18, total: 1419.74 })
  })

  it('have the commission of the agent (B10)', async () => {
    const agent = await agentOf({ commission_rate: 1000, commission_base: 'fee' })
    expect((await written(staff, { ...example, agent })).commission).toBe(units(3194))
  })
})

const agentOf = async (facts: { commission_rate: number; commission_base: 'fee' | 'media' }) => {
  const values = { name: `Agent ${crypto.randomUUID()}`, ...facts }
  const { id } = await api.db
    .insertInto('agent')
    .values({ ...values, payment_terms: JSON.stringify({ kind: 'month_end', days: 60 }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

describe('a draft', () => {
  it('takes what is left out from the advertiser, its agreements and the settings', async () => {
    const agent = await agentOf({ commission_rate: 0, commission_base: 'fee' })
    const other = await agency(api)
    await api.db
      .updateTable('advertiser')
      .set({
        agent,
        billing_currency: 'USD',
        tax: 'zero_rated',
        media_billing: 'advance',
        document_language: 'en',
        payment_terms: JSON.stringify({ kind: 'month_end', days: 30 }),
      })
      .where('id', '=', other.advertiser)
      .execute()
    const agreements = [
      { channel: null, rate: 1200, basis: 'on_top', from_month: '2026-01-01', to_month: null, minimum: 0 },
      {
        channel: 'fb',
        rate: 1500,
        basis: 'within',
        from_month: '2026-06-01',
        to_month: '2026-11-01',
        minimum: 0,
      },
      // Not flat, so that it gives no rate.
      { channel: 'aw', rate: 900, basis: 'on_top', from_month: '2026-01-01', to_month: null, minimum: 1 },
    ] as const
    for (const { rate, ...agreement } of agreements)
      await api.db
        .insertInto('fee_agreement')
        .values({
          ...agreement,
          advertiser: other.advertiser,
          currency: 'USD',
          tiers: JSON.stringify([{ up_to: null, rate }]),
        })
        .execute()
    await api.db.updateTable('issuer').set({ terms_en: 'Our terms' }).execute()
    const days = { start: '2026-11-01', end: '2026-11-30', budget: units(100) }
    const draft = await written(other.staff, {
      advertiser: other.advertiser,
      title: 'Short',
      lines: [
        { ...days, channel: 'fb' },
        { ...days, channel: 'fb', start: '2026-12-01', end: '2026-12-31' },
        { ...days, channel: 'aw' },
        { ...days, publisher: 'A portal' },
        { ...days, channel: 'fb', fee_rate: 700 },
      ],
    })
    expect(draft).toMatchObject({
      agent,
      bill_to: 'advertiser',
      owner: other.staff.user.id,
      currency: 'USD',
      tax: 'zero_rated',
      media_billing: 'advance',
      language: 'en',
      payment_terms: { kind: 'month_end', days: 30 },
      terms: 'Our terms',
      issue_on: null,
      valid_until: null,
      may: ['edit', 'send', 'copy'],
    })
    expect(draft.lines.map(({ fee_rate, fee_basis }) => [fee_rate, fee_basis])).toEqual([
      [1500, 'within'],
      [1200, 'on_top'],
      [0, 'on_top'],
      [1200, 'on_top'],
      [700, 'on_top'],
    ])
    const billed = await written(other.staff, {
      advertiser: other.advertiser,
      title: 'By the agent',
      bill_to: 'agent',
    })
    expect(billed.payment_terms).toEqual({ kind: 'month_end', days: 60 })
  })

  it('says which field is wrong', async () => {
    const foreign = await agency(api)
    const line = budgetLine(100, 0)
    const cases: [object, Record<string, string[]>][] = [
      [{ advertiser: foreign.advertiser }, { advertiser: ['field_not_available'] }],
      [{ advertiser: 999_999_999 }, { advertiser: ['field_not_available'] }],
      [{ agent: 999_999_999 }, { agent: ['field_not_available'] }],
      [{ bill_to: 'agent' }, { agent: ['field_required'] }],
      [{ owner: client.user.id }, { owner: ['field_not_available'] }],
      [{ discount: units(0.5) }, { discount: ['amount_step'] }],
      [{ fee_minimum: 1 }, { fee_minimum: ['amount_step'] }],
      [{ discount: units(300_000) }, { discount: ['discount_too_large'] }],
      [{ schedule: [{ share: 9999, after: 0 }] }, { schedule: ['shares_sum'] }],
      [{ lines: [{ ...line, budget: units(0.01) }] }, { 'lines.0.budget': ['amount_step'] }],
      [{ lines: [{ ...line, title: '' }] }, { 'lines.0.title': ['field_required'] }],
      [{ lines: [{ ...line, end: '2026-10-31' }] }, { 'lines.0.end': ['field_invalid'] }],
      [{ lines: [{ ...line, end: '2027-12-06' }] }, { 'lines.0.end': ['field_invalid'] }],
      [{ lines: [{ ...line, accounts: [foreign.fb] }] }, { 'lines.0.accounts': ['account_unknown'] }],
      [
        { lines: [line, { ...line, channel: 'fb', accounts: [fb, aw] }] },
        { 'lines.1.accounts': ['account_unknown'] },
      ],
      [
        { discount: 0, lines: Array.from({ length: 2 }, () => budgetLine(5_000_000_000, 0)) },
        { lines: ['document_too_large'] },
      ],
      [{ lines: Array.from({ length: 101 }, () => line) }, { lines: ['field_too_many'] }],
    ]
    for (const [change, fields] of cases) {
      const response = await staff.post(QUOTATIONS, { ...example, discount: 0, ...change })
      expect(response.body, JSON.stringify(change).slice(0, 200)).toMatchObject({ codes: fields })
      expectRefusal(response, 400, 'invalid', fields as never)
    }
    const longest = await staff.post(QUOTATIONS, {
      ...example,
      lines: [{ ...line, end: '2027-12-05' }],
      discount: 0,
    })
    expect(longest.status).toBe(201)
  })

  it('is changed in its latest version, with all of its sums', async () => {
    const draft = await written(staff, example)
    const changed = await staff.patch(`${QUOTATIONS}${draft.id}/`, {
      version: 1,
      title: 'Renamed',
      discount: 0,
      lines: [budgetLine(60_000, 1500)],
    })
    expect(quotationIn(changed)).toMatchObject({ version: 2, title: 'Renamed', total: units(72_450) })
    const late = await manager.patch(`${QUOTATIONS}${draft.id}/`, { version: 1, title: 'Late' })
    expectRefusal(late, 409, 'conflict')
    expect(late.body).toMatchObject({ quotation: { id: draft.id, version: 2, title: 'Renamed' } })
    const both = await Promise.all(
      [staff, manager].map(who => who.patch(`${QUOTATIONS}${draft.id}/`, { version: 2, title: 'Both' })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it('is deleted by managers and finance', async () => {
    const draft = await written(staff, example)
    const send = (who: Client, version = 1) => who.delete(`${QUOTATIONS}${draft.id}/`, { version })
    expectRefusal(await send(staff), 403, 'forbidden')
    expectRefusal(await send(manager, 7), 409, 'conflict')
    expect((await send(manager)).status).toBe(204)
    expectRefusal(await send(manager), 404, 'not_found')
    const other = await written(staff, example)
    expect(other.may).not.toContain('delete')
    expect((await finance.delete(`${QUOTATIONS}${other.id}/`, { version: 1 })).status).toBe(204)
  })

  it('is seen by those who serve the advertiser, and by finance', async () => {
    const draft = await written(staff, example)
    for (const who of [staff, manager, us.director, finance])
      expect((await who.get(`${QUOTATIONS}${draft.id}/`)).status).toBe(200)
    expect((await stranger.get(`${QUOTATIONS}${draft.id}/`)).status).toBe(404)
    expect((await stranger.patch(`${QUOTATIONS}${draft.id}/`, { version: 1, title: 'x' })).status).toBe(404)
    expect((await client.get(`${QUOTATIONS}${draft.id}/`)).status).toBe(403)
    expect((await listed(stranger)).count).toBe(0)
    expect((await client.get(QUOTATIONS)).status).toBe(403)
    expect((await listed(finance, `advertiser=${advertiser}`)).count).toBeGreaterThan(0)
  })
})

describe('the list', () => {
  it('is filtered, searched, ordered and summed by state and currency', async () => {
    const { staff: me, ...mine } = await agency(api)
    const body = { advertiser: mine.advertiser, tax: 'exempt', lines: [budgetLine(100, 0)] }
    const first = await written(me, { ...body, title: 'Alpha 50%', client_po: 'PO-77' })
    const second = await written(me, { ...body, title: 'Beta', currency: 'USD', owner: mine.manager.user.id })
    const ids = async (query: string) => (await listed(me, query)).results.map(({ id }) => id)
    expect(await ids('')).toEqual([second.id, first.id])
    expect(await ids('ordering=title')).toEqual([first.id, second.id])
    expect(await ids('ordering=-total&currency=USD')).toEqual([second.id])
    expect(await ids('search=po-77')).toEqual([first.id])
    expect(await ids('search=50%25')).toEqual([first.id])
    expect(await ids('search=acme')).toEqual([second.id, first.id])
    expect(await ids(`owner=${mine.manager.user.id}`)).toEqual([second.id])
    expect(await ids('status=sent')).toEqual([])
    expect(await ids('from=2026-01-01')).toEqual([])
    const both = await listed(me, 'status=sent')
    expect(both.count).toBe(0)
    expect(both.sums).toEqual([
      { status: 'draft', currency: 'TWD', count: 1, total: units(100) },
      { status: 'draft', currency: 'USD', count: 1, total: units(100) },
    ])
    expect((await listed(me)).results[0]).toMatchObject({
      start: '2026-11-01',
      end: '2026-11-30',
      label: null,
      owner_name: mine.manager.user.username,
    })
    expect((await me.get(`${QUOTATIONS}?limit=1&offset=1`)).body).toMatchObject({ count: 2, next: null })
  })

  it('is exported for the bookkeeper, without commissions', async () => {
    const { staff: me, advertiser: of } = await agency(api)
    const agent = await agentOf({ commission_rate: 1000, commission_base: 'media' })
    const line = budgetLine(1234.5, 0)
    const draft = await written(me, {
      advertiser: of,
      agent,
      title: '=cmd()',
      currency: 'USD',
      tax: 'exempt',
      lines: [line],
    })
    expect(draft.commission).toBe(units(123.45))
    const { body } = await me.get(`${QUOTATIONS}?format=csv`)
    const [head, row] = String(body).split('\r\n')
    expect(head).toContain('Number,Title,Advertiser,Agent,Owner,State,Currency,Total')
    expect(row).toContain("'=cmd()")
    expect(row).toContain(',Sam,Draft,USD,1234.5,')
    expect(String(body)).not.toContain('123.45')
  })
})
