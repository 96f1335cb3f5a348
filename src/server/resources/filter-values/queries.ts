import { sql } from 'kysely'
import type { PlatformDimension } from '#shared/channels/catalogue.ts'
import type { Db } from '#server/db/connect.ts'

/** Beside the names of an account: when it was fetched, even when it has none. */
const FETCH_MARKER = ''

/** An index of the database cannot hold much longer ones, and no filter accepts them. */
const LONGEST = 500

/** The cached names of accounts, and which of them have been fetched since. */
export async function savedNames(
  db: Db,
  dimension: PlatformDimension,
  { accounts, since }: { accounts: readonly number[]; since: Date },
): Promise<{ names: string[]; fresh: Set<number> }> {
  if (accounts.length === 0) return { names: [], fresh: new Set() }
  const of = db
    .selectFrom('filter_value')
    .where('ad_account', 'in', accounts)
    .where('dimension', '=', dimension)
  const markers = await of
    .select('ad_account')
    .where('value', '=', FETCH_MARKER)
    .where('last_seen_at', '>', since)
    .execute()
  const named = await of.select('value').distinct().where('value', '<>', FETCH_MARKER).execute()
  return {
    names: named.map(row => row.value),
    fresh: new Set(markers.map(row => row.ad_account)),
  }
}

/** Replaces the cached names of an account by the fetched ones. */
export async function saveNames(
  db: Db,
  dimension: PlatformDimension,
  { account, names, now }: { account: number; names: readonly string[]; now: Date },
): Promise<void> {
  const values = [FETCH_MARKER, ...names.filter(isStorable)]
  await db.transaction().execute(async trx => {
    await trx
      .deleteFrom('filter_value')
      .where('ad_account', '=', account)
      .where('dimension', '=', dimension)
      .execute()
    // Two concurrent fetches store the same names.
    await sql`
      insert into filter_value (ad_account, dimension, value, last_seen_at)
      select ${account}, ${dimension}, value, ${now} from unnest(${values}::text[]) as each (value)
      on conflict (ad_account, dimension, value) do update set last_seen_at = excluded.last_seen_at`.execute(
      trx,
    )
  })
}

const isStorable = (name: string) => name !== FETCH_MARKER && name.length <= LONGEST && !name.includes('\0')

const RETENTION_MS = 90 * 24 * 3600_000

/** Names that were not requested since, and may be outdated. */
export async function deleteOldNames(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('filter_value')
    .where('last_seen_at', '<', new Date(now.getTime() - RETENTION_MS))
    .execute()
}
