import type { Transaction } from 'kysely'
import type { Person } from '#shared/access.ts'
import type { Database } from '#server/db/schema.ts'

/**
 * Ends the sharings, with these people or about these accounts, of reports whose accounts the other may not
 * use.
 */
export type RecheckShares = (
  trx: Transaction<Database>,
  those: { with: readonly number[] } | { accounts: readonly number[] },
  change: { editor: Person; now: Date },
) => Promise<void>
