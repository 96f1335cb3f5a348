import { sql } from 'kysely'
import type { Trx } from './transaction.ts'

/**
 * Locks the key for the rest of the transaction: for what must be counted or created one after another and
 * has no row that could be locked.
 */
export async function lockUntilEnd(trx: Trx, key: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx)
}
