import { randomUUIDv7 } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Execution } from '#shared/api/executions.ts'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'

type Trx = Transaction<Database>

/** A report as a click sees it: `refused` is why it cannot run, so that its run ends at once. */
export interface Clicked {
  report: number
  owner: number
  refused: string | null
}

export async function findByIdempotencyKey(db: Db, user_id: number, key: string) {
  const row = await db
    .selectFrom('execution')
    .select('id')
    .where('created_by', '=', user_id)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  return row?.id ?? null
}

/**
 * The execution and its runs. A report that is already queued or running lends its run instead of getting a second one.
 * Answers the runs that have to be told to the queue.
 */
export async function insertExecution(
  trx: Trx,
  click: {
    user_id: number
    idempotency_key: string | null
    trigger: 'click' | 'retry' | 'cli'
    reports: Clicked[]
  },
): Promise<{ id: string; new_runs: string[] }> {
  const id = randomUUIDv7()
  await trx
    .insertInto('execution')
    .values({ id, created_by: click.user_id, idempotency_key: click.idempotency_key })
    .execute()
  const new_runs: string[] = []
  for (const [position, clicked] of click.reports.entries()) {
    const run = clicked.refused
      ? await insertRefusedRun(trx, click, clicked)
      : await joinRun(trx, click, clicked)
    if (run.is_new && !clicked.refused) new_runs.push(run.id)
    await trx.insertInto('execution_run').values({ execution: id, run: run.id, position }).execute()
  }
  return { id, new_runs }
}

async function joinRun(
  trx: Trx,
  click: { user_id: number; trigger: 'click' | 'retry' | 'cli' },
  { report, owner }: Clicked,
) {
  // Between a conflict and the look for the other run, that run may end: then the next try inserts.
  for (;;) {
    const inserted = await trx
      .insertInto('run')
      .values({
        id: randomUUIDv7(),
        report,
        owner,
        trigger: click.trigger,
        requested_by: click.user_id,
        status: 'queued',
      })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (inserted) return { id: inserted.id, is_new: true }
    const active = await trx
      .selectFrom('run')
      .select('id')
      .where('report', '=', report)
      .where('status', 'in', ['queued', 'fetching', 'writing'])
      .executeTakeFirst()
    if (active) return { id: active.id, is_new: false }
  }
}

async function insertRefusedRun(
  trx: Trx,
  click: { user_id: number; trigger: 'click' | 'retry' | 'cli' },
  { report, owner, refused }: Clicked,
) {
  const id = randomUUIDv7()
  await trx
    .insertInto('run')
    .values({
      id,
      report,
      owner,
      trigger: click.trigger,
      requested_by: click.user_id,
      status: 'error',
      code: refused,
      finished_at: sql`now()`,
    })
    .execute()
  return { id, is_new: true }
}

/** The click as its maker sees it; null when there is none of that id and maker. */
export async function readExecution(
  db: Db,
  id: string,
  viewer: { user_id: number; is_internal: boolean },
): Promise<Execution | null> {
  const execution = await db
    .selectFrom('execution')
    .select(['id', 'created_at'])
    .where('id', '=', id)
    .where('created_by', '=', viewer.user_id)
    .executeTakeFirst()
  if (!execution) return null
  const runs = await db
    .selectFrom('execution_run')
    .innerJoin('run', 'run.id', 'execution_run.run')
    .innerJoin('report', 'report.id', 'run.report')
    .select([
      'run.id',
      'run.report',
      'run.status',
      'run.rows',
      'run.blocks',
      'run.code',
      'report.name',
      'report.spreadsheet_url',
    ])
    .where('execution_run.execution', '=', id)
    .orderBy('execution_run.position')
    .execute()
  const count = (...statuses: string[]) => runs.filter(run => statuses.includes(run.status)).length
  return {
    id: execution.id,
    created_at: execution.created_at.toISOString(),
    total: runs.length,
    completed: count('completed'),
    error: count('error', 'cancelled'),
    pending: count('queued', 'fetching', 'writing'),
    reports: runs.map(({ id: run, blocks, ...facts }) => ({
      ...facts,
      run,
      blocks: viewer.is_internal ? blocks : blocks.map(block => ({ ...block, platform_message: null })),
    })),
  }
}

/** The reports that a person has in a folder or in its subfolders: own ones and those that they have filed there. */
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

/** Ends what waits at once and asks what fetches to stop; what already writes is let finish. Answers the ids that were touched. */
export async function cancelExecution(trx: Trx, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update run set
      cancel_requested_at = now(),
      status = case when status = 'queued' then 'cancelled' else status end,
      code = case when status = 'queued' then 'run_cancelled' else code end,
      finished_at = case when status = 'queued' then now() else finished_at end
    where id in (select run from execution_run where execution = ${id}) and status in ('queued', 'fetching')
    returning id`.execute(trx)
  return rows.map(row => row.id)
}
