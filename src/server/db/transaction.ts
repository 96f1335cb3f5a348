import { setTimeout as sleep } from 'node:timers/promises'
import type { IsolationLevel, Transaction } from 'kysely'
import type { Db } from './connect.ts'
import { codeOf } from './problem.ts'
import type { Database } from './schema.ts'

/** A connection inside of a transaction: what must be atomic takes it, never `Db`. */
export type Trx = Transaction<Database>

/**
 * Runs `work` in one transaction, and again from the start when Postgres asks for it (40001 serialization
 * failure, 40P01 deadlock). `work` must therefore have no effect but on the transaction.
 */
export const inTransaction = <T>(
  db: Db,
  work: (trx: Trx) => Promise<T>,
  { isolation = 'read committed' }: { isolation?: IsolationLevel } = {},
): Promise<T> => againWhenDeadlocked(() => db.transaction().setIsolationLevel(isolation).execute(work))

/** The same for what is a transaction by itself. */
export async function againWhenDeadlocked<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === ATTEMPTS || !isWorthRepeating(error)) throw error
      // Drawn anew by each of the two transactions, so that they do not collide again.
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}

const ATTEMPTS = 6

const isWorthRepeating = (error: unknown) => ['40001', '40P01'].includes(codeOf(error) ?? '')
