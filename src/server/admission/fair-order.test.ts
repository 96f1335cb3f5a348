import { randomUUIDv7 } from 'node:crypto'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db } from '#server/db/connect.ts'
import { testDatabase } from '#server/db/testing/database.ts'
import { countRead } from '#server/db/testing/count-read.ts'
import { randomOf } from '#server/testing/random.ts'
import { insertReportsFor, sharesOf, type RunTarget, type RequestedRun } from './testing/fair-order.ts'
import { swapPositions, assignRounds, joinWaitlist } from './fair-order.ts'
import { claimRun } from '#server/resources/runs/lease-queries.ts'

const { db } = await testDatabase()
const LONG = process.env.LONG === '1'

type Drawn = RequestedRun & { is_click: boolean }

/**
 * Runs of which a few people and advertisers have most, and many have one or two; half of them are due at
 * once, one in twenty is a manual run.
 */
function drawRuns(seed: number, { count, ticks }: { count: number; ticks: number }): Drawn[] {
  const random = randomOf(seed)
  return Array.from({ length: count }, () => ({
    person: Math.floor(30 * random() ** 4),
    advertiser: Math.floor(40 * random() ** 4),
    at: Math.max(0, Math.floor(ticks * (random() * 2 - 1))),
    is_click: random() < 0.05,
  }))
}

async function insertRuns(
  runs: readonly (RunTarget & { is_click: boolean })[],
  session: Db = db,
): Promise<string[]> {
  // Within a millisecond they come in no particular order.
  const ids = runs.map(() => randomUUIDv7()).toSorted()
  await sql`
    insert into run (id, report, owner, trigger, status)
    select id, report, owner, case when is_click then 'click' else 'schedule' end, 'queued'
    from unnest(${ids}::uuid[], ${runs.map(({ report }) => report)}::bigint[], ${runs.map(({ owner }) => owner)}::bigint[],
      ${runs.map(({ is_click }) => is_click)}::boolean[]) as each (id, report, owner, is_click)`.execute(
    session,
  )
  await assignRounds(session, ids)
  return ids
}

const forget = () => sql`truncate run, report cascade`.execute(db)

/**
 * Claims runs in the order of the queue: manual runs first, then by round, then by age. Returns when each was
 * claimed.
 */
async function playQueue(drawn: readonly Drawn[], per_tick: number): Promise<number[]> {
  const targets = await insertReportsFor(db, drawn)
  const ends: number[] = drawn.map(() => 0)
  const index_of = new Map<string, number>()
  for (let tick = 0, left = drawn.length; left > 0; tick++) {
    const coming = drawn.flatMap((run, index) => (run.at === tick ? [index] : []))
    const ids = await insertRuns(
      coming.map(index => ({
        ...(targets[index] ?? { report: 0, owner: 0 }),
        is_click: drawn[index]?.is_click ?? false,
      })),
    )
    ids.forEach((id, nth) => index_of.set(id, coming[nth] ?? 0))
    const { rows } = await sql<{ id: string }>`
      update run set status = 'completed', started_at = now() where id in (
        select id from run where status = 'queued' order by trigger = 'schedule', round, id limit ${per_tick}
      ) returning id`.execute(db)
    for (const { id } of rows) ends[index_of.get(id) ?? 0] = tick
    left -= rows.length
  }
  await forget()
  return ends
}

/**
 * The same for the waitlist of the spreadsheet service: one position a tick; when it is reached, two runs may
 * swap.
 */
async function playWaitlist(runs: readonly RequestedRun[]): Promise<number[]> {
  const targets = await insertReportsFor(db, runs)
  const ends: number[] = runs.map(() => 0)
  const index_of = new Map<string, number>()
  // Positions lie hours ahead, so that none is reached by itself during the test.
  const ms_of = (tick: number) => (tick + 1000) * 60_000
  let last_position = -1
  const claim = async (id: string) => {
    await sql`update run set resumes_at = null where id = ${id}`.execute(db)
    const run = await claimRun(db, id, { worker: 'test' })
    if (!run) throw new Error('the run is already claimed')
    return run
  }
  for (let tick = 0, left = runs.length; left > 0; tick++) {
    const coming = runs.flatMap((run, index) => (run.at === tick ? [index] : []))
    const ids = await insertRuns(
      coming.map(index => ({ ...(targets[index] ?? { report: 0, owner: 0 }), is_click: false })),
    )
    for (const [nth, id] of ids.entries()) {
      index_of.set(id, coming[nth] ?? 0)
      const run = await claim(id)
      last_position = Math.max(last_position + 1, tick)
      await joinWaitlist(db, run, { waitlist: 'waitlist', wait_ms: ms_of(last_position) })
      await sql`update run set status = 'queued', lease_until = null where id = ${id}`.execute(db)
    }
    const { rows } = await sql<{ id: string }>`
      select id from run where status = 'queued' and waitlist is not null and waitlist_until > now() order by waitlist_until limit 1`.execute(
      db,
    )
    if (!rows[0]) continue
    const woken = await claim(rows[0].id)
    const changed = await swapPositions(db, woken)
    const first = changed?.first ?? woken.id
    await sql`update run set status = 'queued', lease_until = null where id = ${woken.id}`.execute(db)
    await sql`update run set status = 'completed' where id = ${first}`.execute(db)
    ends[index_of.get(first) ?? 0] = tick
    left--
  }
  await forget()
  return ends
}

