import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { plannedOnce } from '#server/db/planned-once.ts'
import type { ClaimedRun } from './waitlist.ts'

/**
 * The order of waiting runs: a fair queue by rounds. In each round every person and every advertiser has one
 * run: the second run of a person, or for an advertiser, goes in the round after its first one. So neither a
 * person with a thousand reports nor an advertiser with a thousand reports of many people holds the rest up.
 * Newcomers begin in the round after the one that is now at the head, so that people with many waiting runs
 * make progress too, however many others arrive. A manual run counts for the person who requested it, a
 * scheduled run for its report's owner.
 */

/**
 * Assigns rounds to runs that wait for their first worker. Returns every run's round; 0: it has begun before.
 * Of what waits already it reads, each by an index, the head of the queue, the last round of each person
 * concerned, and the runs of the advertisers concerned.
 */
export async function assignRounds(db: Db, runIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; round: number }>`${plannedOnce}
    with requested as (
      select id, report, ${person} as person, ${byClick} as is_click,
        case when started_at is null then round else 0 end as round
      from run where id = any(${runIds}::uuid[])
    ), advertisers as (
      select distinct on (requested.id) requested.id, ad_account.advertiser
      from requested
        join report_account on report_account.report = requested.report
        join ad_account on ad_account.id = report_account.ad_account
      where requested.round is null and ad_account.advertiser is not null
      group by requested.id, ad_account.advertiser
      order by requested.id, count(*) desc, ad_account.advertiser
    ), by_person as (
      select requested.id, is_click, advertisers.advertiser, head.round as head,
        coalesce(greatest(head.round, of_people.last), 0) + row_number() over (partition by is_click, person order by requested.id) as person_round
      from requested
        left join advertisers using (id)
        left join (
          select is_click, (select min(round) from run where ${unstartedWith('round')} and ${byClick} = is_click) as round
          from (values (true), (false)) as triggers (is_click)
        ) head using (is_click)
        left join (
          select is_click, person, (
            select max(person_round) from run where ${unstartedWith('person_round')} and ${byClick} = is_click and ${person} = newcomer.person
          ) as last
          from (select distinct is_click, person from requested where round is null) as newcomer
        ) of_people using (is_click, person)
      where requested.round is null
    ), beside as (
      select id, sum(runs) over (partition by is_click, advertiser order by person_round) as ahead
      from (
        select null::uuid as id, is_click, advertiser, waiting.person_round, runs
        from (select distinct is_click, advertiser from by_person where advertiser is not null) as newcomer, lateral (
          select person_round, count(*) as runs from run
          where ${unstartedWith('advertiser_round')} and ${byClick} = newcomer.is_click and run.advertiser = newcomer.advertiser
          group by person_round
        ) as waiting
        union all select id, is_click, advertiser, person_round, 0 from by_person
      ) as one
    ), by_both as (
      -- Within an advertiser people alternate: ahead of a run are those whose person has had no more runs by then.
      select id, advertiser, person_round, case when advertiser is not null then coalesce(head, 0) + ahead
        + row_number() over (partition by is_click, advertiser order by person_round, id) end as advertiser_round
      from by_person join beside using (id)
    ), assigned as (
      update run set advertiser = by_both.advertiser, person_round = by_both.person_round, advertiser_round = by_both.advertiser_round,
        round = greatest(by_both.person_round, by_both.advertiser_round)
      from by_both where run.id = by_both.id
      returning run.id, run.round
    )
    select id, round from assigned union all select id, round from requested where round is not null`.execute(
    db,
  )
  return new Map(rows.map(({ id, round }) => [id, round]))
}

/** The run is in a waitlist from now on, until `waitlist_until`. */
export async function joinWaitlist(
  db: Db,
  run: Pick<ClaimedRun, 'id' | 'attempt'>,
  { waitlist, wait_ms }: { waitlist: string; wait_ms: number },
): Promise<void> {
  await sql`
    with mine as (select ${person} as person, advertiser from run where id = ${run.id}),
    waiting as (
      select ${person} as person, advertiser, person_round, advertiser_round, round from run
      where waitlist = ${waitlist} and status = 'queued' and waitlist_until > now() and id <> ${run.id}
    ), behind as (
      select coalesce(min(waiting.round), 0) as head,
        greatest(coalesce(min(waiting.round), 0), max(waiting.person_round) filter (where waiting.person = mine.person)) + 1 as person_round
      from mine left join waiting on true
    ), rounds as (
      select behind.person_round, case when mine.advertiser is not null then head + 1 + (
        select count(*) from waiting where waiting.advertiser = mine.advertiser and waiting.person_round <= behind.person_round
      ) end as advertiser_round
      from behind, mine
    )
    update run set waitlist = ${waitlist}, waitlist_until = now() + ${wait_ms} * interval '1 ms', person_round = rounds.person_round,
      advertiser_round = rounds.advertiser_round, round = greatest(rounds.person_round, rounds.advertiser_round)
    from rounds where run.id = ${run.id} and attempt = ${run.attempt}`.execute(db)
}

/**
 * The run's position in a waitlist has been reached. If another run of the same waitlist, which joined later,
 * is in an earlier round, these two swap positions: returns which run goes now, and when this one may. null:
 * this one goes, and has left the waitlist.
 */
export async function swapPositions(
  db: Db,
  run: Pick<ClaimedRun, 'id' | 'attempt' | 'waitlist' | 'round'>,
): Promise<{ first: string; wait_ms: number } | null> {
  const { rows } = await sql<{ first: string; wait_ms: number }>`
    with other as (
      select id, waitlist_until from run
      where waitlist = ${run.waitlist} and status = 'queued' and waitlist_until > now() and round < ${run.round} and id <> ${run.id}
      order by round, waitlist_until limit 1 for update skip locked
    ), first as (
      update run set waitlist_until = now(), resumes_at = now() from other where run.id = other.id
    ), mine as (
      update run set
        waitlist = case when exists (select from other) then waitlist end,
        waitlist_until = coalesce((select waitlist_until from other), waitlist_until)
      where id = ${run.id} and attempt = ${run.attempt}
    )
    select id as first, extract(epoch from waitlist_until - now())::float8 * 1000 as wait_ms from other`.execute(
    db,
  )
  return rows[0] ?? null
}

/** The conditions of the indexes run_head, run_of_person and run_of_advertiser. */
const unstartedWith = (round: 'round' | 'person_round' | 'advertiser_round') =>
  sql`coalesce(status = 'queued' and started_at is null and run.${sql.ref(round)} is not null, false)`
/** Whether any run waits for the quota. */
export const byClick: RawBuilder<boolean> = sql`(trigger <> 'schedule')`
/** The person it counts for. */
export const person: RawBuilder<number> = sql`(case when trigger = 'schedule' then owner else coalesce(requested_by, owner) end)`
