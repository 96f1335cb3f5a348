import { describe, expect, it } from 'vitest'
import { PaymentList } from '#shared/api/payments.ts'
import { QuotationList } from '#shared/api/quotations.ts'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'
import {
  accepted,
  act,
  ACCEPTANCE,
  agency,
  budgetLine,
  exampleBody,
  PAYMENTS,
  paymentIn,
  paymentsOf,
  plainPdf,
  QUOTATIONS,
  sent,
  units,
} from '#server/resources/quotations/testing/orders.ts'

const pdf = plainPdf()
const api = await testApi({ effects: { pdf: pdf.renderer } })
// Noon in Taipei.
api.clock.now = new Date('2026-11-26T04:00:00Z')
const us = await agency(api)
const { staff, manager, director, finance, stranger, client } = us
const plain = { ...exampleBody(us), discount: 0, lines: [budgetLine(60_000, 1500)] }
const parts = [
  { share: 3000, after: 0 },
  { share: 4000, after: 30 },
  { share: 3000, after: 60 },
]

const paymentOf = async (body: object = plain) => {
  const [payment] = await paymentsOf(finance, (await accepted(staff, body)).id)
  if (!payment) throw new Error('there is no payment')
  return payment
}
const listed = async (who: Client, query = '') => {
  const response = await who.get(`${PAYMENTS}?limit=100&${query}`)
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return PaymentList.parse(response.body)
}
let invoices = 10_000_000
const invoiceNumber = () => `AB${++invoices}`

