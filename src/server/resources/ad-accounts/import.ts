import { sql } from 'kysely'
import { providers } from '#shared/platforms.ts'
import type { PlatformAccount, Source, World } from '#server/connectors/connector.ts'
import type { Db } from '#server/db/connect.ts'

/** What can be reached of the platforms outside a run. */
export type PlatformsAtHand = Pick<World, 'fetch' | 'hosts' | 'tokens' | 'quota'>

/** The world of a question that somebody waits for. */
export const impatientWorld = (platforms: PlatformsAtHand, patience_ms: number): World => ({
  ...platforms,
  now: () => new Date(),
  sleep: ms => new Promise(resolve => setTimeout(resolve, ms)),
  signal: AbortSignal.timeout(patience_ms),
  jobs: { begun: (_key, begin) => begin(), forget: async () => undefined },
  note: () => undefined,
})

/** Every account that a login at a platform sees. */
export async function discoverAccounts(
  source: Source,
  platforms: PlatformsAtHand,
): Promise<PlatformAccount[]> {
  return (await Array.fromAsync(source.listAccounts(impatientWorld(platforms, PATIENCE_MS)))).flat()
}

// Thousands of accounts come in pages of 200.
const PATIENCE_MS = 120_000

/**
 * Keeps the accounts: new ones belong to the advertiser that is called like their owner at the platform, if there is one; of known ones only what the
 * platform says is changed, never whose they are. An account that another login has found already stays with that one.
 */
export async function saveAccounts(
  db: Db,
  accounts: readonly PlatformAccount[],
  { public_account, now }: { public_account: number | null; now: Date },
): Promise<void> {
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
    await db
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
      .execute()
  }
}
