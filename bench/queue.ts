import { sql } from 'kysely'
import { enqueueRuns, queueChannel } from '#server/queue/queue.ts'
import { subscribe } from '#server/queue/subscription.ts'
import { percentile } from '#server/testing/quantile.ts'
import type { BenchCase, Prepared } from './case.ts'
import { exampleBlock, startDatabase, type BenchDatabase } from './database.ts'
import { claimNextRun } from '../src/server/resources/runs/lease-queries.ts'

export const cases: BenchCase[] = [
  {
    id: 'P9',
    what: 'enqueue runs, beside as many rows inserted into a bare table; 10,000 are to take at most 1 s',
    sizes: [1000, 10_000],
    unit: 'runs',
    reach: {},
    prepare: prepareEnqueue,
  },
  {
    id: 'P9',
    what: 'a click until a worker has its run (99th of 100), beside a bare notification; at most 50 ms',
    sizes: [100],
    unit: 'clicks',
    reach: {},
    prepare: preparePickUp,
  },
]

const DUE = new Date('2026-11-20T01:00:00Z')

async function prepareEnqueue(size: number): Promise<Prepared> {
  const setup = await startDatabase()
  const { db } = setup
  await insertReports(setup, size)
  await sql`insert into run (id, report, owner, trigger, status)
    select gen_random_uuid(), id, owner, 'schedule', 'queued' from report`.execute(db)
  const runs = await db.selectFrom('run').select('id').execute()
  const ids = runs.map(run => run.id)
  await sql`create table bare (id uuid primary key, created_at timestamptz not null default now())`.execute(
    db,
  )
  return {
    async ours() {
      return await timeOf(() => db.transaction().execute(trx => enqueueRuns(trx, ids)))
    },
    async floor() {
      await sql`truncate bare`.execute(db)
      return await timeOf(() => sql`insert into bare (id) select unnest(${ids}::uuid[])`.execute(db))
    },
    stop: setup.stop,
  }
}

async function preparePickUp(size: number): Promise<Prepared> {
  const setup = await startDatabase()
  const { db, listen } = setup
  await insertReports(setup, size)
  const reports = await db.selectFrom('report').select(['id', 'owner']).execute()
  let notify: (what: string) => void = () => undefined
  const subscription = await subscribe({
    listen,
    channel: await queueChannel(db),
    pool: 'shared',
    concurrency: 4,
    claim: () => claimNextRun(db, 'shared', { worker: 'bench' }),
    work: async run => notify(run.id),
    onError: error => console.error(error),
  })
  await listen('bare', () => notify('bare'))
  const p99 = async (send: (id: string, index: number) => Promise<unknown>) => {
    const times: number[] = []
    for (let count = 0; count < size; count++) {
      const { promise, resolve } = Promise.withResolvers<string>()
      notify = resolve
      const sent = timeOf(() => send(crypto.randomUUID(), count).then(() => promise))
      times.push(await sent)
    }
    return percentile(times, 0.99)
  }
  const click = (id: string, index: number) =>
    db.transaction().execute(async trx => {
      const { id: report, owner } = reports[index] ?? { id: 0, owner: 0 }
      await trx.insertInto('run').values({ id, report, owner, trigger: 'click', status: 'queued' }).execute()
      await enqueueRuns(trx, [id])
    })
  return {
    async ours() {
      await sql`truncate run cascade`.execute(db)
      return await p99(click)
    },
    floor: () => p99(() => sql`select pg_notify('bare', '')`.execute(db)),
    async stop() {
      await subscription.stop(1000)
      await setup.stop()
    },
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Reports as people make them, of twenty owners, all due at nine. */
async function insertReports({ db }: BenchDatabase, size: number) {
  await sql`insert into users (username, identity, user_type) select 'owner ' || n, 'staff', 1 from generate_series(1, 20) n`.execute(
    db,
  )
  await sql`
    insert into report (owner, name, spreadsheet_id, sheet_name, timezone, header_language, arrangement, fill_zero, dimensions, channels,
      dynamic_range, update_frequency, next_run_at)
    select (select min(id) from users) + n % 20, 'Report ' || n, 'sheet ' || n, 'Data', 'Asia/Taipei', 'en', 'joined', false,
      '["date","campaign"]', ${JSON.stringify([exampleBlock])}::jsonb, 1, 2, ${DUE}
    from generate_series(1, ${size}) n`.execute(db)
  await sql`vacuum analyze`.execute(db)
}
