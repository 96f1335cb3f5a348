import { sql, type RawBuilder } from 'kysely'
import { advertiserScope, isInternal, peopleScope, type IdentityName, type Person } from '#shared/access.ts'
import type { CreateUser, UpdateAccount, UpdateUser, UserQuery } from '#shared/api/people.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import type { Trx } from '#server/db/transaction.ts'
import { maySignIn } from '#server/http/session.ts'

const columns = [
  'users.id',
  'username',
  'full_name',
  'identity',
  'department',
  'user_type',
  'position',
  'email',
  'contacts',
  'company_extension',
  'language',
  'theme',
  'mail_notices',
  'is_active',
  'employment_status',
  'users.created_at',
] as const

/** Employees have the advanced plan. */
const planOf = sql<number>`case when users.user_type = 1 then 1 else users.plan end`

const derived = [
  sql<boolean>`exists (select from second_factor where second_factor.user_id = users.id)`.as(
    'has_second_factor',
  ),
  planOf.as('plan'),
] as const

/** The person, if the asking one may see them. */
export async function findPerson(db: Db, viewer: Person, id: number) {
  return await visiblePeople(db, viewer)
    .select(columns)
    .select(derived)
    .where('users.id', '=', id)
    .executeTakeFirst()
}
export type PersonRow = NonNullable<Awaited<ReturnType<typeof findPerson>>>

/**
 * Everybody whom a person may see: all, or those with whom they share an advertiser, and always themselves.
 */
export function visiblePeople(db: Db, viewer: Person) {
  const people = db.selectFrom('users')
  if (peopleScope[viewer.identity] === 'all') return people
  return people.where(eb =>
    eb.or([
      eb('users.id', '=', viewer.id),
      eb(
        'users.id',
        'in',
        eb
          .selectFrom('advertiser_member as mine')
          .innerJoin('advertiser_member as theirs', 'theirs.advertiser', 'mine.advertiser')
          .select('theirs.user_id')
          .where('mine.user_id', '=', viewer.id),
      ),
    ]),
  )
}

type Profile = Omit<UpdateUser, 'password'> & { last_modified_at: Date }

/** The fields that people may change of themselves, without the password. */
export async function updateProfile(trx: Trx, id: number, changes: Profile): Promise<void> {
  const { contacts, ...rest } = changes
  await trx
    .updateTable('users')
    .set({ ...rest, ...(contacts && { contacts: JSON.stringify(contacts) }) })
    .where('id', '=', id)
    .execute()
}

export async function findPasswordHash(db: Db, id: number): Promise<string | null> {
  const user = await db.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirst()
  return user?.password_hash ?? null
}

/** The advertisers whose accounts and spreadsheets a person may use. */
export async function advertisersOf(db: Db, person: Person): Promise<'all' | number[]> {
  if (advertiserScope[person.identity] === 'all') return 'all'
  const { rows } = await sql<{
    advertiser: number
  }>`select advertiser from ${advertiserIdsOf(person)} ids`.execute(db)
  return rows.map(row => row.advertiser)
}

/** The same as a subquery in parentheses, for those who may not use all. */
export function advertiserIdsOf({ id, department, identity }: Person): RawBuilder<number> {
  const of_department =
    advertiserScope[identity] === 'department' && department !== null
      ? sql`or (member.department = ${department} and member.identity <> 'external_user')`
      : sql``
  return sql<number>`(
    select distinct membership.advertiser
    from advertiser_member membership join users member on member.id = membership.user_id
    where member.id = ${id} ${of_department}
  )`
}

/**
 * The person as the policy sees them; null when the account is gone, closed or resigned, so that they may use
 * nothing.
 */
export async function readPerson(db: Db, id: number): Promise<Person | null> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'identity', 'department'])
    .where('id', '=', id)
    .where(maySignIn)
    .executeTakeFirst()
  return user ?? null
}

