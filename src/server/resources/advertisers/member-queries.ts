import { sql } from 'kysely'
import { advertiserScope, type Person } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { advertiserIdsOf, visiblePeople } from '#server/resources/people/queries.ts'

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
  const byAdvertiser = Map.groupBy(rows, row => row.advertiser)
  return new Map([...byAdvertiser].map(([id, members]) => [id, members.map(member => member.user_id)]))
}

/** The same by the names by which they sign in. */
export async function memberNames(db: Db, person: Person, advertisers: readonly number[]) {
  const rows = await visiblePeople(db, person)
    .innerJoin('advertiser_member', 'advertiser_member.user_id', 'users.id')
    .select(['advertiser_member.advertiser', 'users.username'])
    .where('advertiser_member.advertiser', 'in', [...advertisers, 0])
    .orderBy('users.username')
    .execute()
  const byAdvertiser = Map.groupBy(rows, row => row.advertiser)
  return new Map([...byAdvertiser].map(([id, members]) => [id, members.map(({ username }) => username)]))
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
  return rows.map(member => member.user_id)
}

/** The ids of people whom a person may see, by the names by which they sign in, in small letters. */
export async function peopleByUsername(db: Db, person: Person): Promise<Map<string, number>> {
  const rows = await visiblePeople(db, person).select(['users.id', 'users.username']).execute()
  return new Map(rows.map(({ id, username }) => [username.toLowerCase(), id]))
}

/** For the trail and for comparison: everybody, whoever the caller is. */
export async function allMembersOf(db: Db, advertisers: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await db
    .selectFrom('advertiser_member')
    .select(['advertiser', 'user_id'])
    .where(sql<boolean>`advertiser = any(${[...advertisers]}::bigint[])`)
    .orderBy('user_id')
    .execute()
  const byAdvertiser = Map.groupBy(rows, row => row.advertiser)
  return new Map([...byAdvertiser].map(([id, members]) => [id, members.map(member => member.user_id)]))
}
