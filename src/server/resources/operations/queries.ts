import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { idAt } from '#server/db/id-at.ts'

// Every statement reads a partial index, the end of a primary key, or a table of a few rows, so that the page
// costs nothing while thousands are due.

export interface RunCounts {
  waiting: number
  resting: number
  fetching: number
  writing: number
  oldest_wanted_at: Date | null
}

/** Runs that have not ended, by their state. */
export async function countRuns(db: Db): Promise<RunCounts> {
  const { rows } = await sql<RunCounts>`
    select
      count(*) filter (where status = 'queued' and (resumes_at is null or resumes_at <= now()))::int as waiting,
      count(*) filter (where resumes_at > now())::int as resting,
      count(*) filter (where status = 'fetching' and (resumes_at is null or resumes_at <= now()))::int as fetching,
      count(*) filter (where status = 'writing' and (resumes_at is null or resumes_at <= now()))::int as writing,
      min(coalesce(due_at, queued_at)) filter (
        where status = 'queued' and (resumes_at is null or resumes_at <= now())
      ) as oldest_wanted_at
    from run where status in ('queued', 'fetching', 'writing')`.execute(db)
  return rows[0] ?? { waiting: 0, resting: 0, fetching: 0, writing: 0, oldest_wanted_at: null }
}

export async function listWorkers(db: Db) {
  const { rows } = await sql<{ worker: string; runs: number; lease_until: Date }>`
    select worker, count(*)::int as runs, max(lease_until) as lease_until
    from run where status in ('fetching', 'writing') and lease_until > now() and worker is not null
    group by worker order by worker`.execute(db)
  return rows
}

/**
 * Of runs that have ended since: responses that they have fetched themselves, and those that other runs had
 * fetched.
 */
export async function countAnswers(db: Db, since: Date) {
  const queuedSince = new Date(since.getTime() - LONGEST_RUN_MS)
  const { rows } = await sql<{ asked: number; shared: number }>`
    select coalesce(sum(answers_requested), 0)::int as asked, coalesce(sum(answers_shared), 0)::int as shared
    from run where id >= ${idAt(queuedSince)}::uuid and finished_at >= ${since}`.execute(db)
  return rows[0] ?? { asked: 0, shared: 0 }
}

interface Ended {
  completed: number
  error: number
  cancelled: number
  waited_p50: number | null
  waited_p95: number | null
  took_p50: number | null
  took_p95: number | null
}

/**
 * Runs that have ended since, among those that were requested at most six hours earlier: the longest that a
 * run may take.
 */
export async function summariseEnded(db: Db, since: Date): Promise<Ended> {
  const queuedSince = new Date(since.getTime() - LONGEST_RUN_MS)
  const { rows } = await sql<Ended>`
    with ended as (
      select status,
        extract(epoch from started_at - coalesce(due_at, queued_at)) * 1000 as waited,
        extract(epoch from finished_at - started_at) * 1000 as took
      from run where id >= ${idAt(queuedSince)}::uuid and finished_at >= ${since}
    )
    select
      count(*) filter (where status = 'completed')::int as completed,
      count(*) filter (where status = 'error')::int as error,
      count(*) filter (where status = 'cancelled')::int as cancelled,
      percentile_disc(0.5) within group (order by greatest(waited, 0)) as waited_p50,
      percentile_disc(0.95) within group (order by greatest(waited, 0)) as waited_p95,
      percentile_disc(0.5) within group (order by took) as took_p50,
      percentile_disc(0.95) within group (order by took) as took_p95
    from ended`.execute(db)
  return rows[0] ?? NOTHING_ENDED
}

const LONGEST_RUN_MS = 6 * 3600_000
const NOTHING_ENDED: Ended = {
  completed: 0,
  error: 0,
  cancelled: 0,
  waited_p50: null,
  waited_p95: null,
  took_p50: null,
  took_p95: null,
}

export async function listFailures(db: Db, since: Date) {
  const queuedSince = new Date(since.getTime() - LONGEST_RUN_MS)
  const { rows } = await sql<{ code: string; runs: number; reports: number; last_at: Date }>`
    select code, count(*)::int as runs, count(distinct report)::int as reports, max(finished_at) as last_at
    from run
    where id >= ${idAt(queuedSince)}::uuid and finished_at >= ${since} and status = 'error' and code is not null
    group by code order by runs desc, code`.execute(db)
  return rows
}

interface SystemUserLoad {
  address: string
  spreadsheets: number
  writes: number
  reads: number
  project_writes: number
  project_reads: number
  waiting: number
}

/** The load of system users: of the configured ones, and of those that spreadsheets are still assigned to. */
export async function measureSystemUsers(
  db: Db,
  configured: readonly { address: string; project: string }[],
): Promise<SystemUserLoad[]> {
  const { rows } = await sql<SystemUserLoad>`
    with known as (
      select address, count(*)::int as spreadsheets from spreadsheet_system_user group by address
    ), used as (
      select scope, (select count(*) from unnest(permits) as permit where permit > clock_timestamp() - interval '60 s')::int as requests
      from quota where scope like 'sheets write %' or scope like 'sheets read %'
    ), waitlists as (
      select waitlist, count(*)::int as runs from run where waitlist is not null and status = 'queued' group by waitlist
    )
    select address, coalesce(known.spreadsheets, 0) as spreadsheets,
      coalesce((select requests from used where scope = 'sheets write user ' || address), 0) as writes,
      coalesce((select requests from used where scope = 'sheets read user ' || address), 0) as reads,
      coalesce((select requests from used where scope = 'sheets write project ' || project), 0) as project_writes,
      coalesce((select requests from used where scope = 'sheets read project ' || project), 0) as project_reads,
      coalesce((
        select sum(runs) from waitlists where waitlist in ('sheets waitlist click user ' || address, 'sheets waitlist schedule user ' || address)
      ), 0)::int as waiting
    from unnest(
      ${configured.map(({ address }) => address)}::text[], ${configured.map(({ project }) => project)}::text[]
    ) with ordinality as configured (address, project, position)
      full join known using (address)
    order by position nulls last, address`.execute(db)
  return rows
}

export async function countComing(db: Db, until: Date) {
  const { rows } = await sql<{ at: Date; runs: number }>`
    select to_timestamp(floor(extract(epoch from next_run_at) / 900) * 900) as at, count(*)::int as runs
    from report where next_run_at <= ${until} and deleted_at is null
    group by 1 order by 1`.execute(db)
  return rows
}

export async function measureDatabase(db: Db) {
  const { rows } = await sql<{ bytes: number; sessions: number }>`
    select pg_database_size(current_database())::float8 as bytes,
      (select count(*)::int from pg_stat_activity where datname = current_database()) as sessions`.execute(db)
  return rows[0] ?? { bytes: 0, sessions: 0 }
}
