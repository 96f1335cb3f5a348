import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { plannedOnce } from '#server/db/planned-once.ts'

// What is left of each quota, one row a key, shared by all workers with the database's clock as the only one.

/**
 * So many a minute, some of them at once (the generic cell rate algorithm): 50 a minute with a burst of 10
 * never lets more than 60 through in any 60 seconds. For services that state no exact limit, and for
 * waitlists.
 */
export interface Rate {
  per_minute: number
  burst: number
}

/**
 * So many in any span of a given length, exactly: for a service that counts in windows and refuses what
 * exceeds one.
 */
export interface Window {
  most: number
  window_ms: number
}

/**
 * Takes a permit to send one request now. Returns 0 when it is granted, else the milliseconds after which to
 * try again; nothing is taken then.
 */
export async function takePermit(db: Db, key: string, rate: Rate | Window): Promise<number> {
  const { wait_ms } = await bookPermit(db, key, { rate, patience_ms: 0 })
  return wait_ms
}

export interface Booking {
  rate: Rate | Window
  patience_ms: number
  /** Nothing is taken while a click has lately used this quota; left out: this is a click itself. */
  behind?: string
}

/**
 * Reserves a permit that becomes available within `patience_ms`: it counts from `wait_ms` on, without another
 * call. Where none does, nothing is taken.
 */
export async function bookPermit(
  db: Db,
  key: string,
  booking: Booking,
): Promise<{ is_booked: boolean; wait_ms: number; backoff_ms: number | null }> {
  const { rate, patience_ms, behind = null } = booking
  const { insert, freeAt } = 'window_ms' in rate ? inWindow(rate) : inSequence(rate)
  const booked = await insert({
    key,
    mayGo: sql`not exists (
      select from quota clicks where clicks.scope = ${behind} and clicks.urgent_until > clock_timestamp()
    )`,
    within: sql`coalesce(${freeAt} <= clock_timestamp() + ${patience_ms} * interval '1 ms', true)`,
  }).execute(db)
  const [permit] = booked.rows
  // Without patience it counts from the moment of the booking, whatever part of a millisecond has passed
  // since.
  if (permit) {
    const { backoff_ms } = permit
    const wait_ms = patience_ms === 0 ? 0 : Math.max(0, Math.ceil(permit.wait_ms))
    return { is_booked: true, wait_ms, backoff_ms }
  }
  const { rows } = await sql<{ wait_ms: number | null }>`
    select extract(epoch from greatest(
      (select ${freeAt} from quota q where scope = ${key}),
      (select urgent_until from quota where scope = ${behind})
    ) - clock_timestamp())::float8 * 1000 as wait_ms`.execute(db)
  return { is_booked: false, wait_ms: Math.max(1, Math.ceil(rows[0]?.wait_ms ?? 1)), backoff_ms: null }
}

interface Permit {
  wait_ms: number
  /** The length of the latest pause that the service has caused; null: none. */
  backoff_ms: number | null
}
interface Conditions {
  key: string
  mayGo: RawBuilder<unknown>
  within: RawBuilder<unknown>
}

/** A step of the rate apart: after a pause from the first one on, without a burst. */
function inSequence({ per_minute, burst }: Rate) {
  const step = sql`${60_000 / per_minute}::float8 * interval '1 ms'`
  const ahead_ms = Math.round((60_000 / per_minute) * (burst - 1))
  const ahead = sql`${ahead_ms}::int * interval '1 ms'`
  return {
    freeAt: sql`greatest(q.next_at - ${ahead}, q.paused_until)`,
    insert: ({ key, mayGo, within }: Conditions) => sql<Permit>`
      insert into quota as q (scope, next_at, ahead_ms)
      select ${key}::text, clock_timestamp() + ${step}, ${ahead_ms}::int where ${mayGo}
      on conflict (scope) do update
        set next_at = greatest(q.next_at, clock_timestamp(), q.paused_until + ${ahead}) + ${step}, ahead_ms = ${ahead_ms}
        where ${within}
      returning extract(epoch from next_at - ${step} - ${ahead} - clock_timestamp())::float8 * 1000 as wait_ms, backoff_ms`,
  }
}

