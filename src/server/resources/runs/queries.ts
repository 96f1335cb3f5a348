import { sql, type Selectable } from 'kysely'
import type { BlockOutcome, Run, RunEvent } from '#shared/api/executions.ts'
import type { Database, Written } from '#server/db/schema.ts'
import type { Db } from '#server/db/connect.ts'
import { notify } from '#server/db/listen.ts'
import { holdRun, type ClaimedRun } from './lease.ts'

/** What listeners are told when a run has moved: see resources/events. */
export const RUN_CHANNEL = 'sheetcast_run'

/** What is shown of a run. The rest (its plan, its table's columns) may be large, and nobody who lists runs reads it. */
const shown = [
  'id',
  'report',
  'trigger',
  'status',
  'attempt',
  'due_at',
  'queued_at',
  'started_at',
  'finished_at',
  'resumes_at',
  'range_start',
  'range_end',
  'rows',
  'columns',
  'platform_requests',
  'spreadsheet_requests',
  'code',
  'detail',
  'blocks',
  'partial',
  'notes',
] as const
type ShownRun = Pick<Selectable<Database['run']>, (typeof shown)[number]>

/** One page of a report's runs, by when they began to wait. */
export async function listRuns(
  db: Db,
  report_id: number,
  page: { limit: number; offset: number; ascending: boolean },
): Promise<{ count: number; runs: ShownRun[] }> {
  const of = db.selectFrom('run').where('report', '=', report_id)
  const { count } = await of.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = page.ascending ? 'asc' : 'desc'
  const runs = await of
    .select(shown)
    .orderBy('queued_at', direction)
    .orderBy('id', direction)
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return { count: Number(count), runs }
}

export async function findRun(db: Db, report_id: number, run_id: string) {
  const run = await db
    .selectFrom('run')
    .select(shown)
    .where('id', '=', run_id)
    .where('report', '=', report_id)
    .executeTakeFirst()
  return run ?? null
}

/** A run as the API shows it; the platforms' own words are for the agency's own people. */
export function presentRun(run: ShownRun, is_internal: boolean): Run {
  return {
    id: run.id,
    report: run.report,
    trigger: run.trigger,
    status: run.status,
    attempt: run.attempt,
    due_at: run.due_at?.toISOString() ?? null,
    queued_at: run.queued_at.toISOString(),
    started_at: run.started_at?.toISOString() ?? null,
    finished_at: run.finished_at?.toISOString() ?? null,
    resumes_at: run.resumes_at?.toISOString() ?? null,
    range: run.range_start && run.range_end ? { start: run.range_start, end: run.range_end } : null,
    rows: run.rows,
    columns: run.columns,
    platform_requests: run.platform_requests,
    spreadsheet_requests: run.spreadsheet_requests,
    code: run.code,
    detail: is_internal ? run.detail : forClients(run.detail),
    blocks: presentBlocks(run.blocks, is_internal),
    partial: run.partial,
    notes: run.notes.map(note => ({ ...note, block: note.block ?? null })),
  }
}

/** Blocks of runs that are older than proofs and causes have neither. */
export const presentBlocks = (blocks: readonly BlockOutcome[], is_internal: boolean): BlockOutcome[] =>
  blocks.map(block => ({
    ...block,
    platform_message: is_internal ? block.platform_message : null,
    proof: block.proof ?? null,
    empty_because: block.empty_because ?? null,
  }))

/** What only the agency's own people read: the platforms' words, and whose accounts are meant. */
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

/** Tells whoever listens that the run has moved. */
export async function announceRun(
  db: Db,
  run: { id: string; report: number; owner: number },
  status: RunEvent['status'],
) {
  const event: RunEvent = { run: run.id, report: run.report, owner: run.owner, status }
  await notify(db, RUN_CHANNEL, JSON.stringify(event))
}

/** The same for runs of which only the ids are at hand. */
export async function announceRuns(db: Db, run_ids: readonly string[]) {
  if (run_ids.length === 0) return
  await sql`
    select pg_notify(${RUN_CHANNEL}, json_build_object('run', id, 'report', report, 'owner', owner, 'status', status)::text)
    from run where id = any(${run_ids}::uuid[])`.execute(db)
}

/** Which of their owners' waiting runs these are, from 1: in their own order, and behind those that wait already. */
export async function placesInLine(
  db: Db,
  run_ids: readonly string[],
  { behind_waiting }: { behind_waiting: boolean },
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; place: number }>`
    with line as (
      select id, owner, row_number() over (partition by owner order by id) as nth
      from run where id = any(${run_ids}::uuid[])
    ), waiting as (
      select owner, count(*) as ahead from run
      where ${behind_waiting} and status = 'queued' and owner in (select owner from line)
        and id <> all(${run_ids}::uuid[])
      group by owner
    )
    select id, (nth + coalesce(ahead, 0))::int as place from line left join waiting using (owner)`.execute(db)
  return new Map(rows.map(({ id, place }) => [id, place]))
}

/** The plan that every attempt of the run works by. */
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
  await db.transaction().execute(async trx => {
    await holdRun(trx, run)
    await trx
      .updateTable('run')
      .set({
        plan: JSON.stringify(plan.plan),
        report_version: plan.report_version,
        range_start: plan.range.start,
        range_end: plan.range.end,
        blocks: JSON.stringify(plan.blocks),
      })
      .where('id', '=', run.id)
      .execute()
    await announceRun(trx, run, 'fetching')
  })
}

/** Rows so far, per block. Not guarded by a lock: progress of an older attempt is filtered by its number. */
export async function saveProgress(
  db: Db,
  run: ClaimedRun,
  progress: { blocks: BlockOutcome[]; platform_requests: number; notes: object[] },
) {
  const { numUpdatedRows } = await db
    .updateTable('run')
    .set({
      blocks: JSON.stringify(progress.blocks),
      platform_requests: progress.platform_requests,
      notes: JSON.stringify(progress.notes),
    })
    .where('id', '=', run.id)
    .where('attempt', '=', run.attempt)
    .where('status', '=', 'fetching')
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await announceRun(db, run, 'fetching')
}

/** Where the report's last table is in this spreadsheet, as the database has it. */
export async function previousTable(db: Db, report_id: number, spreadsheet_id: string) {
  const last = await db
    .selectFrom('run')
    .select('written')
    .where('report', '=', report_id)
    .where('status', '=', 'completed')
    .where('written', 'is not', null)
    .orderBy('finished_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.written?.spreadsheet_id === spreadsheet_id ? last.written : null
}

/** The tables of other reports in the same spreadsheet, which must not be written over. */
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
