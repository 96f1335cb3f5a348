import { sql, type Insertable } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing/database.ts'
import type { Database } from '#server/db/schema.ts'
import { pauseQuota, reservePosition } from './rate.ts'
import { insertReportsFor } from './testing/fair-order.ts'
import { assignRounds } from './fair-order.ts'
import { forecastRuns } from './queue-position.ts'
import { insertReport, nextRunId } from '#server/resources/runs/testing/reports.ts'

const { db } = await testDatabase()
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)

async function newRun(
  fields: Partial<Insertable<Database['run']>> = {},
  of?: { report: number; owner: number },
) {
  const { report, owner } = of ?? (await insertReport(db))
  const id = nextRunId()
  await db
    .insertInto('run')
    .values({ id, report, owner, trigger: 'schedule', status: 'queued', ...fields })
    .execute()
  return id
}

/** A run that has ended: ten minutes of its time it was in the waitlist. */
function ended({ fetched_s, wrote_s }: { fetched_s: number; wrote_s: number }) {
  const stretch = (phase: string, at: Date) => ({ phase, at, attempt: 1 })
  return newRun({
    status: 'completed',
    started_at: ago(1000),
    finished_at: ago(400 - fetched_s - wrote_s),
    timeline: JSON.stringify([
      stretch('fetching', ago(1000)),
      stretch('waiting', ago(1000 - fetched_s)),
      stretch('writing', ago(400 - fetched_s)),
    ]),
  })
}

/** Seconds from now until it begins and until it ends. */
async function secondsOf(id: string) {
  const forecast = (await forecastRuns(db, [id])).get(id)
  const seconds = (at: string | null | undefined) => (at ? (Date.parse(at) - Date.now()) / 1000 : null)
  return {
    ahead: forecast?.ahead,
    starts: seconds(forecast?.starts_at),
    finishes: seconds(forecast?.finishes_at),
  }
}

/** The clock goes on while the test reads. */
const about = (seconds: number) => ({
  asymmetricMatch: (value: unknown) => typeof value === 'number' && Math.abs(value - seconds) < 8,
})

beforeEach(async () => {
  await sql`truncate run, quota cascade`.execute(db)
  for (let count = 0; count < 6; count++) await ended({ fetched_s: 20, wrote_s: 4 })
})

describe('the position of a run', () => {
  it('follows from the time that workers spent on the latest runs, not from how long those waited', async () => {
    expect(await secondsOf(await newRun())).toEqual({ ahead: 0, starts: about(0), finishes: about(24) })
    await sql`delete from run where finished_at is not null`.execute(db)
    expect((await secondsOf(await newRun())).finishes).toBeNull()
  })

  it('counts the runs before it in the queue: manual ones, and earlier rounds', async () => {
    const first = await insertReport(db)
    const runs = [await newRun({}, first)]
    for (let count = 0; count < 3; count++)
      runs.push(await newRun({}, { report: (await insertReport(db)).report, owner: first.owner }))
    await assignRounds(db, runs)
    const click = await newRun({ trigger: 'click' })
    const other = await newRun()
    await assignRounds(db, [click, other])
    const ahead = async (id: string | undefined) => (await secondsOf(id ?? '')).ahead
    expect([await ahead(click), await ahead(runs[0]), await ahead(other), await ahead(runs[3])]).toEqual([
      0, 1, 3, 5,
    ])
  })

  it('follows the waitlist of the spreadsheet service: the time of each position, and the order of rounds', async () => {
    const waitlist = 'sheets waitlist schedule user somebody'
    for (let position = 0; position < 16; position++)
      await reservePosition(db, waitlist, { per_minute: 60, burst: 1 })
    const resting = (round: number, in_s: number) =>
      newRun({
        waitlist,
        round,
        person_round: round,
        table_rows: 1,
        started_at: ago(30),
        waitlist_until: ago(-in_s),
        resumes_at: ago(-in_s),
      })
    for (let position = 1; position <= 14; position++) await resting(position + 1, position)
    const late = await resting(2, 15)
    // It came last, and is second.
    expect(await secondsOf(late)).toEqual({ ahead: 1, starts: about(2), finishes: about(6) })
    // For runs that have not begun: fetched after 20 seconds, when the waitlist is empty.
    expect((await secondsOf(await newRun())).finishes).toEqual(about(24))
    for (let position = 16; position <= 60; position++) {
      await reservePosition(db, waitlist, { per_minute: 60, burst: 1 })
      await resting(1, position)
    }
    expect((await secondsOf(await newRun())).finishes).toEqual(about(57))
  })

  it('includes when the platforms of its accounts accept requests again', async () => {
    const [of] = await insertReportsFor(db, [{ person: 0, advertiser: 0, at: 0 }])
    const { external_id } = await db
      .selectFrom('ad_account')
      .select('external_id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    await pauseQuota(db, `meta account ${external_id}`, 300_000)
    expect((await secondsOf(await newRun({}, of))).finishes).toEqual(about(324))
    expect((await secondsOf(await newRun())).finishes).toEqual(about(48))
  })
})
