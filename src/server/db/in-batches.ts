import type { RawBuilder } from 'kysely'
import type { Db } from './connect.ts'

const BATCH = 5000

/** Few rows at a time, so that no lock is held for long. Returns how many. */
export async function inBatches(statement: (limit: number) => RawBuilder<unknown>, db: Db): Promise<number> {
  for (let deleted = 0; ;) {
    const { numAffectedRows = 0n } = await statement(BATCH).execute(db)
    deleted += Number(numAffectedRows)
    if (numAffectedRows < BigInt(BATCH)) return deleted
  }
}
