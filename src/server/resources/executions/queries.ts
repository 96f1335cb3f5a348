import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { isInternal, reportAccess, type Person } from '#shared/access.ts'
import type { z } from 'zod'
import type { Execution, ExecutionSummary, SkippedReport } from '#shared/api/executions.ts'
import type { Db } from '#server/db/connect.ts'
import { plannedOnce } from '#server/db/planned-once.ts'
import type { Trx } from '#server/db/transaction.ts'
import { enqueueRuns } from '#server/queue/queue.ts'
import { visibleReports } from '#server/resources/reports/visible.ts'
import { presentBlocks } from '#server/resources/runs/present.ts'
import { idAt } from '#server/db/id-at.ts'
import { inBatches } from '#server/db/in-batches.ts'
import { endRuns } from '#server/resources/runs/end-queries.ts'

interface RequestedReport {
  report: number
  owner: number
}

/** A report that is not started, as it is stored. */
export type Skipped = Omit<SkippedReport, 'name'>

export async function findByIdempotencyKey(db: Db, user_id: number, key: string) {
  const row = await db
    .selectFrom('execution')
    .select('id')
    .where('created_by', '=', user_id)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  return row?.id ?? null
}

interface NewExecution {
  user_id: number
  idempotency_key: string | null
  trigger: 'click' | 'retry' | 'cli'
  reports: readonly RequestedReport[]
  /** Recorded beside them; no run is made for these. */
  skipped?: readonly Skipped[]
}

/**
 * The execution and its runs, enqueued. A report that is already queued or running contributes its run
 * instead of getting a second one; one that is being restored is skipped. Returns the runs that are new, the
 * reports that have one, and those skipped here. The same key sent again, even at the same moment, returns
 * the first execution.
 */
export async function insertExecution(
  trx: Trx,
  request: NewExecution,
): Promise<{ id: string; new_runs: string[]; started: number[]; busy: Skipped[] }> {
  const { id, is_new } = await beginExecution(trx, request)
  if (!is_new) return { id, new_runs: [], started: [], busy: [] }
  const { run_of, new_runs, busy } = await joinRuns(trx, request)
  const started = request.reports.flatMap(({ report }) => (run_of.has(report) ? [report] : []))
  await linkRuns(
    trx,
    id,
    started.flatMap(report => run_of.get(report) ?? []),
  )
  await saveSkipped(trx, id, [...(request.skipped ?? []), ...busy])
  await enqueueRuns(trx, new_runs)
  return { id, new_runs, started, busy }
}

async function saveSkipped(trx: Trx, id: string, skipped: readonly Skipped[]) {
  if (skipped.length === 0) return
  await trx
    .updateTable('execution')
    .set({ skipped: JSON.stringify(skipped) })
    .where('id', '=', id)
    .execute()
}

/**
 * A new execution, or the one that this person has started with the same key before, even at the same moment.
 */
