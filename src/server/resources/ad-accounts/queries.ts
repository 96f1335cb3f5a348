import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { advertiserScope, type Person } from '#shared/access.ts'
import { accountChannelOf } from '#shared/channels/all.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { AccountAdvertiserQuery, AdAccountQuery } from '#shared/api/ad-accounts.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import { advertiserIdsOf, type OwnerAccess } from '#server/resources/people/queries.ts'
import type { AccountFacts } from '#server/table/plan.ts'
import type { PlatformAccount } from '#server/connectors/connector.ts'
import { providers } from '#shared/platforms.ts'

type Query = z.output<typeof AdAccountQuery>

/** Listed under a channel of its own and no ad account. */
export type AnalyticsChannel = 'ga' | 'ga4'
const analyticsChannels: readonly AnalyticsChannel[] = ['ga', 'ga4']

/** One page of the accounts that a person may use in a report. */
export async function listAccounts(db: Db, person: Person, query: Query) {
  const found = matching(db, person, query)
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const results = await found
    .leftJoin('advertiser', 'advertiser.id', 'ad_account.advertiser')
    .select(columns)
    .select('advertiser.name as advertiser_name')
    .orderBy(query.ordering.endsWith('name') ? sql`lower(ad_account.name)` : 'ad_account.id', direction)
    .orderBy('ad_account.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, results }
}

/** One page of the active advertisers with accounts that a person may use and no platform has closed. */
export async function listAccountAdvertisers(
  db: Db,
  person: Person,
  { search, advertiser, ordering, limit, offset }: z.output<typeof AccountAdvertiserQuery>,
) {
  const found = usable(db, person)
    .innerJoin('advertiser', 'advertiser.id', 'ad_account.advertiser')
    .where('advertiser.is_active', '=', true)
    .where('ad_account.status', '<>', 'disabled')
    .$if(Boolean(search), query => query.where('advertiser.name', 'ilike', containing(search ?? '')))
    .$if(advertiser !== undefined, query => query.where('advertiser.id', '=', advertiser ?? 0))
  const { count } = await found
    .select(eb => eb.fn.count<number>('advertiser.id').distinct().as('count'))
    .executeTakeFirstOrThrow()
  const direction = directionOf(ordering)
  const results = await db
    .with('by_channel', () =>
      found
        .select(['advertiser.id', 'advertiser.name', 'ad_account.channel'])
        .select(eb => eb.fn.countAll<number>().as('accounts'))
        .groupBy(['advertiser.id', 'ad_account.channel']),
    )
    .selectFrom('by_channel')
    .select(['id', 'name'])
    .select(
      sql<{ channel: Channel; accounts: number }[]>`
        json_agg(json_build_object('channel', channel, 'accounts', accounts) order by channel)`.as(
        'channels',
      ),
    )
    .groupBy(['id', 'name'])
    .orderBy(sql`lower(name)`, direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
  return { count, results }
}

export async function findAccount(db: Db, person: Person, id: number) {
  return await usable(db, person)
    .leftJoin('advertiser', 'advertiser.id', 'ad_account.advertiser')
    .select(columns)
    .select('advertiser.name as advertiser_name')
    .where('ad_account.id', '=', id)
    .executeTakeFirst()
}

const columns = [
  'ad_account.id',
  'ad_account.channel',
  'ad_account.provider',
  'ad_account.public_account',
  'ad_account.ga_account_id',
  'ad_account.ga_account_name',
  'ad_account.property_id',
  'ad_account.property_name',
  'ad_account.external_id',
  'ad_account.name',
  'ad_account.currency',
  'ad_account.timezone',
  'ad_account.status',
  'ad_account.ecid',
  'ad_account.advertiser',
  'ad_account.last_checked_at',
] as const

function usable(db: Db, person: Person) {
  const accounts = db.selectFrom('ad_account')
  if (advertiserScope[person.identity] === 'all') return accounts
  return accounts.where('ad_account.advertiser', 'in', advertiserIdsOf(person))
}

function matching(db: Db, person: Person, { search, channel, advertiser, ids }: Query) {
  const conditions: RawBuilder<boolean>[] = [sql<boolean>`true`]
  if (channel !== undefined) conditions.push(sql`ad_account.channel = ${accountChannelOf(channel)}`)
  else if (ids === undefined) conditions.push(sql`ad_account.channel <> all(${analyticsChannels})`)
  if (advertiser !== undefined) conditions.push(sql`ad_account.advertiser = ${advertiser}`)
  if (ids !== undefined) conditions.push(sql`ad_account.id = any(${ids}::bigint[])`)
  // One of a customer who has left is offered for nothing new, and still read where it is named.
  if (ids === undefined && advertiser === undefined)
    conditions.push(
      sql`not exists (select from advertiser where id = ad_account.advertiser and not is_active)`,
    )
  if (search) {
    const pattern = containing(search)
    conditions.push(
      sql`concat_ws(' ', ad_account.name, ad_account.external_id, ad_account.ga_account_name, ad_account.property_name) ilike ${pattern}`,
    )
  }
  return usable(db, person).where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
}

/** The advertisers of those of the accounts that a person may use. */
export async function advertisersOfAccounts(db: Db, person: Person, ids: readonly number[]) {
  if (ids.length === 0) return []
  return await usable(db, person)
    .innerJoin('advertiser', 'advertiser.id', 'ad_account.advertiser')
    .select(['advertiser.id', 'advertiser.name'])
    .distinct()
    .where('ad_account.id', 'in', ids)
    .execute()
}

/** Those of the accounts that the owner may use. */
export async function usableAccounts(
  db: Db,
  { advertisers }: Pick<OwnerAccess, 'advertisers'>,
  ids: readonly number[],
): Promise<AccountFacts[]> {
  return ids.length === 0 ? [] : await factsOf(db, advertisers).where('id', 'in', ids).execute()
}

/** All accounts that somebody may use. */
export async function allUsableAccounts(
  db: Db,
  { advertisers }: Pick<OwnerAccess, 'advertisers'>,
): Promise<AccountFacts[]> {
  return await factsOf(db, advertisers).execute()
}

function factsOf(db: Db, advertisers: OwnerAccess['advertisers']) {
  const accounts = db
    .selectFrom('ad_account')
    .select([
      'id',
      'channel',
      'provider',
      'external_id',
      'via',
      'public_account',
      'name',
      'currency',
      'timezone',
      'ecid',
      'advertiser',
      'ga_account_id',
      'ga_account_name',
      'property_id',
      'property_name',
    ])
  return advertisers === 'all' ? accounts : accounts.where('advertiser', 'in', [...advertisers, 0])
}

/**
 * Stores the accounts: new ones belong to the advertiser of the same name as their owner at the platform, if
 * there is one; of known ones only the platform's fields are updated, never their advertiser. An account that
 * another login has found already stays with that one. Returns how many are new.
 */
export async function saveAccounts(
  db: Db,
  accounts: readonly PlatformAccount[],
  { public_account, now }: { public_account: number | null; now: Date },
): Promise<number> {
  let added = 0
  for (const { owner_name, analytics, ...account } of accounts) {
    const facts = {
      ...account,
      channel: providers[account.provider].channel,
      ga_account_id: analytics?.account_id ?? null,
      ga_account_name: analytics?.account_name ?? null,
      property_id: analytics?.property_id ?? null,
      property_name: analytics?.property_name ?? null,
      last_checked_at: now,
      last_modified_at: now,
    }
    const { provider: _provider, external_id: _id, channel: _channel, ...changes } = facts
    const { is_new } = await db
      .insertInto('ad_account')
      .values(eb => ({
        ...facts,
        public_account,
        advertiser: eb
          .selectFrom('advertiser')
          .select('id')
          .where('name', '=', owner_name ?? ''),
      }))
      .onConflict(conflict =>
        conflict.columns(['provider', 'external_id']).doUpdateSet(eb => ({
          ...changes,
          public_account: sql<
            number | null
          >`coalesce(${eb.ref('ad_account.public_account')}, ${public_account})`,
        })),
      )
      // Postgres sets xmax only in a row that it has updated.
      .returning(sql<boolean>`xmax = 0`.as('is_new'))
      .executeTakeFirstOrThrow()
    if (is_new) added += 1
  }
  return added
}
