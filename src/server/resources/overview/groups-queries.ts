import { sql, type RawBuilder } from 'kysely'
import { teamScope, type Person } from '#shared/access.ts'
import { GROUP_SPEND_DAYS, type Grouping } from '#shared/api/overview-groups.ts'
import type { Db } from '#server/db/connect.ts'
import { advertiserIdsOf } from '#server/resources/people/queries.ts'
import { isEndingOrHasEnded, hasAnyGap } from '#server/resources/reports/list-queries.ts'
import { hasRun, isLast, type Bounds } from './queries.ts'

export interface GroupCounts {
  /** A department or an advertiser; null: none. */
  id: number | null
  reports: number
  ran_today: number
  failed: number
  ending: number
  attention: number
}

interface GroupRequest {
  by: Grouping
  person: Person
  now: Date
  /** Failures since then count. */
  since: Date
  today: Bounds
}

/**
 * Counts the reports of each team or client. Failures and runs are found by their owners' index, so that the
 * runs of months are not read; a report of several clients counts for each of them.
 */
export async function countGroups(
  db: Db,
  { by, person, now, since, today }: GroupRequest,
): Promise<GroupCounts[]> {
  const { rows } = await sql<GroupCounts>`
    with counted as materialized (
      select report.id, owner.department,
        ${isEndingOrHasEnded(now)} as is_ending, ${hasAnyGap} as has_gap
      from report join users owner on owner.id = report.owner
      where report.deleted_at is null and ${ownersOf(person, by)}
    ), failed as materialized (
      select distinct run.report from users owner join run on run.owner = owner.id
      where run.status = 'error' and run.finished_at >= ${since} and ${hasRun} and ${isLast}
        and ${ownersOf(person, by)}
    ), ran as materialized (
      select run.report, count(*) as runs from users owner join run on run.owner = owner.id
      where run.status in ('completed', 'error') and run.finished_at >= ${today.from} and run.finished_at < ${today.to}
        and ${ownersOf(person, by)}
      group by run.report
    )
    select keyed.id, count(*)::integer as reports, coalesce(sum(ran.runs), 0)::integer as ran_today,
      count(failed.report)::integer as failed,
      count(*) filter (where counted.is_ending)::integer as ending,
      count(*) filter (where counted.is_ending or counted.has_gap or failed.report is not null)::integer as attention
    from counted
      join ${keys[by](person)} keyed on keyed.report = counted.id
      left join failed on failed.report = counted.id
      left join ran on ran.report = counted.id
    group by keyed.id`.execute(db)
  return rows
}

/** For a manager those of the own department, and by client also those of the clients themselves. */
function ownersOf(person: Person, by: Grouping): RawBuilder<unknown> {
  if (teamScope[person.identity] === 'all') return sql`true`
  const colleagues = sql`owner.department = ${person.department} and owner.identity <> 'external_user'`
  return by === 'team' ? sql`(${colleagues})` : sql`(${colleagues} or owner.identity = 'external_user')`
}

/** Of which team or clients a report is. */
const keys: Record<Grouping, (person: Person) => RawBuilder<unknown>> = {
  team: () => sql`(select id as report, department::bigint as id from counted)`,
  client: person => sql`(
    select distinct counted.id as report, account.advertiser as id
    from counted left join report_account used on used.report = counted.id
      left join ad_account account on account.id = used.ad_account
    ${teamScope[person.identity] === 'all' ? sql`` : sql`where account.advertiser in ${advertiserIdsOf(person)}`})`,
}

export interface GroupSpend {
  id: number | null
  currency: string
  cost: number
}

/** What the accounts of each client cost up to yesterday, or those of the clients whom a team serves. */
export async function spendOfGroups(
  db: Db,
  { by, person, yesterday }: { by: Grouping; person: Person; yesterday: string },
): Promise<GroupSpend[]> {
  const isAll = teamScope[person.identity] === 'all'
  const scope = isAll ? sql`true` : sql`account.advertiser in ${advertiserIdsOf(person)}`
  const teams = sql`join (
    select distinct membership.advertiser, member.department::bigint as id
    from advertiser_member membership join users member on member.id = membership.user_id
    where member.identity <> 'external_user' and member.department is not null
      ${isAll ? sql`` : sql`and member.department = ${person.department}`}
  ) team on team.advertiser = account.advertiser`
  const { rows } = await sql<GroupSpend>`
    select ${by === 'team' ? sql`team.id` : sql`account.advertiser`} as id, account.currency,
      sum(spent.cost)::float8 as cost
    from ad_account account join spend_day spent on spent.ad_account = account.id
      ${by === 'team' ? teams : sql``}
    where ${scope} and spent.day > ${yesterday}::date - ${GROUP_SPEND_DAYS}::integer and spent.day <= ${yesterday}
    group by 1, 2`.execute(db)
  return rows
}

/** The names of advertisers. */
export async function advertiserNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('advertiser').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