/** The times of the latest permits are stored, of those that are reserved too: always in their order. */
function inWindow({ most, window_ms }: Window) {
  const { freeAt, taken } = windowOf(sql`${most}::int`, window_ms)
  return {
    freeAt,
    insert: ({ key, mayGo, within }: Conditions) => sql<Permit>`
      insert into quota as q (scope, permits) select ${key}::text, array[clock_timestamp()] where ${mayGo}
      on conflict (scope) do update set ${taken} where ${within}
      returning extract(epoch from permits[cardinality(permits)] - clock_timestamp())::float8 * 1000 as wait_ms, backoff_ms`,
  }
}

/** When the row `q` of a window grants its next permit, and what taking it changes there. */
function windowOf(most: RawBuilder<unknown>, window_ms: number) {
  const window = sql`${window_ms}::float8 * interval '1 ms'`
  const nthLast = (nth: RawBuilder<unknown>) => sql`q.permits[cardinality(q.permits) - ${nth} + 1]`
  const freeAt = sql`greatest(${nthLast(most)} + ${window}, q.paused_until)`
  const taken = sql`
    permits = q.permits[greatest(1, cardinality(q.permits) - ${most} + 2):]
      || greatest(clock_timestamp(), ${freeAt}),
    -- Shown to operators: when the next permit is available, once this one has filled the window.
    ahead_ms = 0, next_at = case when cardinality(q.permits) >= ${most} - 1
      then coalesce(${nthLast(sql`(${most} - 1)`)}, clock_timestamp()) + ${window} else clock_timestamp() end`
  return { freeAt, taken }
}

/**
 * Takes a permit of each window now, in one statement: where one of them has none, of no window, unless its
 * last permit goes to somebody else at this moment. After a refusal it is one permit at a time until a
 * request has gone through (refused-window.ts). `wait_ms`: when to try again for those that are not taken.
 */
export async function takePermits(
  db: Db,
  windows: readonly { key: string; most: number }[],
  window_ms: number,
): Promise<{ taken: { key: string; backoff_ms: number | null }[]; wait_ms: number }> {
  const keys = windows.map(({ key }) => key)
  const requested = sql`unnest(${keys}::text[], ${windows.map(({ most }) => most)}::int[]) as requested (key, most)`
  const { freeAt, taken } = windowOf(sql`(select most from ${requested} where key = q.scope)`, window_ms)
  const isFree = sql`coalesce(${freeAt} <= clock_timestamp(), true)`
  // In one order for everybody, so that two that take the same ones do not deadlock.
  const { rows } = await sql<{ key: string; backoff_ms: number | null }>`${plannedOnce}
    insert into quota as q (scope, permits)
    select key, array[clock_timestamp()] from ${requested}
    where not exists (select from quota q where scope = any(${keys}::text[]) and not ${isFree})
    order by key
    on conflict (scope) do update set ${taken}, paused_until = case when q.backoff_ms is not null
      then clock_timestamp() + ${REFUSED_WITHIN_MS} * interval '1 ms' else q.paused_until end
    where ${isFree}
    returning scope as key, backoff_ms`.execute(db)
  if (rows.length === windows.length) return { taken: rows, wait_ms: 0 }
  const missing = keys.filter(key => !rows.some(row => row.key === key))
  const waits = await sql<{ wait_ms: number | null }>`
    select extract(epoch from max(${freeAt}) - clock_timestamp())::float8 * 1000 as wait_ms
    from quota q where scope = any(${missing}::text[])`.execute(db)
  return { taken: rows, wait_ms: Math.max(1, Math.ceil(waits.rows[0]?.wait_ms ?? 1)) }
}

/** A refusal comes at once: others need not wait longer for a probe that is being worked on. */
const REFUSED_WITHIN_MS = 1500

/** For a moment the background lets clicks go first at this quota. */
export async function markClick(db: Db, key: string): Promise<void> {
  await sql`
    insert into quota as q (scope, urgent_until) values (${key}, clock_timestamp() + ${CLICK_MS} * interval '1 ms')
    on conflict (scope) do update set urgent_until = excluded.urgent_until`.execute(db)
}

/** A person's next request follows within this time, unless its platform is still busy with this one. */
const CLICK_MS = 2000

/**
 * Reserves a position in a waitlist, a step of the rate behind the one before: returns the milliseconds until
 * it is reached. It is fixed, so that thousands of waiting runs call this once each.
 */
