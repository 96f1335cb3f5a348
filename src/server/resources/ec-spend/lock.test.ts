import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { BillReply, Check, EcSpend, LockReply, Statements } from '#shared/api/ec-spend.ts'
import { expectRefusal, testApi, type ApiResponse } from '#server/http/testing/api.ts'
import { plainPdf } from '#server/resources/quotations/testing/orders.ts'
import { billingData, units } from './testing/billing.ts'

const pdf = plainPdf()
const api = await testApi({ effects: { pdf: pdf.renderer } })
const data = billingData(api.db)
api.clock.now = new Date('2026-12-03T02:00:00Z')
const finance = await api.signedIn('staff', { department: 7 })
const director = await api.signedIn('director')
const superuser = await api.signedIn('superuser')

const post = (path: string, body: object, who = finance) => who.post(`/api/ad/ecspend/${path}/`, body)
const lock = (month: string, more: object = {}) => post('lock', { month, ...more })
const unlock = (month: string) => post('unlock', { month, reason: 'a mistake' }, director)
const bill = (month: string, more: object = {}) => post('bill', { month, ...more })
const done = <Body>({ status, body }: ApiResponse) => {
  expect([status, JSON.stringify(body)]).toEqual([expect.toBeOneOf([200, 201]), expect.anything()])
  return body as Body
}
const statements = async (month: string, advertiser: number) =>
  done<z.infer<typeof Statements>>(
    await finance.get(`/api/ad/ecspend/statement/?month=${month}&advertiser=${advertiser}`),
  ).results
const blockersOf = (response: ApiResponse) => {
  expectRefusal(response, 409, 'lock_blocked')
  return Object(response.body).blockers as Check[]
}

/** Nothing of an earlier test: no month is locked, and every account is known. */
beforeEach(async () => {
  await sql`truncate billing_month, statement, statement_line, locked_account, payment, adjustment, platform_invoice, spend_month,
    fee_agreement, rate, quotation, number_series cascade`.execute(api.db)
  await api.db.deleteFrom('ad_account').execute()
})

describe('a month that is locked', () => {
  it('keeps what every customer owes, whatever comes later', async () => {
    const advertiser = await data.customer()
    const account = await data.account(advertiser, {
      channel: 'aw',
      costs: [{ month: '2026-11', cost: 88_000.5 }],
    })
    await data.fee(advertiser, 15)
    const [live] = await statements('2026-11', advertiser)
    const read = async () =>
      done<z.infer<typeof EcSpend>>(await finance.get('/api/ad/ecspend/?from=2026-11&to=2026-11'))
    const before = await read()
    const locked = done<z.infer<typeof LockReply>>(await lock('2026-11'))
    expect(locked).toMatchObject({
      statements: 1,
      month: { state: 'locked', locked_by: finance.user.username, waivers: [] },
    })
    const after = await read()
    expect(after.rows).toEqual(before.rows)
    expect(after.totals).toEqual(before.totals)
    const [frozen] = await statements('2026-11', advertiser)
    expect(frozen).toEqual({ ...live, id: expect.any(Number) })

    await data.cost(account, { month: '2026-11', cost: 1 })
    await api.db.updateTable('ad_account').set({ advertiser: null }).execute()
    await api.db.updateTable('advertiser').set({ media_billing: 'client' }).execute()
    await api.db.deleteFrom('fee_agreement').execute()
    expect((await read()).rows).toEqual(before.rows)
    expect((await statements('2026-11', advertiser))[0]).toEqual({ ...frozen, drift: expect.any(Array) })
  })

  it('cannot be locked again, and takes no invoice, adjustment or import', async () => {
    const advertiser = await data.customer()
    const account = await data.account(advertiser, { channel: 'fb', costs: [{ month: '2026-11', cost: 10 }] })
    const invoice = Object(
      done(await post('invoice', { ad_account: account, month: '2026-11', amount: units(10) })),
    )
    const fields = {
      advertiser,
      channel: 'fb',
      month: '2026-11',
      currency: 'TWD',
      amount: units(-1),
      reason: 'credit',
    }
    const adjustment = Object(done(await post('adjustment', fields)))
    const other = Object(done(await post('adjustment', { ...fields, month: '2026-12' })))
    done(await lock('2026-11'))
    const path = '/api/ad/ecspend'
    for (const response of [
      await lock('2026-11'),
      await post('invoice', { ad_account: account, month: '2026-11', amount: 0 }),
      await finance.patch(`${path}/invoice/${invoice.id}/`, { version: 1, amount: 0 }),
      await finance.delete(`${path}/invoice/${invoice.id}/`, { version: 1 }),
      await post('adjustment', fields),
      await finance.patch(`${path}/adjustment/${adjustment.id}/`, { version: 1, amount: units(2) }),
      await finance.patch(`${path}/adjustment/${other.id}/`, { version: 1, month: '2026-11' }),
      await finance.delete(`${path}/adjustment/${adjustment.id}/`, { version: 1 }),
    ])
      expectRefusal(response, 409, 'month_locked')
    expect(
      (await finance.patch(`${path}/adjustment/${other.id}/`, { version: 1, amount: 1_000_000 })).status,
    ).toBe(200)
  })
})

