import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { insertReport } from '#server/resources/runs/testing/reports.ts'

/** A person's run for an advertiser, requested at a tick. */
export interface RequestedRun {
  person: number
  advertiser: number
  at: number
}

/**
 * How long each waits, in ticks, beside its fair share. That is one run in as many as there are people, or
 * advertisers, waiting at the same time, for it and for each earlier one of the same person, or for the same
 * advertiser.
 */
export function sharesOf(runs: readonly RequestedRun[], ends: readonly number[], per_tick: number) {
  const spans = runs.map((run, index) => ({ ...run, index, end: ends[index] ?? 0 }))
  const parties: number[] = []
  for (let tick = 0; tick <= Math.max(...ends); tick++) {
    const waiting = spans.filter(({ at, end }) => at <= tick && tick <= end)
    const people = new Set(waiting.map(({ person }) => person)).size
    parties.push(Math.max(people, new Set(waiting.map(({ advertiser }) => advertiser)).size))
  }
  return spans.map(({ person, advertiser, at, end, index }) => {
    const ahead = spans.filter(
      other => (other.at < at || (other.at === at && other.index < index)) && other.end >= at,
    )
    const own = ahead.filter(other => other.person === person).length
    const its = ahead.filter(other => other.advertiser === advertiser).length
    const fair = ((1 + Math.max(own, its)) * Math.max(...parties.slice(at, end + 1))) / per_tick
    return { wait: end - at, fair }
  })
}

/** People and advertisers with an account each, and reports for all runs. */
export async function insertReportsFor(db: Db, runs: readonly RequestedRun[]): Promise<RunTarget[]> {
  const people = await inOrder(
    Math.max(...runs.map(({ person }) => person)) + 1,
    async () => (await insertReport(db)).owner,
  )
  const advertisers = await inOrder(Math.max(...runs.map(({ advertiser }) => advertiser)) + 1, () =>
    insertAdvertiser(db),
  )
  const targets = runs.map(({ person, advertiser }) => ({
    owner: people[person] ?? 0,
    account: advertisers[advertiser]?.account ?? 0,
  }))
  const { rows } = await sql<{ id: number }>`
    insert into report (owner, name, timezone, header_language, arrangement, fill_zero, dimensions, channels, dynamic_range, update_frequency)
    select owner, 'Report', 'Asia/Taipei', 'en', 'joined', false, '["date"]', '[]', 1, 0
    from unnest(${targets.map(({ owner }) => owner)}::bigint[]) with ordinality as each (owner, position) order by position
    returning id`.execute(db)
  const reports = rows.map(({ id }) => id)
  await sql`
    insert into report_account (report, block, ad_account)
    select report, 0, account from unnest(${reports}::bigint[], ${targets.map(({ account }) => account)}::bigint[]) as each (report, account)`.execute(
    db,
  )
  return targets.map(({ owner }, index) => ({ report: reports[index] ?? 0, owner }))
}

export interface RunTarget {
  report: number
  owner: number
}

async function insertAdvertiser(db: Db) {
  const name = crypto.randomUUID()
  const { id: advertiser } = await db
    .insertInto('advertiser')
    .values({ name })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: account } = await db
    .insertInto('ad_account')
    .values({
      channel: 'fb',
      provider: 'meta',
      external_id: name,
      name,
      currency: 'TWD',
      timezone: 'Asia/Taipei',
      advertiser,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { advertiser, account }
}

async function inOrder<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = []
  while (made.length < count) made.push(await make())
  return made
}
