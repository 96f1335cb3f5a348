import { z } from 'zod'
import { channelIds } from '../channels/catalogue.ts'
import { emptyCauses, type EmptyCause } from '../empty-causes.ts'
import { runNotes, type NoteCode } from '../run-notes.ts'
import { Day, Id, Instant, listOf, listQuery } from './list.ts'

export const StartExecution = z.union([
  z.strictObject({ reports: z.array(Id).min(1).max(1000) }),
  z.strictObject({ folder: Id }),
])

/** queued → fetching → writing → completed, error or cancelled */
export const RunStatus = z.enum(['queued', 'fetching', 'writing', 'completed', 'error', 'cancelled'])
export type RunStatus = z.infer<typeof RunStatus>
export const BlockStatus = z.enum(['pending', 'fetching', 'ok', 'no_data', 'error'])

/** The account's own totals held against the sums of the table's rows, in currency units. */
export const BlockProof = z.object({
  matches: z.boolean(),
  differences: z.array(z.object({ metric: z.string(), table: z.number(), platform: z.number() })),
})
export type BlockProof = z.infer<typeof BlockProof>

/** Why there are no rows: the first cause that was found, and what it is about (a filter, an account). */
export const EmptyBecause = z.object({
  cause: z.enum(Object.keys(emptyCauses) as [EmptyCause, ...EmptyCause[]]),
  detail: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
})
export type EmptyBecause = z.infer<typeof EmptyBecause>

export const BlockOutcome = z.object({
  channel: z.enum(channelIds),
  label: z.string(),
  status: BlockStatus,
  /** While it is asked: rows of the platform so far; in the end: combinations of its dimensions in the table. */
  rows: z.number().int(),
  code: z.string().nullable(),
  /** The platform's own words; only for the agency's own people. */
  platform_message: z.string().nullable(),
  /** null: the totals were not compared, because of filters or since the platform would not say. */
  proof: BlockProof.nullable(),
  empty_because: EmptyBecause.nullable(),
})
export type BlockOutcome = z.infer<typeof BlockOutcome>

/** What a run that succeeded should still be read with; `block` counts from 0, null: the whole run. */
export const RunNote = z.object({
  code: z.enum(Object.keys(runNotes) as [NoteCode, ...NoteCode[]]),
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

/** One click: `completed + error + pending = total`; a cancelled run counts as an error. */
export const Execution = z.object({
  id: z.uuid(),
  total: z.number().int(),
  completed: z.number().int(),
  error: z.number().int(),
  pending: z.number().int(),
  created_at: Instant,
  reports: z.array(ExecutionReport),
})
export type Execution = z.infer<typeof Execution>

export const Run = z.object({
  id: z.uuid(),
  report: Id,
  trigger: z.enum(['click', 'schedule', 'retry', 'cli']),
  status: RunStatus,
  attempt: z.number().int(),
  /** When the schedule wanted it; null for a click. */
  due_at: Instant.nullable(),
  queued_at: Instant,
  started_at: Instant.nullable(),
  finished_at: Instant.nullable(),
  /** When a waiting run goes on by itself. */
  resumes_at: Instant.nullable(),
  /** First and last day that were asked for. */
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
})
export type Run = z.infer<typeof Run>

export const RunQuery = listQuery(['queued_at'], '-queued_at')
export const RunList = listOf(Run)

/** What the event stream says when a run has moved: fetch the run or the execution to see how far. */
export const RunEvent = z.object({ run: z.uuid(), report: Id, owner: Id, status: RunStatus })
export type RunEvent = z.infer<typeof RunEvent>
