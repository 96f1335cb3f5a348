import { sql } from 'kysely'
import { providers } from '#shared/platforms.ts'
import type { PlatformAccount, Source, ConnectorContext } from '#server/connectors/connector.ts'
import { jobsInMemory } from '#server/connectors/memory-jobs.ts'
import { withDeadline } from '#server/connectors/deadline.ts'
import type { Db } from '#server/db/connect.ts'

/** What can be reached of the platforms outside a run. */
export type PlatformsAtHand = Pick<ConnectorContext, 'fetch' | 'hosts' | 'tokens' | 'quota'> &
  Partial<Pick<ConnectorContext, 'now'>>

/** Every account that a login at a platform sees. Throws PlatformFailure; platform_timeout when it takes longer than two minutes. */
export async function discoverAccounts(
  source: Source,
  platforms: PlatformsAtHand,
): Promise<PlatformAccount[]> {
  return await withDeadline(PATIENCE_MS, { ...platforms, jobs: jobsInMemory() }, async context =>
    (await Array.fromAsync(source.listAccounts(context))).flat(),
  )
}

/** Those that the platform tells first, which is enough to know that it takes the login. Within half a minute. */
export async function firstAccounts(source: Source, platforms: PlatformsAtHand): Promise<PlatformAccount[]> {
  return await withDeadline(TEST_PATIENCE_MS, { ...platforms, jobs: jobsInMemory() }, async context => {
    for await (const accounts of source.listAccounts(context)) if (accounts.length > 0) return accounts
    return []
  })
}

// Thousands of accounts come in pages of 200.
const PATIENCE_MS = 120_000
const TEST_PATIENCE_MS = 30_000

/**
 * Keeps the accounts: new ones belong to the advertiser that is called like their owner at the platform, if there is one; of known ones only what the
 * platform says is changed, never whose they are. An account that another login has found already stays with that one. Answers how many are new.
 */
export async function saveAccounts(
  db: Db,
  accounts: readonly PlatformAccount[],
  { public_account, now }: { public_account: number | null; now: Date },
): Promise<number> {
  let added = 0
  for (const { owner_name, analytics, ...account } of accounts) {
    const said = {
      ...account,
      channel: providers[account.provider].channel,
      ga_account_id: analytics?.account_id ?? null,
      ga_account_name: analytics?.account_name ?? null,
      property_id: analytics?.property_id ?? null,
      property_name: analytics?.property_name ?? null,
      last_checked_at: now,
      last_modified_at: now,
    }
    const { provider: _provider, external_id: _id, channel: _channel, ...changes } = said
    const { is_new } = await db
      .insertInto('ad_account')
      .values(eb => ({
        ...said,
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
      // Postgres notes a transaction there only in a row that it has changed.
      .returning(sql<boolean>`xmax = 0`.as('is_new'))
      .executeTakeFirstOrThrow()
    if (is_new) added += 1
  }
  return added
}
