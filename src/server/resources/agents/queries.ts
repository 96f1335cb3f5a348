import { sql } from 'kysely'
import type { z } from 'zod'
import type { Person } from '#shared/access.ts'
import type { AgentQuery, CreateAgent, UpdateAgent } from '#shared/api/customers.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import type { Trx } from '#server/db/transaction.ts'
import { billsAdvertiser } from '#server/resources/people/billing-queries.ts'

export type AgentFilter = z.output<typeof AgentQuery>

export async function listAgents(db: Db, person: Person, query: AgentFilter) {
  const pattern = containing(query.search ?? '')
  let found = db
    .selectFrom('agent')
    .where(eb => eb.or([eb('agent.name', 'ilike', pattern), eb('agent.tax_id', 'ilike', pattern)]))
  if (query.is_active !== undefined) found = found.where('agent.is_active', '=', query.is_active)
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const field = query.ordering.replace('-', '')
  const rows = await found
    .selectAll('agent')
    .select(advertisersFor(person).as('advertisers'))
    .orderBy(order(field), direction)
    .orderBy('agent.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

function order(field: string) {
  if (field === 'name') return sql`lower(agent.name)`
  return field === 'advertisers' ? sql`advertisers` : sql.ref(`agent.${field}`)
}

/** How many of its advertisers a person may see. */
const advertisersFor = (person: Person) => sql<number>`(
  select count(*) from advertiser where advertiser.agent = agent.id
    and ${billsAdvertiser(person, 'advertiser.id')})`

export async function findAgent(db: Db, person: Person, id: number) {
  return await db
    .selectFrom('agent')
    .selectAll('agent')
    .select(advertisersFor(person).as('advertisers'))
    .where('agent.id', '=', id)
    .executeTakeFirst()
}
export type AgentRow = NonNullable<Awaited<ReturnType<typeof findAgent>>>

export async function lockAgent(trx: Trx, id: number) {
  return await trx.selectFrom('agent').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** A name that is taken is refused by the database. */
export async function insertAgent(
  trx: Trx,
  { contacts, payment_terms, ...facts }: z.output<typeof CreateAgent> & { is_active?: boolean },
  now: Date,
): Promise<number> {
  const { id } = await trx
    .insertInto('agent')
    .values({
      ...facts,
      contacts: JSON.stringify(contacts),
      payment_terms: JSON.stringify(payment_terms),
      created_at: now,
      last_modified_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateAgent(
  trx: Trx,
  id: number,
  { contacts, payment_terms, now, ...facts }: Omit<z.output<typeof UpdateAgent>, 'version'> & { now: Date },
): Promise<void> {
  await trx
    .updateTable('agent')
    .set(eb => ({
      ...facts,
      ...(contacts && { contacts: JSON.stringify(contacts) }),
      ...(payment_terms && { payment_terms: JSON.stringify(payment_terms) }),
      version: eb('version', '+', 1),
      last_modified_at: now,
    }))
    .where('id', '=', id)
    .execute()
}

export async function deleteAgent(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('agent').where('id', '=', id).execute()
}

/** How many rows of each kind point to an agent, whoever may see them. */
export async function countUses(db: Db, id: number): Promise<Record<string, number>> {
  const { rows } = await sql<{ what: string; count: number }>`
    select 'advertisers' as what, count(*) from advertiser where agent = ${id}
    union all select 'quotations', count(*) from quotation where agent = ${id}`.execute(db)
  return Object.fromEntries(rows.filter(({ count }) => count > 0).map(({ what, count }) => [what, count]))
}

/** All of them, locked until the import has ended. */
export async function lockAgents(trx: Trx) {
  return await trx.selectFrom('agent').selectAll().orderBy('id').forUpdate().execute()
}
export type LockedAgent = Awaited<ReturnType<typeof lockAgents>>[number]
