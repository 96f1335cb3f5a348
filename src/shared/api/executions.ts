import { z } from 'zod'
import { channelIds } from '#shared/channels/ids.ts'
import { emptyCauses } from '#shared/empty-causes.ts'
import { noteCodes } from '#shared/run-notes.ts'
import { Day, Id, Instant, listOf, listQuery } from './list.ts'
import { Gap } from './reports.ts'

export const StartExecution = z.union([
  z.strictObject({ reports: z.array(Id).min(1).max(1000) }),
  z.strictObject({ folder: Id }),
])

/** queued → fetching → writing → completed, error or cancelled */
export const RunStatus = z.enum(['queued', 'fetching', 'writing', 'completed', 'error', 'cancelled'])
export type RunStatus = z.infer<typeof RunStatus>
export const BlockStatus = z.enum(['pending', 'fetching', 'ok', 'no_data', 'error'])

/** waiting: no worker has it. Where a phase ends the next one begins. */
export const runPhases = ['fetching', 'storing', 'writing', 'verifying', 'waiting'] as const
/**
 * quota: of a platform or of the spreadsheet. turn: another run writes to the spreadsheet. platform: it makes
 * its report. retry: after a failure that passes. restart: the worker's process had to go. room: its table is
 * too large to be made beside others.
 */
export const waitReasons = ['quota', 'turn', 'platform', 'retry', 'restart', 'room'] as const
export type WaitReason = (typeof waitReasons)[number]

/** The account's own totals compared with the sums of the table's rows, in currency units. */
export const BlockProof = z.object({
  matches: z.boolean(),
  differences: z.array(z.object({ metric: z.string(), table: z.number(), platform: z.number() })),
})
export type BlockProof = z.infer<typeof BlockProof>

/** Why there are no rows: the first cause that was found, and what it is about (a filter, an account). */
export const EmptyBecause = z.object({
  cause: z.enum(emptyCauses),
  detail: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
})
export type EmptyBecause = z.infer<typeof EmptyBecause>

/** How far a channel is, until the run has fetched it. */
export const BlockProgress = z.object({
  /** Requested days, and those fetched so far, on average over its accounts; null: not fetched by day. */
  days: z.object({ fetched: z.number().int(), requested: z.number().int() }).nullable(),
  /** The run waits for its platform: to make its report, or for its quota. */
  waits: z.enum(['platform', 'quota']).nullable(),
})
export type BlockProgress = z.infer<typeof BlockProgress>

export const BlockOutcome = z.object({
  channel: z.enum(channelIds),
  label: z.string(),
  status: BlockStatus,
  /**
   * While it is being fetched: rows of the platform so far; in the end: combinations of its dimensions in the
   * table.
   */
  rows: z.number().int(),
  code: z.string().nullable(),
  /** The platform's own words; only for internal people. */
  platform_message: z.string().nullable(),
  /** null: the totals were not compared, because of filters or since the platform does not have them. */
  proof: BlockProof.nullable(),
  empty_because: EmptyBecause.nullable(),
  /**
   * How long after fetching began it was first queried, and how long that took; null: it was not, or that was
   * not recorded.
   */
  after_ms: z.number().int().nullable(),
  took_ms: z.number().int().nullable(),
  /** null: it has not begun, or has ended. */
  progress: BlockProgress.nullable(),
})
export type BlockOutcome = z.infer<typeof BlockOutcome>

/** A note on a run that succeeded; `block` counts from 0, null: the whole run. */
export const RunNote = z.object({
  code: z.enum(noteCodes),
  block: z.number().int().nullable(),
  detail: z.record(z.string(), z.union([z.string(), z.number()])),
})

/** One report of an execution. */
export const ExecutionReport = z.object({
  report: Id,
  name: z.string(),
  run: z.uuid(),
  status: RunStatus,
  rows: z.number().int().nullable(),
  blocks: z.array(BlockOutcome),
  code: z.string().nullable(),
  spreadsheet_url: z.string(),
  /** The tab that was last written to. */
  sheet_id: z.number().int().nullable(),
})

/**
 * A report that an execution did not start: its setup is not complete (`gaps`, as they were then), or an
 * older table of it is being restored.
 */
export const SkippedReport = z.object({
  report: Id,
  name: z.string(),
  code: z.enum(['report_has_gaps', 'report_busy']),
  gaps: z.array(Gap),
  /** The outcome of the last permission check; null: it has not been checked. */
  target_state: z.string().nullable(),
})
export type SkippedReport = z.infer<typeof SkippedReport>

/** One click: `completed + error + pending = total`; a cancelled run counts as an error. */
export const Execution = z.object({
  id: z.uuid(),
  total: z.number().int(),
  completed: z.number().int(),
  error: z.number().int(),
  pending: z.number().int(),
  created_at: Instant,
  reports: z.array(ExecutionReport),
  /** Those that were not started; they count in none of the numbers, and have no run. */
  skipped: z.array(SkippedReport),
})
export type Execution = z.infer<typeof Execution>

