import { sql } from 'kysely'
import type { z } from 'zod'
import { advertiserScope, type Person } from '#shared/access.ts'
import type { AudienceQuery, CreateAudience, UpdateAudience } from '#shared/api/audiences.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import { personName } from '#server/db/person-name.ts'
import type { Trx } from '#server/db/transaction.ts'
import { advertiserIdsOf } from '#server/resources/people/queries.ts'

export type AudienceFilter = z.output<typeof AudienceQuery>

/** One page of the audiences of a person's advertisers. */
export async function listAudiences(db: Db, person: Person, query: AudienceFilter) {
  const found = matching(db, person, query)
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const rows = await named(found)
    .orderBy(orders[query.ordering.replace('-', '')] ?? sql.ref('audience.id'), orderBy =>
      direction === 'desc' ? orderBy.desc().nullsLast() : orderBy.asc().nullsLast(),
    )
    .orderBy('audience.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

const orders: Record<string, ReturnType<typeof sql>> = {
  name: sql`lower(audience.name)`,
  advertiser: sql`lower(advertiser.name)`,
  kind: sql`audience.kind`,
  rows: sql`audience.rows`,
  last_upload: sql`(select max(taken_at) from audience_upload where audience = audience.id)`,
  last_modified_at: sql`audience.last_modified_at`,
}

const visible = (db: Db, person: Person) =>
  db
    .selectFrom('audience')
    .$if(advertiserScope[person.identity] !== 'all', query =>
      query.where('audience.advertiser', 'in', advertiserIdsOf(person)),
    )

function matching(db: Db, person: Person, { search, advertiser, kind, status, ...filter }: AudienceFilter) {
  let found = visible(db, person)
  if (search) {
    const pattern = containing(search)
    found = found.where(eb =>
      eb.or([eb('audience.name', 'ilike', pattern), eb('audience.description', 'ilike', pattern)]),
    )
  }
  if (advertiser !== undefined) found = found.where('audience.advertiser', '=', advertiser)
  if (kind !== undefined) found = found.where('audience.kind', '=', kind)
  if (status !== undefined) found = found.where('audience.status', '=', status)
  const { share_state, channel } = filter
  if (share_state !== undefined || channel !== undefined)
    found = found.where(
      sql<boolean>`exists (
        select from audience_share share join ad_account on ad_account.id = share.ad_account
        where share.audience = audience.id
          and ${share_state === undefined ? sql`share.state <> 'removed'` : sql`share.state = ${share_state}`}
          and ${channel === undefined ? sql`true` : sql`ad_account.channel = ${channel}`})`,
    )
  return found
}

const named = (found: ReturnType<typeof visible>) =>
  found
    .innerJoin('advertiser', 'advertiser.id', 'audience.advertiser')
    .leftJoin('site', 'site.id', 'audience.site')
    .leftJoin('audience as seed_audience', 'seed_audience.id', 'audience.seed')
    .leftJoin('users as maker', 'maker.id', 'audience.created_by')
    .leftJoin('users as confirmer', 'confirmer.id', 'audience.confirmed_by')
    .selectAll('audience')
    .select([
      'advertiser.name as advertiser_name',
      'site.name as site_name',
      'seed_audience.name as seed_name',
    ])
    .select([personName('maker').as('created_by_name'), personName('confirmer').as('confirmed_by_name')])

export const findAudience = (db: Db, person: Person, id: number) =>
  named(visible(db, person)).where('audience.id', '=', id).executeTakeFirst()
export type AudienceRow = NonNullable<Awaited<ReturnType<typeof findAudience>>>

/** Until the end of the transaction nobody else changes it, its uploads or its rows. */
export const lockAudience = (trx: Trx, person: Person, id: number) =>
  visible(trx, person).selectAll('audience').where('audience.id', '=', id).forNoKeyUpdate().executeTakeFirst()
/** The same, and no lookalike is made from it, nor a target audience that refers to it. */
export const lockToEnd = (trx: Trx, person: Person, id: number) =>
  visible(trx, person).selectAll('audience').where('audience.id', '=', id).forUpdate().executeTakeFirst()
export type LockedAudience = NonNullable<Awaited<ReturnType<typeof lockAudience>>>

/** A client's plan counts; 1 is Advanced. */
export async function planOf(db: Db, person: Person): Promise<number> {
  const user = await db.selectFrom('users').select('plan').where('id', '=', person.id).executeTakeFirst()
  return user?.plan ?? 0
}

type NewAudience = z.output<typeof CreateAudience> & {
  status: 'draft' | 'ready'
  rows: number
  created_by: number
  now: Date
}

/** A name that is taken is refused by the database. */
export async function insertAudience(
  trx: Trx,
  { consent, rule, now, ...facts }: NewAudience,
): Promise<number> {
  const { id } = await trx
    .insertInto('audience')
    .values({
      ...facts,
      ...(consent && { consent: JSON.stringify(consent) }),
      ...(rule && { rule: JSON.stringify(rule) }),
      created_at: now,
      last_modified_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Changes = Omit<z.output<typeof UpdateAudience>, 'version'> & { expires_at?: Date; now: Date }

export async function updateAudience(
  trx: Trx,
  id: number,
  { consent, now, ...facts }: Changes,
): Promise<void> {
  await trx
    .updateTable('audience')
    .set(eb => ({
      ...facts,
      ...(consent && { consent: JSON.stringify(consent) }),
      version: eb('version', '+', 1),
      last_modified_at: now,
    }))
    .where('id', '=', id)
    .execute()
}

/** When the list was last added to or replaced; null: never. */
export async function lastFilledAt(db: Db, audience: number): Promise<Date | null> {
  const last = await db
    .selectFrom('audience_upload')
    .select('taken_at')
    .where('audience', '=', audience)
    .where('state', '=', 'taken')
    .where('action', '<>', 'remove')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.taken_at ?? null
}

/** How many lookalikes are made from it. */
export async function countLookalikes(db: Db, seed: number): Promise<number> {
  const { count } = await db
    .selectFrom('audience')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('seed', '=', seed)
    .executeTakeFirstOrThrow()
  return count
}

/** How many target audiences refer to it, whoever may see them. */
export async function countTargetAudiences(trx: Trx, audience: number): Promise<number> {
  const { count } = await trx
    .selectFrom('target_audience_list')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('audience', '=', audience)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Ends the shares of an audience, which then goes with the last of them, or at once when there is none. Our
 * copy of its rows goes now: a platform may not let go of its own for long.
 */
export async function endAudience(trx: Trx, id: number, now: Date): Promise<void> {
  await trx
    .updateTable('audience_share')
    .set({ state: 'removing', failures: 0, next_at: now, last_modified_at: now })
    .where('audience', '=', id)
    .where('state', 'not in', ['removing', 'removed'])
    .execute()
  await trx
    .updateTable('audience')
    .set(eb => ({ is_deleting: true, version: eb('version', '+', 1), last_modified_at: now }))
    .where('id', '=', id)
    .execute()
  await trx.deleteFrom('audience_chunk').where('audience', '=', id).execute()
  await deleteEnded(trx, id)
}

/** Audiences that are to go and have no share left; of all, or one. Returns how many. */
export async function deleteEnded(db: Db, id?: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('audience')
    .where('is_deleting', '=', true)
    .$if(id !== undefined, query => query.where('id', '=', id ?? 0))
    .where(
      sql<boolean>`not exists (
        select from audience_share where audience = audience.id and state <> 'removed')`,
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
