import type { PlatformAccount, Source, ConnectorContext } from '#server/connectors/connector.ts'
import { jobsInMemory } from '#server/connectors/memory-jobs.ts'
import { withDeadline } from '#server/connectors/deadline.ts'

/** The platforms as they are used outside a run. */
export type PlatformAccess = Pick<ConnectorContext, 'fetch' | 'hosts' | 'tokens' | 'limiter'> &
  Partial<Pick<ConnectorContext, 'now'>>

/**
 * Every account that a login at a platform sees. Throws PlatformFailure; platform_timeout when it takes
 * longer than two minutes.
 */
export async function discoverAccounts(
  source: Source,
  platforms: PlatformAccess,
): Promise<PlatformAccount[]> {
  return await withDeadline(PATIENCE_MS, { ...platforms, jobs: jobsInMemory() }, async context =>
    (await Array.fromAsync(source.listAccounts(context))).flat(),
  )
}

/** The first accounts of the platform, which is enough to know that the login works. Within half a minute. */
export async function firstAccounts(source: Source, platforms: PlatformAccess): Promise<PlatformAccount[]> {
  return await withDeadline(TEST_PATIENCE_MS, { ...platforms, jobs: jobsInMemory() }, async context => {
    for await (const accounts of source.listAccounts(context)) if (accounts.length > 0) return accounts
    return []
  })
}

// Thousands of accounts arrive in pages of 200.
const PATIENCE_MS = 120_000
const TEST_PATIENCE_MS = 30_000