describe('a month is locked', () => {
  it('in its order, from where billing began (C6)', async () => {
    const advertiser = await data.customer()
    await data.account(advertiser, {
      channel: 'fb',
      costs: ['2026-08', '2026-09', '2026-10', '2026-11'].map(month => ({ month, cost: 5 })),
    })
    api.clock.now = new Date('2027-01-02T02:00:00Z')
    const [who] = [await api.signedIn('superuser')]
    const lockAs = (month: string, more: object = {}) => post('lock', { month, ...more }, who)
    const codes = (response: ApiResponse) => blockersOf(response).map(({ code, month }) => [code, month])
    expect(codes(await lockAs('2026-10'))).toEqual([
      ['earlier_month_open', '2026-08'],
      ['earlier_month_open', '2026-09'],
    ])
    done(await lockAs('2026-10', { first: true }))
    expect(codes(await lockAs('2026-12', { first: true }))).toContainEqual(['earlier_month_open', '2026-11'])
    expect(codes(await lockAs('2026-09'))).toEqual([['later_month_locked', '2026-10']])
    done(await lockAs('2026-11'))
    api.clock.now = new Date('2026-12-03T02:00:00Z')
  })

  it('when it is over where the last account is, and not before (C6)', async () => {
    const advertiser = await data.customer()
    await data.account(advertiser, {
      channel: 'fb',
      timezone: 'America/Los_Angeles',
      costs: [{ month: '2026-11', cost: 5 }],
    })
    api.clock.now = new Date('2026-12-01T07:59:59Z')
    const who = await api.signedIn('superuser')
    expect(blockersOf(await post('lock', { month: '2026-11' }, who))[0]).toMatchObject({
      code: 'month_not_over',
      until: '2026-12-01T08:00:00.000Z',
    })
    api.clock.now = new Date('2026-12-01T08:00:00Z')
    done(await post('lock', { month: '2026-11' }, who))
    api.clock.now = new Date('2026-12-03T02:00:00Z')
  })

  it('with every rate final: a missing one is named with its month and currencies (C7)', async () => {
    const advertiser = await data.customer()
    await data.account(advertiser, { channel: 'tt', currency: 'USD', costs: [{ month: '2026-11', cost: 5 }] })
    expect(blockersOf(await lock('2026-11'))).toMatchObject([
      { code: 'rate_missing', month: '2026-11', currency: 'USD', billing_currency: 'TWD' },
    ])
    await data.rate('2026-10', 'USD', '31')
    expect(blockersOf(await lock('2026-11'))).toMatchObject([{ code: 'rate_provisional' }])
    await data.rate('2026-11', 'USD', '31.5')
    done(await lock('2026-11'))
  })

  it('with unknown days and spend of nobody only where somebody says why', async () => {
    const advertiser = await data.customer()
    const lost = await data.account(advertiser, {
      channel: 'fb',
      name: 'Lost',
      costs: [{ month: '2026-11', cost: 40, known: 'partial' }],
    })
    const nobody = await data.account(null, { channel: 'ln', costs: [{ month: '2026-11', cost: 7 }] })
    expect(blockersOf(await lock('2026-11')).map(({ code, ad_account }) => [code, ad_account])).toEqual([
      ['days_unknown', lost],
      ['spend_of_nobody', nobody],
    ])
    const waive = [
      { ad_account: lost, reason: 'access revoked' },
      { ad_account: nobody, reason: 'our own test' },
    ]
    expect(blockersOf(await lock('2026-11', { waive: waive.slice(1) }))).toHaveLength(1)
    expectRefusal(await lock('2026-11', { waive: [{ ad_account: 999_999, reason: 'x' }] }), 400, 'invalid', {
      waive: ['account_unknown'],
    })
    const { month } = done<z.infer<typeof LockReply>>(await lock('2026-11', { waive }))
    expect(month.waivers).toEqual([
      { ...waive[0], account_name: 'Lost' },
      { ...waive[1], account_name: 'ln account' },
    ])
    const [statement] = await statements('2026-11', advertiser)
    expect(statement?.lines).toMatchObject([{ spend: units(40), billed: units(40) }])
    // What comes to light later is drift.
    await data.cost(lost, { month: '2026-11', cost: 100 })
    expect((await statements('2026-11', advertiser))[0]?.drift).toEqual([
      { channel: 'fb', currency: 'TWD', amount: units(60), booked: 0 },
    ])
  })

  it('by finance and superusers, and opened again by directors', async () => {
    expectRefusal(await post('lock', { month: '2026-11' }, director), 403, 'forbidden')
    expectRefusal(await post('unlock', { month: '2026-11', reason: 'x' }, finance), 403, 'forbidden')
    done(await post('lock', { month: '2026-11' }, superuser))
    done(await unlock('2026-11'))
  })
})

