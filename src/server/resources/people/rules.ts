import type { Person } from '#shared/access.ts'
import type { Trx } from '#server/db/transaction.ts'

/**
 * Ends the shares, with these people or about these accounts, of reports whose accounts the other may not
 * use.
 */
export type RecheckShares = (
  trx: Trx,
  those: { with: readonly number[] } | { accounts: readonly number[] },
  change: { editor: Person; now: Date },
) => Promise<void>
