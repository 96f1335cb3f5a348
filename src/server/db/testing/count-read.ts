import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'

/**
 * How many rows of a table, and entries of its indexes, some work reads in the one session that it gets: what
 * it costs, without a clock.
 */
export function countRead(db: Db, table: string, work: (session: Db) => Promise<unknown>): Promise<number> {
  return db.connection().execute(async session => {
    const before = await readSoFar(session, table)
    await work(session)
    return (await readSoFar(session, table)) - before
  })
}

async function readSoFar(session: Db, table: string): Promise<number> {
  // A session's figures are counted when its statement has ended, at most once a second unless it is told to.
  await sql`select pg_stat_force_next_flush()`.execute(session)
  const { rows } = await sql<{ count: number }>`
    select sum(pg_stat_get_tuples_returned(oid))::bigint as count from (
      select ${table}::regclass::oid as oid
      union all select indexrelid from pg_index where indrelid = ${table}::regclass
    ) relations`.execute(session)
  return rows[0]?.count ?? 0
}
