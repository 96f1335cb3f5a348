import type { Db } from '#server/db/connect.ts'
import { sql } from 'kysely'

/** How many reports begin at which instants, by their frequency. */
export async function countDue(db: Db) {
  const { rows } = await sql<{ next_run_at: Date; update_frequency: number; reports: number }>`
    select next_run_at, update_frequency, count(*) as reports from report
    where next_run_at is not null and deleted_at is null
    group by next_run_at, update_frequency`.execute(db)
  return rows
}
