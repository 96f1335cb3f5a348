import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'

/**
 * Paces shared by all workers through one row a scope: the generic cell rate algorithm, with the database's clock as the only one.
 * A pace of 50 a minute with a burst of 10 never lets through more than 60 in any 60 seconds.
 */
export interface Pace {
  per_minute: number
  burst: number
}

/**
 * Takes one request out of the scope's pace.
 * Returns 0 when it may be sent now, else the milliseconds after which to ask again; nothing is taken then.
 */
export async function takeTurn(db: Db, scope: string, pace: Pace): Promise<number> {
  const step = sql`${60_000 / pace.per_minute} * interval '1 ms'`
  const ahead = sql`${(60_000 / pace.per_minute) * (pace.burst - 1)} * interval '1 ms'`
  const taken = await sql`
    insert into quota as q (scope, next_at) values (${scope}, clock_timestamp() + ${step})
    on conflict (scope) do update set next_at = greatest(q.next_at, clock_timestamp()) + ${step}
      where q.next_at <= clock_timestamp() + ${ahead}
        and (q.paused_until is null or q.paused_until <= clock_timestamp())
    returning scope`.execute(db)
  if (taken.rows.length > 0) return 0
  const { rows } = await sql<{ wait_ms: number }>`
    select greatest(
      extract(epoch from next_at - ${ahead} - clock_timestamp()) * 1000,
      extract(epoch from paused_until - clock_timestamp()) * 1000
    )::float8 as wait_ms
    from quota where scope = ${scope}`.execute(db)
  return Math.max(1, Math.ceil(rows[0]?.wait_ms ?? 1))
}

/** Nobody may ask in this scope for so long; a longer pause that is already there stays. */
export async function pauseScope(db: Db, scope: string, pause_ms: number): Promise<void> {
  await sql`
    insert into quota as q (scope, paused_until) values (${scope}, clock_timestamp() + ${pause_ms} * interval '1 ms')
    on conflict (scope) do update set paused_until = greatest(q.paused_until, excluded.paused_until)`.execute(
    db,
  )
}
