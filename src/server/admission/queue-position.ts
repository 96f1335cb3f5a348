import { sql } from 'kysely'
import type { Forecast } from '#shared/api/executions.ts'
import type { Db } from '#server/db/connect.ts'
import { readingEveryRow } from '#server/db/reader.ts'
import { BURST_MS } from './sheets-limiter.ts'
import { beginEvery, forecastOf, type RunPace, type Standing } from './forecast.ts'
import { isClick, person } from './fair-order.ts'

/** When each of these runs will end; those that have ended are left out. */
export async function forecastRuns(db: Db, run_ids: readonly string[]): Promise<Map<string, Forecast>> {
  const found = new Map<string, Forecast>()
  if (run_ids.length === 0) return found
  // How many others wait before it is told, and nothing else of them.
  await readingEveryRow(db, async () => {
    const usual = await usualPace(db)
    for (const id of run_ids) {
      const standing = await standingOf(db, id, usual)
      if (standing) found.set(id, forecastOf(standing))
    }
  })
  return found
}

type Row = Omit<Standing, 'line' | 'pace' | 'since'> & {
  since: Date | null
  is_in_line: boolean
  line_waiting: number
  line_before: number
  first_at: Date | null
  next_at: Date | null
  per_minute: number | null
  lines: number
  own_fetch_ms: number | null
  own_write_ms: number | null
}

async function standingOf(db: Db, id: string, usual: RunPace): Promise<Standing | null> {
  const { rows } = await sql<Row>`
    with mine as (
      select *, ${person} as person, ${isClick} as is_click, status = 'queued' and started_at is null as is_new,
        status = 'queued' and line is not null and turn_at > now() as is_in_line
      from run where id = ${id} and status in ('queued', 'fetching', 'writing')
    ), others as (
      select run.id, ${person} as person, advertiser, ${isClick} as is_click, round, person_round, advertiser_round, line, turn_at,
        status = 'queued' and started_at is null as is_new, status = 'queued' and line is not null and turn_at > now() as is_in_line
      from run where status in ('queued', 'fetching', 'writing') and id <> ${id}
    ), queue as (
      select count(*) as ahead,
        count(*) filter (where others.person = mine.person) as own,
        count(*) filter (where others.advertiser = mine.advertiser) as its
      from mine join others on mine.is_new and others.is_new
        and (others.is_click, -coalesce(others.round, 0)) >= (mine.is_click, -coalesce(mine.round, 0))
        and ((others.is_click, -coalesce(others.round, 0)) > (mine.is_click, -coalesce(mine.round, 0)) or others.id < mine.id)
    ), lines as (
      select others.line, count(*) as waiting from others, mine
      where others.is_in_line and others.is_click = mine.is_click group by others.line
    ), place as (
      -- Where it will stand is known by its spreadsheet's system user; of one that nobody has written to yet, the longest line.
      select coalesce(
        mine.line,
        (select 'sheets line ' || case when mine.is_click then 'click' else 'schedule' end || ' user ' || address
          from spreadsheet_system_user join report using (spreadsheet_id) where report.id = mine.report),
        (select lines.line from lines order by waiting desc limit 1),
        (select scope from quota where scope like 'sheets line ' || case when mine.is_click then 'click' else 'schedule' end || ' user %'
          order by next_at desc limit 1)) as line
      from mine
    ), standing as (
      select others.* from others join place using (line) where others.is_in_line
    ), goes as (
      select case when mine.is_in_line then mine.round else greatest(
        coalesce((select min(standing.round) from standing), 0),
        (select max(standing.person_round) from standing where standing.person = mine.person) + queue.own,
        (select max(standing.advertiser_round) from standing where standing.advertiser = mine.advertiser) + queue.its) + 1 end as round
      from mine, queue
    )
    select now() as now, mine.status, mine.table_rows is not null as has_table, mine.resumes_at,
      (mine.timeline -> -1 ->> 'at')::timestamptz as since,
      case when mine.is_new then queue.ahead::int end as ahead,
      mine.status = 'writing' or mine.turn_at is not null and mine.line is null as is_past_line,
      mine.is_in_line,
      (select count(*)::int from standing) as line_waiting,
      (select count(*)::int from standing, goes
        where (standing.round, standing.turn_at) < (goes.round, case when mine.is_in_line then mine.turn_at else 'infinity'::timestamptz end)) as line_before,
      (select least(min(standing.turn_at), case when mine.is_in_line then mine.turn_at end) from standing) as first_at,
      quota.next_at, quota.per_minute,
      greatest(1, (select count(*)::int from lines)) as lines,
      held.until as held_until,
      own.fetch_ms as own_fetch_ms, own.write_ms as own_write_ms
    from mine cross join queue cross join place left join quota on quota.scope = place.line,
    lateral (
      select max(greatest(next_at - ahead_ms * interval '1 ms', paused_until)) as until from quota
      where greatest(next_at - ahead_ms * interval '1 ms', paused_until) > now() and exists (
        select from report_account join ad_account on ad_account.id = report_account.ad_account
        where report_account.report = mine.report
          and (scope = ad_account.provider || ' account ' || ad_account.external_id or scope like ad_account.provider || ' app %'))
    ) held,
    lateral (
      select percentile_disc(0.5) within group (order by fetch_ms) as fetch_ms, percentile_disc(0.5) within group (order by write_ms) as write_ms
      from (
        select timeline, finished_at from run
        where report = mine.report and status = 'completed' and trigger <> 'undo' and timeline <> '[]' order by queued_at desc limit 5
      ) run, ${spent}
    ) own`.execute(db)
  const [row] = rows
  if (!row) return null
  const { now, status, has_table, since, resumes_at, ahead, is_past_line, held_until } = row
  const gathered_from = new Date(now.getTime() - BURST_MS)
  return {
    now,
    status,
    has_table,
    since: since ?? now,
    resumes_at,
    ahead,
    is_past_line,
    held_until,
    line: {
      is_in_it: row.is_in_line,
      waiting: row.line_waiting,
      before: row.line_before,
      first_at: row.first_at,
      next_at: row.next_at && row.next_at > gathered_from ? row.next_at : gathered_from,
      step_ms: row.per_minute === null ? null : 60_000 / row.per_minute,
      lines: row.lines,
    },
    pace: {
      fetch_ms: row.own_fetch_ms ?? usual.fetch_ms,
      write_ms: row.own_write_ms ?? usual.write_ms,
      begin_every_ms: usual.begin_every_ms,
    },
  }
}

