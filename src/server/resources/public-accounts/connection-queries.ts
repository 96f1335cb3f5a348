import { sql } from 'kysely'
import type { Service } from '#shared/connect.ts'
import type { Platform } from '#shared/platforms.ts'
import type { Db } from '#server/db/connect.ts'
import { personName } from '#server/db/person-name.ts'
import type { Trx } from '#server/db/transaction.ts'
import { maySignIn } from '#server/http/session.ts'
import type { PlatformAccount } from '#server/connectors/connector.ts'

// What connected logins are used for, what was granted, who keeps them, and what ends with them.

/** Of one login, or of all. */
export const listServices = (db: Db, login: number | undefined) =>
  db
    .selectFrom('public_account_service')
    .selectAll()
    .$if(login !== undefined, query => query.where('public_account', '=', login ?? 0))
    .orderBy('public_account')
    .orderBy('id')
    .execute()
export type ServiceRow = Awaited<ReturnType<typeof listServices>>[number]

export async function findService(db: Db, id: number): Promise<ServiceRow | null> {
  const row = await db
    .selectFrom('public_account_service')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function setEnabled(db: Db, id: number, enabled: boolean): Promise<void> {
  await db.updateTable('public_account_service').set({ enabled }).where('id', '=', id).execute()
}

export async function saveServices(
  trx: Trx,
  login: number,
  services: ReadonlyMap<Service, boolean>,
): Promise<void> {
  if (services.size === 0) return
  await trx
    .insertInto('public_account_service')
    .values([...services].map(([service, enabled]) => ({ public_account: login, service, enabled })))
    .onConflict(conflict =>
      conflict
        .columns(['public_account', 'service'])
        .doUpdateSet(eb => ({ enabled: eb.ref('excluded.enabled') })),
    )
    .execute()
}

/** `needed`: the login is used for its service. */
export const listPermissions = (db: Db, login: number | undefined) =>
  db
    .selectFrom('public_account_permission')
    .leftJoin('public_account_service', join =>
      join
        .onRef('public_account_service.public_account', '=', 'public_account_permission.public_account')
        .onRef('public_account_service.service', '=', 'public_account_permission.service'),
    )
    .selectAll('public_account_permission')
    .select(sql<boolean>`public_account_service.id is not null`.as('needed'))
    .$if(login !== undefined, query =>
      query.where('public_account_permission.public_account', '=', login ?? 0),
    )
    .orderBy('public_account_permission.public_account')
    .orderBy('public_account_permission.service')
    .orderBy('public_account_permission.scope')
    .execute()
export type PermissionRow = Awaited<ReturnType<typeof listPermissions>>[number]

/** Replaces all that is known. */
export async function savePermissions(
  trx: Trx,
  login: number,
  permissions: readonly { service: Service; scope: string; granted: boolean | null; checked_at: Date }[],
): Promise<void> {
  await trx.deleteFrom('public_account_permission').where('public_account', '=', login).execute()
  if (permissions.length > 0)
    await trx
      .insertInto('public_account_permission')
      .values(permissions.map(permission => ({ public_account: login, ...permission })))
      .execute()
}

const keepers = (db: Db) =>
  db
    .selectFrom('public_account_user')
    .innerJoin('public_account', 'public_account.id', 'public_account_user.public_account')
    .innerJoin('users', 'users.id', 'public_account_user.user_id')
    .select([
      'public_account_user.id',
      'public_account',
      'user_id',
      'public_account.name',
      'platform',
      'kind',
      'test_result',
      'tested_at',
      'expires_at',
    ])
    .select(personName('users').as('user_name'))
    .orderBy('public_account_user.id')

/** Of one login or of all; those of one person or everybody's. */
export const listKeepers = (
  db: Db,
  { public_account, user }: { public_account: number | undefined; user: number | null },
) =>
  keepers(db)
    .$if(public_account !== undefined, query => query.where('public_account', '=', public_account ?? 0))
    .$if(user !== null, query => query.where('user_id', '=', user ?? 0))
    .execute()
export type KeeperRow = Awaited<ReturnType<typeof listKeepers>>[number]

export async function findKeeper(db: Db, id: number): Promise<KeeperRow | null> {
  return (await keepers(db).where('public_account_user.id', '=', id).executeTakeFirst()) ?? null
}

/** Returns its id; the same again for one who keeps it already. */
export async function insertKeeper(
  db: Db,
  { public_account, user_id }: { public_account: number; user_id: number },
): Promise<number> {
  const { id } = await db
    .insertInto('public_account_user')
    .values({ public_account, user_id })
    .onConflict(conflict => conflict.columns(['public_account', 'user_id']).doUpdateSet({ user_id }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function deleteKeeper(db: Db, id: number): Promise<void> {
  await db.deleteFrom('public_account_user').where('id', '=', id).execute()
}

/** Those who can still sign in, and are the agency's own people. */
export async function keepersOf(db: Db, login: number): Promise<number[]> {
  const rows = await db
    .selectFrom('public_account_user')
    .innerJoin('users', 'users.id', 'public_account_user.user_id')
    .select('user_id')
    .where('public_account', '=', login)
    .where('identity', '<>', 'external_user')
    .where(maySignIn)
    .execute()
  return rows.map(({ user_id: id }) => id)
}

/** The agency's own people who can sign in. */
export async function mayKeep(db: Db, user: number): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', user)
    .where('identity', '<>', 'external_user')
    .where(maySignIn)
    .executeTakeFirst()
  return found !== undefined
}

export async function isKeeper(db: Db, login: number, user: number): Promise<boolean> {
  const found = await db
    .selectFrom('public_account_user')
    .select('id')
    .where('public_account', '=', login)
    .where('user_id', '=', user)
    .executeTakeFirst()
  return found !== undefined
}

/** Those of the accounts that are not stored yet. */
export async function countNew(db: Db, accounts: readonly PlatformAccount[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from unnest(${accounts.map(({ provider }) => provider)}::text[],
      ${accounts.map(({ external_id }) => external_id)}::text[]) as found (provider, external_id)
    where not exists (
      select from ad_account
      where ad_account.provider = found.provider and ad_account.external_id = found.external_id)`.execute(db)
  return rows[0]?.count ?? 0
}

const NAMES = 20

/** Reports that read an account by the login, or write as its person. */
export async function reportsOf(db: Db, login: number) {
  const { rows } = await sql<{ name: string; count: number }>`
    select report.name, count(*) over ()::int as count
    from report
    where report.deleted_at is null and (
      report.id in (
        select report_account.report from report_account
        join ad_account on ad_account.id = report_account.ad_account
        where ad_account.public_account = ${login})
      or report.spreadsheet_id in (
        select spreadsheet_id from spreadsheet_system_user
        join public_account on public_account.person_email = spreadsheet_system_user.address
        join public_account_service on public_account_service.public_account = public_account.id
          and service = 'spreadsheets' and enabled
        where public_account.id = ${login}))
    order by lower(report.name), report.id
    limit ${NAMES}`.execute(db)
  return { count: rows[0]?.count ?? 0, names: rows.map(({ name }) => name) }
}

/** Audience lists with a live share in an account that is reached by the login. */
export async function audiencesOf(db: Db, login: number) {
  const { rows } = await sql<{ name: string; count: number }>`
    select audience.name, count(*) over ()::int as count
    from audience
    where audience.id in (
      select audience_share.audience from audience_share
      join ad_account on ad_account.id = audience_share.ad_account
      where ad_account.public_account = ${login} and audience_share.state not in ('stopped', 'removed'))
    order by lower(audience.name), audience.id
    limit ${NAMES}`.execute(db)
  return { count: rows[0]?.count ?? 0, names: rows.map(({ name }) => name) }
}

/** Whether a person has another login here: taking a consent back would end both. */
export async function hasPersonElsewhere(
  db: Db,
  { platform, person, except }: { platform: Platform; person: string | null; except: number | null },
): Promise<boolean> {
  const found = await db
    .selectFrom('public_account')
    .select('id')
    .where('platform', '=', platform)
    .where('kind', '=', 'oauth')
    .where('person_id', '=', person)
    .where('id', 'is distinct from', except ?? 0)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