describe('the order of waiting runs', () => {
  it('makes no run wait over three times its fair share, whatever the order of arrival', async () => {
    const per_tick = 10
    await fc.assert(
      fc.asyncProperty(fc.integer(), async seed => {
        const drawn = drawRuns(seed, { count: LONG ? 1000 : 500, ticks: 40 })
        const ends = await playQueue(drawn, per_tick)
        const most_clicks = drawn.filter(({ at, is_click }) => is_click && at === 0).length
        const for_clicks = Math.ceil(most_clicks / per_tick) + 1
        const isSchedule = (_: unknown, index: number) => drawn[index]?.is_click === false
        const shares = sharesOf(drawn.filter(isSchedule), ends.filter(isSchedule), per_tick)
        expect(shares.filter(({ wait, fair }) => wait > 3 * fair + for_clicks)).toEqual([])
        // A manual run waits for other manual runs alone.
        const waits = drawn.flatMap((run, index) => (run.is_click ? [(ends[index] ?? 0) - run.at] : []))
        expect(Math.max(0, ...waits)).toBeLessThanOrEqual(for_clicks)
      }),
      { numRuns: LONG ? 50 : 1, endOnFailure: true },
    )
  })

  it('holds for the waitlist of the spreadsheet service too, where positions are given before later runs arrive', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async seed => {
        const runs = drawRuns(seed, { count: LONG ? 200 : 100, ticks: LONG ? 160 : 80 })
        const ends = await playWaitlist(runs)
        // No position is given twice.
        expect(new Set(ends).size).toBe(runs.length)
        expect(sharesOf(runs, ends, 1).filter(({ wait, fair }) => wait > 3 * fair)).toEqual([])
      }),
      { numRuns: LONG ? 30 : 1, endOnFailure: true },
    )
  })

  it('counts by advertiser as well as by person', async () => {
    // One person who serves 30 advertisers, an advertiser that 20 people have reports for, and a person with
    // a single report.
    const busy = Array.from({ length: 60 }, (_, n) => ({ person: 0, advertiser: n % 30, at: 0 }))
    const large = Array.from({ length: 60 }, (_, n) => ({ person: 1 + (n % 20), advertiser: 30, at: 0 }))
    const runs = [...busy, ...large, { person: 21, advertiser: 31, at: 0 }]
    const ends = await playQueue(
      runs.map(run => ({ ...run, is_click: false })),
      1,
    )
    // In each round one of theirs: the single report is among the first three.
    expect(ends.at(-1)).toBeLessThan(3)
    const first = ends.flatMap((end, index) => (end < 60 ? [runs[index]] : []))
    const of_busy = first.filter(run => run?.person === 0).length
    expect(of_busy).toBeGreaterThanOrEqual(29)
    expect(of_busy).toBeLessThanOrEqual(31)
    // And the 20 people alternate within their advertiser.
    const of_large = first.filter(run => run?.advertiser === 30).map(run => run?.person)
    expect(new Set(of_large).size).toBeGreaterThanOrEqual(20)
  })

  it('alternates between the people of one advertiser, also when the burst arrives bit by bit', async () => {
    const morning = Array.from({ length: 100 }, (_, n) => ({
      person: n % 20 === 0 ? 2 : n % 20 < 3 ? 1 : 0,
      advertiser: 0,
      // Ten at a time.
      at: Math.floor(n / 10),
    }))
    for (const ends of [
      await playQueue(
        morning.map(run => ({ ...run, is_click: false })),
        1,
      ),
      await playWaitlist(morning),
    ]) {
      const lastOf = (person: number) =>
        Math.max(...ends.filter((_, index) => morning[index]?.person === person))
      // Five runs of three people, ten of two; the last to arrive is served tenth.
      expect(lastOf(2)).toBeLessThan(3 * 15)
      expect(lastOf(1)).toBeLessThan(3 * 25)
    }
  })

  it('keeps a person with a thousand reports moving while others keep arriving', async () => {
    const many = Array.from({ length: 50 }, () => ({ person: 0, advertiser: 0, at: 0 }))
    // As many newcomers as runs are claimed.
    const newcomers = Array.from({ length: 100 }, (_, n) => ({
      person: 1 + n,
      advertiser: 1 + n,
      at: Math.floor(n / 2),
    }))
    const ends = await playQueue(
      [...many, ...newcomers].map(run => ({ ...run, is_click: false })),
      2,
    )
    const served = ends.slice(0, 50).filter(end => end < 50).length
    expect(served).toBeGreaterThan(7)
    const shares = sharesOf([...many, ...newcomers], ends, 2)
    expect(shares.filter(({ wait, fair }) => wait > 3 * fair)).toEqual([])
  })
  it('reads as much of what waits to find the round of a run, however many runs of others wait', async () => {
    const targets = await insertReportsFor(
      db,
      Array.from({ length: 200 }, (_, n) => ({
        person: Math.min(n, 20),
        advertiser: Math.min(n, 20),
        at: 0,
      })),
    )
    const runsOf = (from: number, to: number) =>
      targets.slice(from, to).map(target => ({ ...target, is_click: false }))
    const readFor = (target: number) =>
      countRead(db, 'run', session => insertRuns(runsOf(target, target + 1), session))
    // As in the morning: years of runs, of which hardly any waits.
    await sql`
      insert into run (id, report, owner, trigger, status)
      select id, ${targets[0]?.report}, ${targets[0]?.owner}, 'schedule', 'completed'
      from unnest(${Array.from({ length: 5000 }, () => randomUUIDv7())}::uuid[]) id`.execute(db)
    await sql`analyze run`.execute(db)
    await insertRuns(runsOf(2, 22))
    const few = await readFor(0)
    await insertRuns(runsOf(22, 200))
    expect(await readFor(1)).toBe(few)
    await forget()
  })
})
