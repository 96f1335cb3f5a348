import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing.ts'
import { claimRun, holdRun, LeaseLost, takeForsakenRuns } from './lease.ts'
import { insertReport } from './testing.ts'

const { db } = await testDatabase()

async function queuedRun() {
  const { report, owner } = await insertReport(db)
  const id = randomUUIDv7()
  await db.insertInto('run').values({ id, report, owner, trigger: 'click', status: 'queued' }).execute()
  return id
}
const forsaken = (queue_is_empty = true) => takeForsakenRuns(db, { limit: 100, queue_is_empty })
const expireLease = (id: string) =>
  db
    .updateTable('run')
    .set({ lease_until: sql<Date>`now() - interval '1 s'` })
    .where('id', '=', id)
    .execute()

describe('a lease', () => {
  it('is given to one of many workers that ask at once', async () => {
    const id = await queuedRun()
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, i) => claimRun(db, id, { worker: `worker ${i}` })),
    )
    expect(claims.filter(claim => claim !== null)).toHaveLength(1)
  })

  it('is taken over when it has run out, and the first holder may record nothing any more', async () => {
    const id = await queuedRun()
    const first = await claimRun(db, id, { worker: 'first' })
    await expireLease(id)
    const second = await claimRun(db, id, { worker: 'second' })
    expect(second).toMatchObject({ attempt: 2, lost_leases: 1 })
    if (!first || !second) throw new Error('both claims were given')
    await expect(db.transaction().execute(trx => holdRun(trx, first))).rejects.toBeInstanceOf(LeaseLost)
    await db.transaction().execute(trx => holdRun(trx, second))
  })

  it('is not given before a waiting run may go on', async () => {
    const id = await queuedRun()
    await db
      .updateTable('run')
      .set({ resumes_at: sql<Date>`now() + interval '1 min'` })
      .where('id', '=', id)
      .execute()
    expect(await claimRun(db, id, { worker: 'worker' })).toBeNull()
  })

  it('that ran out is found once', async () => {
    const id = await queuedRun()
    await claimRun(db, id, { worker: 'worker' })
    expect(await forsaken()).not.toContain(id)
    await expireLease(id)
    expect(await forsaken()).toContain(id)
    expect(await forsaken()).not.toContain(id)
  })
})
