import type { QueuePosition } from '#server/admission/why-waiting.ts'

export const now = new Date('2026-11-20T09:00:00Z')
export const at = (seconds: number) => new Date(now.getTime() + seconds * 1000)

export const waitlist = {
  is_in_it: false,
  waiting: 0,
  before: 0,
  first_at: null,
  next_at: at(-15),
  step_ms: (1000 * 60) / 61,
  waitlists: 1,
}

/** A run that has just been requested, with none before it. */
export const newRun: QueuePosition = {
  now,
  status: 'queued',
  why: null,
  has_table: false,
  since: now,
  resumes_at: null,
  ahead: 0,
  is_past_waitlist: false,
  paused_until: null,
  waitlist,
  times: { fetch_ms: 20_000, write_ms: 2000, begin_every_ms: 5000 },
}
