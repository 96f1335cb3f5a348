import type { BlockOutcome, Run, RunStretch } from '#shared/api/executions.ts'
import type { TableState } from './rules.ts'
import type { VisibleRun } from './history-queries.ts'
import { Entry } from './journal.ts'

/** A run as the API shows it; the platforms' own messages are for the agency's own people. */
export function presentRun(
  run: VisibleRun,
  { isInternal, table }: { isInternal: boolean; table: TableState },
): Run {
  return {
    id: run.id,
    report: run.report,
    trigger: run.trigger,
    requested_by_name: run.requested_by_name,
    status: run.status,
    attempt: run.attempt,
    due_at: textOf(run.due_at),
    queued_at: run.queued_at.toISOString(),
    started_at: textOf(run.started_at),
    finished_at: textOf(run.finished_at),
    resumes_at: textOf(run.resumes_at),
    range: run.range_start && run.range_end ? { start: run.range_start, end: run.range_end } : null,
    rows: run.rows,
    columns: run.columns,
    platform_requests: run.platform_requests,
    spreadsheet_requests: run.spreadsheet_requests,
    code: run.code,
    detail: isInternal ? run.detail : forClients(run.detail),
    blocks: presentBlocks(run.blocks, isInternal),
    partial: run.partial,
    notes: run.notes.map(note => ({ ...note, block: note.block ?? null })),
    restores:
      run.restores && run.restored_at ? { run: run.restores, at: run.restored_at.toISOString() } : null,
    table,
  }
}

const textOf = (instant: Date | null) => instant?.toISOString() ?? null

/** Blocks of runs from before reconciliation and causes have neither. */
export const presentBlocks = (blocks: readonly BlockOutcome[], isInternal: boolean): BlockOutcome[] =>
  blocks.map(block => ({
    ...block,
    platform_message: isInternal ? block.platform_message : null,
    proof: block.proof ?? null,
    empty_because: block.empty_because ?? null,
    after_ms: block.after_ms ?? null,
    took_ms: block.took_ms ?? null,
    progress: block.progress ?? null,
  }))

/** What only the agency's own people read: the platforms' messages, and the names of accounts. */
const INTERNAL = [
  'platform_message',
  'platform_request_id',
  'service_message',
  'accounts',
  'owner',
  'lost_leases',
]

const forClients = (detail: Record<string, unknown> | null) =>
  detail && Object.fromEntries(Object.entries(detail).filter(([key]) => !INTERNAL.includes(key)))

export const presentTimeline = (timeline: unknown): RunStretch[] =>
  Entry.array()
    .parse(timeline)
    .map(entry => ({ ...entry, at: entry.at.toISOString() }))
