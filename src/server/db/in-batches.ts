import type { RawBuilder } from 'kysely'
import type { Db } from './connect.ts'

const BATCH = 5000

/**
 * The smallest id that a run or an execution of that instant can have: their ids begin with the time, so that
 * no other index is needed.
 */
export function idAt(instant: Date): string {
  const hex = instant.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** Few rows at a time, so that nobody waits long for a lock. Answers how many. */
export async function inBatches(statement: (limit: number) => RawBuilder<unknown>, db: Db): Promise<number> {
  for (let forgotten = 0; ;) {
    const { numAffectedRows = 0n } = await statement(BATCH).execute(db)
    forgotten += Number(numAffectedRows)
    if (numAffectedRows < BigInt(BATCH)) return forgotten
  }
}
