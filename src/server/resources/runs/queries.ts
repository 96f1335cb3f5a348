import { sql } from 'kysely'
import type { BlockOutcome, RunEvent } from '#shared/api/executions.ts'
import type { SpreadsheetEvent } from '#shared/api/sheets.ts'
import type { Written } from '#server/db/tables/runs.ts'
import type { Db } from '#server/db/connect.ts'
import { plannedOnce } from '#server/db/planned-once.ts'
import { notify } from '#server/db/listen.ts'
import { maySignIn } from '#server/http/session.ts'
import { wakeWorkers } from '#server/queue/queue.ts'
import { leaseLost } from './failure.ts'
import { isHeldBy, type ClaimedRun } from './lease-queries.ts'

/** The channel for runs that have changed: see resources/events. */
export const RUN_CHANNEL = 'sheetcast_run'

/** The channel for spreadsheets that a report was written to. */
export const WRITE_CHANNEL = 'sheetcast_write'

/** Notifies those who have the spreadsheet open, with a statement that ends the run. */
export const announcedWrite = (spreadsheet_id: string) =>
  sql`pg_notify(${WRITE_CHANNEL}, ${JSON.stringify({ spreadsheet: spreadsheet_id } satisfies SpreadsheetEvent)})`

/** Notifies subscribers that the run has changed. */
export async function announceRun(db: Db, run: Announced, status: RunEvent['status']) {
  await notify(db, RUN_CHANNEL, eventOf(run, status))
}

type Announced = Pick<ClaimedRun, 'id' | 'report' | 'owner'>

const eventOf = ({ id, report, owner }: Announced, status: RunEvent['status']) =>
  JSON.stringify({ run: id, report, owner, status } satisfies RunEvent)

/** The same with a statement that changes the row, if it does. */
export const announced = (run: Announced, status: RunEvent['status']) =>
  sql`pg_notify(${RUN_CHANNEL}, ${eventOf(run, status)})`.as('announced')

/** The same for runs of which only the ids are known. */
export async function announceRuns(db: Db, run_ids: readonly string[]) {
  if (run_ids.length === 0) return
  await sql`
    select pg_notify(${RUN_CHANNEL}, json_build_object('run', id, 'report', report, 'owner', owner, 'status', status)::text)
    from run where id = any(${run_ids}::uuid[])`.execute(db)
}

/** Stores the plan of an attempt that ends before anything else has stored it. */
export async function savePlan(db: Db, run: ClaimedRun) {
  const plan = run.journal.unsaved_plan
  if (!plan) return
  const saved = await db.updateTable('run').set(plan).where(isHeldBy(run)).returning('id').executeTakeFirst()
  if (!saved) throw leaseLost()
}

/** Rows so far, per block. */
export interface RunProgress {
  blocks: BlockOutcome[]
  notes: object[]
}

/** With the plan. Not guarded by a lock: progress of an older attempt is ignored by its number. */
export async function saveProgress(db: Db, run: ClaimedRun, progress: RunProgress) {
  const saved = await db
    .updateTable('run')
    .set({ ...run.journal.unsaved_plan, ...progressColumns(progress), ...run.journal.columns() })
    .where('id', '=', run.id)
    .where('attempt', '=', run.attempt)
    .where('status', '=', 'fetching')
    .returning(announced(run, 'fetching'))
    .executeTakeFirst()
  if (saved) run.journal.unsaved_plan = null
}

export const progressColumns = ({ blocks, notes }: RunProgress) => ({
  blocks: JSON.stringify(blocks),
  notes: JSON.stringify(notes),
})

/** Its table has turned out to be large: whatever happens, a process of its own goes on with it. */
export async function markLarge(db: Db, run_id: string) {
  await db.updateTable('run').set({ is_large: true }).where('id', '=', run_id).execute()
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

/**
 * The last table of each report of a spreadsheet, where the database has it there: this report's, those of
 * others, which must not be overwritten, and when the last of them was written, which shows that it could be.
 */
export async function tablesIn(db: Db, spreadsheet_id: string, report_id: number | null) {
  const { rows } = await sql<{
    report: number
    name: string
    is_deleted: boolean
    written: Written
    finished_at: Date
  }>`${plannedOnce}
    select report.id as report, report.name, report.deleted_at is not null as is_deleted, last.written, last.finished_at
    from report cross join lateral (
      select written, finished_at from run
      where run.report = report.id and status = 'completed' and written is not null
      order by finished_at desc limit 1
    ) last
    where report.spreadsheet_id = ${spreadsheet_id} or report.id = ${report_id}
    order by report.id`.execute(db)
  const tables = rows.filter(({ written }) => written.spreadsheet_id === spreadsheet_id)
  return {
    previous: tables.find(({ report }) => report === report_id)?.written ?? null,
    others: tables
      .filter(({ report, is_deleted }) => report !== report_id && !is_deleted)
      .map(({ report, name, written: { sheet_id, rect } }) => ({ report_id: report, name, sheet_id, rect })),
    usable_since: tables.reduce<Date | null>(
      (last, { finished_at }) => (last === null || finished_at > last ? finished_at : last),
      null,
    ),
  }
}

/**
 * The owner of a run and the spreadsheet's binding; null: they may not sign in, the report is deleted, or
 * nothing is bound.
 */
export async function ownerAndBinding(
  db: Db,
  { owner, report }: Pick<ClaimedRun, 'owner' | 'report'>,
  spreadsheet_id: string,
) {
  const row = await db
    .selectFrom('spreadsheet_binding')
    .innerJoin('users', join => join.on('users.id', '=', owner).on(maySignIn))
    .innerJoin('report', join => join.on('report.id', '=', report).on('report.deleted_at', 'is', null))
    .selectAll('spreadsheet_binding')
    .select(['users.identity', 'users.department as owner_department'])
    .where('spreadsheet_binding.spreadsheet_id', '=', spreadsheet_id)
    .executeTakeFirst()
  if (!row) return null
  const { identity, owner_department, ...binding } = row
  return { person: { id: owner, identity, department: owner_department }, binding }
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
