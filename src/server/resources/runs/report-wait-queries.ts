import { sql } from 'kysely'
import type { RunDetail } from '#shared/api/executions.ts'
import type { Db } from '#server/db/connect.ts'
import { readingEveryRow } from '#server/db/reader.ts'
import type { VisibleRun } from './history-queries.ts'
import { presentTimeline } from './present.ts'

/** Since when the run waits for reports of its platforms, and how long that usually takes; null: for none. */
export async function reportWaitOf(
  db: Db,
  run: Pick<VisibleRun, 'report' | 'status' | 'blocks'> & { timeline: unknown },
): Promise<RunDetail['report_wait']> {
  const last = run.status === 'queued' ? presentTimeline(run.timeline).at(-1) : undefined
  if (last?.phase !== 'waiting' || last.why !== 'platform') return null
  const channels = run.blocks.flatMap(({ channel, progress }) =>
    progress?.waits === 'platform' ? [channel] : [],
  )
  // The duration alone reveals nothing of the runs of others.
  const usual_ms = await readingEveryRow(db, () => usualReportWait(db, { report: run.report, channels }))
  return { since: last.at, usual_ms }
}

/** By the latest runs of the report, or else by those of others that waited with one of these channels. */
async function usualReportWait(
  db: Db,
  { report, channels }: { report: number; channels: readonly string[] },
): Promise<number | null> {
  const { rows } = await sql<{ usual_ms: number | null }>`
    with own as (
      select timeline, finished_at from run
      where report = ${report} and status = 'completed' and timeline @> ${WAITED}::jsonb
      order by queued_at desc limit 5
    ), others as (
      select timeline, finished_at from (
        select * from run where finished_at is not null order by finished_at desc limit 300
      ) latest
      where status = 'completed' and timeline @> ${WAITED}::jsonb and exists (
        select from jsonb_array_elements(blocks) block where block ->> 'channel' = any(${channels}))
    )
    select percentile_disc(0.5) within group (order by wait_ms)::float8 as usual_ms from (
      select * from own union all select * from others where not exists (select from own)
    ) run, lateral (
      select sum(ms) filter (where why = 'platform') as wait_ms from (
        select entry ->> 'why' as why, extract(epoch from
          coalesce(lead((entry ->> 'at')::timestamptz) over (order by position), finished_at) - (entry ->> 'at')::timestamptz) * 1000 as ms
        from jsonb_array_elements(run.timeline) with ordinality as each (entry, position)
      ) stretch
    ) waited`.execute(db)
  const usual = rows[0]?.usual_ms ?? null
  return usual === null ? null : Math.round(usual)
}

const WAITED = JSON.stringify([{ why: 'platform' }])
