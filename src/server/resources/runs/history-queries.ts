import { sql, type RawBuilder } from 'kysely'
import { chunked } from '#shared/chunked.ts'
import { isInternal, type Person } from '#shared/access.ts'
import type { RunQuery } from '#shared/api/executions.ts'
import type { Db } from '#server/db/connect.ts'
import { personName } from '#server/db/person-name.ts'
import { advertiserIdsOf, visiblePeople } from '#server/resources/people/queries.ts'

/**
 * The columns of a run in lists. The rest (its plan, its table's columns) may be large, and is not read for
 * lists.
 */
const columns = [
  'run.id',
  'run.report',
  'run.trigger',
  'run.status',
  'run.attempt',
  'run.due_at',
  'run.queued_at',
  'run.started_at',
  'run.finished_at',
  'run.resumes_at',
  'run.range_start',
  'run.range_end',
  'run.rows',
  'run.columns',
  'run.platform_requests',
  'run.spreadsheet_requests',
  'run.code',
  'run.blocks',
  'run.partial',
  'run.notes',
  'run.restores',
  'run.written',
] as const

/** The columns for the page of a single run only. */
const detailed = [
  'run.timeline',
  'run.platform_calls',
  'run.quota_wait_ms',
  'run.answers_shared',
  'run.shared_from',
] as const

/** A report's runs, as one person may see them. */
const runsOf = (db: Db, report_id: number, viewer: Person) =>
  db
    .selectFrom('run')
    .leftJoin('run as origin', 'origin.id', 'run.restores')
    .where('run.report', '=', report_id)
    .where(isVisibleTo(viewer))
    .select(columns)
    .select(detailFor(viewer).as('detail'))
    .select('origin.finished_at as restored_at')
    .select(eb => eb.fn.coalesce('run.restores', 'run.id').as('table_of'))
    .select(
      sql<boolean>`exists (select from run_chunk where run_chunk.run = coalesce(run.restores, run.id))`.as(
        'has_table',
      ),
    )
    .select(
      // Clients do not see the names of people of other clients, not even of one who runs a report that both
      // see.
      sql<string | null>`(
        select ${personName('people')}
        from (${visiblePeople(db, viewer).select(['users.id', 'users.full_name', 'users.username'])}) people
        where people.id = run.requested_by
      )`.as('requested_by_name'),
    )

/**
 * A report may have been about another client's accounts before, and a run shows the accounts that it
 * fetched. So a client sees the runs that were made with their own access, and of the others those whose
 * accounts are all theirs. A plan that does not say its accounts is hidden from clients. Earlier
 * versions saved the requests as `questions`; a block may have values of accounts that it did not fetch, kept
 * from the previous table.
 */
const isVisibleTo = (viewer: Person) =>
  isInternal(viewer)
    ? sql<boolean>`true`
    : sql<boolean>`(run.owner = ${viewer.id} or run.plan is null or (
        coalesce(run.plan #> '{plan,requests}', run.plan #> '{plan,questions}') is not null
        and not exists (
          select from (
            select request #>> '{account,id}' as account
            from jsonb_path_query(coalesce(run.plan #> '{plan,requests}', run.plan #> '{plan,questions}'), '$[*]') request
            union all
            select account #>> '{}' from jsonb_path_query(run.plan, '$.plan.blocks[*].accounts[*]') account
          ) planned
          where (planned.account::bigint in (
            select ad_account.id from ad_account where ad_account.advertiser in ${advertiserIdsOf(viewer)}
          )) is not true)))`

/** The failure. Which report's table was in the way, and where, is for people who see that report. */
const detailFor = ({ id, identity }: Person) => sql<Record<string, unknown> | null>`
  case when run.detail -> 'report_id' is null or ${identity === 'superuser'} or exists (
    select from report other left join report_share share on share.report = other.id and share.user_id = ${id}
    where other.id = (run.detail ->> 'report_id')::bigint and other.deleted_at is null
      and (other.owner = ${id} or share.report is not null)
  ) then run.detail else run.detail - array['report_id', 'name', 'range'] end`

export type VisibleRun = Awaited<ReturnType<typeof tablesBefore>>[number]

export type Filter = Pick<RunQuery, 'outcome' | 'trigger' | 'ordering'> & { report: number }

/** One page of a report's runs, by when they began to wait. */
export async function listRuns(
  db: Db,
  viewer: Person,
  filter: Filter & { limit: number; offset: number },
): Promise<{ count: number; runs: VisibleRun[] }> {
  const { count } = await db
    .selectFrom('run')
    .where('run.report', '=', filter.report)
    .where(isVisibleTo(viewer))
    .where(matches(filter))
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const direction = directionOf(filter)
  const runs = await runsOf(db, filter.report, viewer)
    .where(matches(filter))
    .orderBy('run.queued_at', direction)
    .orderBy('run.id', direction)
    .limit(filter.limit)
    .offset(filter.offset)
    .execute()
  return { count: Number(count), runs }
}

/** All of them, batch by batch. Only their ids are kept: runs that begin meanwhile shift no row. */
export async function* allRuns(db: Db, viewer: Person, filter: Filter): AsyncGenerator<VisibleRun[]> {
  const direction = directionOf(filter)
  const found = await db
    .selectFrom('run')
    .select('run.id')
    .where('run.report', '=', filter.report)
    .where(isVisibleTo(viewer))
    .where(matches(filter))
    .orderBy('run.queued_at', direction)
    .orderBy('run.id', direction)
    .execute()
  const ids = found.map(({ id }) => id)
  for (const some of chunked(ids, BATCH)) {
    const runs = await runsOf(db, filter.report, viewer).where('run.id', 'in', some).execute()
    const by_id = new Map(runs.map(run => [run.id, run]))
    yield some.flatMap(id => by_id.get(id) ?? [])
  }
}

const BATCH = 500

const directionOf = ({ ordering }: Pick<Filter, 'ordering'>) => (ordering === 'queued_at' ? 'asc' : 'desc')

const matches = ({ outcome, trigger }: Filter) =>
  sql<boolean>`${outcome ? outcomes[outcome] : sql`true`} and ${trigger ? sql`run.trigger = ${trigger}` : sql`true`}`

const outcomes: Record<NonNullable<Filter['outcome']>, RawBuilder<unknown>> = {
  completed: sql`(run.status = 'completed' and not run.partial)`,
  partial: sql`(run.status = 'completed' and run.partial)`,
  error: sql`run.status = 'error'`,
  cancelled: sql`run.status = 'cancelled'`,
  pending: sql`run.status in ('queued', 'fetching', 'writing')`,
}

export async function findRun(db: Db, viewer: Person, { report, run }: { report: number; run: string }) {
  const found = await runsOf(db, report, viewer).select(detailed).where('run.id', '=', run).executeTakeFirst()
  return found ?? null
}

/** The tables that the report wrote before, the newest first; as many as a restore could reach. */
export async function tablesBefore(
  db: Db,
  viewer: Person,
  { report, finished_at }: { report: number; finished_at: Date },
) {
  return await runsOf(db, report, viewer)
    .where('run.status', '=', 'completed')
    .where('run.written', 'is not', null)
    .where('run.finished_at', '<', finished_at)
    .orderBy('run.finished_at', 'desc')
    .limit(RESTORE_REACHES)
    .execute()
}

/** Runs that are searched for an older table: all that are kept, and restores between them. */
const RESTORE_REACHES = 20
