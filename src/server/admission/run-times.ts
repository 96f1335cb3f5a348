import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'

/** By the latest runs, in milliseconds; null: there are too few. */
export interface RunTimes {
  fetch_ms: number | null
  write_ms: number | null
  /** From the start of one run to the start of the next, while runs wait for workers. */
  begin_every_ms: number | null
}

/** With fewer runs of others there is no estimate. */
const FEWEST = 5

/** Of the latest runs of all reports. */
export async function usualTimes(db: Db): Promise<RunTimes> {
  const { rows } = await sql<{
    fetch_ms: number | null
    write_ms: number | null
    work_ms: number
    known: number
    active: number
    started: number
    within_ms: number
  }>`
    with latest as (
      select percentile_disc(0.5) within group (order by fetch_ms) as fetch_ms,
        percentile_disc(0.5) within group (order by write_ms) as write_ms,
        coalesce(avg(fetch_ms + write_ms), 0)::float8 as work_ms, count(*)::int as known
      from (
        select timeline, finished_at from (
          select timeline, finished_at, status, trigger from run where finished_at is not null order by finished_at desc limit 100
        ) run
        where status = 'completed' and trigger <> 'undo' and timeline <> '[]'
      ) run, ${workOfRun}
    ), span as (
      -- While runs wait, workers begin one as soon as they can: the rate of the last three minutes is the throughput.
      select coalesce(least(180000, extract(epoch from now() - min(queued_at)) * 1000), 0)::float8 as ms from run where status = 'queued' and started_at is null
    )
    select fetch_ms, write_ms, work_ms, known,
      (select count(*) from run where status in ('fetching', 'writing') and lease_until > now())::int as active,
      (select count(*) from run, span
        where started_at > now() - ms * interval '1 ms'
          and (status in ('fetching', 'writing', 'queued') or finished_at > now() - ms * interval '1 ms'))::int as started,
      ms as within_ms
    from latest, span`.execute(db)
  const [row] = rows
  if (!row) throw new Error('an aggregate returns one row')
  if (row.known < FEWEST) return { fetch_ms: null, write_ms: null, begin_every_ms: null }
  return { fetch_ms: row.fetch_ms, write_ms: row.write_ms, begin_every_ms: beginEvery(row) }
}

/**
 * The time a worker spent on a `run` before and after the waitlist, to be joined with it; waits are left out,
 * since they depend on how busy the system was.
 */
export const workOfRun = sql`lateral (
  select coalesce(sum(ms) filter (where phase in ('fetching', 'storing')), 0)::float8 as fetch_ms,
    coalesce(sum(ms) filter (where phase in ('writing', 'verifying')), 0)::float8 as write_ms
  from (
    select entry ->> 'phase' as phase, extract(epoch from
      coalesce(lead((entry ->> 'at')::timestamptz) over (order by position), run.finished_at) - (entry ->> 'at')::timestamptz) * 1000 as ms
    from jsonb_array_elements(run.timeline) with ordinality as each (entry, position)
  ) stretch
) work_of_run`

interface Throughput {
  started: number
  within_ms: number
  active: number
  work_ms: number
}

/**
 * From the start of one run to the next, while runs wait for workers: as measured lately, once enough have
 * begun; until then as it follows from the number of workers and the duration of a run.
 */
export const beginEvery = ({ started, within_ms, active, work_ms }: Throughput): number =>
  started >= ENOUGH && within_ms >= 5000 ? within_ms / started : work_ms / Math.max(1, active)

/** Fewer vary too much. */
const ENOUGH = 30
