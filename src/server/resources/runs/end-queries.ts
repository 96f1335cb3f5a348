import type { RunNote } from '#server/connectors/connector.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { Written } from '#server/db/tables/runs.ts'
import { sql } from 'kysely'
import type { Target } from './plan-of.ts'
import type { JournalColumns } from './journal.ts'
import type { Ending } from './failure.ts'
import type { ClaimedRun } from './lease-queries.ts'

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
  notes: RunNote[]
  spreadsheet_requests: number
}

export async function markCompleted(
  trx: Trx,
  run: ClaimedRun,
  { written, notes, spreadsheet_requests }: Outcome,
) {
  return await trx
    .updateTable('run')
    .set({
      status: 'completed',
      finished_at: sql<Date>`now()`,
      lease_until: null,
      written: JSON.stringify(written),
      ...run.journal.columns(),
      spreadsheet_requests,
      partial: sql<boolean>`exists (select from jsonb_array_elements(blocks) block where block ->> 'status' <> 'ok')`,
      notes: sql<string>`notes || ${JSON.stringify(notes.map(note => ({ ...note, block: null })))}::jsonb`,
      code: null,
      detail: null,
    })
    .where('id', '=', run.id)
    .returning(['finished_at', 'blocks', 'restores'])
    .executeTakeFirstOrThrow()
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
