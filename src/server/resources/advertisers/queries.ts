import { sql } from 'kysely'
import type { z } from 'zod'
import { advertiserScope, type Person } from '#shared/access.ts'
import type { AdvertiserQuery } from '#shared/api/advertisers.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import type { Trx } from '#server/db/transaction.ts'
import { advertiserIdsOf, visiblePeople } from '#server/resources/people/queries.ts'

/** Those that a person may use. */
function usable(db: Db, person: Person) {
  const advertisers = db.selectFrom('advertiser')
  if (advertiserScope[person.identity] === 'all') return advertisers
  return advertisers.where('advertiser.id', 'in', advertiserIdsOf(person))
}

export async function listAdvertisers(db: Db, person: Person, query: z.output<typeof AdvertiserQuery>) {
  const pattern = containing(query.search ?? '')
  const found = usable(db, person).where('advertiser.name', 'ilike', pattern)
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const rows = await found
    .selectAll()
    .orderBy(sql.ref(`advertiser.${query.ordering.replace('-', '')}`), direction)
    .orderBy('advertiser.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

export async function findAdvertiser(db: Db, person: Person, id: number) {
  return await usable(db, person).selectAll().where('advertiser.id', '=', id).executeTakeFirst()
}
export type AdvertiserRow = NonNullable<Awaited<ReturnType<typeof findAdvertiser>>>

/** The members of some advertisers whom a person may see, by advertiser. */
export async function membersOf(db: Db, person: Person, advertisers: readonly number[]) {
  if (advertisers.length === 0) return new Map<number, number[]>()
  const rows = await db
    .selectFrom('advertiser_member')
    .select(['advertiser', 'user_id'])
    .where('advertiser', 'in', [...advertisers])
    .where('user_id', 'in', visiblePeople(db, person).select('users.id'))
    .orderBy('user_id')
    .execute()
  const by_advertiser = Map.groupBy(rows, row => row.advertiser)
  return new Map([...by_advertiser].map(([id, members]) => [id, members.map(({ user_id }) => user_id)]))
}

/** null: the name is taken. */
export async function insertAdvertiser(trx: Trx, name: string, now: Date): Promise<number | null> {
  const row = await trx
    .insertInto('advertiser')
    .values({ name, created_at: now, last_modified_at: now })
    .onConflict(conflict => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

export async function isNameTaken(db: Db, name: string, by_other_than: number): Promise<boolean> {
  const other = await db
    .selectFrom('advertiser')
    .select('id')
    .where('name', '=', name)
    .where('id', '<>', by_other_than)
    .executeTakeFirst()
  return other !== undefined
}

export async function updateAdvertiser(
  trx: Trx,
  id: number,
  { now, ...changes }: { name?: string | undefined; is_active?: boolean | undefined; now: Date },
): Promise<void> {
  await trx
    .updateTable('advertiser')
    .set({ ...changes, last_modified_at: now })
    .where('id', '=', id)
    .execute()
}

/** Whether a person may see all of these people. */
export async function arePeople(db: Db, person: Person, ids: readonly number[]): Promise<boolean> {
  const distinct = new Set(ids)
  if (distinct.size === 0) return true
  const rows = await visiblePeople(db, person)
    .select('users.id')
    .where('users.id', 'in', [...distinct])
    .execute()
  return rows.length === distinct.size
}

/** Whether any of them is a client only of other advertisers, of which this person may use none. */
export async function areClientsOfOthers(db: Db, person: Person, ids: readonly number[]): Promise<boolean> {
  if (ids.length === 0 || advertiserScope[person.identity] === 'all') return false
  const { rows } = await sql`
    select from users where id = any(${[...ids]}::bigint[]) and identity = 'external_user'
      and exists (select from advertiser_member where user_id = users.id)
      and not exists (
        select from advertiser_member where user_id = users.id and advertiser in ${advertiserIdsOf(person)})
    limit 1`.execute(db)
  return rows.length > 0
}

export async function replaceMembers(trx: Trx, advertiser: number, members: readonly number[]) {
  await trx.deleteFrom('advertiser_member').where('advertiser', '=', advertiser).execute()
  const rows = [...new Set(members)].map(user_id => ({ advertiser, user_id }))
  if (rows.length > 0) await trx.insertInto('advertiser_member').values(rows).execute()
}

/** For the trail: everybody, whoever the caller is. */
export async function allMembers(db: Db, advertiser: number): Promise<number[]> {
  const rows = await db
    .selectFrom('advertiser_member')
    .select('user_id')
    .where('advertiser', '=', advertiser)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** The advertisers of the accounts. */
export async function ownersOf(db: Db, ids: readonly number[]) {
  return await db
    .selectFrom('ad_account')
    .select(['id', 'name', 'advertiser'])
    .where('id', 'in', [...ids])
    .orderBy('id')
    .execute()
}

export async function relatedAccounts(db: Db, advertiser: number, channels: readonly Channel[]) {
  const rows = await db
    .selectFrom('ad_account')
    .select('id')
    .where('advertiser', '=', advertiser)
    .where('channel', 'in', [...channels])
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Those of the accounts that a person may assign: the ones that they may use, and for those who see all the
 * unassigned ones.
 */
export async function accountsToRelate(
  db: Db,
  person: Person,
  { ids, channels }: { ids: readonly number[]; channels: readonly Channel[] },
) {
  const accounts = db
    .selectFrom('ad_account')
    .select('id')
    .where('id', 'in', [...ids])
    .where('channel', 'in', [...channels])
  const found =
    advertiserScope[person.identity] === 'all'
      ? accounts
      : accounts.where('advertiser', 'in', advertiserIdsOf(person))
  return (await found.execute()).map(({ id }) => id)
}

export async function relate(
  trx: Trx,
  { ids, advertiser }: { ids: readonly number[]; advertiser: number | null },
  now: Date,
): Promise<void> {
  await trx
    .updateTable('ad_account')
    .set({ advertiser, last_modified_at: now })
    .where('id', 'in', [...ids])
    .execute()
}
