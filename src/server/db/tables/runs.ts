import type { Generated } from 'kysely'
import type { z } from 'zod'
import type { BlockOutcome, RunNote, RunStatus, RunTrigger, SkippedReport } from '#shared/api/executions.ts'
import type { RunChanges } from '#shared/api/run-changes.ts'
import type { TableColumn } from '#server/table/stored-table.ts'
import type { GeneratedJson, NullableJson } from './json.ts'

export interface ExecutionTable {
  id: string
  created_by: number
  idempotency_key: string | null
  created_at: Generated<Date>
  /** Without their names, which are read from the reports. */
  skipped: GeneratedJson<Omit<SkippedReport, 'name'>[]>
}

export interface SharedFetchTable {
  name: Uint8Array
  claim_run: string | null
  claim_attempt: number | null
  claim_waits: Generated<boolean>
  claimed_at: Generated<Date>
  response: Uint8Array | null
  bytes: Generated<number>
  requested_by: string | null
  requested_at: Date | null
  expires_at: Date | null
  used_at: Date | null
  too_large_at: Date | null
}

export interface RunTable {
  id: string
  report: number
  trigger: RunTrigger
  status: RunStatus
  owner: number
  requested_by: number | null
  report_version: number | null
  plan: NullableJson<unknown>
  attempt: Generated<number>
  lost_leases: Generated<number>
  worker_deaths: Generated<number>
  is_large: Generated<boolean>
  failures: Generated<number>
  worker: string | null
  lease_until: Date | null
  cancel_requested_at: Date | null
  due_at: Date | null
  queued_at: Generated<Date>
  started_at: Date | null
  finished_at: Date | null
  resumes_at: Date | null
  /** When its position in the waitlist is reached; kept afterwards, so that it need not join again. */
  waitlist_until: Date | null
  /** The waitlist of the spreadsheet service that it is in; null: none, or its position has been reached. */
  waitlist: string | null
  /** Its rounds by person, by advertiser and the later of both: see admission/fair-order.ts. */
  person_round: number | null
  advertiser_round: number | null
  round: number | null
  advertiser: number | null
  range_start: string | null
  range_end: string | null
  rows: number | null
  columns: number | null
  platform_requests: Generated<number>
  spreadsheet_requests: Generated<number>
  code: string | null
  detail: NullableJson<Record<string, unknown>>
  blocks: GeneratedJson<BlockOutcome[]>
  notes: GeneratedJson<z.infer<typeof RunNote>[]>
  partial: Generated<boolean>
  table_columns: NullableJson<TableColumn[]>
  table_rows: number | null
  table_attempt: number | null
  table_note: string | null
  written: NullableJson<Written>
  restores: string | null
  timeline: GeneratedJson<unknown>
  /** By platform. */
  platform_calls: GeneratedJson<Record<string, number>>
  quota_wait_ms: GeneratedJson<Record<string, number>>
  answers_requested: Generated<number>
  answers_shared: Generated<number>
  shared_from: Date | null
  changes: NullableJson<RunChanges>
}

/** The place of a run's table; `head` and `fmt` are hashes by which the writer recognises it. */
export interface Written {
  spreadsheet_id: string
  sheet_id: number
  /** [first row, first column, row after the last, column after the last), from 0 */
  rect: [number, number, number, number]
  head: string
  fmt: string
  /** What the run wrote as the note of its start cell. */
  note?: string | null
  /** Of the system user that wrote it. */
  project?: string
}

export interface SpreadsheetWriteTable {
  id: Generated<number>
  spreadsheet_id: string
  run: string
  attempt: number
  started_at: Date
  settled_at: Date | null
}

export interface QuotaTable {
  scope: string
  next_at: Generated<Date>
  ahead_ms: Generated<number>
  /** Of a waitlist. */
  per_minute: number | null
  permits: Generated<Date[]>
  paused_until: Date | null
  backoff_ms: number | null
  urgent_until: Date | null
}

export interface QuotaSlotTable {
  scope: string
  holder: string
  nth: number
  state: 'waiting' | 'woken' | 'held'
  held_by: string | null
  is_urgent: boolean
  since: Generated<Date>
  until: Date
}
