import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { pauseLeft, takePermits } from './rate.ts'

/**
 * Takes a permit out of each of these windows, whose service refuses requests although a window has room:
 * others may use the same quota. After a refusal it is one permit at a time until a request has gone through
 * (`probes`, by key): no others are refused.
 */
export async function takeFromWindows(
  db: Db,
  windows: readonly { key: string; most: number }[],
  window_ms: number,
): Promise<{ taken: Set<string>; probes: Map<string, Probe>; wait_ms: number }> {
  const { taken, wait_ms } = await takePermits(db, windows, window_ms)
  const probes = taken.flatMap(({ key, backoff_ms }) =>
    backoff_ms === null ? [] : [[key, { backoff_ms }] as const],
  )
  return { taken: new Set(taken.map(({ key }) => key)), probes: new Map(probes), wait_ms }
}

/** A request that shows whether a quota that was refused is available again: the first one after a pause. */
export interface Probe {
  /** The length of the pause. */
  backoff_ms: number
}

/** A quota that was refused lately is refused for good, until the service's next minute. */
const LATELY_MS = 120_000
const LONGEST_STATED_MS = 24 * 3600_000

/**
 * Pauses a window whose service has refused a request, and returns for how long. Without `retry_after_ms` the
 * first refusal pauses it shortly, since what the service counts may be available again at once; that of a
 * `probe`, or soon after another one, for a minute, in which the service counts anew. So does one in a window
 * that is used up. Requests that are refused together cause one pause.
 */
export async function pauseRefused(
  db: Db,
  key: string,
  { most, retry_after_ms, is_probe }: { most: number; retry_after_ms: number | null; is_probe: boolean },
): Promise<number> {
  const shortly = 700 + Math.floor(Math.random() * 300)
  const aMinute = 60_000 + Math.floor(Math.random() * 3000)
  const stated = retry_after_ms === null ? null : Math.min(Math.ceil(retry_after_ms), LONGEST_STATED_MS)
  const first = stated ?? (is_probe ? aMinute : shortly)
  await sql`
    insert into quota as q (scope, paused_until, backoff_ms)
    values (${key}, clock_timestamp() + ${first} * interval '1 ms', ${first})
    on conflict (scope) do update set (backoff_ms, paused_until) = (
      select pause_ms, greatest(q.paused_until, clock_timestamp() + pause_ms * interval '1 ms')
      from (
        select case
          when ${retry_after_ms !== null || is_probe} then ${first}::int
          when q.paused_until > clock_timestamp() - ${LATELY_MS} * interval '1 ms'
            or q.permits[cardinality(q.permits) - ${most}::int + 1] > clock_timestamp() - interval '1 minute'
            then ${aMinute}::int
          else ${first}::int
        end as pause_ms
      ) as next)
    where ${retry_after_ms !== null || is_probe} or q.paused_until is null or q.paused_until <= clock_timestamp()`.execute(
    db,
  )
  return await pauseLeft(db, key)
}

/** The probe has gone through: others need not wait for it any more. Not if there was a refusal since. */
export async function resumeRefused(db: Db, key: string, { backoff_ms }: Probe): Promise<void> {
  await sql`
    update quota set backoff_ms = null, paused_until = least(paused_until, clock_timestamp())
    where scope = ${key} and backoff_ms = ${backoff_ms}`.execute(db)
}
