import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'

// Turns shared by all workers through one row a scope, with the database's clock as the only one.

/**
 * The generic cell rate algorithm: a pace of 50 a minute with a burst of 10 never lets through more than 60 in any 60 seconds. For services that
 * state no exact limit, and for placing those who wait.
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
  const { wait_ms } = await bookTurn(db, scope, { pace, patience_ms: 0 })
  return wait_ms
}

/**
 * A turn that comes within `patience_ms`, in `wait_ms`: it is one's own then, and nobody has to ask again. Where none comes so soon nothing is taken.
 * After a pause turns are as far apart as the pace says from the first one on, without a burst.
 */
export async function bookTurn(
  db: Db,
  scope: string,
  { pace, patience_ms }: { pace: Pace; patience_ms: number },
): Promise<{ is_booked: boolean; wait_ms: number }> {
  const step = sql`${60_000 / pace.per_minute} * interval '1 ms'`
  const ahead_ms = Math.round((60_000 / pace.per_minute) * (pace.burst - 1))
  const ahead = sql`${ahead_ms} * interval '1 ms'`
  const booked = await sql<{ wait_ms: number }>`
    insert into quota as q (scope, next_at, ahead_ms) values (${scope}, clock_timestamp() + ${step}, ${ahead_ms})
    on conflict (scope) do update
      set next_at = greatest(q.next_at, clock_timestamp(), q.paused_until + ${ahead}) + ${step}, ahead_ms = ${ahead_ms}
      where greatest(q.next_at - ${ahead}, q.paused_until) <= clock_timestamp() + ${patience_ms} * interval '1 ms'
    returning extract(epoch from next_at - ${step} - ${ahead} - clock_timestamp())::float8 * 1000 as wait_ms`.execute(
    db,
  )
  const [turn] = booked.rows
  // Without patience a turn has come when it is booked, whatever part of a millisecond has passed since.
  if (turn) return { is_booked: true, wait_ms: patience_ms === 0 ? 0 : Math.max(0, Math.ceil(turn.wait_ms)) }
  const { rows } = await sql<{ wait_ms: number }>`
    select extract(epoch from greatest(next_at - ${ahead}, paused_until) - clock_timestamp())::float8 * 1000 as wait_ms
    from quota where scope = ${scope}`.execute(db)
  return { is_booked: false, wait_ms: Math.max(1, Math.ceil(rows[0]?.wait_ms ?? 1)) }
}

/** So many in any span of so long, exactly: for a service that counts in windows and refuses what is beyond. */
export interface Window {
  most: number
  window_ms: number
}

/** Takes one request out of the scope's window; answers as `takeTurn` does. */
export async function takeFromWindow(db: Db, scope: string, { most, window_ms }: Window): Promise<number> {
  const window = sql`${window_ms} * interval '1 ms'`
  const taken = await sql`
    insert into quota as q (scope, turns) values (${scope}, array[clock_timestamp()])
    on conflict (scope) do update
      set turns = q.turns[greatest(1, cardinality(q.turns) - ${most}::int + 2):] || clock_timestamp(),
        -- For those who look on: when the next one may come, once this one has filled the window.
        ahead_ms = 0, next_at = case when cardinality(q.turns) >= ${most}::int - 1
          then coalesce(q.turns[greatest(1, cardinality(q.turns) - ${most}::int + 2)], clock_timestamp()) + ${window}
          else clock_timestamp() end
      where (cardinality(q.turns) < ${most}::int
          or q.turns[cardinality(q.turns) - ${most}::int + 1] <= clock_timestamp() - ${window})
        and (q.paused_until is null or q.paused_until <= clock_timestamp())
    returning scope`.execute(db)
  if (taken.rows.length > 0) return 0
  const { rows } = await sql<{ wait_ms: number }>`
    select greatest(
      extract(epoch from turns[cardinality(turns) - ${most}::int + 1] + ${window} - clock_timestamp()) * 1000,
      extract(epoch from paused_until - clock_timestamp()) * 1000
    )::float8 as wait_ms
    from quota where scope = ${scope}`.execute(db)
  return Math.max(1, Math.ceil(rows[0]?.wait_ms ?? 1))
}

/**
 * A place in the line of those who want a turn, as far apart as the pace says: the milliseconds until it comes. It is given once and for all, so that
 * thousands who wait ask once each and not again and again.
 */
