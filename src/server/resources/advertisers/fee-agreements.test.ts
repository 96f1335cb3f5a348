import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { FeeAgreement, FeeAgreements } from '#shared/api/customers.ts'
import { feeOf } from '#shared/billing/fee.ts'
import { eventually } from '#server/db/testing/eventually.ts'
import { expectRefusal, testApi, type ApiResponse } from '#server/http/testing/api.ts'

const api = await testApi()
const director = await api.signedIn('director')
const finance = await api.signedIn('staff', { department: 7 })
const staff = await api.signedIn('staff')

let made = 0
const advertiser = () => api.advertiser(`Customer ${(made += 1)}`, [staff.user.id])
const path = (of: number, aid?: number) =>
  `/api/advertiser/${of}/fee-agreement/${aid === undefined ? '' : `${aid}/`}`
const flat = [{ up_to: null, rate: 1500 }]
const open = { currency: 'TWD', from_month: '2026-01', tiers: flat }
const one = ({ body }: ApiResponse) => FeeAgreement.parse(body)
const agree = async (of: number, terms: object = {}) =>
  one(await finance.post(path(of), { ...open, ...terms }))
const all = async (of: number) => FeeAgreements.parse((await staff.get(path(of))).body).results
const M = 1_000_000

async function waiting() {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    api.db,
  )
  return rows.length
}

