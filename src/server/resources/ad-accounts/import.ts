import { sql } from 'kysely'
import type { Connector, Io, PlatformAccount } from '#server/connectors/connector.ts'
import type { Db } from '#server/db/connect.ts'

/** Every account that a login at a platform sees. */
export async function discoverAccounts(
  connector: Connector,
  io: Pick<Io, 'base_url' | 'credential' | 'fetch' | 'quota'>,
): Promise<PlatformAccount[]> {
  const pages = connector.listAccounts({
    ...io,
    now: () => new Date(),
    sleep: ms => new Promise(resolve => setTimeout(resolve, ms)),
    signal: AbortSignal.timeout(PATIENCE_MS),
    note: () => undefined,
  })
  return (await Array.fromAsync(pages)).flat()
}

// Thousands of accounts come in pages of 200.
const PATIENCE_MS = 120_000

/**
 * Keeps the accounts: new ones belong to the advertiser that is called like their owner at the platform, if there is one; of known ones only what the
 * platform says is changed, never whose they are.
 */
export async function saveAccounts(db: Db, accounts: readonly PlatformAccount[], now: Date): Promise<void> {
  for (const { owner_name, ...account } of accounts) {
    const said = { ...account, last_checked_at: now, last_modified_at: now }
    await db
      .insertInto('ad_account')
      .values(eb => ({
        ...said,
        advertiser: eb
          .selectFrom('advertiser')
          .select('id')
          .where('name', '=', owner_name ?? ''),
      }))
      .onConflict(conflict =>
        conflict.columns(['channel', 'external_id']).doUpdateSet({
          name: sql`excluded.name`,
          currency: sql`excluded.currency`,
          timezone: sql`excluded.timezone`,
          status: sql`excluded.status`,
          last_checked_at: now,
          last_modified_at: now,
        }),
      )
      .execute()
  }
}
