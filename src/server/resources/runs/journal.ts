import type { Selectable } from 'kysely'
import { z } from 'zod'
import { runPhases, waitReasons } from '#shared/api/executions.ts'
import type { Database } from '#server/db/schema.ts'

/**
 * As it is stored; a claim adds its entry by itself (lease.ts), so that an attempt that dies without notice
 * leaves one too.
 */
export const Entry = z.object({
  phase: z.enum(runPhases),
  at: z.coerce.date(),
  attempt: z.number().int(),
  /** The previous attempt has died, or was cut off. */
  taken_over: z.boolean().default(false),
  why: z.enum(waitReasons).nullable().default(null),
  code: z.string().nullable().default(null),
  /** The same wait so many times in a row, each time checked in vain. */
  times: z.number().int().default(1),
})
export type Entry = z.infer<typeof Entry>
type Phase = Entry['phase']

/** More would be waits that alternate for hours: those in the middle are dropped first. */
const MOST_ENTRIES = 80

/**
 * The journal of a run, over all its attempts. It is kept in memory and stored by statements that are
 * executed anyway.
 */
export interface Journal {
  /** The database's clock as far as this attempt knows it. */
  now(): Date
  enter(phase: Phase): void
  wait(why: NonNullable<Entry['why']>, code: string | null): void
  /** A request to a platform. */
  called(platform: string): void
  /** A response that the run has fetched from a platform. */
  fetched(): void
  /** A response that another run had fetched then. */
  shared(at: Date): void
  /** A worker has waited in place for a quota. */
  waitedForQuota(platform: string, ms: number): void
  /** How long the run has waited for quotas without a worker, over all its attempts. */
  quotaWaitsMs(): number
  columns(): JournalColumns
  /** The plan that this attempt has made, until a statement has stored it. */
  unsaved_plan: PlanColumns | null
}

export interface PlanColumns {
  plan: string
  report_version: number
  range_start: string
  range_end: string
  /** None has been fetched. */
  blocks: string
}

export interface JournalColumns {
  timeline: string
  platform_calls: string
  quota_wait_ms: string
  platform_requests: number
  answers_requested: number
  answers_shared: number
  shared_from: Date | null
}

type JournalState = Pick<
  Selectable<Database['run']>,
  | 'attempt'
  | 'timeline'
  | 'platform_calls'
  | 'quota_wait_ms'
  | 'answers_requested'
  | 'answers_shared'
  | 'shared_from'
>

export function openJournal(run: JournalState & { claimed_at: Date }): Journal {
  const claimed = performance.now()
  const now = () => new Date(run.claimed_at.getTime() + performance.now() - claimed)
  const calls = { ...run.platform_calls }
  const waits = { ...run.quota_wait_ms }
  let timeline = z.array(Entry).parse(run.timeline)
  let { answers_requested, answers_shared, shared_from } = run
  const entry = (phase: Phase) => ({ ...Entry.parse({ phase, at: now(), attempt: run.attempt }) })
  return {
    now,
    enter(phase) {
      if (timeline.at(-1)?.phase !== phase) timeline = [...timeline, entry(phase)]
    },
    wait(why, code) {
      timeline = withWait(timeline, { ...entry('waiting'), why, code })
    },
    called(platform) {
      calls[platform] = (calls[platform] ?? 0) + 1
    },
    fetched() {
      answers_requested += 1
    },
    shared(at) {
      answers_shared += 1
      if (shared_from === null || at < shared_from) shared_from = at
    },
    waitedForQuota(platform, ms) {
      waits[platform] = (waits[platform] ?? 0) + ms
    },
    quotaWaitsMs: () => quotaWaitsOf(timeline),
    unsaved_plan: null,
    columns: () => ({
      timeline: JSON.stringify(timeline),
      platform_calls: JSON.stringify(calls),
      quota_wait_ms: JSON.stringify(rounded(waits)),
      platform_requests: Object.values(calls).reduce((sum, count) => sum + count, 0),
      answers_requested,
      answers_shared,
      shared_from,
    }),
  }
}

/**
 * An attempt that only found that it still has to wait for the same reason makes the wait longer, not the
 * timeline.
 */
function withWait(timeline: Entry[], wait: Entry): Entry[] {
  const [before, claim] = timeline.slice(-2)
  const is_again =
    before?.phase === 'waiting' &&
    before.why === wait.why &&
    before.code === wait.code &&
    claim?.attempt === wait.attempt &&
    !claim.taken_over
  const longer = is_again
    ? [...timeline.slice(0, -2), { ...before, times: before.times + 1 }]
    : [...timeline, wait]
  return longer.length > MOST_ENTRIES ? longer.toSpliced(MOST_ENTRIES / 2, 2) : longer
}

/** Each wait lasts until the entry that follows it. */
const quotaWaitsOf = (timeline: Entry[]) =>
  timeline.reduce((sum, { why, at }, index) => {
    const next = timeline[index + 1]
    return why === 'quota' && next ? sum + next.at.getTime() - at.getTime() : sum
  }, 0)

const rounded = (waits: Record<string, number>) =>
  Object.fromEntries(Object.entries(waits).map(([platform, ms]) => [platform, Math.round(ms)]))