/** A click as a list has it. */
export const ExecutionSummary = Execution.omit({ reports: true, skipped: true }).extend({
  /** Of the first three reports. */
  names: z.array(z.string()),
  /** How many reports were not started. */
  skipped: z.number().int(),
})
export const ExecutionQuery = listQuery(['created_at'], '-created_at')
export const ExecutionList = listOf(ExecutionSummary)

/** undo: it restores an older table and queries no platform. */
export const RunTrigger = z.enum(['click', 'schedule', 'retry', 'cli', 'undo'])
export type RunTrigger = z.infer<typeof RunTrigger>

export const Run = z.object({
  id: z.uuid(),
  report: Id,
  trigger: RunTrigger,
  /** Who requested it; null: the schedule, or somebody whom the caller may not see. */
  requested_by_name: z.string().nullable(),
  status: RunStatus,
  attempt: z.number().int(),
  /** When it was due; null for a click. */
  due_at: Instant.nullable(),
  queued_at: Instant,
  started_at: Instant.nullable(),
  finished_at: Instant.nullable(),
  /** When a waiting run goes on by itself. */
  resumes_at: Instant.nullable(),
  /** First and last requested day. */
  range: z.object({ start: Day, end: Day }).nullable(),
  rows: z.number().int().nullable(),
  columns: z.number().int().nullable(),
  platform_requests: z.number().int(),
  spreadsheet_requests: z.number().int(),
  code: z.string().nullable(),
  /** What the code is about, for example which protected range or how many cells. */
  detail: z.record(z.string(), z.unknown()).nullable(),
  blocks: z.array(BlockOutcome),
  /** true when some but not all channels had output. */
  partial: z.boolean(),
  notes: z.array(RunNote),
  /** Of a restore: the run whose table it writes, and when that one had finished. */
  restores: z.object({ run: z.uuid(), at: Instant }).nullable(),
  /**
   * current: its table is what the report wrote last. kept: it can be restored. elsewhere: it cannot, since
   * the report writes to another target now. null: there is none, or it is no longer stored.
   */
  table: z.enum(['current', 'kept', 'elsewhere']).nullable(),
})
export type Run = z.infer<typeof Run>

/** partial: completed, though some channels lacked output. pending: not at its end yet. */
export const runOutcomes = ['completed', 'partial', 'error', 'cancelled', 'pending'] as const

export const RunQuery = listQuery(['queued_at'], '-queued_at').extend({
  outcome: z.enum(runOutcomes).optional(),
  trigger: RunTrigger.optional(),
})
export type RunQuery = z.infer<typeof RunQuery>
export const RunList = listOf(Run)

/** A phase of a run, until the next one begins. */
export const RunStretch = z.object({
  phase: z.enum(runPhases),
  at: Instant,
  attempt: z.number().int(),
  /** The attempt before has died, or was cut off. */
  taken_over: z.boolean(),
  /** Of a wait: for what, and how many checks in a row were in vain. */
  why: z.enum(waitReasons).nullable(),
  code: z.string().nullable(),
  times: z.number().int(),
})
export type RunStretch = z.infer<typeof RunStretch>

/** An estimate by the duration of the latest runs; null where it is unknown. */
export const Forecast = z.object({
  /** Runs that may be taken before it; null: it is under way, or waits for a time. */
  ahead: z.number().int().nullable(),
  starts_at: Instant.nullable(),
  finishes_at: Instant.nullable(),
})
export type Forecast = z.infer<typeof Forecast>

/** All details of one run. */
export const RunDetail = Run.extend({
  timeline: z.array(RunStretch),
  /** Over all attempts, by platform. */
  platform_calls: z.record(z.string(), z.number().int()),
  /**
   * How long workers have waited inside an attempt for quotas, by platform; `sheets` is the spreadsheet
   * service.
   */
  quota_wait_ms: z.record(z.string(), z.number().int()),
  /** Responses of platforms shared by other runs, and when the first of them was fetched. */
  answers_shared: z.number().int(),
  shared_from: Instant.nullable(),
  /** null: the run has ended. */
  forecast: Forecast.nullable(),
  /**
   * While platforms make reports for it: since when, and how long that has taken lately for this report, or
   * else for others with the same channels; null: unknown.
   */
  report_wait: z.object({ since: Instant, usual_ms: z.number().int().nullable() }).nullable(),
  /** The table that an undo would restore: the newest older one that can be. null: there is none. */
  undo_to: z.object({ run: z.uuid(), at: Instant }).nullable(),
})
export type RunDetail = z.infer<typeof RunDetail>

/** An event of the stream when a run has changed: fetch the run or the execution for details. */
export const RunEvent = z.object({ run: z.uuid(), report: Id, owner: Id, status: RunStatus })
export type RunEvent = z.infer<typeof RunEvent>
