import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { openSession, type Db } from '#server/db/connect.ts'
import { enqueueRuns } from '#server/queue/queue.ts'
import { dispatchDue, type DispatchEffects } from '#server/schedule/dispatch.ts'
import { isReady } from '#server/resources/reports/list-queries.ts'
import { median } from '#server/testing/quantile.ts'
import type { BenchCase, Prepared } from './case.ts'
import { exampleBlock, startDatabase } from './database.ts'

const sizes = process.env.LONG ? [1000, 10_000, 100_000] : [1000, 10_000]

export const cases: BenchCase[] = [
  {
    id: 'P9',
    what: 'claim what is due, beside one statement of a bare client that selects, moves on and inserts',
    sizes,
    unit: 'reports due',
    reach: { ratio: 1.3 },
    prepare: size => prepareClaim(size, () => Promise.resolve()),
  },
  {
    id: 'P9',
    what: 'the same with the order of the queue and the notification of workers, which the statement does not have',
    sizes,
    unit: 'reports due',
    reach: {},
    prepare: size => prepareClaim(size, enqueueRuns),
  },
  {
    id: 'P15',
    what: 'enqueue one scheduled run while so many wait (median of 50), beside the insertion alone',
    sizes,
    unit: 'runs waiting',
    reach: {},
    prepare: prepareWaiting,
  },
]

const DUE = new Date('2026-11-20T01:00:00Z')

async function prepareClaim(size: number, enqueue: DispatchEffects['enqueue']): Promise<Prepared> {
  const setup = await startDatabase()
  const { db } = setup
  await seed(db, size)
  const bare = await openSession(setup.url, 'floor')
  const reset = async () => {
    await sql`delete from run where due_at = ${DUE}`.execute(db)
    await sql`update report set next_run_at = ${DUE}`.execute(db)
    await sql`vacuum analyze report, run`.execute(db)
  }
  return {
    async ours() {
      await reset()
      return await timeOf(async () => {
        const started = await dispatchDue({
          db,
          isReady,
          now: () => DUE,
          enqueue,
          notifyEnded: () => Promise.resolve(),
          onUnexpected(error) {
            throw error
          },
        })
        if (started !== size) throw new Error(`${started} runs`)
      })
    },
    async floor() {
      await reset()
      return await timeOf(() =>
        bare.query(
          `with due as (
            select id, owner, next_run_at from report where next_run_at <= $1 and deleted_at is null
            order by next_run_at limit $2 for update skip locked
          ), moved as (
            update report set next_run_at = due.next_run_at + interval '1 day' from due where due.id = report.id
          )
          insert into run (id, report, owner, trigger, status, due_at)
          select gen_random_uuid(), id, owner, 'schedule', 'queued', next_run_at from due`,
          [DUE, size],
        ),
      )
    },
    async stop() {
      await bare.end()
      await setup.stop()
    },
  }
}

/** Runs that wait, and one more, which is rolled back. */
async function prepareWaiting(size: number): Promise<Prepared> {
  const setup = await startDatabase()
  const { db } = setup
  await seed(db, size)
  const reports = await db.selectFrom('report').select(['id', 'owner']).orderBy('id').execute()
  const insert = async (trx: Db, targets: typeof reports) => {
    const ids = targets.map(() => randomUUIDv7())
    await sql`
      insert into run (id, report, owner, trigger, status)
      select id, report, owner, 'schedule', 'queued'
      from unnest(${ids}::uuid[], ${targets.map(({ id }) => id)}::bigint[], ${targets.map(({ owner }) => owner)}::bigint[])
        as each (id, report, owner)`.execute(trx)
    return ids
  }
  const last = reports.splice(-1)
  for (let from = 0; from < reports.length; from += 1000)
    await enqueueRuns(db, await insert(db, reports.slice(from, from + 1000)))
  const medianOf = async (work: (trx: Db) => Promise<unknown>) => {
    const times: number[] = []
    for (let count = 0; count < 50; count++) {
      const trx = await db.startTransaction().execute()
      times.push(await timeOf(() => work(trx)))
      await trx.rollback().execute()
    }
    return median(times)
  }
  return {
    ours: () => medianOf(async trx => await enqueueRuns(trx, await insert(trx, last))),
    floor: () => medianOf(trx => insert(trx, last)),
    stop: setup.stop,
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Reports of two hundred people and three hundred advertisers, in six time zones, with five runs each. */
async function seed(db: Db, reports: number) {
  await sql`
    insert into users (username, identity, user_type) select 'person ' || n, 'staff', 1 from generate_series(1, 200) n`.execute(
    db,
  )
  await sql`insert into advertiser (name) select 'advertiser ' || n from generate_series(1, 300) n`.execute(
    db,
  )
  await sql`
    insert into ad_account (channel, provider, external_id, name, currency, timezone, advertiser)
    select 'fb', 'meta', 'account ' || id || ' ' || n, 'Account ' || n, 'TWD', 'Asia/Taipei', id
    from advertiser, generate_series(1, 3) n`.execute(db)
  await sql`
    insert into report (owner, name, spreadsheet_url, spreadsheet_id, sheet_name, target_state, timezone, header_language, arrangement, fill_zero,
      dimensions, channels, dynamic_range, update_frequency, update_time, next_run_at, last_run_at)
    select (select min(id) from users) + floor(200 * power(random(), 2))::int,
      (array['Aurora', 'Borealis', 'Cedar', 'Delta', 'Ember', 'Fjord'])[1 + n % 6] || ' '
        || (array['廣告成效', '每日報表', '品牌搜尋', '週報 weekly', 'monthly'])[1 + n % 5] || ' ' || n,
      'https://docs.google.com/spreadsheets/d/' || n, 'sheet ' || n, 'Data', 'ok',
      (array['Asia/Taipei', 'Asia/Tokyo', 'Asia/Hong_Kong', 'Europe/London', 'America/New_York', 'UTC'])[1 + n % 6], 'en', 'joined', false,
      '["date","campaign"]', ${JSON.stringify([exampleBlock, exampleBlock])}::jsonb, 1, 2, '09:00'::time + n % 4 * interval '15 min', ${DUE},
      ${DUE}::timestamptz - interval '1 day'
    from generate_series(1, ${reports}::int) n`.execute(db)
  await sql`
    insert into report_account (report, block, ad_account)
    select report.id, block, (select min(id) from ad_account) + (report.id * 7 + block) % 900
    from report, generate_series(0, 1) block`.execute(db)
  // Without the trigger, which would set each report's last run five times.
  await sql`
    insert into run (id, report, owner, trigger, status, due_at, queued_at, started_at, finished_at, rows, columns)
    select gen_random_uuid(), id, owner, 'schedule', 'completed', at, at, at, at + interval '1 min', 365, 12
    from report, generate_series(1, 5) day, lateral (select ${DUE}::timestamptz - day * interval '1 day' as at) due`.execute(
    db,
  )
  await sql`vacuum analyze`.execute(db)
}
