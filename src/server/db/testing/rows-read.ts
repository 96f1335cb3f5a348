import { sql } from 'kysely'
import type { OpenDatabase } from '#server/db/connect.ts'

/**
 * Rows that these tables have returned so far, by an index or without one. A connection passes on what it has
 * counted once a second at most: here each of them does so first.
 */
export async function rowsRead(
  { db, pool }: Pick<OpenDatabase, 'db' | 'pool'>,
  tables: readonly string[],
): Promise<number> {
  const connections = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
  await Promise.all(connections.map(each => each.query('select pg_stat_force_next_flush()')))
  for (const each of connections) each.release()
  const { rows } = await sql<{ count: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as count
    from pg_stat_user_tables where relname = any(${tables})`.execute(db)
  return rows[0]?.count ?? 0
}
