import type { BlockOutcome } from '#shared/api/executions.ts'
import type { RunNote } from '#server/connectors/connector.ts'
import type { Db } from '#server/db/connect.ts'
import { plannedOnce } from '#server/db/planned-once.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { Written } from '#server/db/tables/runs.ts'
import { sql } from 'kysely'
import type { Target } from './plan-of.ts'
import type { JournalColumns } from './journal.ts'
import type { Ending } from './failure.ts'
import { isHeldBy, type ClaimedRun } from './lease-queries.ts'
import { announced, announcedWrite } from './queries.ts'

export interface End {
  status: 'error' | 'cancelled'
  code: string
  detail: Record<string, unknown> | null
  /** By the attempt that ends it. */
  journal?: JournalColumns
}

/**
 * Ends runs that no attempt executes, or whose attempt the caller holds; the tables that they had stored are
 * deleted.
 */
export async function endRuns(trx: Trx, run_ids: readonly string[], { status, code, detail, journal }: End) {
  if (run_ids.length === 0) return []
  await trx.deleteFrom('run_chunk').where('run', 'in', run_ids).execute()
  // Its attempt releases what it still holds.
  await trx.deleteFrom('quota_slot').where('holder', 'in', run_ids).where('state', '<>', 'held').execute()
  return await trx
    .updateTable('run')
    .set({
      status,
      finished_at: sql<Date>`now()`,
      lease_until: null,
      code,
      detail: detail && JSON.stringify(detail),
      ...journal,
      blocks: endedBlocks(code),
      rows: null,
      columns: null,
      table_columns: null,
      table_rows: null,
      table_attempt: null,
      table_note: null,
    })
    .where('id', 'in', run_ids)
    .returning([sql<Target | null>`plan -> 'target'`.as('target'), 'finished_at', 'blocks'])
    .execute()
}

/** Blocks that were still being fetched when the run ended have ended with it. */
const endedBlocks = (code: string) => sql<string>`coalesce((
  select jsonb_agg(
    case when block ->> 'status' in ('pending', 'fetching')
      then block || jsonb_build_object('status', 'error', 'code', ${code}::text, 'progress', null) else block end
    order by position)
  from jsonb_array_elements(blocks) with ordinality as each (block, position)), '[]')`

export type Wait = Pick<Ending & { kind: 'postponed' }, 'wait_ms' | 'why' | 'code' | 'detail' | 'is_failure'>

export interface Outcome {
  written: Written
  sheet_name: string
  notes: RunNote[]
  spreadsheet_requests: number
  settled: readonly number[]
}

/**
 * The run is completed, and lets go of its spreadsheet; null: the attempt may change nothing any more.
 * `is_quiet`: only if its report has neither an incident nor a change of its target to record.
 */
export async function markCompleted(
  db: Db,
  run: ClaimedRun,
  { written, sheet_name, notes, spreadsheet_requests, settled, is_quiet }: Outcome & { is_quiet: boolean },
) {
  const { spreadsheet_id, sheet_id } = written
  const partial = sql<boolean>`exists (select from jsonb_array_elements(blocks) block where block ->> 'status' <> 'ok')`
  const nothingElse = sql<boolean>`not ${partial}
    and not exists (select from incident where incident.report = run.report and closed_at is null)
    and not exists (select from report where report.id = run.report
      and spreadsheet_id = ${spreadsheet_id} and sheet_name = ${sheet_name}
      and (sheet_id is distinct from ${sheet_id}::bigint or target_state is distinct from 'ok'))`
  const completing = db
    .updateTable('run')
    .set({
      status: 'completed',
      finished_at: sql<Date>`now()`,
      lease_until: null,
      written: JSON.stringify(written),
      ...run.journal.columns(),
      spreadsheet_requests,
      partial,
      notes: sql<string>`notes || ${JSON.stringify(notes.map(note => ({ ...note, block: null })))}::jsonb`,
      code: null,
      detail: null,
    })
    .where(isHeldBy(run))
    .where(is_quiet ? nothingElse : sql<boolean>`true`)
    .returning(['id', 'finished_at', 'blocks', 'restores'])
  const { rows } = await sql<{
    finished_at: Date
    blocks: BlockOutcome[]
    restores: string | null
  }>`${plannedOnce}
    with done as (${completing}),
    released as (delete from spreadsheet_lease using done where run = done.id),
    settled as (delete from spreadsheet_write using done where spreadsheet_write.id = any(${settled}::bigint[]))
    select finished_at, blocks, restores, ${announced(run, 'completed')}, ${announcedWrite(spreadsheet_id)} from done`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Returns when the run goes on, by the database's clock. */
export async function markPostponed(trx: Trx, run: ClaimedRun, wait: Wait): Promise<void> {
  await trx
    .updateTable('run')
    .set(eb => ({
      status: 'queued',
      lease_until: null,
      resumes_at: sql<Date>`now() + ${wait.wait_ms} * interval '1 ms'`,
      code: wait.code,
      detail: JSON.stringify(wait.detail),
      ...run.journal.columns(),
      failures: wait.is_failure ? eb('failures', '+', 1) : eb.ref('failures'),
      ...(wait.why === 'room' && { is_large: true }),
    }))
    .where('id', '=', run.id)
    .execute()
}