/**
 * What a worker spent on a run before and behind the line; waits are left out, which say how busy that
 * morning was.
 */
const spent = sql`lateral (
  select coalesce(sum(ms) filter (where phase in ('fetching', 'storing')), 0)::float8 as fetch_ms,
    coalesce(sum(ms) filter (where phase in ('writing', 'verifying')), 0)::float8 as write_ms
  from (
    select entry ->> 'phase' as phase, extract(epoch from
      coalesce(lead((entry ->> 'at')::timestamptz) over (order by position), run.finished_at) - (entry ->> 'at')::timestamptz) * 1000 as ms
    from jsonb_array_elements(run.timeline) with ordinality as each (entry, position)
  ) stretch
) spent`

/** Fewer runs of others than this say nothing. */
const FEWEST = 5

/** Of the latest runs of all reports. */
async function usualPace(db: Db): Promise<RunPace> {
  const { rows } = await sql<{
    fetch_ms: number | null
    write_ms: number | null
    work_ms: number
    known: number
    active: number
    begun: number
    within_ms: number
  }>`
    with latest as (
      -- Ids begin with the time: the latest stand at the end of the primary key.
      select percentile_disc(0.5) within group (order by fetch_ms) as fetch_ms, percentile_disc(0.5) within group (order by write_ms) as write_ms,
        coalesce(avg(fetch_ms + write_ms), 0)::float8 as work_ms, count(*)::int as known
      from (
        select timeline, finished_at from (
          select timeline, finished_at, status, trigger from run where finished_at is not null order by finished_at desc limit 100
        ) run
        where status = 'completed' and trigger <> 'undo' and timeline <> '[]'
      ) run, ${spent}
    ), span as (
      -- While runs wait, workers begin one as soon as they can: how often they did in the last three minutes says how fast that is.
      select coalesce(least(180000, extract(epoch from now() - min(queued_at)) * 1000), 0)::float8 as ms from run where status = 'queued' and started_at is null
    )
    select fetch_ms, write_ms, work_ms, known,
      (select count(*) from run where status in ('fetching', 'writing') and lease_until > now())::int as active,
      (select count(*) from run, span
        where started_at > now() - ms * interval '1 ms'
          and (status in ('fetching', 'writing', 'queued') or finished_at > now() - ms * interval '1 ms'))::int as begun,
      ms as within_ms
    from latest, span`.execute(db)
  const [row] = rows
  if (!row) throw new Error('an aggregate answers one row')
  if (row.known < FEWEST) return { fetch_ms: null, write_ms: null, begin_every_ms: null }
  return { fetch_ms: row.fetch_ms, write_ms: row.write_ms, begin_every_ms: beginEvery(row) }
}
