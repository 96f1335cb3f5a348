import { expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing/database.ts'
import { readDelivery } from '#server/resources/quotations/delivery.ts'
import { stateOf as paymentState } from '#server/resources/payments/rules.ts'
import { stateOf } from '#server/resources/quotations/rules.ts'
import { insertCustomers } from './customers.ts'
import { insertOrders } from './orders.ts'
import { demoAdvertisers, demoPeople } from './people.ts'

const { db } = await testDatabase()
const TODAY = '2026-11-26'
const now = new Date('2026-11-26T04:00:00Z')

const advertisers = new Map<string, number>()
for (const name of demoAdvertisers) {
  const row = await db.insertInto('advertiser').values({ name }).returning('id').executeTakeFirstOrThrow()
  advertisers.set(name, row.id)
}
const people = new Map<string, number>()
for (const { username, identity, department, user_type, advertisers: served } of demoPeople) {
  const { id } = await db
    .insertInto('users')
    .values({ username, identity, department, user_type })
    .returning('id')
    .executeTakeFirstOrThrow()
  people.set(username, id)
  for (const name of served)
    await db
      .insertInto('advertiser_member')
      .values({ advertiser: advertisers.get(name) ?? 0, user_id: id })
      .execute()
}
await db.transaction().execute(async trx => {
  await insertCustomers(trx, { advertisers, month: '2026-11' })
  await insertOrders(trx, { advertisers, people, time_zone: 'Asia/Taipei', now })
})
const quotations = await db.selectFrom('quotation').selectAll().orderBy('id').execute()
const payments = await db.selectFrom('payment').selectAll().orderBy('id').execute()

it('the demo has orders in every state, one billed to an agent, one with two revisions', () => {
  expect(new Set(quotations.map(row => stateOf(row, TODAY)))).toEqual(
    new Set(['draft', 'sent', 'expired', 'accepted', 'rejected', 'cancelled', 'superseded']),
  )
  expect(quotations.filter(({ bill_to }) => bill_to === 'agent')).toHaveLength(1)
  expect(quotations.filter(({ revision }) => revision === 2)).toHaveLength(1)
  expect(new Set(quotations.map(({ currency }) => currency))).toEqual(new Set(['TWD', 'JPY', 'USD']))
})

it('numbers rise with the days, without gaps', () => {
  const first = quotations
    .filter(({ number, revision }) => number !== null && revision === 1)
    .toSorted((one, other) => ((one.number ?? '') < (other.number ?? '') ? -1 : 1))
  expect(first.map(({ number }) => number)).toEqual(
    first.map((_, index) => `Q2026-${String(index + 1).padStart(4, '0')}`),
  )
  const days = first.map(({ issue_on }) => issue_on)
  expect(days).toEqual(days.toSorted())
})

it('payments are due, overdue, paid, paid in part and void', () => {
  expect(new Set(payments.map(row => paymentState(row, TODAY)))).toEqual(
    new Set(['due', 'overdue', 'paid', 'void']),
  )
  expect(payments.some(({ received, amount }) => received > 0 && received < amount)).toBe(true)
})

it('lines are delivered over, under and on pace', async () => {
  const verdicts = new Set<string | null>()
  for (const row of quotations.filter(({ status }) => status === 'accepted'))
    for (const { verdict } of (await readDelivery(db, row, TODAY)).lines) verdicts.add(verdict)
  expect([...verdicts]).toEqual(expect.arrayContaining(['over', 'under', 'on_pace']))
})