describe('a receipt', () => {
  it('pays with what the bank has kept, and not more than is open (B8)', async () => {
    const { id, amount } = await paymentOf({ ...exampleBody(us), schedule: parts })
    expect(amount).toBe(units(88_988))
    const path = `${PAYMENTS}${id}/receipt/`
    const receipt = { version: 1, on: '2026-11-20', amount: units(88_958), bank_fee: units(30) }
    expectRefusal(await finance.post(path, { ...receipt, amount: units(88_959) }), 400, 'invalid', {
      amount: ['receipt_too_large'],
    })
    const response = await finance.post(path, { ...receipt, reference: '12345' })
    expect(response.status).toBe(201)
    expect(paymentIn(response)).toMatchObject({
      status: 'paid',
      paid_on: '2026-11-20',
      received: units(88_988),
      version: 2,
      receipts: [{ amount: units(88_958), bank_fee: units(30), method: 'transfer', reference: '12345' }],
      may: ['edit'],
    })
    expectRefusal(
      await finance.post(path, { ...receipt, version: 2, amount: units(1) }),
      409,
      'state_not_allowed',
    )
  })

  it('may pay in part, and is reversed with a reason but never deleted', async () => {
    const { id } = await paymentOf()
    const path = `${PAYMENTS}${id}/receipt/`
    const first = { version: 1, on: '2026-11-25', amount: units(10_000), method: 'cheque' }
    const half = paymentIn(await director.post(path, first))
    expect(half).toMatchObject({
      status: 'due',
      received: units(10_000),
      paid_on: null,
      may: ['edit', 'receipt'],
    })
    const rest = { version: 2, on: '2026-11-26', amount: half.amount - units(10_000) }
    expect(paymentIn(await finance.post(path, rest))).toMatchObject({ status: 'paid', paid_on: '2026-11-26' })
    const reversal = `${path}${half.receipts[0]?.id}/reverse/`
    const back = paymentIn(await finance.post(reversal, { version: 3, reason: 'Bounced' }))
    expect(back).toMatchObject({ status: 'due', paid_on: null, received: half.amount - units(10_000) })
    expect(back.receipts.map(({ reason, reversed_at }) => [reason, reversed_at !== null])).toEqual([
      ['Bounced', true],
      [null, false],
    ])
    expectRefusal(await finance.post(reversal, { version: 4, reason: 'Twice' }), 409, 'state_not_allowed')
    const none = `${path}999999999/reverse/`
    expectRefusal(await finance.post(none, { version: 4, reason: 'x' }), 404, 'not_found')
  })

  it('says which field is wrong', async () => {
    const { id } = await paymentOf()
    const good = { version: 1, on: '2026-11-26', amount: units(1) }
    const cases: [object, object][] = [
      [{ on: '2026-11-27' }, { on: ['time_in_future'] }],
      [{ amount: 1 }, { amount: ['amount_step'] }],
      [{ bank_fee: 1 }, { bank_fee: ['amount_step'] }],
      [{ amount: 0 }, { amount: ['field_required'] }],
    ]
    for (const [change, fields] of cases)
      expectRefusal(
        await finance.post(`${PAYMENTS}${id}/receipt/`, { ...good, ...change }),
        400,
        'invalid',
        fields as never,
      )
    const stale = await finance.post(`${PAYMENTS}${id}/receipt/`, { ...good, version: 7 })
    expectRefusal(stale, 409, 'conflict')
    expect(stale.body).toMatchObject({ payment: { id, version: 1 } })
  })

  it('counts once when it is sent twice at once', async () => {
    const { id } = await paymentOf()
    const receipt = { version: 1, on: '2026-11-26', amount: units(10) }
    const both = await Promise.all(
      [finance, director].map(who => who.post(`${PAYMENTS}${id}/receipt/`, receipt)),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(paymentIn(await finance.get(`${PAYMENTS}${id}/`)).received).toBe(units(10))
  })
})

describe('an invoice number', () => {
  it('is one of the country, and belongs to one payment that is not void', async () => {
    const [one, other] = [await paymentOf(), await paymentOf()]
    const number = invoiceNumber()
    const change = (id: number, body: object) => finance.patch(`${PAYMENTS}${id}/`, body)
    for (const wrong of ['AB1234567', 'ab12345678', '12345678AB'])
      expectRefusal(await change(one.id, { version: 1, invoice_number: wrong }), 400, 'invalid', {
        invoice_number: ['field_invalid'],
      })
    const noted = paymentIn(await change(one.id, { version: 1, invoice_number: number }))
    expect(noted).toMatchObject({
      invoice_number: number,
      invoice_on: '2026-11-26',
      may: ['edit', 'receipt'],
    })
    expectRefusal(await change(other.id, { version: 1, invoice_number: number }), 400, 'invalid', {
      invoice_number: ['invoice_number_taken'],
    })
    expectRefusal(
      await finance.post(`${PAYMENTS}${one.id}/void/`, { version: 2, reason: 'x' }),
      409,
      'state_not_allowed',
    )
    paymentIn(await change(one.id, { version: 2, invoice_number: '' }))
    expect(paymentIn(await change(other.id, { version: 1, invoice_number: number })).invoice_on).toBe(
      '2026-11-26',
    )
    const raced = invoiceNumber()
    const third = await paymentOf()
    const both = await Promise.all([
      change(one.id, { version: 3, invoice_number: raced }),
      change(third.id, { version: 1, invoice_number: raced }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
    for (const lost of both.filter(({ status }) => status === 400))
      expectRefusal(lost, 400, 'invalid', { invoice_number: ['invoice_number_taken'] })
  })

  it('of a customer elsewhere is any short text', async () => {
    const abroad = await agency(api)
    await api.db
      .updateTable('advertiser')
      .set({ tax_country: 'JP' })
      .where('id', '=', abroad.advertiser)
      .execute()
    const { id } = await accepted(abroad.staff, { ...plain, advertiser: abroad.advertiser })
    const [payment] = await paymentsOf(finance, id)
    const change = { version: 1, invoice_number: 'INV-2026/11', invoice_on: '2026-11-01' }
    expect(paymentIn(await finance.patch(`${PAYMENTS}${payment?.id}/`, change))).toMatchObject({
      invoice_number: 'INV-2026/11',
      invoice_on: '2026-11-01',
    })
  })
})

describe('a payment', () => {
  it('is void with a reason, and what it leaves open is asked for again', async () => {
    const order = await accepted(staff, { ...exampleBody(us), schedule: parts })
    const [first, second] = await paymentsOf(finance, order.id)
    const again = (who: Client) => who.post(PAYMENTS, { quotation: order.id, due_on: '2027-02-28' })
    expectRefusal(await again(finance), 409, 'order_covered')
    for (const payment of [first, second])
      expect(
        paymentIn(
          await finance.post(`${PAYMENTS}${payment?.id}/void/`, { version: 1, reason: 'Wrong date' }),
        ),
      ).toMatchObject({ status: 'void', reason: 'Wrong date', may: [] })
    const both = await Promise.all([again(finance), again(director)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const made = both.find(({ status }) => status === 201)
    expect(made?.body).toMatchObject({
      amount: units(88_988 + 118_648),
      tax_amount: units(4238 + 5649),
      due_on: '2027-02-28',
      status: 'due',
    })
    const standing = (await paymentsOf(finance, order.id)).filter(({ status }) => status !== 'void')
    expect(standing.reduce((sum, { amount }) => sum + amount, 0)).toBe(order.total)
    const open = await sent(staff, plain)
    const refused = await finance.post(PAYMENTS, { quotation: open.id, due_on: '2027-02-28' })
    expectRefusal(refused, 409, 'state_not_allowed')
    for (const quotation of [999_999_999])
      expectRefusal(await finance.post(PAYMENTS, { quotation, due_on: '2027-02-28' }), 400, 'invalid', {
        quotation: ['field_not_available'],
      })
  })

  it('is read by those who serve the advertiser, and changed by directors and finance', async () => {
    const { id } = await paymentOf()
    const path = `${PAYMENTS}${id}/`
    for (const who of [staff, manager]) {
      expect(paymentIn(await who.get(path)).may).toEqual([])
      expectRefusal(await who.patch(path, { version: 1, note: 'x' }), 403, 'forbidden')
      expectRefusal(await who.post(`${path}void/`, { version: 1, reason: 'x' }), 403, 'forbidden')
      expectRefusal(await who.post(`${path}receipt/`, {}), 403, 'forbidden')
      expectRefusal(await who.post(PAYMENTS, {}), 403, 'forbidden')
    }
    expect((await stranger.get(path)).status).toBe(404)
    expect((await stranger.get(`${path}pdf/`)).status).toBe(404)
    expect((await client.get(path)).status).toBe(403)
    expect((await listed(stranger)).count).toBe(0)
    const changed = { version: 1, due_on: '2026-12-24', note: 'By Christmas' }
    expect(paymentIn(await finance.patch(path, changed))).toMatchObject({ ...changed, version: 2 })
  })

  it('is printed with the bank and its part of the order', async () => {
    const order = await accepted(staff, { ...exampleBody(us), schedule: parts, client_po: 'PO-1' })
    const [, second] = await paymentsOf(staff, order.id)
    const response = await staff.get(`${PAYMENTS}${second?.id}/pdf/`)
    expect(response.headers.get('content-disposition')).toContain(`${second?.number}.pdf`)
    expect(pdf.printed.at(-1)).toMatchObject({
      kind: 'payment',
      number: second?.number,
      quotation_label: order.label,
      client_po: 'PO-1',
      title: order.title,
      part: { index: 2, count: 3, share: 4000 },
      amount: units(118_648),
      due_on: '2026-12-26',
    })
  })
})

describe('the list of payments', () => {
  it('has sums by state and what is open by age', async () => {
    const mine = await agency(api)
    const body = {
      ...plain,
      advertiser: mine.advertiser,
      tax: 'exempt',
      lines: [budgetLine(1000, 0)],
      schedule: [
        { share: 1000, due_on: '2026-12-31' },
        { share: 2000, due_on: '2026-11-26' },
        { share: 3000, due_on: '2026-10-27' },
        { share: 3000, due_on: '2026-10-26' },
        { share: 1000, due_on: '2026-01-01' },
      ],
    }
    const order = await accepted(mine.staff, body)
    const payments = await paymentsOf(finance, order.id)
    const [future, today] = payments
    const receipt = { version: 1, on: '2026-11-26', amount: units(50) }
    await finance.post(`${PAYMENTS}${today?.id}/receipt/`, receipt)
    await finance.post(`${PAYMENTS}${future?.id}/receipt/`, { ...receipt, amount: units(100) })
    const list = await listed(mine.staff)
    expect(list.count).toBe(5)
    expect(list.sums).toEqual([
      { status: 'due', currency: 'TWD', count: 1, amount: units(200), open: units(150) },
      { status: 'overdue', currency: 'TWD', count: 3, amount: units(700), open: units(700) },
      { status: 'paid', currency: 'TWD', count: 1, amount: units(100), open: 0 },
    ])
    expect(list.ages).toEqual([
      { age: '0_30', currency: 'TWD', count: 2, open: units(450) },
      { age: '31_60', currency: 'TWD', count: 1, open: units(300) },
      { age: 'over_90', currency: 'TWD', count: 1, open: units(100) },
    ])
    const ids = async (query: string) => (await listed(mine.staff, query)).results.map(({ due_on }) => due_on)
    expect(await ids('status=overdue&ordering=due_on')).toEqual(['2026-01-01', '2026-10-26', '2026-10-27'])
    expect(await ids('due_from=2026-11-26&ordering=-due_on')).toEqual(['2026-12-31', '2026-11-26'])
    expect(await ids('status=paid')).toEqual(['2026-12-31'])
    expect(await ids(`search=${order.number}`)).toHaveLength(5)
    expect(await ids('search=nothing')).toEqual([])
    expect((await listed(mine.staff, 'status=paid')).sums).toHaveLength(3)
    const later = await accepted(mine.staff, { ...plain, advertiser: mine.advertiser })
    const orders = QuotationList.parse((await mine.staff.get(QUOTATIONS)).body).results
    expect(orders.map(({ id, is_overdue }) => [id, is_overdue])).toEqual([
      [later.id, false],
      [order.id, true],
    ])
  })

  it('is exported for the bookkeeper', async () => {
    const mine = await agency(api)
    const order = await accepted(mine.staff, { ...plain, advertiser: mine.advertiser })
    const { body } = await mine.staff.get(`${PAYMENTS}?format=csv`)
    const [head, row] = String(body).split('\r\n')
    expect(head).toContain(
      'Number,Insertion order,Month,Advertiser,State,Currency,Untaxed,Taxable,Tax,Amount',
    )
    expect(row).toContain(`${order.number},,Acme`)
    expect(row).toContain(',Due,TWD,0,69000,3450,72450,0,2026-11-26,2026-12-26,')
  })

  it('has the payments of all revisions of an order', async () => {
    const order = await accepted(staff, plain)
    expect(await paymentsOf(staff, order.id)).toHaveLength(1)
    const draft = await act(staff, order.id, 'revise')
    const id = Number(Object(draft.body).id)
    expect(await paymentsOf(staff, id)).toHaveLength(1)
    await act(staff, id, 'send')
    await act(staff, id, 'accept', ACCEPTANCE)
    expect((await paymentsOf(staff, order.id)).map(({ status }) => status)).toEqual(['void', 'due'])
  })
})
