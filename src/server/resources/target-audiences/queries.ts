import { sql } from 'kysely'
import type { z } from 'zod'
import { advertiserScope, type Person } from '#shared/access.ts'
import type {
  CreateTargetAudience,
  TargetAudienceQuery,
  UpdateTargetAudience,
} from '#shared/api/target-audiences.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import { personName } from '#server/db/person-name.ts'
import type { Trx } from '#server/db/transaction.ts'
import { advertiserIdsOf } from '#server/resources/people/queries.ts'

export type TargetAudienceFilter = z.output<typeof TargetAudienceQuery>

const visible = (db: Db, person: Person) =>
  db
    .selectFrom('target_audience')
    .$if(advertiserScope[person.identity] !== 'all', query =>
      query.where('target_audience.advertiser', 'in', advertiserIdsOf(person)),
    )

const named = (found: ReturnType<typeof visible>) =>
  found
    .innerJoin('advertiser', 'advertiser.id', 'target_audience.advertiser')
    .leftJoin('users as maker', 'maker.id', 'target_audience.created_by')
    .selectAll('target_audience')
    .select('advertiser.name as advertiser_name')
    .select(personName('maker').as('created_by_name'))

/** One page of the target audiences of a person's advertisers. */
export async function listTargetAudiences(db: Db, person: Person, query: TargetAudienceFilter) {
  const found = matching(visible(db, person), query)
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const rows = await named(found)
    .orderBy(order(query.ordering.replace('-', '')), direction)
    .orderBy('target_audience.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

function matching(
  audiences: ReturnType<typeof visible>,
  { search, advertiser, audience }: TargetAudienceFilter,
) {
  let found = audiences
  if (search) {
    const pattern = containing(search)
    found = found.where(
      sql<boolean>`(target_audience.name ilike ${pattern}
        or exists (select from unnest(target_audience.interests) interest where interest ilike ${pattern}))`,
    )
  }
  if (advertiser !== undefined) found = found.where('target_audience.advertiser', '=', advertiser)
  if (audience !== undefined)
    found = found.where(
      sql<boolean>`exists (
        select from target_audience_list list
        where list.target_audience = target_audience.id and list.audience = ${audience})`,
    )
  return found
}

function order(field: string) {
  if (field === 'name') return sql`lower(target_audience.name)`
  return field === 'advertiser' ? sql`lower(advertiser.name)` : sql.ref(`target_audience.${field}`)
}

export const findTargetAudience = (db: Db, person: Person, id: number) =>
  named(visible(db, person)).where('target_audience.id', '=', id).executeTakeFirst()
export type TargetAudienceRow = NonNullable<Awaited<ReturnType<typeof findTargetAudience>>>

export const lockTargetAudience = (trx: Trx, person: Person, id: number) =>
  visible(trx, person)
    .selectAll('target_audience')
    .where('target_audience.id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** The audience lists of each, in their order. */
export async function listsOf(db: Db, targetAudiences: readonly number[]) {
  if (targetAudiences.length === 0) return new Map<number, never>()
  const rows = await db
    .selectFrom('target_audience_list')
    .innerJoin('audience', 'audience.id', 'target_audience_list.audience')
    .select(['target_audience', 'side', 'audience.id', 'audience.name'])
    .where('target_audience', 'in', targetAudiences)
    .orderBy('target_audience_list.position')
    .execute()
  return Map.groupBy(rows, row => row.target_audience)
}
export type ListRow = NonNullable<ReturnType<Awaited<ReturnType<typeof listsOf>>['get']>>[number]

/**
 * Those of these audiences that may be referred to: the advertiser's, and not on their way out. They are
 * held: none is deleted before the reference is written, and then it is in use.
 */
export async function holdAudiences(
  trx: Trx,
  { advertiser, ids }: { advertiser: number; ids: readonly number[] },
): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await trx
    .selectFrom('audience')
    .select('id')
    .where('id', 'in', ids)
    .where('advertiser', '=', advertiser)
    .where('is_deleting', '=', false)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return rows.map(({ id }) => id)
}

/** A name that is taken is refused by the database. */
export async function insertTargetAudience(
  trx: Trx,
  {
    locations,
    audience_lists: _lists,
    now,
    ...facts
  }: z.output<typeof CreateTargetAudience> & { created_by: number; now: Date },
): Promise<number> {
  const { id } = await trx
    .insertInto('target_audience')
    .values({ ...facts, locations: JSON.stringify(locations), created_at: now, last_modified_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateTargetAudience(
  trx: Trx,
  id: number,
  {
    locations,
    audience_lists: _lists,
    now,
    ...facts
  }: Omit<z.output<typeof UpdateTargetAudience>, 'version'> & { now: Date },
): Promise<void> {
  await trx
    .updateTable('target_audience')
    .set(eb => ({
      ...facts,
      ...(locations && { locations: JSON.stringify(locations) }),
      version: eb('version', '+', 1),
      last_modified_at: now,
    }))
    .where('id', '=', id)
    .execute()
}

export interface AudienceLists {
  include: readonly number[]
  exclude: readonly number[]
}

export async function replaceLists(trx: Trx, id: number, lists: AudienceLists): Promise<void> {
  await trx.deleteFrom('target_audience_list').where('target_audience', '=', id).execute()
  const rows = (['include', 'exclude'] as const).flatMap(side =>
    lists[side].map((audience, position) => ({ target_audience: id, audience, side, position })),
  )
  if (rows.length > 0) await trx.insertInto('target_audience_list').values(rows).execute()
}

/** With the references to its audience lists. */
export async function deleteTargetAudience(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('target_audience').where('id', '=', id).execute()
}
