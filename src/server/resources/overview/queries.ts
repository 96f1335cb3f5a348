import { sql, type RawBuilder } from 'kysely'
import { advertiserScope, type Person } from '#shared/access.ts'
import { OVERVIEW_COUNTED, OVERVIEW_LIMIT, type FirstStep } from '#shared/api/overview.ts'
import type { Db } from '#server/db/connect.ts'
import { advertiserIdsOf } from '#server/resources/people/queries.ts'

// One's own reports are found by indexes that begin with their owner, shared ones by the share: the reports
// of others are not read.

/** First instant of a day and of the one after. */
export interface Bounds {
  from: Date
  to: Date
}

/** How many runs of a person's reports ended in a time, by outcome, and how many are in progress. */
export async function countRuns(
  db: Db,
  user_id: number,
  { from, to }: Bounds,
): Promise<{ completed: number; failed: number; running: number }> {
  const ended = (status: 'completed' | 'error') => sql`(
    select count(*) from (
      select from run where owner = ${user_id} and status = ${status} and finished_at >= ${from} and finished_at < ${to}
      limit ${OVERVIEW_COUNTED}
    ) own) + (
    select count(*) from (
      select from ${sharedReports(user_id)} shared join run on run.report = shared.id
      where run.queued_at >= ${from}::timestamptz - ${LONGEST_RUN}::interval
        and run.status = ${status} and run.finished_at >= ${from} and run.finished_at < ${to}
      limit ${OVERVIEW_COUNTED}
    ) shared)`
  const { rows } = await sql<{ completed: number; failed: number; running: number }>`
    select ${ended('completed')} as completed, ${ended('error')} as failed, (
      select count(*) from (
        select from run where status in ('queued', 'fetching', 'writing')
          and (owner = ${user_id} or report in (select id from ${sharedReports(user_id)} shared))
        limit ${OVERVIEW_COUNTED}
      ) under_way) as running`.execute(db)
  return rows[0] ?? { completed: 0, failed: 0, running: 0 }
}

