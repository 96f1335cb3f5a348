import type { WaitReason } from '#shared/api/executions.ts'
import type { RunTimes } from './run-times.ts'

/** The queue position of a run that has not ended, as queue-position.ts reads it. */
export interface QueuePosition {
  now: Date
  status: string
  /** What its last attempt reported that it waits for; null: there was none, or it is in progress. */
  why: WaitReason | null
  /** Its table is stored: only writing is left. */
  has_table: boolean
  /** When its present attempt, or the present phase of it, began. */
  since: Date
  resumes_at: Date | null
  /** Runs that workers claim before it; null: it has begun before. */
  ahead: number | null
  /** It has passed the waitlist of the spreadsheet service. */
  is_past_waitlist: boolean
  /** Until when a quota of its platforms is paused. */
  paused_until: Date | null
  waitlist: WaitlistPosition
  times: RunTimes
}

/** Of the waitlist of the spreadsheet service that it is in, or will be. */
export interface WaitlistPosition {
  is_in_it: boolean
  /** Other runs that are in it, and those of them that go before this one. */
  waiting: number
  before: number
  /** The first position that a run waits for; null: none does. */
  first_at: Date | null
  /**
   * The position of the next run to join; in the past: as many as have accrued since are let through at once.
   */
  next_at: Date
  /** Between two positions; null: the waitlist has never been used. */
  step_ms: number | null
  /** Waitlists among which the runs before it in the queue are spread. */
  waitlists: number
}

/** What a run waits for. */
export type Wait =
  /** To be claimed by a worker. `ahead` null: it has begun before, and goes before all that have not. */
  | { for: 'worker'; ahead: number | null }
  /** Its position in the waitlist of the spreadsheet service, as far as that can be forecast. */
  | { for: 'position'; ahead: number; until: Date }
  /** A time that its last attempt has set, for that reason. */
  | { for: WaitReason | 'unknown'; until: Date }

/**
 * Why a run waits now; null: a worker executes it. Its earlier waits are in its timeline, by `endingOf` of
 * resources/runs/failure.ts.
 */
export function whyWaiting(position: QueuePosition): Wait | null {
  const { now, status, why, resumes_at, ahead, waitlist } = position
  if (status !== 'queued') return null
  if (waitlist.is_in_it)
    return { for: 'position', ahead: waitlist.before, until: positionAt(waitlist, waitlist.before, now) }
  if (resumes_at !== null && resumes_at > now) return { for: why ?? 'unknown', until: resumes_at }
  return { for: 'worker', ahead }
}

/** When a run with so many before it gets through. */
export function positionAt(
  { waiting, first_at, next_at, step_ms }: WaitlistPosition,
  before: number,
  now: Date,
): Date {
  const step = (step_ms ?? 0) * CLOCKS_APART
  const from = first_at && before < waiting ? first_at : next_at
  const steps = first_at && before < waiting ? before : before - waiting
  return new Date(Math.max(now.getTime(), from.getTime() + steps * step))
}

/** Sixty requests take 61 seconds: see the window of sheets-limiter.ts. */
const CLOCKS_APART = 61 / 60
