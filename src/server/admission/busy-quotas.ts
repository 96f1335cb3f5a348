import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { RETRIES } from './rate.ts'

/**
 * Quotas that grant no request at the moment, and those with runs waiting for a slot. One that is merely in
 * use grants the next request at once.
 */
export async function listBusyQuotas(db: Db) {
  // Of a waitlist: its next position.
  const freeAt = sql`greatest(next_at - coalesce(ahead_ms, 0) * interval '1 ms', paused_until)`
  const { rows } = await sql<{ scope: string; wait_ms: number; is_paused: boolean; runs_waiting: number }>`
    with queues as (
      select scope, count(*)::int as runs from quota_slot where state = 'waiting' group by scope
    )
    select scope,
      greatest(0, ceil(extract(epoch from ${freeAt} - clock_timestamp()) * 1000))::int as wait_ms,
      coalesce(paused_until > clock_timestamp(), false) as is_paused,
      coalesce(queues.runs, 0) as runs_waiting
    from quota left join queues using (scope)
    where (${freeAt} > clock_timestamp() or queues.runs > 0)
      and scope <> 'housekeeping' and not starts_with(reverse(scope), reverse(${RETRIES}))
    order by wait_ms desc, runs_waiting desc limit 50`.execute(db)
  return rows
}

/** Rows of unused quotas, and of slots whose holders are gone. */
export async function deleteIdleQuotas(db: Db): Promise<void> {
  await sql`delete from quota_slot where until < now() - interval '1 day'`.execute(db)
  await sql`
    delete from quota where next_at < now() - interval '1 day' and coalesce(paused_until, now()) <= now()`.execute(
    db,
  )
}
