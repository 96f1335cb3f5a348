import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** By the clock that all processes share. */
export async function databaseNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]?.now ?? new Date()
}
