import { sql } from 'kysely'
import type { Forecast, WaitReason } from '#shared/api/executions.ts'
import type { Db } from '#server/db/connect.ts'
import { readingEveryRow } from '#server/db/reader.ts'
import { byClick, person } from './fair-order.ts'
import { forecastOf } from './forecast.ts'
import { usualTimes, workOfRun, type RunTimes } from './run-times.ts'
import { BURST_MS } from './sheets-limiter.ts'
import type { QueuePosition } from './why-waiting.ts'

/** When each of these runs will end; those that have ended are left out. */
export async function forecastRuns(db: Db, runIds: readonly string[]): Promise<Map<string, Forecast>> {
  const forecasts = new Map<string, Forecast>()
  if (runIds.length === 0) return forecasts
  // Of other people's runs it only says how many wait before it.
  await readingEveryRow(db, async () => {
    const usual = await usualTimes(db)
    for (const id of runIds) {
      const position = await positionOf(db, id, usual)
      if (position) forecasts.set(id, forecastOf(position))
    }
  })
  return forecasts
}

type Row = Omit<QueuePosition, 'waitlist' | 'times' | 'since'> & {
  since: Date | null
  why: WaitReason | null
  is_in_waitlist: boolean
  waiting: number
  before: number
  first_at: Date | null
  next_at: Date | null
  per_minute: number | null
  waitlists: number
  own_fetch_ms: number | null
  own_write_ms: number | null
}

async function positionOf(db: Db, id: string, usual: RunTimes): Promise<QueuePosition | null> {
  const { rows } = await sql<Row>`
    with mine as (${runsUnderWay} and id = ${id}),
      others as (${runsUnderWay} and id <> ${id}),
      queue as (${queueAhead}),
      waitlists as (${waitlistLengths}),
      my_waitlist as (${waitlistOfMine}),
      waiting as (select others.* from others join my_waitlist using (waitlist) where others.is_in_waitlist),
      my_round as (${roundOfMine})
    select now() as now, mine.status, mine.why, mine.table_rows is not null as has_table, mine.resumes_at, mine.since,
      case when mine.is_new then queue.ahead::int end as ahead,
      mine.status = 'writing' or mine.waitlist_until is not null and mine.waitlist is null as is_past_waitlist,
      mine.is_in_waitlist,
      (select count(*)::int from waiting) as waiting,
      (select count(*)::int from waiting, my_round where (waiting.round, waiting.waitlist_until) < (my_round.round, my_round.waitlist_until)) as before,
      (select least(min(waiting.waitlist_until), case when mine.is_in_waitlist then mine.waitlist_until end) from waiting) as first_at,
      quota.next_at, quota.per_minute,
      greatest(1, (select count(*)::int from waitlists)) as waitlists,
      pause.until as paused_until,
      own.fetch_ms as own_fetch_ms, own.write_ms as own_write_ms
    from mine cross join queue cross join my_waitlist left join quota on quota.scope = my_waitlist.waitlist,
      ${pauseOfMine}, ${ownTimes}`.execute(db)
  return rows[0] ? fromRow(rows[0], usual) : null
}

// Each of these is one step of the statement, which reads the ones before it.

const runsUnderWay = sql`
  select id, report, status, table_rows, resumes_at, advertiser, round, person_round, advertiser_round, waitlist, waitlist_until,
    ${person} as person, ${byClick} as is_click,
    (timeline -> -1 ->> 'at')::timestamptz as since,
    timeline -> -1 ->> 'why' as why,
    status = 'queued' and started_at is null as is_new,
    status = 'queued' and waitlist is not null and waitlist_until > now() as is_in_waitlist
  from run where status in ('queued', 'fetching', 'writing')`