export async function reservePosition(db: Db, waitlist: string, rate: Rate): Promise<number> {
  const step = sql`${60_000 / rate.per_minute} * interval '1 ms'`
  // After a pause as many positions are free at once as the burst allows.
  const behind = sql`${(60_000 / rate.per_minute) * (rate.burst - 1)} * interval '1 ms'`
  const { rows } = await sql<{ wait_ms: number }>`${plannedOnce}
    insert into quota as q (scope, next_at, per_minute) values (${waitlist}, clock_timestamp() - ${behind} + ${step}, ${rate.per_minute})
    on conflict (scope) do update set next_at = greatest(q.next_at, clock_timestamp() - ${behind}) + ${step}, per_minute = ${rate.per_minute}
    returning extract(epoch from next_at - ${step} - clock_timestamp())::float8 * 1000 as wait_ms`.execute(db)
  return Math.max(0, Math.ceil(rows[0]?.wait_ms ?? 0))
}

/**
 * When to try again after finding a quota paused or its next permit too far off: callers are spread a step of
 * the rate apart, so that they do not all retry at the moment at which the pause ends. It is no permit.
 */
export async function reserveRetry(db: Db, key: string, rate: Rate | Window): Promise<number> {
  const step_ms = 'window_ms' in rate ? rate.window_ms / rate.most : 60_000 / rate.per_minute
  const step = sql`${step_ms} * interval '1 ms'`
  const freeAt = sql`(
    select greatest(next_at - ahead_ms * interval '1 ms', paused_until) from quota where scope = ${key}
  )`
  const { rows } = await sql<{ wait_ms: number }>`
    insert into quota as q (scope, next_at) values (${retriesOf(key)}, greatest(clock_timestamp(), ${freeAt}) + ${step})
    on conflict (scope) do update set next_at = greatest(q.next_at, clock_timestamp(), ${freeAt}) + ${step}
    returning extract(epoch from next_at - ${step} - clock_timestamp())::float8 * 1000 as wait_ms`.execute(db)
  return Math.max(1, Math.ceil(rows[0]?.wait_ms ?? 1))
}

/** The row that spaces out retries. */
export const retriesOf = (key: string) => `${key}${RETRIES}`
export const RETRIES = ' (retries)'

/** For how long no request may be sent under this key. */
export async function pauseLeft(db: Db, key: string): Promise<number> {
  const { rows } = await sql<{ left_ms: number }>`
    select extract(epoch from paused_until - clock_timestamp())::float8 * 1000 as left_ms
    from quota where scope = ${key} and paused_until > clock_timestamp()`.execute(db)
  return Math.ceil(rows[0]?.left_ms ?? 0)
}

/** Stops requests under this key for so long; a longer pause that exists already stays. */
export async function pauseQuota(db: Db, key: string, pause_ms: number): Promise<void> {
  await sql`
    insert into quota as q (scope, paused_until) values (${key}, clock_timestamp() + ${pause_ms} * interval '1 ms')
    on conflict (scope) do update set paused_until = greatest(q.paused_until, excluded.paused_until)`.execute(
    db,
  )
}

const LONGEST_GUESS_MS = 15 * 60_000
const SOON_MS = 60_000

/**
 * A pause of a length that the platform does not state: up to a fifth longer at random, and twice as long as
 * the previous one when that one has only just ended. Refusals at the same time cause one pause.
 */
export async function guessPause(db: Db, key: string, pause_ms: number): Promise<void> {
  const byChance = sql`(1 + random() * 0.2) * interval '1 ms'`
  await sql`
    insert into quota as q (scope, paused_until, backoff_ms)
    values (${key}, clock_timestamp() + ${pause_ms} * ${byChance}, ${pause_ms})
    on conflict (scope) do update set (backoff_ms, paused_until) = (
      select greatest(guess, case when is_closed then q.backoff_ms end),
        greatest(q.paused_until, clock_timestamp() + guess * ${byChance})
      from (
        select q.paused_until > clock_timestamp() as is_closed, case
          when q.paused_until <= clock_timestamp()
              and q.paused_until > clock_timestamp() - (q.backoff_ms + ${SOON_MS}) * interval '1 ms'
            then greatest(${pause_ms}::int, least(q.backoff_ms * 2, ${LONGEST_GUESS_MS}::int))
          else ${pause_ms}::int
        end as guess
      ) as next
    )`.execute(db)
}