export async function takePlace(db: Db, scope: string, pace: Pace): Promise<number> {
  const step = sql`${60_000 / pace.per_minute} * interval '1 ms'`
  // Who comes after a pause finds as many places free at once as the burst allows.
  const behind = sql`${(60_000 / pace.per_minute) * (pace.burst - 1)} * interval '1 ms'`
  const { rows } = await sql<{ wait_ms: number }>`
    insert into quota as q (scope, next_at, per_minute) values (${scope}, clock_timestamp() - ${behind} + ${step}, ${pace.per_minute})
    on conflict (scope) do update set next_at = greatest(q.next_at, clock_timestamp() - ${behind}) + ${step}, per_minute = ${pace.per_minute}
    returning extract(epoch from next_at - ${step} - clock_timestamp())::float8 * 1000 as wait_ms`.execute(db)
  return Math.max(0, Math.ceil(rows[0]?.wait_ms ?? 0))
}

/**
 * When to come back for those who found the scope paused or its next turn too far off: one after another from then on, as far apart as the pace says,
 * and not all in the moment in which the pause ends. It is a time to ask again, no turn.
 */
export async function takePlaceAfterPause(db: Db, scope: string, pace: Pace): Promise<number> {
  const step = sql`${60_000 / pace.per_minute} * interval '1 ms'`
  const free_at = sql`(
    select greatest(next_at - ahead_ms * interval '1 ms', paused_until) from quota where scope = ${scope}
  )`
  const { rows } = await sql<{ wait_ms: number }>`
    insert into quota as q (scope, next_at) values (${lineOf(scope)}, greatest(clock_timestamp(), ${free_at}) + ${step})
    on conflict (scope) do update set next_at = greatest(q.next_at, clock_timestamp(), ${free_at}) + ${step}
    returning extract(epoch from next_at - ${step} - clock_timestamp())::float8 * 1000 as wait_ms`.execute(db)
  return Math.max(1, Math.ceil(rows[0]?.wait_ms ?? 1))
}

/** Where those stand who found a scope closed. */
export const lineOf = (scope: string) => `${scope}${LINE}`
export const LINE = ' (line)'

/** How long nobody may ask in this scope. */
export async function pauseLeft(db: Db, scope: string): Promise<number> {
  const { rows } = await sql<{ left_ms: number }>`
    select extract(epoch from paused_until - clock_timestamp())::float8 * 1000 as left_ms
    from quota where scope = ${scope} and paused_until > clock_timestamp()`.execute(db)
  return Math.ceil(rows[0]?.left_ms ?? 0)
}

/** Nobody may ask in this scope for so long; a longer pause that is already there stays. */
export async function pauseScope(db: Db, scope: string, pause_ms: number): Promise<void> {
  await sql`
    insert into quota as q (scope, paused_until) values (${scope}, clock_timestamp() + ${pause_ms} * interval '1 ms')
    on conflict (scope) do update set paused_until = greatest(q.paused_until, excluded.paused_until)`.execute(
    db,
  )
}

const LONGEST_GUESS_MS = 15 * 60_000
const SOON_MS = 60_000

/**
 * A pause of a length that the platform does not say: up to a fifth longer by chance, and twice as long as the one before when that one has only just
 * ended. Those who are refused together make one pause.
 */
export async function guessPause(db: Db, scope: string, pause_ms: number): Promise<void> {
  const by_chance = sql`(1 + random() * 0.2) * interval '1 ms'`
  await sql`
    insert into quota as q (scope, paused_until, guessed_ms)
    values (${scope}, clock_timestamp() + ${pause_ms} * ${by_chance}, ${pause_ms})
    on conflict (scope) do update set (guessed_ms, paused_until) = (
      select greatest(guess, case when is_closed then q.guessed_ms end),
        greatest(q.paused_until, clock_timestamp() + guess * ${by_chance})
      from (
        select q.paused_until > clock_timestamp() as is_closed, case
          when q.paused_until <= clock_timestamp()
              and q.paused_until > clock_timestamp() - (q.guessed_ms + ${SOON_MS}) * interval '1 ms'
            then greatest(${pause_ms}::int, least(q.guessed_ms * 2, ${LONGEST_GUESS_MS}::int))
          else ${pause_ms}::int
        end as guess
      ) as next
    )`.execute(db)
}