/** Runs that workers claim before this one: of all, of the same person, for the same advertiser. */
const queueAhead = sql`
  select count(*) as ahead,
    count(*) filter (where others.person = mine.person) as of_person,
    count(*) filter (where others.advertiser = mine.advertiser) as of_advertiser
  from mine join others on mine.is_new and others.is_new
    and (others.is_click, -coalesce(others.round, 0)) >= (mine.is_click, -coalesce(mine.round, 0))
    and ((others.is_click, -coalesce(others.round, 0)) > (mine.is_click, -coalesce(mine.round, 0)) or others.id < mine.id)`

const waitlistLengths = sql`
  select others.waitlist, count(*) as waiting from others, mine
  where others.is_in_waitlist and others.is_click = mine.is_click group by others.waitlist`

/**
 * The waitlist that this run is in, or will be in, by its spreadsheet's system user; for a spreadsheet that
 * was never written to, the longest waitlist, else the one used last.
 */
const waitlistOfMine = sql`
  select coalesce(
    mine.waitlist,
    (select 'sheets waitlist ' || kind.name || ' user ' || address
      from spreadsheet_system_user join report using (spreadsheet_id) where report.id = mine.report),
    (select waitlists.waitlist from waitlists order by waiting desc limit 1),
    (select scope from quota where scope like 'sheets waitlist ' || kind.name || ' user %' order by next_at desc limit 1)) as waitlist
  from mine, lateral (select case when mine.is_click then 'click' else 'schedule' end as name) kind`

/** Its round there, and since when; it will join behind all others of that round. */
const roundOfMine = sql`
  select case when mine.is_in_waitlist then mine.round else greatest(
      coalesce((select min(waiting.round) from waiting), 0),
      (select max(waiting.person_round) from waiting where waiting.person = mine.person) + queue.of_person,
      (select max(waiting.advertiser_round) from waiting where waiting.advertiser = mine.advertiser) + queue.of_advertiser) + 1 end as round,
    case when mine.is_in_waitlist then mine.waitlist_until else 'infinity'::timestamptz end as waitlist_until
  from mine, queue`

/** The longest pause of a quota that it will send requests under. */
const pauseOfMine = sql`lateral (
  select max(greatest(next_at - ahead_ms * interval '1 ms', paused_until)) as until from quota
  where greatest(next_at - ahead_ms * interval '1 ms', paused_until) > now() and exists (
    select from report_account join ad_account on ad_account.id = report_account.ad_account
    where report_account.report = mine.report
      and (scope = ad_account.provider || ' account ' || ad_account.external_id or scope like ad_account.provider || ' app %'))
) pause`

/** How long the report's own latest runs took. */
const ownTimes = sql`lateral (
  select percentile_disc(0.5) within group (order by fetch_ms) as fetch_ms,
    percentile_disc(0.5) within group (order by write_ms) as write_ms
  from (
    select timeline, finished_at from run
    where report = mine.report and status = 'completed' and trigger <> 'undo' and timeline <> '[]' order by queued_at desc limit 5
  ) run, ${workOfRun}
) own`

function fromRow(row: Row, usual: RunTimes): QueuePosition {
  const { now, status, why, has_table, resumes_at, ahead, is_past_waitlist, paused_until } = row
  const { waiting, before, first_at, next_at, per_minute, waitlists } = row
  const gatheredFrom = new Date(now.getTime() - BURST_MS)
  return {
    now,
    status,
    why,
    has_table,
    since: row.since ?? now,
    resumes_at,
    ahead,
    is_past_waitlist,
    paused_until,
    waitlist: {
      is_in_it: row.is_in_waitlist,
      waiting,
      before,
      first_at,
      next_at: next_at && next_at > gatheredFrom ? next_at : gatheredFrom,
      step_ms: per_minute === null ? null : 60_000 / per_minute,
      waitlists,
    },
    times: {
      fetch_ms: row.own_fetch_ms ?? usual.fetch_ms,
      write_ms: row.own_write_ms ?? usual.write_ms,
      begin_every_ms: usual.begin_every_ms,
    },
  }
}
