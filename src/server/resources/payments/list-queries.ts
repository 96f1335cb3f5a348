import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import type { z } from 'zod'
import type { Person } from '#shared/access.ts'
import type { PaymentQuery, PaymentState } from '#shared/api/payments.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import type { Database } from '#server/db/schema.ts'
import { billsAdvertiser } from '#server/resources/people/billing-queries.ts'
import { paymentsWithNames } from './queries.ts'

type Query = z.output<typeof PaymentQuery>
interface Reading {
  query: Query
  /** In the organisation's zone: what is overdue was due before it. */
  today: string
}

export interface PaymentSum {
  status: PaymentState
  currency: string
  count: number
  amount: string
  open: string
}

/** Of everything that the filters find, but that of the state. */
export async function sumPayments(db: Db, person: Person, { query, today }: Reading): Promise<PaymentSum[]> {
  return await filtered(db, person, query)
    .select(stateAt(today).as('status'))
    .select(eb => [
      'currency',
      eb.fn.countAll<number>().as('count'),
      sql<string>`sum(amount)`.as('amount'),
      sql<string>`sum(case when status = 'due' then amount - received else 0 end)`.as('open'),
    ])
    .groupBy([sql`1`, 'currency'])
    .orderBy(sql`1`)
    .orderBy('currency')
    .execute()
}

/** What is not paid, by the day on which it is due. */
export async function sumOpen(db: Db, person: Person, { query }: Reading) {
  return await filtered(db, person, query)
    .where('payment.status', '=', 'due')
    .select(eb => [
      'payment.due_on',
      'payment.currency',
      eb.fn.countAll<number>().as('count'),
      sql<string>`sum(amount - received)`.as('open'),
    ])
    .groupBy(['payment.due_on', 'payment.currency'])
    .execute()
}

export async function pageOfPayments(db: Db, person: Person, { query, today }: Reading) {
  const { ordering, limit, offset, status } = query
  const direction = directionOf(ordering)
  const field = ordering.replace('-', '')
  const found = filtered(db, person, query)
  const page = await (status === undefined ? found : found.where(isState(status, today)))
    .select('payment.id')
    .orderBy(sql.ref(`payment.${field}`), direction)
    .orderBy('payment.id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
  const rows = await paymentsWithNames(
    db,
    page.map(({ id }) => id),
  )
  const byId = new Map(rows.map(row => [row.id, row]))
  return page.flatMap(({ id }) => byId.get(id) ?? [])
}

const BATCH = 500

/** The whole list, a batch at a time. */
export async function* paymentBatches(db: Db, person: Person, { query, today }: Reading) {
  for (let offset = 0; ; offset += BATCH) {
    const rows = await pageOfPayments(db, person, { query: { ...query, limit: BATCH, offset }, today })
    yield rows
    if (rows.length < BATCH) return
  }
}

type Found = SelectQueryBuilder<Database, 'payment', object>

function filtered(db: Db, person: Person, filter: Query): Found {
  let found: Found = db.selectFrom('payment').where(billsAdvertiser(person, 'payment.advertiser'))
  const { advertiser, quotation, currency, due_from, due_to, search } = filter
  if (advertiser !== undefined) found = found.where('payment.advertiser', '=', advertiser)
  if (quotation !== undefined) found = found.where(isOfNumber(quotation))
  if (currency !== undefined) found = found.where('payment.currency', '=', currency)
  if (due_from !== undefined) found = found.where('payment.due_on', '>=', due_from)
  if (due_to !== undefined) found = found.where('payment.due_on', '<=', due_to)
  return search ? found.where(mentions(containing(search))) : found
}

/** A revision does not undo what was asked for before it. */
const isOfNumber = (quotation: number): RawBuilder<boolean> => sql`payment.quotation in (
  select revision.id from quotation asked join quotation revision
    on revision.number = asked.number or revision.id = asked.id
  where asked.id = ${quotation})`

const mentions = (pattern: string): RawBuilder<boolean> => sql`(
  payment.number ilike ${pattern} or payment.invoice_number ilike ${pattern} or payment.note ilike ${pattern}
  or payment.advertiser in (select id from advertiser where name ilike ${pattern})
  or payment.quotation in (select id from quotation where number ilike ${pattern} or title ilike ${pattern}))`

const isOverdue = (today: string): RawBuilder<boolean> => sql`(status = 'due' and due_on < ${today}::date)`

const stateAt = (today: string): RawBuilder<PaymentState> =>
  sql`case when ${isOverdue(today)} then 'overdue' else status end`

function isState(state: PaymentState, today: string): RawBuilder<boolean> {
  if (state === 'overdue') return isOverdue(today)
  if (state === 'due') return sql`(status = 'due' and due_on >= ${today}::date)`
  return sql`status = ${state}`
}