describe('what a platform changes later', () => {
  it('is drift, which is booked once into the first open month (C5)', async () => {
    const advertiser = await data.customer()
    const account = await data.account(advertiser, {
      channel: 'aw',
      costs: [
        { month: '2026-11', cost: 88_000.5 },
        { month: '2026-12', cost: 200_000 },
      ],
    })
    await data.fee(advertiser, 15)
    done(await lock('2026-11'))
    await data.cost(account, { month: '2026-11', cost: 87_649.5 })
    const drift = async () => (await statements('2026-11', advertiser))[0]?.drift
    expect(await drift()).toEqual([{ channel: 'aw', currency: 'TWD', amount: units(-351), booked: 0 }])
    const book = () => post('drift', { month: '2026-11', advertiser })
    expect(done(await book())).toEqual({ adjustments: 1, month: '2026-12' })
    expect(done(await book())).toEqual({ adjustments: 0, month: '2026-12' })
    expect(await drift()).toMatchObject([{ amount: units(-351), booked: units(-351) }])
    const [december] = await statements('2026-12', advertiser)
    expect(december).toMatchObject({
      media: units(199_649),
      fee: units(29_947),
      tax_amount: units(11_480),
      total: units(241_076),
      adjustments: [{ reason: 'drift', concerns_month: '2026-11', amount: units(-351) }],
    })
    // Opened again, the month has it in its costs.
    done(await unlock('2026-11'))
    expect((await statements('2026-12', advertiser))[0]?.adjustments).toEqual([])
    expect((await statements('2026-11', advertiser))[0]).toMatchObject({ media: units(87_650), drift: [] })
  })

  it('is none of an account that was billed by its invoice', async () => {
    const advertiser = await data.customer()
    const account = await data.account(advertiser, {
      channel: 'aw',
      costs: [{ month: '2026-11', cost: 100 }],
    })
    done(await post('invoice', { ad_account: account, month: '2026-11', amount: units(90) }))
    done(await lock('2026-11'))
    await data.cost(account, { month: '2026-11', cost: 90 })
    expect((await statements('2026-11', advertiser))[0]).toMatchObject({ media: units(90), drift: [] })
    expect(done(await post('drift', { month: '2026-11', advertiser }))).toMatchObject({ adjustments: 0 })
  })
})

