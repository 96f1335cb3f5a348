import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '#server/db/connect.ts'

/** Until another transaction waits for a lock. */
export async function somebodyWaits(db: Db): Promise<void> {
  const waiting = sql<{ count: number }>`
    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await waiting.execute(db)).rows[0]?.count).toBe(1)
}
