import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { connect } from './connect.ts'
import { testDatabase } from './testing.ts'

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

  it('runs in UTC with a statement timeout and says who it is', async () => {
    const { rows } = await pool.query(
      `select current_setting('TimeZone') as zone, current_setting('statement_timeout') as timeout,
         current_setting('application_name') as name`,
    )
    expect(rows).toEqual([{ zone: 'UTC', timeout: '30s', name: `sheetcast test ${process.pid}` }])
  })

  it('stops a statement that takes too long', async () => {
    const short = await connect(url, { command: 'test', statement_timeout_ms: 20 })
    await expect(short.pool.query('select pg_sleep(10)')).rejects.toMatchObject({ code: '57014' })
    await short.close()
  })

  it('names the address without the password when it cannot connect', async () => {
    const wrong = url.replace(/:[^:@]*@/, ':s3cret@')
    const failure = await connect(wrong, { command: 'test' }).catch(String)
    expect(failure).toMatch('cannot be used')
    expect(failure).not.toMatch('s3cret')
  })
})
