import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { nextOccurrences } from '#shared/schedule.ts'
import { connect } from '#server/db/connect.ts'
import { databaseNow } from '#server/db/now.ts'
import { createTestDatabase } from '#server/db/testing/database.ts'
import { randomOf } from '#server/testing/random.ts'
import { insertReport } from '#server/resources/runs/testing/reports.ts'
import { dispatchDue } from './dispatch.ts'

// Every session of this database asks a clock that the test sets by hand: the name `clock_timestamp` is found
// there before Postgres's own.
const { url, drop } = await createTestDatabase({ template: 'sheetcast_template' })
const setup = await connect(url, { command: 'test' })
await setup.pool.query(`
  create schema by_hand;
  create table by_hand.clock as select timestamptz '2026-11-20T00:00:00Z' as at;
  create function by_hand.clock_timestamp() returns timestamptz language sql volatile as 'select at from by_hand.clock';
  do $$ begin execute format('alter database %I set search_path = by_hand, pg_catalog, public', current_database()); end $$`)
await setup.close()
const one = await connect(url, { command: 'one' })
const other = await connect(url, { command: 'other' })
const schedulers = [one, other]
const { db } = one
afterAll(async () => {
  await Promise.all(schedulers.map(scheduler => scheduler.close()))
  await drop()
})

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const setClock = (at: number) => sql`update by_hand.clock set at = ${new Date(at)}`.execute(db)

/** One tick of a scheduler, as it has one each second: by the database's clock. */
async function poll(scheduler = db, at?: Date) {
  const now = at ?? (await databaseNow(scheduler))
  return await dispatchDue({
    db: scheduler,
    enqueue: async () => undefined,
    isReady: sql`true`,
    now: () => now,
    notifyEnded: async () => undefined,
    onUnexpected: error => {
      throw error
    },
  })
}

/** Runs end at once, so that they delay no later occurrence. */
const endRuns = () => db.updateTable('run').set({ status: 'completed' }).execute()

const dueOf = async (report: number) =>
  (await db.selectFrom('run').select('due_at').where('report', '=', report).orderBy('due_at').execute()).map(
    run => run.due_at?.toISOString(),
  )

const NINE = Date.parse('2026-11-20T01:00:00Z')
const TODAY = '2026-11-20T01:00:00.000Z'
const TOMORROW = '2026-11-21T01:00:00.000Z'
const daily = async () =>
  (await insertReport(db, { update_frequency: 2, update_time: '09:00:00', next_run_at: new Date(NINE) }))
    .report

/** The database's clock as it goes, and the runs that have begun by its end. */
async function dispatchAt(moments: number[]) {
  const report = await daily()
  for (const at of moments) {
    await setClock(at)
    await poll()
    await endRuns()
  }
  return await dueOf(report)
}

it('begins an occurrence once when the clock is set back behind it', async () => {
  const back = [NINE, NINE + MINUTE_MS, NINE - HOUR_MS, NINE - MINUTE_MS, NINE, NINE + HOUR_MS]
  expect(await dispatchAt(back)).toEqual([TODAY])
  expect(await dispatchAt([...back, NINE + 24 * HOUR_MS])).toEqual([TODAY, TOMORROW])
})

it('begins an occurrence that the clock has jumped over, and not again when the clock is corrected', async () => {
  const forward = [NINE - MINUTE_MS, NINE + HOUR_MS - MINUTE_MS, NINE - MINUTE_MS, NINE, NINE + HOUR_MS]
  expect(await dispatchAt(forward)).toEqual([TODAY])
})

it('begins an occurrence once when of two schedulers one has ticked before the jump and one after', async () => {
  const report = await daily()
  await setClock(NINE)
  const before = await databaseNow(db)
  await setClock(NINE + HOUR_MS)
  const after = await databaseNow(db)
  expect(after.getTime() - before.getTime()).toBe(HOUR_MS)
  await Promise.all([
    poll(one.db, before),
    poll(other.db, after),
    poll(one.db, after),
    poll(other.db, before),
  ])
  expect(await dueOf(report)).toEqual([TODAY])
})

it('neither misses nor doubles an occurrence of forty reports in a fortnight of jumps', async () => {
  await endRuns()
  const random = randomOf(7)
  const begins = NINE + 2 * 24 * HOUR_MS
  const ends = begins + 14 * 24 * HOUR_MS
  const reports = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const schedule = {
        update_frequency: index % 4 === 3 ? 3 : 2,
        update_time: `${String(index % 24).padStart(2, '0')}:15:00`,
        update_day_of_week: index % 4 === 3 ? 1 + (index % 7) : null,
        update_day_of_month: null,
        timezone: 'Asia/Taipei',
      }
      const expected = nextOccurrences(schedule, new Date(begins), 15)
      const { report } = await insertReport(db, { ...schedule, next_run_at: expected[0] ?? null })
      return { report, expected }
    }),
  )
  let wrong_by = 0
  let jumps = 0
  for (let at = begins; at <= ends; at += 30 * MINUTE_MS) {
    if (random() < 0.2) {
      const before = wrong_by
      wrong_by = [0, HOUR_MS, -HOUR_MS][Math.floor(random() * 3)] ?? 0
      if (wrong_by !== before) jumps++
    }
    await setClock(at + wrong_by)
    await Promise.all(schedulers.map(scheduler => poll(scheduler.db)))
    await endRuns()
  }
  // At the end the clock is right.
  await setClock(ends)
  await poll()
  expect(jumps).toBeGreaterThan(50)
  for (const { report, expected } of reports) {
    const due = expected.filter(each => each.getTime() <= ends).map(each => each.toISOString())
    const started = await dueOf(report)
    // The hour that a fast clock was ahead may have had one more.
    expect(started.slice(0, due.length)).toEqual(due)
    expect(new Set(started).size).toBe(started.length)
    expect(started.length).toBeLessThanOrEqual(due.length + 1)
  }
})
