import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { lockUntilEnd } from './advisory-lock.ts'
import { testDatabase } from './testing/database.ts'

const { db } = await testDatabase()

describe('a transaction with an advisory lock', () => {
  it('waits for another transaction with the same key, and for no other', async () => {
    const order: string[] = []
    const inside = Promise.withResolvers<void>()
    const first = db.transaction().execute(async trx => {
      await lockUntilEnd(trx, 'quota of 1')
      inside.resolve()
      await db.transaction().execute(async other => {
        await lockUntilEnd(other, 'quota of 2')
        order.push('other words')
      })
      await untilOneWaits()
      order.push('first')
    })
    await inside.promise
    const second = db.transaction().execute(async trx => {
      await lockUntilEnd(trx, 'quota of 1')
      order.push('second')
    })
    await Promise.all([first, second])
    expect(order).toEqual(['other words', 'first', 'second'])
  })
})

/** Until a session of this database waits for a lock of another one. */
async function untilOneWaits() {
  const waiting = async () => {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_locks
      where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(db)
    return rows[0]?.waiting
  }
  await expect.poll(waiting).toBe(1)
}
