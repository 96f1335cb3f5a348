import { sql } from 'kysely'
import type { BlockOutcome, RunEvent } from '#shared/api/executions.ts'
import type { SpreadsheetEvent } from '#shared/api/sheets.ts'
import type { Written } from '#server/db/tables/runs.ts'
import type { Db } from '#server/db/connect.ts'
import { notify } from '#server/db/listen.ts'
import { wakeWorkers } from '#server/queue/queue.ts'
import { leaseLost } from './failure.ts'
import { isHeldBy, type ClaimedRun } from './lease-queries.ts'

/** The channel for runs that have changed: see resources/events. */
export const RUN_CHANNEL = 'sheetcast_run'

/** The channel for spreadsheets that a report was written to. */
export const WRITE_CHANNEL = 'sheetcast_write'

/** Notifies those who have the spreadsheet open. */
export async function announceWrite(db: Db, spreadsheet_id: string) {
  const event: SpreadsheetEvent = { spreadsheet: spreadsheet_id }
  await notify(db, WRITE_CHANNEL, JSON.stringify(event))
}

/** Notifies subscribers that the run has changed. */
export async function announceRun(db: Db, run: Announced, status: RunEvent['status']) {
  await notify(db, RUN_CHANNEL, eventOf(run, status))
}

type Announced = Pick<ClaimedRun, 'id' | 'report' | 'owner'>

const eventOf = ({ id, report, owner }: Announced, status: RunEvent['status']) =>
  JSON.stringify({ run: id, report, owner, status } satisfies RunEvent)

/** The same with a statement that changes the row, if it does. */
const announced = (run: Announced, status: RunEvent['status']) =>
  sql`pg_notify(${RUN_CHANNEL}, ${eventOf(run, status)})`.as('announced')

/** The same for runs of which only the ids are known. */
export async function announceRuns(db: Db, run_ids: readonly string[]) {
  if (run_ids.length === 0) return
  await sql`
    select pg_notify(${RUN_CHANNEL}, json_build_object('run', id, 'report', report, 'owner', owner, 'status', status)::text)
    from run where id = any(${run_ids}::uuid[])`.execute(db)
}

/** The plan that every attempt of the run executes. */
export async function savePlan(
  db: Db,
  run: ClaimedRun,
  plan: {
    plan: object
    report_version: number
    range: { start: string; end: string }
    blocks: BlockOutcome[]
  },
) {
  const saved = await db
    .updateTable('run')
    .set({
      plan: JSON.stringify(plan.plan),
      report_version: plan.report_version,
      range_start: plan.range.start,
      range_end: plan.range.end,
      blocks: JSON.stringify(plan.blocks),
    })
    .where(isHeldBy(run))
    .returning(announced(run, 'fetching'))
    .executeTakeFirst()
  if (!saved) throw leaseLost()
}

/** Rows so far, per block. */
export interface RunProgress {
  blocks: BlockOutcome[]
  notes: object[]
}

/** Not guarded by a lock: progress of an older attempt is ignored by its number. */
export async function saveProgress(db: Db, run: ClaimedRun, progress: RunProgress) {
  await db
    .updateTable('run')
    .set({ ...progressColumns(progress), ...run.journal.columns() })
    .where('id', '=', run.id)
    .where('attempt', '=', run.attempt)
    .where('status', '=', 'fetching')
    .returning(announced(run, 'fetching'))
    .execute()
}

export const progressColumns = ({ blocks, notes }: RunProgress) => ({
  blocks: JSON.stringify(blocks),
  notes: JSON.stringify(notes),
})

/** Its table has turned out to be large: whatever happens, a process of its own goes on with it. */
export async function markLarge(db: Db, run_id: string) {
  await db.updateTable('run').set({ is_large: true }).where('id', '=', run_id).execute()
}

/** Where the report's last table is in this spreadsheet, as the database has it. */
export async function previousTable(db: Db, report_id: number, spreadsheet_id: string) {
  const last = await lastToWrite(db, report_id).select('written').executeTakeFirst()
  return last?.written?.spreadsheet_id === spreadsheet_id ? last.written : null
}

/** The last run of a report that wrote a table. */
export const lastToWrite = (db: Db, report_id: number) =>
  db
    .selectFrom('run')
    .where('report', '=', report_id)
    .where('status', '=', 'completed')
    .where('written', 'is not', null)
    .orderBy('finished_at', 'desc')
    .limit(1)

/** The last run that wrote a table; of a table that was restored it counts when it was fetched. */
export async function lastRunWithTable(db: Db, report_id: number) {
  return await db
    .selectFrom('run')
    .innerJoin('run as origin', join =>
      join.on('origin.id', '=', eb => eb.fn.coalesce('run.restores', 'run.id')),
    )
    .select(['run.id', 'run.plan', 'origin.finished_at', 'origin.notes'])
    .where('run.report', '=', report_id)
    .where('run.status', '=', 'completed')
    .where('run.table_rows', 'is not', null)
    .orderBy('run.finished_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The tables of other reports in the same spreadsheet, which must not be overwritten. */
export async function otherTables(db: Db, report_id: number, { spreadsheet_id }: { spreadsheet_id: string }) {
  const { rows } = await sql<{ report: number; name: string; written: Written }>`
    select distinct on (run.report) run.report, report.name, run.written
    from run join report on report.id = run.report
    where report.spreadsheet_id = ${spreadsheet_id} and report.deleted_at is null and run.report <> ${report_id}
      and run.status = 'completed' and run.written is not null
    order by run.report, run.finished_at desc`.execute(db)
  return rows
    .filter(row => row.written.spreadsheet_id === spreadsheet_id)
    .map(({ report, name, written }) => ({
      report_id: report,
      name,
      sheet_id: written.sheet_id,
      rect: written.rect,
    }))
}

/** When a table was last written to the spreadsheet, which shows that it could be; null: never. */
export async function usableSince(db: Db, spreadsheet_id: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(run.finished_at) as at from run join report on report.id = run.report
    where report.spreadsheet_id = ${spreadsheet_id} and run.status = 'completed'
      and run.written ->> 'spreadsheet_id' = ${spreadsheet_id}`.execute(db)
  return rows[0]?.at ?? null
}

/** Waiting runs go on at once; returns those that did wait. */
export async function wakeRuns(db: Db, runIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update run set resumes_at = now()
    where id = any(${runIds}::uuid[]) and status = 'queued' and resumes_at > now()
    returning id`.execute(db)
  const woken = rows.map(({ id }) => id)
  if (woken.length > 0) await wakeWorkers(db, woken)
  return woken
}

/** When a report runs next; null: it is not scheduled. */
export async function nextRunAt(db: Db, report: number): Promise<Date | null> {
  const row = await db.selectFrom('report').select('next_run_at').where('id', '=', report).executeTakeFirst()
  return row?.next_run_at ?? null
}