/** What the lock of a month leaves: a statement that names the agreements that were in force. */
async function lock(of: number, month: string, agreements: number[]) {
  const nothing = { media: 0, fee: 0, untaxed: 0, taxable: 0, tax_amount: 0, total: 0 }
  const { id } = await api.db
    .insertInto('statement')
    .values({
      ...nothing,
      advertiser: of,
      month: `${month}-01`,
      currency: 'TWD',
      tax: 'tw_vat',
      media_billing: 'agency',
      frozen: JSON.stringify({ agreements }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

describe('a fee agreement', () => {
  it('is made by directors and finance with its defaults, and read by who serves the customer', async () => {
    const of = await advertiser()
    const created = await director.post(path(of), open)
    expect(created.status).toBe(201)
    expect(one(created)).toMatchObject({
      ...open,
      version: 1,
      channel: null,
      to_month: null,
      amount: 0,
      minimum: 0,
      tier_mode: 'marginal',
      basis: 'on_top',
      charges_idle_months: false,
      is_used: false,
    })
    expect(await all(of)).toEqual([one(created)])
    expectRefusal(await staff.post(path(of), open), 403, 'forbidden')
    const outsider = await api.signedIn('staff')
    expectRefusal(await outsider.get(path(of)), 404, 'not_found')
    expectRefusal(await finance.post(path(999_999_999), open), 404, 'not_found')
  })

  it.each([
    ['A3', { minimum: 30_000 * M }, { 150_000: 30_000, 344_178: 51_627 }],
    [
      'A4 marginal',
      { tiers: tiersOf('marginal') },
      { 1_234_567: 198_457, 500_000: 100_000, 500_001: 100_000 },
    ],
    [
      'A4, A5 whole',
      { tiers: tiersOf('whole'), tier_mode: 'whole' },
      { 1_234_567: 123_457, 500_000: 100_000, 500_001: 75_000 },
    ],
    ['A6', { basis: 'within' }, { 85_000: 15_000, 84_321: 14_880 }],
    ['A7', { amount: 20_000 * M, tiers: [{ up_to: null, rate: 500 }] }, { 300_000: 35_000, 0: 0 }],
    [
      'A7 idle',
      { amount: 20_000 * M, tiers: [{ up_to: null, rate: 500 }], charges_idle_months: true },
      { 0: 20_000 },
    ],
  ])('is worth what it says (%s)', async (_, terms, fees) => {
    const { tiers, amount, minimum, ...rest } = await agree(await advertiser(), terms)
    const agreed = {
      ...rest,
      tiers: tiers.map(({ up_to, rate }) => ({ up_to: up_to === null ? null : BigInt(up_to), rate })),
      amount: BigInt(amount),
      minimum: BigInt(minimum),
    }
    for (const [media, fee] of Object.entries(fees))
      expect([media, feeOf(agreed, BigInt(media) * BigInt(M))]).toEqual([media, BigInt(fee) * BigInt(M)])
  })

  it('shares no month with another of its channel and currency (A8)', async () => {
    const of = await advertiser()
    const first = await agree(of)
    const second = { ...open, from_month: '2026-06' }
    const refused = await finance.post(path(of), second)
    expectRefusal(refused, 400, 'invalid', { from_month: ['agreement_overlaps'] })
    expect(Object(refused.body).details.from_month).toMatchObject({ id: first.id, from_month: '2026-01' })
    for (const other of [{ channel: 'fb' }, { currency: 'USD' }])
      expect((await finance.post(path(of), { ...second, ...other })).status).toBe(201)
    const ended = await finance.patch(path(of, first.id), { version: 1, to_month: '2026-05' })
    expect(one(ended)).toMatchObject({ version: 2, to_month: '2026-05', tiers: flat })
    expect((await finance.post(path(of), second)).status).toBe(201)
    const reopened = await finance.patch(path(of, first.id), { version: 2, to_month: null })
    expectRefusal(reopened, 400, 'invalid', { from_month: ['agreement_overlaps'] })
    expect((await all(of)).map(({ from_month }) => from_month)).toEqual([
      '2026-06',
      '2026-06',
      '2026-06',
      '2026-01',
    ])
  })

  it('shares no month with one that is made at the same time', async () => {
    const of = await advertiser()
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        finance.post(path(of), { ...open, from_month: `2026-0${at + 1}` }),
      ),
    )
    const statuses = responses.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([201, 400, 400, 400, 400, 400])
    expect(await all(of)).toHaveLength(1)
  })

  it.each([
    [{ to_month: '2025-12' }, { to_month: ['field_invalid'] }],
    [{ tiers: [] }, { tiers: ['field_invalid'] }],
    [{ tiers: [{ up_to: 5 * M, rate: 100 }] }, { 'tiers.0.up_to': ['field_invalid'] }],
    [{ tiers: [{ up_to: null, rate: 1 }, ...flat] }, { 'tiers.0.up_to': ['field_invalid'] }],
    [{ tiers: tiersOf('falling') }, { 'tiers.1.up_to': ['field_invalid'] }],
    [{ tiers: tiersOf('marginal'), basis: 'within' }, { tiers: ['field_too_many'] }],
    [{ tiers: Array.from({ length: 7 }, () => flat[0]) }, { tiers: ['field_too_many'] }],
    [{ minimum: 1_500_000 }, { minimum: ['amount_step'] }],
    [{ amount: 10_000, currency: 'JPY' }, { amount: ['amount_step'] }],
    [{ tiers: [{ up_to: 1, rate: 1 }, ...flat] }, { 'tiers.0.up_to': ['amount_step'] }],
    [{ currency: 'twd' }, { currency: ['field_invalid'] }],
    [{ channel: 'ga4' }, { channel: ['field_invalid'] }],
  ])('is refused as %j', async (terms, fields) => {
    const of = await advertiser()
    expectRefusal(await finance.post(path(of), { ...open, ...terms }), 400, 'invalid', fields as never)
    const { id } = await agree(of)
    expectRefusal(
      await finance.patch(path(of, id), { version: 1, ...terms }),
      400,
      'invalid',
      fields as never,
    )
  })

  it('takes cents in a currency that has them', async () => {
    expect((await agree(await advertiser(), { currency: 'USD', minimum: 10_000 })).minimum).toBe(10_000)
  })

  it('can only be ended once a locked month has used it', async () => {
    const of = await advertiser()
    const { id } = await agree(of)
    const other = await agree(of, { currency: 'USD' })
    await lock(of, '2026-03', [id])
    const reopened = await lock(of, '2026-04', [id])
    await api.db
      .updateTable('statement')
      .set({ reopened_at: api.clock.now })
      .where('id', '=', reopened)
      .execute()
    expect((await all(of)).map(row => [row.id, row.is_used])).toEqual([
      [other.id, false],
      [id, true],
    ])
    for (const change of [{ minimum: M }, { from_month: '2026-02' }, { to_month: '2026-02' }]) {
      const refused = await finance.patch(path(of, id), { version: 1, ...change })
      expectRefusal(refused, 409, 'agreement_used')
      expect(refused.body).toMatchObject({ last_month: '2026-03' })
    }
    expectRefusal(await finance.delete(path(of, id), { version: 1 }), 409, 'agreement_used')
    const ended = await finance.patch(path(of, id), { version: 1, to_month: '2026-03' })
    expect(one(ended)).toMatchObject({ to_month: '2026-03', is_used: true })
    const next = await agree(of, { from_month: '2026-04' })
    expect(next.is_used).toBe(false)
    expect((await finance.delete(path(of, next.id), { version: 1 })).status).toBe(204)
  })

  it('waits while a month is locked, which then has used it', async () => {
    const of = await advertiser()
    const { id } = await agree(of)
    const changing = await api.db.transaction().execute(async trx => {
      await sql`lock table billing_month in exclusive mode`.execute(trx)
      const change = finance.patch(path(of, id), { version: 1, minimum: M })
      await eventually(async () => expect(await waiting()).toBe(1))
      await lock(of, '2026-03', [id])
      return { change }
    })
    expectRefusal(await changing.change, 409, 'agreement_used')
  })

  it('is changed by one of two who have read the same version, and is nobody else’s', async () => {
    const of = await advertiser()
    const { id } = await agree(of)
    const change = (minimum: number) => finance.patch(path(of, id), { version: 1, minimum })
    const [first, second] = await Promise.all([change(M), change(2 * M)])
    const [won, lost] = first.status === 200 ? [first, second] : [second, first]
    expectRefusal(lost, 409, 'conflict')
    expect(lost.body).toMatchObject({ fee_agreement: { version: 2, minimum: one(won).minimum } })
    const other = await advertiser()
    expectRefusal(await finance.patch(path(other, id), { version: 2 }), 404, 'not_found')
    expectRefusal(await finance.delete(path(other, id), { version: 2 }), 404, 'not_found')
    expectRefusal(await staff.delete(path(of, id), { version: 2 }), 403, 'forbidden')
  })
})

function tiersOf(kind: 'marginal' | 'whole' | 'falling') {
  return [
    { up_to: 500_000 * M, rate: 2000 },
    { up_to: (kind === 'falling' ? 400_000 : 1_000_000) * M, rate: 1500 },
    { up_to: null, rate: 1000 },
  ]
}
