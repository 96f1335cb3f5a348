import { sql, type RawBuilder, type Transaction } from 'kysely'
import { advertiserScope, peopleScope, type Person } from '#shared/access.ts'
import type { UpdateUser } from '#shared/api/people.ts'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'
import { EMPLOYED } from '#server/http/session.ts'

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
  'is_active',
  'employment_status',
  'users.created_at',
] as const

/** The person, if the asking one may see them. */
export async function findPerson(db: Db, asking: Person, id: number) {
  return await visiblePeople(db, asking).select(columns).where('users.id', '=', id).executeTakeFirst()
}
export type PersonRow = NonNullable<Awaited<ReturnType<typeof findPerson>>>

/** Everybody whom a person may see: all, or those with whom they share an advertiser, and always themselves. */
export function visiblePeople(db: Db, asking: Person) {
  const people = db.selectFrom('users')
  if (peopleScope[asking.identity] === 'all') return people
  return people.where(eb =>
    eb.or([
      eb('users.id', '=', asking.id),
      eb(
        'users.id',
        'in',
        eb
          .selectFrom('advertiser_member as mine')
          .innerJoin('advertiser_member as theirs', 'theirs.advertiser', 'mine.advertiser')
          .select('theirs.user_id')
          .where('mine.user_id', '=', asking.id),
      ),
    ]),
  )
}

type Profile = Omit<UpdateUser, 'password'> & { last_modified_at: Date }

/** What one may change of oneself, but for the password. */
export async function updateProfile(trx: Transaction<Database>, id: number, changes: Profile): Promise<void> {
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

/** Whoever it is, as the policy sees them; null when the account is gone, closed or resigned, so that they may use nothing. */
export async function readPerson(db: Db, id: number): Promise<Person | null> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'identity', 'department'])
    .where('id', '=', id)
    .where('is_active', '=', 1)
    .where('employment_status', 'in', EMPLOYED)
    .executeTakeFirst()
  return user ?? null
}
