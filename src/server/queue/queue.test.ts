import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { connect, type Db } from '#server/db/connect.ts'
import { migrate } from '#server/db/migrate.ts'
import { createTestDatabase, testDatabase } from '#server/db/testing/database.ts'
import { insertReport, nextRunId } from '#server/resources/runs/testing/reports.ts'
import { enqueueRuns, isRunWaiting, queueChannel, wakeWorkers } from './queue.ts'
import { subscribe } from './subscription.ts'
import { claimNextRun } from '#server/resources/runs/lease-queries.ts'

const opened = await testDatabase()
const { db, url, listen } = opened
beforeEach(async () => {
  await sql`truncate run cascade`.execute(db)
})

type Trigger = 'click' | 'schedule'

/** A run of a new report, of a new owner unless one is given. */
async function insertRun(
  on: Db,
  { trigger = 'schedule', owner }: { trigger?: Trigger; owner?: number } = {},
) {
  const { report, owner: of } = await insertReport(on, owner === undefined ? {} : { owner })
  const id = nextRunId()
  await on
    .insertInto('run')
    .values({ id, report, owner: owner ?? of, trigger, status: 'queued' })
    .execute()
  return { id, report, owner: owner ?? of }
}

const claim = async (on: Db = db) => (await claimNextRun(on, 'shared', { worker: 'test' }))?.id ?? null

async function claimAll(): Promise<string[]> {
  const claimed: string[] = []
  for (let id = await claim(); id !== null; id = await claim()) claimed.push(id)
  return claimed
}

describe('the order of the queue', () => {
  it('puts manual runs before scheduled ones; among those everybody has one run a round, and newcomers begin in the next', async () => {
    const enqueue = async (count: number, attributes: { trigger?: Trigger; owner?: number } = {}) => {
      const first = await insertRun(db, attributes)
      const runs = [first.id]
      while (runs.length < count) runs.push((await insertRun(db, { ...attributes, owner: first.owner })).id)
      await enqueueRuns(db, runs)
      return { runs, owner: first.owner }
    }
    const { runs: many, owner } = await enqueue(3)
    const { runs: later } = await enqueue(1, { owner })
    const { runs: few } = await enqueue(2)
    const { runs: clicked } = await enqueue(1, { trigger: 'click', owner })
    expect(await claimAll()).toEqual([clicked[0], many[0], many[1], few[0], many[2], few[1], later[0]])
  })

  it('continues runs that have begun before others of their kind, and orphaned runs before everything', async () => {
    const ids = await Promise.all(
      (['schedule', 'click', 'schedule', 'click', 'schedule'] as const).map(
        async trigger => (await insertRun(db, { trigger })).id,
      ),
    )
    const [newSchedule = '', newManual = '', startedSchedule = '', startedManual = '', orphan = ''] = ids
    await enqueueRuns(db, ids)
    await sql`
      update run set started_at = now(), resumes_at = now() where id in (${startedSchedule}, ${startedManual})`.execute(
      db,
    )
    await sql`
      update run set status = 'fetching', lease_until = now() - interval '1 s' where id = ${orphan}`.execute(
      db,
    )
    expect(await claimAll()).toEqual([orphan, startedManual, newManual, startedSchedule, newSchedule])
  })

  it('leaves postponed, ended and leased runs where they are', async () => {
    const [resting, done, held] = await Promise.all([insertRun(db), insertRun(db), insertRun(db)])
    await enqueueRuns(db, [resting.id, done.id, held.id])
    await sql`update run set resumes_at = now() + interval '1 min' where id = ${resting.id}`.execute(db)
    await sql`update run set status = 'cancelled' where id = ${done.id}`.execute(db)
    expect(await claim()).toBe(held.id)
    expect(await claim()).toBeNull()
    expect(await isRunWaiting(db, 'shared')).toBe(false)
  })

  it('assigns a report whose last table was large to a process that has nothing else', async () => {
    const { report, owner } = await insertRun(db)
    await sql`update run set status = 'completed', finished_at = now(), rows = 200000, columns = 10`.execute(
      db,
    )
    const id = nextRunId()
    await db.insertInto('run').values({ id, report, owner, trigger: 'click', status: 'queued' }).execute()
    await enqueueRuns(db, [id])
    expect(await claim()).toBeNull()
    expect(await isRunWaiting(db, 'alone')).toBe(true)
    expect(await claimNextRun(db, 'alone', { worker: 'test' })).toMatchObject({ id })
  })

  it('costs no more when ten thousand wait, most of them postponed', async () => {
    const { report, owner } = await insertRun(db)
    await sql`update run set status = 'completed'`.execute(db)
    await sql`drop index run_one_at_a_time`.execute(db)
    await sql`
      insert into run (id, report, owner, trigger, status, started_at, resumes_at, round)
      select gen_random_uuid(), ${report}, ${owner}, 'schedule', 'queued', now(),
        case when n % 10 > 0 then now() + n * interval '1 s' end, n
      from generate_series(1, 10000) n`.execute(db)
    await sql`vacuum analyze run`.execute(db)
    const read = await db.transaction().execute(async trx => {
      const before = await rowsRead(trx)
      expect(await claim(trx)).not.toBeNull()
      return (await rowsRead(trx)) - before
    })
    expect(read).toBeLessThan(10)
    await sql`truncate run cascade`.execute(db)
    await sql`create unique index run_one_at_a_time on run (report) where status in ('queued', 'fetching', 'writing')`.execute(
      db,
    )
  })
})

