import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { connect } from './connect.ts'
import { notify } from './listen.ts'
import { isDatabaseAway } from './problem.ts'
import { startProxy } from './testing/proxy.ts'
import { testDatabase } from './testing/database.ts'
import { inTransaction } from './transaction.ts'

describe('a database session', async () => {
  const { db, pool, url } = await testDatabase()

  it('reads bigint as a number, date as text, timestamptz as a Date and numeric as text', async () => {
    const { rows } = await sql`
      select 9007199254740991::bigint as big, date '2026-02-28' as day, timestamptz '2026-02-28 12:00+08' as at,
        1.10::numeric as amount, array[1, null]::bigint[] as bigs, array[date '2026-01-01'] as days,
        array['a']::text[] as texts, '{"a": [1]}'::jsonb as json`.execute(db)
    expect(rows).toEqual([
      {
        big: 9007199254740991,
        day: '2026-02-28',
        at: new Date('2026-02-28T04:00:00Z'),
        amount: '1.10',
        bigs: [1, null],
        days: ['2026-01-01'],
        texts: ['a'],
        json: { a: [1] },
      },
    ])
  })

  it('refuses a bigint that a number cannot hold', async () => {
    await expect(sql`select 9007199254740993::bigint`.execute(db)).rejects.toThrow('beyond the integers')
  })

  it('runs in UTC with a statement timeout and an application name', async () => {
    const { rows } = await pool.query(
      `select current_setting('TimeZone') as zone, current_setting('statement_timeout') as timeout,
         current_setting('application_name') as name`,
    )
    expect(rows).toEqual([{ zone: 'UTC', timeout: '30s', name: `sheetcast test ${process.pid}` }])
  })

  it('stops a statement that takes too long', async () => {
    // Long enough for the statements that opening a session needs on a busy machine, which have the same
    // limit.
    const short = await connect(url, { command: 'test', statement_timeout_ms: 2000 })
    await expect(short.pool.query('select pg_sleep(600)')).rejects.toMatchObject({ code: '57014' })
    await short.close()
  })

  it('ends with the database, whether Kysely has used it or not', async () => {
    const other = await connect(url, { command: 'closing' })
    await other.close()
    await other.close()
    const sessions = `select from pg_stat_activity where application_name like '% closing %'`
    // Postgres lists a session for a moment after its end.
    for (let rows = 1; rows > 0;) rows = (await pool.query(sessions)).rows.length
    expect(other.pool.ended).toBe(true)
  })

  it('that takes no writes, as a standby or with a full disk, counts as unavailable', async () => {
    const written = db
      .transaction()
      .setAccessMode('read only')
      .execute(trx => sql`create table refused (id int)`.execute(trx))
    expect(await written.catch(isDatabaseAway)).toBe(true)
  })

  it('names the address without the password when it cannot connect', async () => {
    const wrong = url.replace(/:[^:@]*@/, ':s3cret@')
    const failure = await connect(wrong, { command: 'test' }).catch(String)
    expect(failure).toMatch('cannot be used')
    expect(failure).not.toMatch('s3cret')
  })
})

describe('a session that falls silent', async () => {
  const { url, pool: other } = await testDatabase()
  const proxy = await startProxy({ port: Number(new URL(url).port) })
  const through = new URL(url)
  through.port = String(proxy.port)
  const { pool, listen, close } = await connect(through.href, { command: 'silent', pool_size: 2 })
  afterAll(async () => {
    await proxy.stop()
    await close()
  })

  it('is closed soon, unlike one that is only slow, and its slot in the pool is free again', async () => {
    const [silent, slow] = [await pool.connect(), await other.connect()]
    await silent.query('begin')
    const patient = slow.query('select pg_sleep(5)')
    proxy.silence()
    const refused = silent.query('select 1').catch(isDatabaseAway)
    proxy.heal()
    expect(await refused).toBe(true)
    silent.release(true)
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect((await patient).rowCount).toBe(1)
    slow.release()
  })

  it('is reopened where it listens, and reports the gap', async () => {
    const gap = Promise.withResolvers<void>()
    const notified = Promise.withResolvers<string>()
    await listen('quiet', notified.resolve, gap.resolve)
    proxy.silence()
    proxy.heal()
    await gap.promise
    await other.query(`select pg_notify('quiet', 'here')`)
    expect(await notified.promise).toBe('here')
  })
})

describe('a transaction', async () => {
  const { db, pool } = await testDatabase()
  await pool.query('create table counter (id int primary key, value int not null)')
  await pool.query('insert into counter select id, 0 from generate_series(1, 2) as id')

  it('is repeated after a serialization failure', async () => {
    const increments = Array.from({ length: 8 }, () =>
      inTransaction(
        db,
        async trx => {
          const { rows } = await sql<{ value: number }>`select value from counter where id = 1`.execute(trx)
          await sql`update counter set value = ${(rows[0]?.value ?? 0) + 1} where id = 1`.execute(trx)
        },
        { isolation: 'serializable' },
      ),
    )
    const outcomes = await Promise.allSettled(increments)
    const { rows } = await pool.query('select value from counter where id = 1')
    expect(rows).toEqual([{ value: outcomes.filter(({ status }) => status === 'fulfilled').length }])
    expect(rows[0].value).toBeGreaterThan(1)
  })

  it('is repeated after a deadlock', async () => {
    let attempts = 0
    const both = Promise.withResolvers<void>()
    const visit = (first: number, second: number) =>
      inTransaction(db, async trx => {
        await sql`update counter set value = value + 1 where id = ${first}`.execute(trx)
        attempts += 1
        if (attempts === 2) both.resolve()
        await both.promise
        await sql`update counter set value = value + 1 where id = ${second}`.execute(trx)
      })
    await Promise.all([visit(1, 2), visit(2, 1)])
    // More than once, if the repeated one gets first to the row that the other has just been granted.
    expect(attempts).toBeGreaterThanOrEqual(3)
  })

  it('is not repeated for other failures', async () => {
    let attempts = 0
    const failing = inTransaction(db, async trx => {
      attempts += 1
      await sql`select 1 / 0`.execute(trx)
    })
    await expect(failing).rejects.toMatchObject({ code: '22012' })
    expect(attempts).toBe(1)
  })
})

describe('notifications', async () => {
  const { db, pool, listen } = await testDatabase()

  it('arrive when the transaction commits, on their channel only', async () => {
    const notified: string[] = []
    const last = Promise.withResolvers<void>()
    await listen('Run changed', payload => {
      notified.push(payload)
      if (payload === 'last') last.resolve()
    })
    await db.transaction().execute(async trx => {
      await notify(trx, 'Run changed', 'first')
      await notify(trx, 'another', 'elsewhere')
    })
    await notify(db, 'Run changed', 'last')
    await last.promise
    expect(notified).toEqual(['first', 'last'])
  })

  it('resume after the connection was lost, and report the gap', async () => {
    const notified = Promise.withResolvers<string>()
    const gap = Promise.withResolvers<void>()
    await listen('lost and found', notified.resolve, gap.resolve)
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name like '% listen %' and datname = current_database()`,
    )
    await gap.promise
    await notify(db, 'lost and found', 'here')
    expect(await notified.promise).toBe('here')
  })

  it('end when nothing listens any more', async () => {
    const notified: string[] = []
    const marker = Promise.withResolvers<string>()
    const stop = await listen('stopped', payload => notified.push(payload))
    await listen('marker', marker.resolve)
    await stop()
    await notify(db, 'stopped')
    await notify(db, 'marker')
    await marker.promise
    expect(notified).toEqual([])
  })
})