export async function beginExecution(
  trx: Trx,
  { user_id, idempotency_key }: Pick<NewExecution, 'user_id' | 'idempotency_key'>,
): Promise<{ id: string; is_new: boolean }> {
  const execution = await trx
    .insertInto('execution')
    .values({ id: randomUUIDv7(), created_by: user_id, idempotency_key })
    .onConflict(conflict => conflict.columns(['created_by', 'idempotency_key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (execution) return { id: execution.id, is_new: true }
  const id = await findByIdempotencyKey(trx, user_id, idempotency_key ?? '')
  if (id === null) throw new Error('the execution of this key was deleted meanwhile')
  return { id, is_new: false }
}

/** Records the runs of the execution, in their order. */
export async function linkRuns(trx: Trx, execution: string, runs: readonly string[]) {
  await sql`${plannedOnce}
    insert into execution_run (execution, run, position)
    select ${execution}::uuid, run, position - 1
    from unnest(${runs}::uuid[]) with ordinality as each (run, position)`.execute(trx)
}

/**
 * One run for each report: a new one, or the one in progress. A restore fetches nothing, so it does not serve
 * a request for new numbers.
 */
async function joinRuns(trx: Trx, request: NewExecution) {
  const run_of = new Map<number, string>()
  const new_runs: string[] = []
  const busy: Skipped[] = []
  // In one order for everybody, so that concurrent executions do not deadlock.
  let missing = request.reports.toSorted((one, other) => one.report - other.report)
  // Between a conflict and reading the other run, that run may end: then the next iteration inserts.
  while (missing.length > 0) {
    const { rows: inserted } = await sql<{ id: string; report: number }>`${plannedOnce}
      insert into run (id, report, owner, trigger, requested_by, status)
      select id, report, owner, ${request.trigger}, ${request.user_id}, 'queued'
      from unnest(
        ${missing.map(() => randomUUIDv7())}::uuid[],
        ${missing.map(each => each.report)}::bigint[],
        ${missing.map(each => each.owner)}::bigint[]
      ) as each (id, report, owner)
      on conflict do nothing
      returning id, report`.execute(trx)
    for (const run of inserted) run_of.set(run.report, run.id)
    new_runs.push(...inserted.map(run => run.id))
    missing = missing.filter(({ report }) => !run_of.has(report))
    if (missing.length === 0) break
    const { rows: under_way } = await sql<{ id: string; report: number; is_undo: boolean }>`
      select id, report, restores is not null as is_undo from run
      where report = any(${missing.map(each => each.report)}::bigint[]) and status in ('queued', 'fetching', 'writing')`.execute(
      trx,
    )
    for (const { report, id, is_undo } of under_way) {
      if (is_undo) busy.push({ report, code: 'report_busy', gaps: [], target_state: null })
      else run_of.set(report, id)
    }
    missing = missing.filter(({ report }) => !under_way.some(each => each.report === report))
  }
  return { run_of, new_runs, busy }
}

/**
 * The execution as its owner sees it; null when there is none with that id and owner. A report that they do
 * not see any more, since it is no longer shared with them, is no longer part of it.
 */
export async function readExecution(db: Db, id: string, viewer: Person): Promise<Execution | null> {
  const execution = await db
    .selectFrom('execution')
    .select(['id', 'created_at', 'skipped'])
    .where('id', '=', id)
    .where('created_by', '=', viewer.id)
    .executeTakeFirst()
  if (!execution) return null
  const rows = await db
    .selectFrom('execution_run')
    .innerJoin('run', 'run.id', 'execution_run.run')
    .innerJoin('report', 'report.id', 'run.report')
    .leftJoin('report_share as share', join =>
      join.onRef('share.report', '=', 'report.id').on('share.user_id', '=', viewer.id),
    )
    .select([
      'run.id as run',
      'run.report',
      'run.status',
      'run.rows',
      'run.blocks',
      'run.code',
      'report.name',
      'report.owner',
      'report.spreadsheet_url',
      'report.sheet_id',
      'share.access',
    ])
    .where('execution_run.execution', '=', id)
    .orderBy('execution_run.position')
    .execute()
  const runs = rows.filter(({ owner, access }) => reportAccess(viewer, { owner }, access && { access }))
  const count = (...statuses: string[]) => runs.filter(run => statuses.includes(run.status)).length
  return {
    id: execution.id,
    created_at: execution.created_at.toISOString(),
    total: runs.length,
    completed: count('completed'),
    error: count('error', 'cancelled'),
    pending: count('queued', 'fetching', 'writing'),
    reports: runs.map(({ owner: _owner, access: _access, blocks, ...facts }) => ({
      ...facts,
      blocks: presentBlocks(blocks, isInternal(viewer)),
    })),
    skipped: await visibleSkipped(db, viewer, execution.skipped),
  }
}

/** With their names, as long as the viewer sees the reports. */
async function visibleSkipped(db: Db, viewer: Person, skipped: readonly Skipped[]): Promise<SkippedReport[]> {
  if (skipped.length === 0) return []
  const reports = await visibleReports(
    db,
    viewer,
    skipped.map(({ report }) => report),
  )
  const names = new Map(reports.map(({ id, name }) => [id, name]))
  return skipped.flatMap(each => {
    const name = names.get(each.report)
    return name === undefined ? [] : [{ ...each, name }]
  })
}

/**
 * One page of a person's executions, newest first by default, with their progress; without reports that they
 * do not see any more.
 */
export async function listExecutions(
  db: Db,
  viewer: Person,
  { ordering, limit, offset }: { ordering: string; limit: number; offset: number },
) {
  const direction = ordering.startsWith('-') ? sql`desc` : sql`asc`
  const isVisible = sql`(
    report.owner = ${viewer.id} or ${viewer.identity === 'superuser'}
    or exists (select from report_share share where share.report = report.id and share.user_id = ${viewer.id}))`
  const { count } = await db
    .selectFrom('execution')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('created_by', '=', viewer.id)
    .executeTakeFirstOrThrow()
  const { rows } = await sql<Omit<z.infer<typeof ExecutionSummary>, 'created_at'> & { created_at: Date }>`
    select click.id, click.created_at, seen.*, (
      select count(*) from jsonb_array_elements(click.skipped) each
      join report on report.id = (each.value ->> 'report')::bigint
      where report.deleted_at is null and ${isVisible}
    ) as skipped
    from (
      select id, created_at, skipped from execution where created_by = ${viewer.id} order by id ${direction} limit ${limit} offset ${offset}
    ) click,
    lateral (
      select count(*) as total,
        count(*) filter (where run.status = 'completed') as completed,
        count(*) filter (where run.status in ('error', 'cancelled')) as error,
        count(*) filter (where run.status in ('queued', 'fetching', 'writing')) as pending,
        coalesce((array_agg(report.name order by link.position))[1:3], '{}') as names
      from execution_run link
      join run on run.id = link.run
      join report on report.id = run.report
      where link.execution = click.id and ${isVisible}
    ) seen
    order by click.id ${direction}`.execute(db)
  return { count, rows: rows.map(row => ({ ...row, created_at: row.created_at.toISOString() })) }
}

/**
 * The reports that a person has in a folder or in its subfolders: own ones and those that they have filed
 * there.
 */
export async function reportIdsIn(db: Db, user_id: number, folder: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with tree as (
      select id from folder
      where owner = ${user_id} and deleted_at is null and (id = ${folder} or parent = ${folder})
    )
    select id from report where owner = ${user_id} and deleted_at is null and folder in (select id from tree)
    union
    select report.id from report_share share join report on report.id = share.report
    where share.user_id = ${user_id} and report.deleted_at is null and share.folder in (select id from tree)
    order by id`.execute(db)
  return rows.map(row => row.id)
}

/**
 * Ends waiting runs at once and asks fetching ones to stop; writing ones finish. A run that this execution
 * only joined (the schedule's, or another person's) goes on, unless the report is the canceller's own.
 * Returns the affected runs.
 */
export async function cancelExecution(
  trx: Trx,
  id: string,
  user_id: number,
): Promise<{ id: string; report: number; name: string }[]> {
  const { rows } = await sql<{ id: string; status: string; report: number; name: string }>`
    update run set cancel_requested_at = now()
    where id in (select run from execution_run where execution = ${id}) and status in ('queued', 'fetching')
      and (
        exists (select from report where report.id = run.report and report.owner = ${user_id})
        or run.requested_by = ${user_id} and not exists (
          select from execution_run link join execution on execution.id = link.execution
          where link.run = run.id and execution.created_by <> ${user_id}
        )
      )
    returning id, status, report, (select name from report where report.id = run.report) as name`.execute(trx)
  const waiting = rows.filter(run => run.status === 'queued').map(run => run.id)
  await endRuns(trx, waiting, { status: 'cancelled', code: 'run_cancelled', detail: null })
  return rows
}

/** An execution is polled while its dialog is open, and its key is sent again within minutes. */
const RETENTION_MS = 30 * 24 * 3600_000

export async function deleteOldExecutions(db: Db, now: Date): Promise<number> {
  const bound = idAt(new Date(now.getTime() - RETENTION_MS))
  return await inBatches(
    limit => sql`
      delete from execution where id in (select id from execution where id < ${bound}::uuid limit ${limit})`,
    db,
  )
}
