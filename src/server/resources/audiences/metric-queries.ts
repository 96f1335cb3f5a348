import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'

/** `code` is empty where nothing is wrong. */
export async function countShares(db: Db) {
  const { rows } = await sql<{ state: string; code: string; shares: number }>`
    select state, coalesce(code, '') as code, count(*)::int as shares
    from audience_share where state <> 'removed' group by 1, 2 order by 1, 2`.execute(db)
  return rows
}

/** null: every erasure has been done, or has failed. */
export async function oldestPendingErasure(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('erasure')
    .select(eb => eb.fn.min('created_at').as('since'))
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return row?.since ?? null
}

export async function countErasureFailures(db: Db, since: Date) {
  const { rows } = await sql<{ code: string; accounts: number }>`
    select coalesce(code, 'internal_error') as code, count(*)::int as accounts
    from erasure_account join erasure on erasure.id = erasure_account.erasure
    where erasure.finished_at >= ${since} and outcome = 'failed'
    group by 1 order by 1`.execute(db)
  return rows
}