/** Rows of runs that the transaction has read, by an index or not. */
async function rowsRead(trx: Db): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables where relname = 'run'`.execute(
    trx,
  )
  return rows[0]?.read ?? 0
}

describe('many workers', () => {
  it('claim each run once, and no run is left over', async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, async () => (await insertRun(db)).id))
    await enqueueRuns(db, ids)
    const claimed = (await Promise.all(Array.from({ length: 8 }, claimAll))).flat()
    expect(claimed.toSorted()).toEqual(ids.toSorted())
  })

  it('that are killed while they claim lose nothing, and an older attempt records nothing', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, async () => (await insertRun(db)).id))
    await enqueueRuns(db, ids)
    const done: string[] = []
    // Of five processes four die during their fifth run.
    for (const dieAt of [5, 5, 5, 5, Infinity]) {
      const worker = spawn(
        process.execPath,
        [join(import.meta.dirname, 'testing/claiming-program.ts'), url, String(dieAt)],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      for await (const id of createInterface(worker.stdout)) done.push(id)
    }
    expect(done.toSorted()).toEqual(ids.toSorted())
    const { rows } = await sql`
      select sum(lost_leases)::int as lost, count(*)::int as runs from run where status = 'completed'`.execute(
      db,
    )
    expect(rows).toEqual([{ lost: 4, runs: 40 }])
  })
})

describe('a subscription', () => {
  it('is notified of a run without polling, keeps every slot busy and no more, and stops when told', async () => {
    let atOnce = 0
    let mostAtOnce = 0
    let claims = 0
    const worked: string[] = []
    let wake = () => {}
    const subscription = await subscribe({
      listen,
      channel: await queueChannel(db),
      pool: 'shared',
      concurrency: 2,
      // Only notifications are left.
      pollMs: 3_600_000,
      claim() {
        claims++
        return claim()
      },
      async work(id) {
        mostAtOnce = Math.max(mostAtOnce, ++atOnce)
        await db.selectFrom('users').select('id').execute()
        atOnce--
        worked.push(id)
        wake()
      },
      onError: error => console.error(error),
    })
    const until = async (isDone: () => boolean) => {
      while (!isDone()) await new Promise<void>(resolve => (wake = resolve))
    }
    for (let count = 0; count < 10; count++) {
      const { id } = await insertRun(db, { trigger: 'click' })
      await enqueueRuns(db, [id])
      await until(() => worked.includes(id))
    }
    // Each notification leads to a claim and one more that finds nothing.
    expect(claims).toBeLessThanOrEqual(1 + 2 * 10)

    const many = await Promise.all(Array.from({ length: 40 }, async () => (await insertRun(db)).id))
    await enqueueRuns(db, many)
    await until(() => many.every(id => worked.includes(id)))
    expect(mostAtOnce).toBe(2)
    expect(await subscription.stop(60_000)).toBe(true)
    await enqueueRuns(db, [(await insertRun(db)).id])
    expect(await isRunWaiting(db, 'shared')).toBe(true)
  })

  it('is not notified of a run whose transaction is rolled back', async () => {
    const wakeups: string[] = []
    const again = Promise.withResolvers<void>()
    const unlisten = await listen(await queueChannel(db), pool => {
      wakeups.push(pool)
      again.resolve()
    })
    const rolledBack = db.transaction().execute(async trx => {
      await enqueueRuns(trx, [(await insertRun(trx)).id])
      throw new Error('changed my mind')
    })
    await expect(rolledBack).rejects.toThrow('changed my mind')
    const { id } = await insertRun(db)
    await wakeWorkers(db, [id])
    await again.promise
    await unlisten()
    expect(wakeups).toEqual(['shared'])
  })
})

describe('two products in one database', async () => {
  const shared = await createTestDatabase()
  const products: Awaited<ReturnType<typeof connect>>[] = []
  const first = await connect(shared.url, { command: 'test' })
  await sql`create extension pg_trgm`.execute(first.db)
  for (const schema of ['one', 'other']) {
    await sql`create schema ${sql.id(schema)}`.execute(first.db)
    const at = new URL(shared.url)
    at.searchParams.set('options', `-c search_path=${schema},public`)
    await migrate(at.href)
    products.push(await connect(at.href, { command: 'test' }))
  }
  await first.close()
  afterAll(async () => {
    for (const product of products) await product.close()
    await shared.drop()
  })

  it('neither claim each other’s runs nor are notified of them', async () => {
    const [one = opened, other = opened] = products
    const wakeups: string[] = []
    const own = Promise.withResolvers<void>()
    await one.listen(await queueChannel(one.db), () => wakeups.push('one'))
    await other.listen(await queueChannel(other.db), () => own.resolve())
    const { id } = await insertRun(other.db)
    await enqueueRuns(other.db, [id])
    await own.promise
    expect(wakeups).toEqual([])
    expect(await claim(one.db)).toBeNull()
    expect(await claim(other.db)).toBe(id)
  })
})
