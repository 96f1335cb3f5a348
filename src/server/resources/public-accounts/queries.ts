import { sql } from 'kysely'
import type { Trx } from '#server/db/transaction.ts'
import type { PublicAccountQuery } from '#shared/api/public-accounts.ts'
import type { LoginKind } from '#shared/connect.ts'
import { platforms, type Platform } from '#shared/platforms.ts'
import type { Db } from '#server/db/connect.ts'
import { personName } from '#server/db/person-name.ts'
import { containing } from '#server/db/list-terms.ts'

// The sealed logins themselves are read and written in login-queries.ts, for logins.ts alone.

export interface PublicAccountRow {
  id: number
  platform: Platform
  name: string
  kind: LoginKind
  person_id: string | null
  person_name: string | null
  connected_at: Date | null
  login_fields: string[]
  expires_at: Date | null
  tested_at: Date | null
  test_result: string | null
  /** How many accounts use it. */
  accounts: number
  created_by: number | null
  created_by_name: string | null
  created_at: Date
  last_modified_at: Date
}

const described = (db: Db) =>
  db
    .selectFrom('public_account')
    .leftJoin('users', 'users.id', 'public_account.created_by')
    .select([
      'public_account.id',
      'platform',
      'name',
      'kind',
      'person_id',
      'person_name',
      'connected_at',
      'login_fields',
      'expires_at',
      'tested_at',
      'test_result',
      'created_by',
      'public_account.created_at',
      'public_account.last_modified_at',
    ])
    .select([
      personName('users').as('created_by_name'),
      sql<number>`(select count(*) from ad_account where ad_account.public_account = public_account.id)`.as(
        'accounts',
      ),
    ])

/** With its sealed login. */
export async function findPublicAccount(
  db: Db,
  id: number,
): Promise<(PublicAccountRow & { sealed: Uint8Array }) | null> {
  const found = await described(db)
    .select('public_account.login as sealed')
    .where('public_account.id', '=', id)
    .executeTakeFirst()
  return found ?? null
}

/** One page of the shared logins; a search looks at their names and at those of their platforms. */
export async function listPublicAccounts(
  db: Db,
  { search = '', ordering, limit, offset }: PublicAccountQuery,
): Promise<{ count: number; rows: PublicAccountRow[] }> {
  const pattern = containing(search)
  const matching = sql<boolean>`(public_account.name ilike ${pattern} or platform = any(${platformsNamed(search)}))`
  const { count } = await db
    .selectFrom('public_account')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where(matching)
    .executeTakeFirstOrThrow()
  const [, minus, field] = /^(-?)(\w+)$/.exec(ordering) ?? []
  const direction = minus ? 'desc' : 'asc'
  const rows = await described(db)
    .where(matching)
    .orderBy(orderBy[field ?? ''] ?? sql`public_account.id`, order =>
      (minus ? order.desc() : order.asc()).nullsLast(),
    )
    .orderBy('public_account.id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
  return { count, rows }
}

const orderBy: Record<string, ReturnType<typeof sql>> = {
  name: sql`lower(public_account.name)`,
  platform: sql`platform`,
  tested_at: sql`tested_at`,
  expires_at: sql`expires_at`,
}

function platformsNamed(search: string): Platform[] {
  const needle = search.toLowerCase()
  return (Object.keys(platforms) as Platform[]).filter(platform =>
    Object.values(platforms[platform].names).some(name => name.toLowerCase().includes(needle)),
  )
}

/** Whether there is one; locked against deletion until the transaction ends. */
export async function holdPublicAccount(trx: Trx, id: number): Promise<boolean> {
  const found = await trx
    .selectFrom('public_account')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  return found !== undefined
}

export async function updatePublicAccount(
  db: Db,
  id: number,
  changes: { name?: string | undefined; expires_at?: Date | null; last_modified_at: Date },
): Promise<void> {
  await db.updateTable('public_account').set(changes).where('id', '=', id).execute()
}

/** Those that were not tested since, the oldest first; one that has just been entered counts from then. */
export async function leastTested(db: Db, { before, limit }: { before: Date; limit: number }) {
  return await db
    .selectFrom('public_account')
    .select(['id', 'login as sealed'])
    .where(sql<Date>`coalesce(tested_at, last_modified_at)`, '<', before)
    .orderBy(sql`coalesce(tested_at, last_modified_at)`)
    .limit(limit)
    .execute()
}

/**
 * Unless another login was entered since the test began: a test of an earlier one says nothing about it.
 * Returns the login when the result was stored.
 */
export async function updateTest(
  trx: Trx,
  { id, sealed }: { id: number; sealed: Uint8Array },
  { test_result, tested_at }: { test_result: string; tested_at: Date },
) {
  return await trx
    .updateTable('public_account')
    .set({ test_result, tested_at })
    .where('id', '=', id)
    .where('login', '=', sealed)
    .returning(['id', 'name', 'platform', 'failing_since'])
    .executeTakeFirst()
}

export async function setFailingSince(trx: Trx, id: number, at: Date | null): Promise<void> {
  await trx.updateTable('public_account').set({ failing_since: at }).where('id', '=', id).execute()
}

/** Those that expire before then, each returned once for each expiry. */
export async function claimExpiring(trx: Trx, { now, before }: { now: Date; before: Date }) {
  return await trx
    .updateTable('public_account')
    .set(eb => ({ expiry_notified_at: eb.ref('expires_at') }))
    .where('expires_at', '>', now)
    .where('expires_at', '<', before)
    .where('expiry_notified_at', 'is distinct from', sql.ref<Date>('expires_at'))
    .returning(['id', 'name', 'platform', 'expires_at'])
    .execute()
}

/** Its accounts stay, without a login. */
export async function deletePublicAccount(db: Db, id: number): Promise<void> {
  await db.deleteFrom('public_account').where('id', '=', id).execute()
}
