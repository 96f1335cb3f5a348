import { sql, type Transaction } from 'kysely'
import type { RunNote } from '#server/connectors/connector.ts'
import type { Db } from '#server/db/connect.ts'
import type { Database, Written } from '#server/db/schema.ts'
import { settleIncidents } from '#server/resources/notifications/incidents.ts'
import { lockReport, noteTargetState, updateReport } from '#server/resources/reports/queries.ts'
import { resultOf, stateAfter } from '#server/resources/spreadsheets/rules.ts'
import type { Ending } from './failure.ts'
import type { JournalColumns } from './journal.ts'
import { holdRun, type ClaimedRun } from './lease.ts'
import type { Target } from './plan-of.ts'
import { announceRun } from './queries.ts'
import { forgetOldTables } from './table-store.ts'

/** The last act of a run that succeeded. */
export async function completeRun(
  db: Db,
  run: ClaimedRun,
  outcome: { written: Written; sheet_name: string; notes: RunNote[]; spreadsheet_requests: number },
) {
  await db.transaction().execute(async trx => {
    await holdRun(trx, run)
    const { finished_at, blocks, restores } = await trx
      .updateTable('run')
      .set({
        status: 'completed',
        finished_at: sql<Date>`now()`,
        lease_until: null,
        written: JSON.stringify(outcome.written),
        ...run.journal.columns(),
        spreadsheet_requests: outcome.spreadsheet_requests,
        partial: sql<boolean>`exists (select from jsonb_array_elements(blocks) block where block ->> 'status' <> 'ok')`,
        notes: sql<string>`notes || ${JSON.stringify(outcome.notes.map(note => ({ ...note, block: null })))}::jsonb`,
        code: null,
        detail: null,
      })
      .where('id', '=', run.id)
      .returning(['finished_at', 'blocks', 'restores'])
      .executeTakeFirstOrThrow()
    const { spreadsheet_id, sheet_id } = outcome.written
    const report = await lockReport(trx, run.report)
    if (report?.spreadsheet_id === spreadsheet_id && report.sheet_name === outcome.sheet_name) {
      await updateReport(trx, report.id, { sheet_id })
      if (finished_at && report.target_state !== 'ok')
        await noteTargetState(trx, report, { target_state: 'ok', now: finished_at })
    }
    await releaseSpreadsheet(trx, run)
    await forgetOldTables(trx, run.report)
    // An undo asks no platform, so that it says nothing of whether the report works.
    if (finished_at && restores === null)
      await settleIncidents(trx, {
        id: run.id,
        report: run.report,
        status: 'completed',
        code: null,
        detail: null,
        blocks,
        at: finished_at,
      })
    await announceRun(trx, run, 'completed')
  })
}

interface End {
  status: 'error' | 'cancelled'
  code: string
  detail: Record<string, unknown> | null
  /** Of the attempt that ends it. */
  journal?: JournalColumns
}

/** The run ends here; the sheet keeps what it had. */
export async function failRun(db: Db, run: ClaimedRun, end: End) {
  await db.transaction().execute(async trx => {
    await holdRun(trx, run)
    await endRun(trx, run, end)
  })
}

async function endRun(trx: Transaction<Database>, run: ClaimedRun, end: End) {
  const [ended] = await endRuns(trx, [run.id], { ...end, journal: run.journal.columns() })
  const at = ended?.finished_at
  if (ended?.target && at) await noteTargetOf(trx, run, { target: ended.target, code: end.code, now: at })
  if (at && end.status === 'error')
    await settleIncidents(trx, { id: run.id, report: run.report, ...ended, ...end, status: 'error', at })
  await releaseSpreadsheet(trx, run)
  await announceRun(trx, run, end.status)
}

/** Ends runs that nobody works on, or whose attempt the caller holds; the tables that they had stored are thrown away. */
export async function endRuns(
  trx: Transaction<Database>,
  run_ids: readonly string[],
  { status, code, detail, journal }: End,
) {
  if (run_ids.length === 0) return []
  await trx.deleteFrom('run_chunk').where('run', 'in', run_ids).execute()
  // What it still holds its attempt lets go.
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
    })
    .where('id', 'in', run_ids)
    .returning([sql<Target | null>`plan -> 'target'`.as('target'), 'finished_at', 'blocks'])
    .execute()
}

/** A run is a check of its target too: one that cannot be written is a gap, and the schedule rests until it is mended. */
async function noteTargetOf(
  trx: Transaction<Database>,
  run: ClaimedRun,
  { target, code, now }: { target: Target; code: string; now: Date },
) {
  const result = resultOf(code)
  const report = result && (await lockReport(trx, run.report))
  // Somebody may have chosen another place while the run was under way.
  if (!report || report.spreadsheet_id !== target.spreadsheet_id) return
  const target_state = stateAfter(result, { checked_tab: target.sheet_name, report })
  if (target_state !== undefined) await noteTargetState(trx, report, { target_state, now })
}

/** Blocks that were still being asked when the run ended have ended with it. */
const endedBlocks = (code: string) => sql<string>`coalesce((
  select jsonb_agg(
    case when block ->> 'status' in ('pending', 'fetching')
      then block || jsonb_build_object('status', 'error', 'code', ${code}::text) else block end
    order by position)
  from jsonb_array_elements(blocks) with ordinality as each (block, position)), '[]')`

type Wait = Pick<Ending & { kind: 'postponed' }, 'wait_ms' | 'why' | 'code' | 'detail' | 'is_failure'>

/**
 * The run waits without holding a worker and goes on by itself after so long. Answers when that is, by the database's clock; null when somebody has
 * cancelled it meanwhile, so that it has ended.
 */
export async function postponeRun(
  trx: Transaction<Database>,
  run: ClaimedRun,
  wait: Wait,
): Promise<Date | null> {
  const { is_cancelled } = await holdRun(trx, run)
  if (is_cancelled) {
    await endRun(trx, run, { status: 'cancelled', code: 'run_cancelled', detail: {} })
    return null
  }
  run.journal.wait(wait.why, wait.code)
  const { resumes_at } = await trx
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
    .returning('resumes_at')
    .executeTakeFirstOrThrow()
  await releaseSpreadsheet(trx, run)
  await announceRun(trx, run, 'queued')
  return resumes_at
}

async function releaseSpreadsheet(trx: Transaction<Database>, run: ClaimedRun) {
  await trx.deleteFrom('spreadsheet_lease').where('run', '=', run.id).execute()
}
