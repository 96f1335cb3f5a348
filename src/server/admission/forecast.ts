import type { Forecast } from '#shared/api/executions.ts'
import { positionAt, whyWaiting, type QueuePosition, type Wait } from './why-waiting.ts'

/** When a run will be taken up, or gets through the waitlist, and when it will end. */
export function forecastOf(position: QueuePosition): Forecast {
  const { ahead, times } = position
  const { fetch_ms, write_ms, begin_every_ms } = times
  const wait = whyWaiting(position)
  const is_unknown = fetch_ms === null || write_ms === null || (ahead !== null && begin_every_ms === null)
  if (wait?.for === 'position') {
    const finishes_at = is_unknown ? null : textOf(plus(wait.until, write_ms))
    return { ahead: wait.ahead, starts_at: textOf(wait.until), finishes_at }
  }
  if (is_unknown) return { ahead, starts_at: wait && startOf(wait, position.now), finishes_at: null }
  return estimate(position, { fetch_ms, write_ms, begin_every_ms: begin_every_ms ?? 0 })
}

/** What can be said of its beginning where nothing is known of how long runs take. */
function startOf(wait: Wait, now: Date): string | null {
  if (wait.for !== 'worker') return textOf(wait.until)
  return wait.ahead === 0 ? textOf(now) : null
}

type KnownTimes = Record<'fetch_ms' | 'write_ms' | 'begin_every_ms', number>

/** Of a run that is not in the waitlist: it is still to be taken, or under way. */
function estimate(position: QueuePosition, { fetch_ms, write_ms, begin_every_ms }: KnownTimes): Forecast {
  const { now, status, ahead, waitlist, resumes_at, is_past_waitlist } = position
  const taken_at = takenAt(position, begin_every_ms)
  const is_moving = status !== 'queued'
  const fetched_at = position.has_table ? taken_at : plus(taken_at, fetch_ms)
  // Longer than usual: nobody knows how much.
  const is_late = is_moving && plus(fetched_at, is_past_waitlist ? write_ms : 0) <= now
  if (is_late) return { ahead: null, starts_at: null, finishes_at: null }
  const before = waitlist.before + (ahead ?? 0) / waitlist.waitlists
  const written_from = is_past_waitlist ? fetched_at : later(fetched_at, positionAt(waitlist, before, now))
  return {
    ahead,
    starts_at: is_moving ? null : textOf(resumes_at ? later(resumes_at, now) : taken_at),
    finishes_at: textOf(plus(written_from, write_ms)),
  }
}

/** When a worker takes, or has taken, it up. */
function takenAt(position: QueuePosition, begin_every_ms: number): Date {
  const { now, status, since, resumes_at, ahead, paused_until } = position
  const taken_at =
    status === 'queued' ? plus(later(now, resumes_at ?? now), (ahead ?? 0) * begin_every_ms) : since
  return paused_until ? later(taken_at, paused_until) : taken_at
}

const plus = (at: Date, ms: number) => new Date(at.getTime() + ms)
const later = (one: Date, other: Date) => (one > other ? one : other)
const textOf = (at: Date) => at.toISOString()
