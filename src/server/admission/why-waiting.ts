import type { WaitReason } from '#shared/api/executions.ts'
import type { RunTimes } from './run-times.ts'

/** Where a run that has not ended stands, as queue-position.ts reads it. */
export interface QueuePosition {
  now: Date
  status: string
  /** What its last attempt said that it waits for; null: there was none, or it is under way. */
  why: WaitReason | null
  /** Its table is stored: what is left is to write it. */
  has_table: boolean
  /** When its present attempt, or the present phase of it, began. */
  since: Date
  resumes_at: Date | null
  /** Runs that workers take before it; null: it has begun before. */
  ahead: number | null
  /** It has been through the waitlist of the spreadsheet service. */
  is_past_waitlist: boolean
  /** Until when a quota of its platforms lets nobody ask. */
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
  /** The first position that somebody waits for; null: nobody does. */
  first_at: Date | null
  /**
   * The position of whoever comes next; in the past: as many as have gathered since are let through at once.
   */
  next_at: Date
  /** Between two positions; null: nobody has ever been in it. */
  step_ms: number | null
  /** Waitlists among which those who are before it in the queue spread. */
  waitlists: number
}

/** What a run waits for. */
export type Wait =
  /** To be taken by one. `ahead` null: it has begun before, and goes before all that have not. */
  | { for: 'worker'; ahead: number | null }
  /** Its position in the waitlist of the spreadsheet service, as far as that can be foretold. */
  | { for: 'position'; ahead: number; until: Date }
  /** A time that its last attempt has set, for that reason. */
  | { for: WaitReason | 'unknown'; until: Date }

/** Why a run waits; null: a worker is at it. */
export function whyWaiting(position: QueuePosition): Wait | null {
  const { now, status, why, resumes_at, ahead, waitlist } = position
  if (status !== 'queued') return null
  if (waitlist.is_in_it)
    return { for: 'position', ahead: waitlist.before, until: positionAt(waitlist, waitlist.before, now) }
  if (resumes_at !== null && resumes_at > now) return { for: why ?? 'unknown', until: resumes_at }
  return { for: 'worker', ahead }
}

/** When somebody gets through who has so many before them. */
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
