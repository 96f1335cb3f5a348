import { sql, type RawBuilder } from 'kysely'
import { advertiserScope, isInternal, type Person } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import { personName } from '#server/db/person-name.ts'
import { advertiserIdsOf } from './queries.ts'

/** The names of the business managers that a person has, by id. */
export async function businessNames(db: Db, person: Person): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('business')
    .select(['id', 'name'])
    .where(hasBusiness(person, 'business.id'))
    .orderBy('id')
    .execute()
  return Object.fromEntries(rows.map(({ id, name }) => [String(id), name]))
}

/** Whether a column names a business that a person has: granted, or with an account of theirs in it. */
export function hasBusiness(person: Person, column: string): RawBuilder<boolean> {
  if (advertiserScope[person.identity] === 'all') return sql`true`
  const granted = isGranted(person, column)
  if (!isInternal(person)) return granted
  return sql`(${granted} or ${sql.ref(column)} in (
    select holding.business from business_ad_account holding
    where advertiser_of_account(holding.account) in ${advertiserIdsOf(person)}))`
}

/** Whether a person may see the account in this row: their own, and with a grant internal people all. */
export function seesBusinessAccount(person: Person, alias: string): RawBuilder<boolean> {
  if (advertiserScope[person.identity] === 'all') return sql`true`
  const business = `${alias}.business`
  const own = sql<boolean>`(${hasBusiness(person, business)}
    and advertiser_of_account(${sql.ref(`${alias}.account`)}) in ${advertiserIdsOf(person)})`
  return isInternal(person) ? sql`(${own} or ${isGranted(person, business)})` : own
}

const isGranted = ({ id }: Person, column: string) =>
  sql<boolean>`${sql.ref(column)} in (select business from business_member where user_id = ${id})`

/** Whether somebody has granted it to them. */
export async function holdsGrant(db: Db, person: Person, business: number): Promise<boolean> {
  const grant = await db
    .selectFrom('business_member')
    .select('business')
    .where('business', '=', business)
    .where('user_id', '=', person.id)
    .executeTakeFirst()
  return grant !== undefined
}

/** To whom a business was granted, and by whom. */
export async function listBusinessMembers(db: Db, business: number) {
  return await db
    .selectFrom('business_member as member')
    .innerJoin('users', 'users.id', 'member.user_id')
    .leftJoin('users as granter', 'granter.id', 'member.granted_by')
    .select([
      'member.user_id as user',
      personName<string>('users').as('name'),
      sql<boolean>`users.identity = 'external_user'`.as('is_client'),
      personName('granter').as('granted_by_name'),
      'member.created_at',
    ])
    .where('member.business', '=', business)
    .orderBy('member.created_at')
    .orderBy('member.user_id')
    .execute()
}
