import { sql } from 'kysely'
import type { z } from 'zod'
import type { Person } from '#shared/access.ts'
import type { CreateIndustry, IndustryQuery } from '#shared/api/customers.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import type { Trx } from '#server/db/transaction.ts'
import { billsAdvertiser } from '#server/resources/people/billing-queries.ts'

export type IndustryFilter = z.output<typeof IndustryQuery>

export async function listIndustries(db: Db, person: Person, query: IndustryFilter) {
  const pattern = containing(query.search ?? '')
  const found = db
    .selectFrom('industry')
    .where(eb => eb.or([eb('industry.name', 'ilike', pattern), eb('industry.name_zh', 'ilike', pattern)]))
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const field = query.ordering.replace('-', '')
  const rows = await found
    .selectAll('industry')
    .select(advertisersFor(person).as('advertisers'))
    .orderBy(field === 'advertisers' ? sql`advertisers` : order(field), direction)
    .orderBy('industry.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

const order = (field: string) =>
  field === 'id' ? sql`industry.id` : sql`lower(${sql.ref(`industry.${field}`)})`

/** How many advertisers in it a person may see. */
const advertisersFor = (person: Person) => sql<number>`(
  select count(*) from advertiser where advertiser.industry = industry.id
    and ${billsAdvertiser(person, 'advertiser.id')})`

export async function findIndustry(db: Db, person: Person, id: number) {
  return await db
    .selectFrom('industry')
    .selectAll('industry')
    .select(advertisersFor(person).as('advertisers'))
    .where('industry.id', '=', id)
    .executeTakeFirst()
}
export type IndustryRow = NonNullable<Awaited<ReturnType<typeof findIndustry>>>

/** Locked in one order, so that two merges never wait for each other. */
export async function lockIndustries(trx: Trx, ids: readonly number[] | 'all') {
  return await trx
    .selectFrom('industry')
    .selectAll()
    .$if(ids !== 'all', query => query.where('id', 'in', [...ids].map(Number)))
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** A name that is taken is refused by the database. */
export async function insertIndustry(trx: Trx, names: z.output<typeof CreateIndustry>, now: Date) {
  const { id } = await trx
    .insertInto('industry')
    .values({ ...names, created_at: now, last_modified_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateIndustry(
  trx: Trx,
  id: number,
  { now, ...names }: { name?: string | undefined; name_zh?: string | undefined; now: Date },
): Promise<void> {
  await trx
    .updateTable('industry')
    .set(eb => ({ ...names, version: eb('version', '+', 1), last_modified_at: now }))
    .where('id', '=', id)
    .execute()
}

export async function deleteIndustry(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('industry').where('id', '=', id).execute()
}

/** Whoever may see them. */
export async function countAdvertisersIn(db: Db, id: number): Promise<number> {
  const { count } = await db
    .selectFrom('advertiser')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('industry', '=', id)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns how many. */
export async function moveAdvertisers(
  trx: Trx,
  { from, into }: { from: number; into: number },
  now: Date,
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('advertiser')
    .set(eb => ({ industry: into, version: eb('version', '+', 1), last_modified_at: now }))
    .where('industry', '=', from)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
