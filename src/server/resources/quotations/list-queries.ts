import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import type { z } from 'zod'
import type { Person } from '#shared/access.ts'
import type { QuotationQuery, QuotationState } from '#shared/api/quotations.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import { personName } from '#server/db/person-name.ts'
import type { Database } from '#server/db/schema.ts'
import { billsAdvertiser } from '#server/resources/people/billing-queries.ts'

type Query = z.output<typeof QuotationQuery>
interface Reading {
  query: Query
  /** In the organisation's zone: what has expired before it. */
  today: string
}

export interface QuotationSum {
  status: QuotationState
  currency: string
  count: number
  /** A sum may be beyond the integers that are exact, but is a multiple of the currency's step. */
  total: string
}

/** Of everything that the filters find, but that of the state. */
export async function sumQuotations(
  db: Db,
  person: Person,
  { query, today }: Reading,
): Promise<QuotationSum[]> {
  return await filtered(db, person, query)
    .select(stateAt(today).as('status'))
    .select(eb => ['currency', eb.fn.countAll<number>().as('count'), sql<string>`sum(total)`.as('total')])
    .groupBy([sql`1`, 'currency'])
    .orderBy(sql`1`)
    .orderBy('currency')
    .execute()
}

export async function pageOfQuotations(db: Db, person: Person, { query, today }: Reading) {
  const { ordering, limit, offset, status } = query
  const direction = directionOf(ordering)
  const field = ordering.replace('-', '')
  const found = filtered(db, person, query)
  const page = (status === undefined ? found : found.where(isState(status, today)))
    .selectAll('quotation')
    .orderBy(sql.ref(`quotation.${field}`), direction)
    .orderBy('quotation.id', direction)
    .limit(limit)
    .offset(offset)
  return await db
    .selectFrom(page.as('quotation'))
    .innerJoin('advertiser', 'advertiser.id', 'quotation.advertiser')
    .innerJoin('users as owner', 'owner.id', 'quotation.owner')
    .leftJoin('agent', 'agent.id', 'quotation.agent')
    .selectAll('quotation')
    .select([
      'advertiser.name as advertiser_name',
      'agent.name as agent_name',
      personName<string>('owner').as('owner_name'),
      span('min', 'start').as('start'),
      span('max', 'end').as('end'),
      hasOverduePayment(today).as('is_overdue'),
    ])
    .orderBy(sql.ref(`quotation.${field}`), direction)
    .orderBy('quotation.id', direction)
    .execute()
}
export type QuotationListRow = Awaited<ReturnType<typeof pageOfQuotations>>[number]

const span = (outermost: 'min' | 'max', day: 'start' | 'end') => sql<string | null>`(
  select ${sql.raw(outermost)}(line.${sql.ref(day)}) from quotation_line line where line.quotation = quotation.id)`

const hasOverduePayment = (today: string) => sql<boolean>`exists (
  select 1 from payment
  where payment.quotation = quotation.id and payment.status = 'due' and payment.due_on < ${today}::date)`

const BATCH = 500

/** The whole list, a batch at a time. */
export async function* quotationBatches(db: Db, person: Person, { query, today }: Reading) {
  for (let offset = 0; ; offset += BATCH) {
    const rows = await pageOfQuotations(db, person, { query: { ...query, limit: BATCH, offset }, today })
    yield rows
    if (rows.length < BATCH) return
  }
}

type Found = SelectQueryBuilder<Database, 'quotation', object>

function filtered(db: Db, person: Person, filter: Query): Found {
  let found: Found = db.selectFrom('quotation').where(billsAdvertiser(person, 'quotation.advertiser'))
  const { advertiser, agent, owner, currency, from, to, search } = filter
  if (advertiser !== undefined) found = found.where('quotation.advertiser', '=', advertiser)
  if (agent !== undefined) found = found.where('quotation.agent', '=', agent)
  if (owner !== undefined) found = found.where('quotation.owner', '=', owner)
  if (currency !== undefined) found = found.where('quotation.currency', '=', currency)
  if (from !== undefined) found = found.where('quotation.issue_on', '>=', from)
  if (to !== undefined) found = found.where('quotation.issue_on', '<=', to)
  return search ? found.where(mentions(containing(search))) : found
}

const mentions = (pattern: string): RawBuilder<boolean> => sql`(
  quotation.number ilike ${pattern} or quotation.title ilike ${pattern} or quotation.client_po ilike ${pattern}
  or quotation.advertiser in (select id from advertiser where name ilike ${pattern}))`

const hasExpired = (today: string): RawBuilder<boolean> =>
  sql`(status = 'sent' and coalesce(valid_until < ${today}::date, false))`

const stateAt = (today: string): RawBuilder<QuotationState> =>
  sql`case when ${hasExpired(today)} then 'expired' else status end`

function isState(state: QuotationState, today: string): RawBuilder<boolean> {
  if (state === 'expired') return hasExpired(today)
  if (state === 'sent') return sql`(status = 'sent' and coalesce(valid_until >= ${today}::date, true))`
  return sql`status = ${state}`
}