describe('a locked month is billed', () => {
  it('once, with a payment for each statement above 0 (C8)', async () => {
    const [one, two, free] = [await data.customer(), await data.customer(), await data.customer()]
    for (const [advertiser, cost] of [
      [one, 100],
      [two, 200],
      [free, 0],
    ] as const)
      await data.account(advertiser, { channel: 'fb', costs: [{ month: '2026-11', cost }] })
    expectRefusal(await bill('2026-11'), 409, 'state_not_allowed')
    done(await lock('2026-11'))
    expect(done<z.infer<typeof BillReply>>(await bill('2026-11', { advertisers: [two] }))).toEqual({
      payments: 1,
    })
    expect(done(await bill('2026-11'))).toEqual({ payments: 1 })
    expect(done(await bill('2026-11'))).toEqual({ payments: 0 })
    const payments = await api.db.selectFrom('payment').selectAll().orderBy('id').execute()
    expect(payments).toMatchObject([
      {
        number: 'P2026-0001',
        advertiser: two,
        amount: units(210),
        issue_on: '2026-12-03',
        due_on: '2027-01-02',
      },
      { number: 'P2026-0002', advertiser: one, taxable: units(100), tax_amount: units(5), status: 'due' },
    ])
    expect((await statements('2026-11', one))[0]?.payment).toEqual({
      id: payments[1]?.id,
      number: 'P2026-0002',
      status: 'due',
    })
  })

  it('and cannot be opened while a payment stands; a void one keeps its statement (C8)', async () => {
    const advertiser = await data.customer()
    const account = await data.account(advertiser, {
      channel: 'fb',
      costs: [{ month: '2026-11', cost: 100 }],
    })
    done(await lock('2026-11'))
    done(await bill('2026-11'))
    const refusal = await unlock('2026-11')
    expectRefusal(refusal, 409, 'in_use')
    expect(refusal.body).toMatchObject({ by: { payments: 1 } })
    await api.db.updateTable('payment').set({ status: 'void', reason: 'wrong' }).execute()
    done(await unlock('2026-11'))
    await data.cost(account, { month: '2026-11', cost: 300 })
    done(await lock('2026-11'))
    expect(done(await bill('2026-11'))).toEqual({ payments: 1 })
    const payments = await api.db
      .selectFrom('payment')
      .innerJoin('statement', 'statement.id', 'payment.statement')
      .select(['payment.amount', 'payment.status', 'statement.media'])
      .orderBy('payment.id')
      .execute()
    expect(payments).toEqual([
      { amount: units(105), status: 'void', media: units(100) },
      { amount: units(315), status: 'due', media: units(300) },
    ])
    expectRefusal(await post('unlock', { month: '2026-10', reason: 'x' }, director), 409, 'state_not_allowed')
  })

  it('but for what an accepted order covers, as it is then', async () => {
    const advertiser = await data.customer()
    await data.account(advertiser, { channel: 'fb', costs: [{ month: '2026-11', cost: 100 }] })
    done(await lock('2026-11'))
    const { id } = await api.db
      .insertInto('quotation')
      .values({
        number: 'Q2026-0001',
        status: 'accepted',
        title: 'x',
        advertiser,
        owner: finance.user.id,
        currency: 'TWD',
        tax: 'tw_vat',
        media_billing: 'agency',
        language: 'en',
        payment_terms: JSON.stringify({ kind: 'days', days: 30 }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await api.db
      .insertInto('quotation_line')
      .values({
        quotation: id,
        position: 0,
        channel: 'fb',
        start: '2026-11-01',
        end: '2026-11-30',
        pricing: 'budget',
        budget: 1,
        media: 1,
        fee: 0,
      })
      .execute()
    expect(done(await bill('2026-11'))).toEqual({ payments: 0 })
    expect((await statements('2026-11', advertiser))[0]?.covered_by).toEqual({ id, label: 'Q2026-0001' })
    await api.db.updateTable('quotation').set({ status: 'cancelled' }).execute()
    expect(done(await bill('2026-11'))).toEqual({ payments: 1 })
    expect((await statements('2026-11', advertiser))[0]?.covered_by).toBeNull()
  })
})

describe('a statement as a document', () => {
  it('is there for a locked month, and for an open one as a draft', async () => {
    const advertiser = await data.customer()
    await data.account(advertiser, { channel: 'fb', costs: [{ month: '2026-11', cost: 100 }] })
    const path = `/api/ad/ecspend/statement/pdf/?month=2026-11&advertiser=${advertiser}&currency=`
    const print = async () => {
      const { status, headers } = await finance.get(`${path}TWD`)
      expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
    }
    await print()
    expect(pdf.printed.at(-1)).toMatchObject({ is_draft: true, total: units(105), issue_on: '2026-12-03' })
    done(await lock('2026-11'))
    await print()
    expect(pdf.printed.at(-1)).toMatchObject({ is_draft: false, total: units(105), month: '2026-11' })
    expectRefusal(await finance.get(`${path}USD`), 404, 'not_found')
  })
})

describe('at the same time', () => {
  const codes = (responses: readonly ApiResponse[]) =>
    responses.map(({ status, body }) => [status, Object(body).code ?? null]).toSorted()

  it('two locks of a month have one winner', async () => {
    const advertiser = await data.customer()
    await data.account(advertiser, { channel: 'fb', costs: [{ month: '2026-11', cost: 100 }] })
    const responses = await Promise.all([lock('2026-11'), lock('2026-11'), lock('2026-11')])
    expect(codes(responses)).toEqual([
      [200, null],
      [409, 'month_locked'],
      [409, 'month_locked'],
    ])
    expect(await statements('2026-11', advertiser)).toHaveLength(1)
  })

  it('a change is in the locked month, or refused', async () => {
    const advertiser = await data.customer()
    for (let round = 0; round < 6; round += 1) {
      const account = await data.account(advertiser, {
        channel: 'fb',
        costs: [{ month: '2026-11', cost: 100 }],
      })
      const amount = units(50)
      const [locked, invoice] = await Promise.all([
        lock('2026-11'),
        post('invoice', { ad_account: account, month: '2026-11', amount }),
      ])
      done(locked)
      const frozen = await api.db
        .selectFrom('locked_account')
        .select('invoice')
        .where('ad_account', '=', account)
        .executeTakeFirstOrThrow()
      expect([invoice.status, frozen.invoice]).toEqual(invoice.status === 201 ? [201, amount] : [409, null])
      done(await unlock('2026-11'))
    }
  })

  it('two bills make no payment twice, and their numbers have no gap', async () => {
    for (let customers = 0; customers < 5; customers += 1)
      await data.account(await data.customer(), { channel: 'fb', costs: [{ month: '2026-11', cost: 100 }] })
    done(await lock('2026-11'))
    const responses = await Promise.all([bill('2026-11'), bill('2026-11'), bill('2026-11')])
    expect(responses.map(({ body }) => Object(body).payments).toSorted()).toEqual([0, 0, 5])
    const numbers = await api.db.selectFrom('payment').select('number').orderBy('number').execute()
    expect(numbers.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5].map(number => `P2026-000${number}`))
  })
})
