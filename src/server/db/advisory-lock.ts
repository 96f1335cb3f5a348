import { sql } from 'kysely'
import type { Trx } from './transaction.ts'

/**
 * Nobody else passes here with the same words before this transaction ends: for what must be counted or made
 * one after another and has no row that could be locked.
 */
export async function lockUntilEnd(trx: Trx, what: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${what}, 0))`.execute(trx)
}
