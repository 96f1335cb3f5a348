import { sql, type RawBuilder } from 'kysely'
import { ACTIVE_STATUSES, CAP_NEAR } from '#shared/account-standing.ts'
import { advertiserScope, type Person } from '#shared/access.ts'
import type { BusinessAccountQuery } from '#shared/api/businesses.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import type { Trx } from '#server/db/transaction.ts'
import { hasBusiness, seesBusinessAccount } from '#server/resources/people/business-queries.ts'
import { advertiserIdsOf } from '#server/resources/people/queries.ts'

export async function findBusiness(db: Db, person: Person, id: number) {
  return await db
    .selectFrom('business')
    .selectAll()
    .where('id', '=', id)
    .where(hasBusiness(person, 'business.id'))
    .executeTakeFirst()
}
export type BusinessRow = NonNullable<Awaited<ReturnType<typeof findBusiness>>>

/** One page of the accounts that a person sees in the businesses that they have. */
export async function listBusinessAccounts(db: Db, person: Person, query: BusinessAccountQuery) {
  const found = matching(db, person, query)
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const field = query.ordering.replace('-', '')
  const rows = await withNames(found, person)
    .orderBy(
      field === 'urgency' ? urgency : field === 'name' ? sql`lower(mine.name)` : sql.ref(`mine.${field}`),
      order => (direction === 'desc' ? order.desc() : order.asc()).nullsLast(),
    )
    .orderBy(field === 'urgency' ? sql`coalesce(mine.cap_used, 0) desc` : sql`lower(mine.name)`)
    .orderBy('mine.id')
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

export async function findBusinessAccount(db: Db, person: Person, id: number) {
  return await withNames(visible(db, person), person).where('mine.id', '=', id).executeTakeFirst()
}
export type BusinessAccountRow = NonNullable<Awaited<ReturnType<typeof findBusinessAccount>>>

const stopped = sql<boolean>`(mine.gone_at is null and mine.status <> all(${ACTIVE_STATUSES}::integer[]))`
const nearCap = sql<boolean>`(mine.gone_at is null and coalesce(mine.cap_used >= ${CAP_NEAR}, false))`
const unassigned = sql<boolean>`(mine.gone_at is null and advertiser_of_account(mine.account) is null)`

const warnings: Record<NonNullable<BusinessAccountQuery['warn']>, RawBuilder<boolean>> = {
  stopped,
  cap: nearCap,
  unassigned,
  urgent: sql`(${stopped} or ${nearCap} or ${unassigned})`,
}

const warning = sql<'stopped' | 'cap' | 'unassigned' | null>`
  case when ${stopped} then 'stopped' when ${nearCap} then 'cap' when ${unassigned} then 'unassigned' end`
const urgency = sql`
  case when ${stopped} then 0 when ${nearCap} then 1 when ${unassigned} then 2 when mine.gone_at is null then 3 else 4 end`

const visible = (db: Db, person: Person) =>
  db.selectFrom('business_ad_account as mine').where(seesBusinessAccount(person, 'mine'))

function matching(db: Db, person: Person, query: BusinessAccountQuery) {
  const { search, business, relation, status, advertiser, warn } = query
  let found = visible(db, person)
  if (business !== undefined) found = found.where('mine.business', '=', business)
  if (relation !== undefined) found = found.where('mine.relation', '=', relation)
  if (status !== undefined) found = found.where('mine.status', '=', status)
  if (advertiser === 'none') found = found.where(sql<boolean>`advertiser_of_account(mine.account) is null`)
  else if (advertiser !== undefined)
    found = found.where(sql<boolean>`advertiser_of_account(mine.account) = ${advertiser}`)
  if (warn !== undefined) found = found.where(warnings[warn])
  if (search)
    found = found.where(sql<boolean>`concat_ws(' ', mine.name, mine.account) ilike ${containing(search)}`)
  return found
}

/**
 * The name of an advertiser only where the person serves them. Amounts as floats, which hold whole units far
 * beyond 2^53 millionths.
 */
const withNames = (found: ReturnType<typeof visible>, person: Person) =>
  found
    .leftJoin('advertiser', join =>
      join
        .on(sql<boolean>`advertiser.id = advertiser_of_account(mine.account)`)
        .on(
          advertiserScope[person.identity] === 'all'
            ? sql<boolean>`true`
            : sql<boolean>`advertiser.id in ${advertiserIdsOf(person)}`,
        ),
    )
    .select([
      'mine.id',
      'mine.business',
      'mine.account',
      'mine.name',
      'mine.relation',
      'mine.status',
      'mine.disable_reason',
      'mine.currency',
      'mine.timezone',
      'mine.cap_used',
      'mine.is_prepay',
      'mine.funding',
      'mine.tasks',
      'mine.tos_accepted',
      'mine.created_at',
      'mine.gone_at',
      'mine.history',
      'advertiser.name as advertiser_name',
      sql<number | null>`mine.spend_cap::float8`.as('spend_cap'),
      sql<number | null>`mine.amount_spent::float8`.as('amount_spent'),
      sql<number | null>`mine.balance::float8`.as('balance'),
      sql<number | null>`advertiser_of_account(mine.account)`.as('advertiser'),
      warning.as('warning'),
    ])

/** The ad account of that id at Meta, held so that nobody else relates it; null while nobody has made one. */
export async function holdAdAccount(trx: Trx, account: string) {
  const found = await trx
    .selectFrom('ad_account')
    .select(['id', 'advertiser'])
    .where('provider', '=', 'meta')
    .where('external_id', '=', account)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return found ?? null
}

/** False: it was asked for so lately that it is not yet asked for again. */
export async function requestRefresh(
  trx: Trx,
  business: number,
  { now, requestedBefore }: { now: Date; requestedBefore: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('business')
    .set({ requested_at: now })
    .where('id', '=', business)
    .where(eb => eb.or([eb('requested_at', 'is', null), eb('requested_at', '<=', requestedBefore)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False: they have it already. */
export async function insertMember(
  trx: Trx,
  member: { business: number; user_id: number; granted_by: number; created_at: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('business_member')
    .values(member)
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function deleteMember(
  trx: Trx,
  { business, user_id }: { business: number; user_id: number },
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('business_member')
    .where('business', '=', business)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
