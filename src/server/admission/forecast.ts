import type { Forecast } from '#shared/api/executions.ts'
import { positionAt, whyWaiting, type QueuePosition, type Wait } from './why-waiting.ts'

/** When a run will be claimed, or passes the waitlist, and when it will end. */
export function forecastOf(position: QueuePosition): Forecast {
  const { ahead, times } = position
  const { fetch_ms, write_ms, begin_every_ms } = times
  const wait = whyWaiting(position)
  const isUnknown = fetch_ms === null || write_ms === null || (ahead !== null && begin_every_ms === null)
  if (wait?.for === 'position') {
    const finishes_at = isUnknown ? null : textOf(plus(wait.until, write_ms))
    return { ahead: wait.ahead, starts_at: textOf(wait.until), finishes_at }
  }
  if (isUnknown) return { ahead, starts_at: wait && startOf(wait, position.now), finishes_at: null }
  return estimate(position, { fetch_ms, write_ms, begin_every_ms: begin_every_ms ?? 0 })
}

/** The forecast of its start where nothing is known of how long runs take. */
function startOf(wait: Wait, now: Date): string | null {
  if (wait.for !== 'worker') return textOf(wait.until)
  return wait.ahead === 0 ? textOf(now) : null
}

type KnownTimes = Record<'fetch_ms' | 'write_ms' | 'begin_every_ms', number>

/** Of a run that is not in the waitlist: it is still to be claimed, or in progress. */
function estimate(position: QueuePosition, { fetch_ms, write_ms, begin_every_ms }: KnownTimes): Forecast {
  const { now, status, ahead, waitlist, resumes_at, is_past_waitlist } = position
  const claimedFrom = claimedAt(position, begin_every_ms)
  const isMoving = status !== 'queued'
  const fetchedAt = position.has_table ? claimedFrom : plus(claimedFrom, fetch_ms)
  // Longer than usual: the rest is unknown.
  const isLate = isMoving && plus(fetchedAt, is_past_waitlist ? write_ms : 0) <= now
  if (isLate) return { ahead: null, starts_at: null, finishes_at: null }
  const before = waitlist.before + (ahead ?? 0) / waitlist.waitlists
  const writtenFrom = is_past_waitlist ? fetchedAt : later(fetchedAt, positionAt(waitlist, before, now))
  return {
    ahead,
    starts_at: isMoving ? null : textOf(resumes_at ? later(resumes_at, now) : claimedFrom),
    finishes_at: textOf(plus(writtenFrom, write_ms)),
  }
}

/** When a worker claims, or has claimed, it. */
function claimedAt(position: QueuePosition, beginEveryMs: number): Date {
  const { now, status, since, resumes_at, ahead, paused_until } = position
  const claimedFrom =
    status === 'queued' ? plus(later(now, resumes_at ?? now), (ahead ?? 0) * beginEveryMs) : since
  return paused_until ? later(claimedFrom, paused_until) : claimedFrom
}

const plus = (at: Date, ms: number) => new Date(at.getTime() + ms)
const later = (one: Date, other: Date) => (one > other ? one : other)
const textOf = (at: Date) => at.toISOString()