/** The run that is last in the queue of those of a person's reports that have not ended. */
export async function lastUnderWay(db: Db, user_id: number): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from run where status in ('queued', 'fetching', 'writing')
      and (owner = ${user_id} or report in (select id from ${sharedReports(user_id)} shared))
    order by started_at is null desc, coalesce(waitlist is not null, false) desc, round desc nulls last, waitlist_until desc nulls last limit 1`.execute(
    db,
  )
  return rows[0]?.id ?? null
}

/** From waiting to its end a run takes six hours at most, unless no worker was running. */
const LONGEST_RUN = '2 days'

/**
 * What is shared with a person and still there, looked up one by one: as a join, the planner has read every
 * report in the order of their ids, since it expects the first shared one among the first that may be seen.
 */
const sharedReports = (user_id: number) => sql`(
  select report.id, report.next_run_at, report.last_modified_at
  from report_share share cross join lateral (select * from report where id = share.report offset 0) report
  where share.user_id = ${user_id} and report.owner <> ${user_id} and report.deleted_at is null)`

/** A report whose last run failed. */
export interface FailedReport {
  id: number
  /** It was to run by itself; a retry of such a run counts as one. */
  is_scheduled: boolean
}

/** Reports whose last run failed after `since`, the latest first; a thousand of one's own and shared each. */
export async function failedReports(db: Db, user_id: number, since: Date): Promise<FailedReport[]> {
  const { rows } = await sql<FailedReport>`
    select report as id, trigger = 'schedule' or trigger = 'retry' and next_run_at is not null as is_scheduled from (
      (select run.report, run.finished_at, run.id, run.trigger, run.started_at, run.code,
        report.next_run_at
      from run join report on report.id = run.report
      where run.owner = ${user_id} and run.status = 'error' and run.finished_at >= ${since}
        and report.owner = ${user_id} and report.deleted_at is null
        and ${isLast}
      order by run.finished_at desc limit ${MOST_IN_NEED})
      union all
      (select run.report, run.finished_at, run.id, run.trigger, run.started_at, run.code,
        shared.next_run_at
      from ${sharedReports(user_id)} shared cross join lateral (
        select * from run where run.report = shared.id and run.finished_at is not null and run.status <> 'cancelled'
        order by queued_at desc limit 1
      ) run
      where run.status = 'error' and run.finished_at >= ${since}
      order by run.finished_at desc limit ${MOST_IN_NEED})
    ) failed where ${hasRun} order by finished_at desc, failed.id desc`.execute(db)
  return rows
}

/** Nobody reads more of a kind than this one by one. */
export const MOST_IN_NEED = 1000

/**
 * Earlier versions recorded a failed run for a report that was executed among others although its setup was
 * not complete, or that was being restored.
 */
export const hasRun = sql`(started_at is not null or coalesce(code, '') not in (
  'start_cell_not_set', 'page_not_set', 'spreadsheet_not_shared', 'channels_not_set', 'report_busy'))`

/** No later run of the report has ended, except for cancelled ones, which say nothing. */
export const isLast = sql`not exists (
  select from run later
  where later.report = run.report and later.queued_at > run.queued_at and later.status in ('completed', 'error'))`

/** The next scheduled reports, and how many of them before `before`. */
export async function dueReports(
  db: Db,
  user_id: number,
  before: Date,
): Promise<{ count: number; ids: number[] }> {
  const { rows } = await sql<{ id: number; count: number }>`
    with scheduled as materialized (
      (select id, next_run_at from report
      where owner = ${user_id} and next_run_at is not null and deleted_at is null
      order by next_run_at limit ${OVERVIEW_COUNTED})
      union all select id, next_run_at from ${sharedReports(user_id)} shared where next_run_at is not null
    )
    select id, (select count(*) from scheduled where next_run_at < ${before}) as count
    from scheduled order by next_run_at, id limit ${OVERVIEW_LIMIT}`.execute(db)
  return { count: rows[0]?.count ?? 0, ids: rows.map(row => row.id) }
}

/**
 * The last changed reports, and how many there are. One's own come in the order of their index: only those
 * that are shown are read, and the rest is counted.
 */
export async function recentReports(db: Db, person: number): Promise<{ count: number; ids: number[] }> {
  const own = sql`from report where owner = ${person} and deleted_at is null`
  const shared = sharedReports(person)
  const { rows } = await sql<{ id: number; count: number }>`
    select id, (
      select count(*) from (
        select from (select id ${own} union all select id from ${shared} shared) each limit ${OVERVIEW_COUNTED}
      ) counted) as count
    from (
      (select id, last_modified_at ${own} order by last_modified_at desc, id desc limit ${OVERVIEW_LIMIT})
      union all select id, last_modified_at from ${shared} shared
    ) latest order by last_modified_at desc, id desc limit ${OVERVIEW_LIMIT}`.execute(db)
  return { count: rows[0]?.count ?? 0, ids: rows.map(row => row.id) }
}

/** How the last run of a report ended, and when its spreadsheet was last updated. */
export interface EndedRuns {
  report: number
  run: string
  status: 'completed' | 'error'
  at: Date
  code: string | null
  rows: number | null
  partial: boolean
  restored: boolean
  updated_at: Date | null
}

/** Of reports with a run that has completed or failed. */
export async function endedRuns(db: Db, reports: readonly number[]): Promise<Map<number, EndedRuns>> {
  if (reports.length === 0) return new Map()
  const last = (status: RawBuilder<unknown>) => sql`lateral (
    select * from run where run.report = report.id and ${status} order by queued_at desc limit 1)`
  const { rows } = await sql<EndedRuns>`
    select report.id as report, run.id as run, run.status, run.finished_at as at, run.code, run.rows, run.partial,
      run.restores is not null as restored, completed.finished_at as updated_at
    from unnest(${reports}::bigint[]) report (id)
    cross join ${last(sql`status in ('completed', 'error')`)} run
    left join ${last(sql`status = 'completed'`)} completed on true`.execute(db)
  return new Map(rows.map(row => [row.report, row]))
}

/** Whether a person may use any ad account at all. */
export async function hasUsableAccount(db: Db, person: Person): Promise<boolean> {
  let accounts = db.selectFrom('ad_account').select('id').limit(1)
  if (advertiserScope[person.identity] !== 'all')
    accounts = accounts.where('advertiser', 'in', advertiserIdsOf(person))
  return (await accounts.execute()).length > 0
}

/** Whether a person has reports of their own that are set up, have run, are scheduled and shared. */
export async function stepsDone(
  db: Db,
  owner: number,
): Promise<Record<FirstStep, boolean> & { latest: number | null }> {
  const own = sql`report where report.owner = ${owner} and report.deleted_at is null`
  const { rows } = await sql<Record<FirstStep, boolean> & { latest: number | null }>`
    select exists (select from ${own}) as report,
      exists (select from ${own} and target_state = 'ok') as spreadsheet,
      exists (select from run where owner = ${owner} and status = 'completed' and finished_at is not null) as run,
      exists (select from ${own} and next_run_at is not null) as schedule,
      exists (select from report_share share where share.report in (select id from ${own})) as share,
      (select id from ${own} order by last_modified_at desc, id desc limit 1) as latest`.execute(db)
  return (
    rows[0] ?? { report: false, spreadsheet: false, run: false, schedule: false, share: false, latest: null }
  )
}