/** One page of the people whom a person may see. */
export async function listPeople(db: Db, viewer: Person, query: UserQuery) {
  let found = visiblePeople(db, viewer)
  // A field that is hidden from a person cannot be filtered by.
  const is_whole = isInternal(viewer) ? sql<boolean>`true` : sql<boolean>`users.identity = 'external_user'`
  if (query.department !== undefined) found = found.where('department', '=', query.department).where(is_whole)
  if (query.user_type !== undefined) found = found.where('user_type', '=', query.user_type)
  if (query.is_active !== undefined) found = found.where('is_active', '=', query.is_active)
  if (query.employment !== undefined) found = found.where('employment_status', '=', query.employment)
  if (query.plan !== undefined) found = found.where(planOf, '=', query.plan).where(is_whole)
  if (viewer.identity !== 'superuser') found = found.where('employment_status', '<>', 0)
  const { advertiser, search } = query
  if (advertiser !== undefined)
    found = found.where('users.id', 'in', eb => {
      const members = eb
        .selectFrom('advertiser_member as asked')
        .select('asked.user_id')
        .where('asked.advertiser', '=', advertiser)
      // A foreign id is treated like one that does not exist.
      return advertiserScope[viewer.identity] === 'all'
        ? members
        : members.where('asked.advertiser', 'in', advertiserIdsOf(viewer))
    })
  if (search) {
    const pattern = containing(search)
    found = found.where(eb =>
      eb.or([
        eb('full_name', 'ilike', pattern),
        eb('username', 'ilike', pattern).and(eb.or([is_whole, eb('full_name', '=', '')])),
        eb.and([
          is_whole,
          eb.or([
            eb('email', 'ilike', pattern),
            eb('position', 'ilike', pattern),
            eb('company_extension', '=', search),
          ]),
        ]),
      ]),
    )
  }
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const field = sql.ref(`users.${query.ordering.replace('-', '')}`)
  const order = /^-?(id|full_name)$/.test(query.ordering)
    ? field
    : sql`case when ${is_whole} then ${field} end`
  const rows = await found
    .select(columns)
    .select(derived)
    .orderBy(order, direction)
    .orderBy('users.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

/** An e-mail that a superuser enters counts as confirmed. */
export async function insertUser(
  trx: Trx,
  { contacts, plan, ...facts }: Omit<CreateUser, 'advertisers'>,
  now: Date,
) {
  const { id } = await trx
    .insertInto('users')
    .values({
      ...facts,
      ...(plan !== undefined && { plan }),
      contacts: JSON.stringify(contacts),
      user_type: typeOf(facts.identity),
      email_confirmed: facts.email !== null,
      created_at: now,
      last_modified_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * For the operator of the server, whose e-mail address counts as confirmed; false when the name is taken,
 * ignoring case.
 */
export async function insertSuperuser(
  db: Db,
  person: { username: string; full_name: string; email: string | null; password_hash: string },
): Promise<boolean> {
  const inserted = await db
    .insertInto('users')
    .values({
      ...person,
      identity: 'superuser',
      user_type: typeOf('superuser'),
      email_confirmed: person.email !== null,
    })
    .onConflict(conflict => conflict.expression(sql`lower(username)`).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** false when the person's employment is no longer the one that the change was decided for. */
export async function updateAccount(
  trx: Trx,
  { id, employment_status }: Pick<PersonRow, 'id' | 'employment_status'>,
  { contacts, now, ...changes }: Omit<UpdateAccount, 'advertisers'> & { now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({
      ...changes,
      ...(contacts && { contacts: JSON.stringify(contacts) }),
      ...(changes.identity && { user_type: typeOf(changes.identity) }),
      ...(changes.email !== undefined && { email_confirmed: changes.email !== null }),
      last_modified_at: now,
    })
    .where('id', '=', id)
    .where('employment_status', '=', employment_status)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Whatever a deleted account could still be entered with. */
export async function deleteCredentials(trx: Trx, id: number): Promise<void> {
  await sql`
    with factor as (delete from second_factor where user_id = ${id}),
      link as (delete from password_link where user_id = ${id})
    update users set password_hash = null where id = ${id}`.execute(trx)
}

/** How many reports each of these people owns, without deleted ones. */
export async function countReportsOf(db: Db, owners: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('report')
    .select(['owner', eb => eb.fn.countAll<number>().as('reports')])
    .where(sql<boolean>`owner = any(${owners})`)
    .where('deleted_at', 'is', null)
    .groupBy('owner')
    .execute()
  return new Map(rows.map(({ owner, reports }) => [owner, reports]))
}

/** How many open accounts each department has. */
export async function countByDepartment(db: Db): Promise<Map<number | null, number>> {
  const rows = await db
    .selectFrom('users')
    .select(['department', eb => eb.fn.countAll<number>().as('people')])
    .where(maySignIn)
    .groupBy('department')
    .execute()
  return new Map(rows.map(({ department, people }) => [department, people]))
}

/** 1 employee, 2 client */
const typeOf = (identity: IdentityName) => (identity === 'external_user' ? 2 : 1)

export async function areAdvertisers(db: Db, ids: readonly number[]): Promise<boolean> {
  const distinct = new Set(ids)
  if (distinct.size === 0) return true
  const rows = await db
    .selectFrom('advertiser')
    .select('id')
    .where('id', 'in', [...distinct])
    .execute()
  return rows.length === distinct.size
}

export async function replaceMemberships(
  trx: Trx,
  user_id: number,
  advertisers: readonly number[],
): Promise<void> {
  await trx.deleteFrom('advertiser_member').where('user_id', '=', user_id).execute()
  const rows = [...new Set(advertisers)].map(advertiser => ({ advertiser, user_id }))
  if (rows.length > 0) await trx.insertInto('advertiser_member').values(rows).execute()
}

/** Advertisers that a person serves or belongs to, of those that the asking person may use. */
export async function membershipsOf(db: Db, viewer: Person, user_id: number): Promise<number[]> {
  const own = db.selectFrom('advertiser_member').select('advertiser').where('user_id', '=', user_id)
  const visible =
    advertiserScope[viewer.identity] === 'all' ? own : own.where('advertiser', 'in', advertiserIdsOf(viewer))
  return (await visible.orderBy('advertiser').execute()).map(row => row.advertiser)
}

/** The superusers who can sign in, locked. */
export async function lockSuperusers(trx: Trx): Promise<number[]> {
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('identity', '=', 'superuser')
    .where(maySignIn)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(row => row.id)
}

/**
 * What a report's owner may use at this moment; a report runs with its owner's access, checked again at each
 * step that matters.
 */
export interface OwnerAccess {
  person: Person
  advertisers: 'all' | readonly number[]
}

/** null for an owner who has resigned or whose account is closed. */
export async function findOwnerAccess(db: Db, owner: number): Promise<OwnerAccess | null> {
  const person = await readPerson(db, owner)
  return person ? await accessOf(db, person) : null
}

export const accessOf = async (db: Db, person: Person): Promise<OwnerAccess> => ({
  person,
  advertisers: await advertisersOf(db, person),
})
