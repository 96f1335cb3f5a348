import type { Forecast } from '#shared/api/executions.ts'

/** Where a run that has not ended stands, and how fast things go: see queue-position.ts. */
export interface Standing {
  now: Date
  status: string
  /** Its table is stored: what is left is to write it. */
  has_table: boolean
  /** When its present attempt, or the present phase of it, began. */
  since: Date
  resumes_at: Date | null
  /** Runs that workers take before it; null: it has begun before. */
  ahead: number | null
  /** Whether it has had its turn before the spreadsheet service, or has it now. */
  is_past_line: boolean
  /** Until when a quota of its platforms lets nobody ask. */
  held_until: Date | null
  line: LineStanding
  pace: RunPace
}

/** The line before the spreadsheet service. */
export interface LineStanding {
  is_in_it: boolean
  /** Runs that stand in it, and those of them that go before this one. */
  waiting: number
  before: number
  /** The first turn that somebody waits for; null: nobody does. */
  first_at: Date | null
  /** The turn of whoever comes next; in the past: as many as have gathered since are let through at once. */
  next_at: Date
  /** Between two turns; null: nobody has ever stood in it. */
  step_ms: number | null
  /** Lines among which those who are before it in the queue spread. */
  lines: number
}

/** By the latest runs, in milliseconds; null: there are too few to say. */
export interface RunPace {
  fetch_ms: number | null
  write_ms: number | null
  /** From one run that is begun to the next one, while runs wait for workers. */
  begin_every_ms: number | null
}

/**
 * From one run that is begun to the next, while runs wait for workers: as it was lately, once enough have
 * begun; until then as it must be when so many workers are busy, and a run takes so long.
 */
export function beginEvery(lately: {
  begun: number
  within_ms: number
  active: number
  work_ms: number
}): number {
  const { begun, within_ms, active, work_ms } = lately
  return begun >= ENOUGH && within_ms >= 5000 ? within_ms / begun : work_ms / Math.max(1, active)
}

/** Fewer swing too much. */
const ENOUGH = 30

/** When a run will be taken up, or has its turn, and when it will end. */
export function forecastOf(standing: Standing): Forecast {
  const { now, status, ahead, line, resumes_at, is_past_line, pace } = standing
  const in_line = line.is_in_it ? line.before : null
  if (pace.fetch_ms === null || pace.write_ms === null || (ahead !== null && pace.begin_every_ms === null))
    return { ahead: ahead ?? in_line, starts_at: startOf(standing), finishes_at: null }
  if (line.is_in_it) {
    const turn = turnAt(line, line.before, now)
    return { ahead: line.before, starts_at: textOf(turn), finishes_at: textOf(plus(turn, pace.write_ms)) }
  }
  const begun_at = takenUpAt(standing)
  const is_moving = status !== 'queued'
  const fetched_at = standing.has_table ? begun_at : plus(begun_at, pace.fetch_ms)
  // Longer than usual: nobody knows how much.
  const is_late = is_moving && plus(fetched_at, is_past_line ? pace.write_ms : 0) <= now
  if (is_late) return { ahead: null, starts_at: null, finishes_at: null }
  const places = line.before + (ahead ?? 0) / line.lines
  const written_from = is_past_line ? fetched_at : later(fetched_at, turnAt(line, places, now))
  return {
    ahead,
    starts_at: is_moving ? null : textOf(resumes_at ? later(resumes_at, now) : begun_at),
    finishes_at: textOf(plus(written_from, pace.write_ms)),
  }
}

/** What can be said of its beginning where nothing is known of how long runs take. */
function startOf({ now, status, ahead, resumes_at, line }: Standing): string | null {
  if (line.is_in_it) return textOf(turnAt(line, line.before, now))
  if (status !== 'queued') return null
  if (resumes_at && resumes_at > now) return textOf(resumes_at)
  return ahead === 0 ? textOf(now) : null
}

/** When a worker takes, or has taken, it up. */
function takenUpAt({ now, status, since, resumes_at, ahead, held_until, pace }: Standing): Date {
  if (status !== 'queued') return held_until ? later(since, held_until) : since
  const from = later(now, resumes_at ?? now)
  const taken_at = plus(from, (ahead ?? 0) * (pace.begin_every_ms ?? 0))
  return held_until ? later(taken_at, held_until) : taken_at
}

/**
 * The turn of whoever has so many before them. Sixty turns take 61 seconds: see the window of
 * admission/sheets-limiter.ts.
 */
function turnAt({ waiting, first_at, next_at, step_ms }: LineStanding, places: number, now: Date): Date {
  const step = (step_ms ?? 0) * (61 / 60)
  const turn =
    first_at && places < waiting ? plus(first_at, places * step) : plus(next_at, (places - waiting) * step)
  return later(turn, now)
}

const plus = (at: Date, ms: number) => new Date(at.getTime() + ms)
const later = (one: Date, other: Date) => (one > other ? one : other)
const textOf = (at: Date) => at.toISOString()
