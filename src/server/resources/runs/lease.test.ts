import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing/database.ts'
import { holdLease } from './lease.ts'
import { acquireSpreadsheetLease } from './spreadsheet-lease-queries.ts'
import { storeTable } from './table-store.ts'
import { insertReport, nextRunId } from './testing/reports.ts'
import { claimNextRun, claimRun, holdRun } from './lease-queries.ts'

const { db } = await testDatabase()

async function queuedRun() {
  const { report, owner } = await insertReport(db)
  const id = nextRunId()
  await db.insertInto('run').values({ id, report, owner, trigger: 'click', status: 'queued' }).execute()
  return id
}
const expireLease = (id: string) =>
  db
    .updateTable('run')
    .set({ lease_until: sql<Date>`now() - interval '1 s'` })
    .where('id', '=', id)
    .execute()

describe('a lease', () => {
  beforeEach(async () => {
    // Runs of earlier tests are deleted.
    await sql`update run set status = 'cancelled' where finished_at is null`.execute(db)
  })

  it('is granted to one of many workers that claim at once', async () => {
    const id = await queuedRun()
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, i) => claimRun(db, id, { worker: `worker ${i}` })),
    )
    expect(claims.filter(claim => claim !== null)).toHaveLength(1)
  })

  it('is taken over when it has ended, and the first holder may record nothing any more', async () => {
    const id = await queuedRun()
    const first = await claimRun(db, id, { worker: 'first' })
    await expireLease(id)
    const second = await claimRun(db, id, { worker: 'second' })
    expect(second).toMatchObject({ attempt: 2, lost_leases: 1 })
    if (!first || !second) throw new Error('both claims were granted')
    await expect(db.transaction().execute(trx => holdRun(trx, first))).rejects.toMatchObject({
      failure: { kind: 'lease_lost' },
    })
    await db.transaction().execute(trx => holdRun(trx, second))
  })

  it('is lost by a worker that stores a table meanwhile: none of its rows go among those of the second holder', async () => {
    const id = await queuedRun()
    const first = await claimRun(db, id, { worker: 'first' })
    if (!first) throw new Error('the run is already claimed')
    const chunk = { first_row: 0, rows: 1, json: Buffer.from('[["a"]]') }
    const storedChunks = async () =>
      await db.selectFrom('run_chunk').select(['attempt', 'first_row']).where('run', '=', id).execute()
    async function* chunks() {
      yield chunk
      yield { ...chunk, first_row: 1 }
      // Chunks are made ahead.
      await expect.poll(storedChunks).toHaveLength(1)
      await expireLease(id)
      await claimRun(db, id, { worker: 'second' })
      yield { ...chunk, first_row: 2 }
    }
    const stored = storeTable(db, first, {
      columns: [],
      rows: 2,
      chunks: chunks(),
      progress: { blocks: [], notes: [] },
    })
    await expect(stored).rejects.toMatchObject({ failure: { kind: 'lease_lost' } })
    expect(await storedChunks()).toEqual([{ attempt: 1, first_row: 0 }])
  })

  it('that lies further ahead than any can, since the clock of the database was set back, has ended', async () => {
    const id = await queuedRun()
    const first = await claimRun(db, id, { worker: 'first' })
    await db
      .updateTable('run')
      .set({ lease_until: sql<Date>`now() + interval '1 hour'` })
      .where('id', '=', id)
      .execute()
    expect(await claimNextRun(db, 'shared', { worker: 'second' })).toMatchObject({ id, attempt: 2 })
    if (!first) throw new Error('the run is already claimed')
    await expect(db.transaction().execute(trx => holdRun(trx, first))).rejects.toMatchObject({
      failure: { kind: 'lease_lost' },
    })
  })

  it('is not granted before a waiting run may go on', async () => {
    const id = await queuedRun()
    await db
      .updateTable('run')
      .set({ resumes_at: sql<Date>`now() + interval '1 min'` })
      .where('id', '=', id)
      .execute()
    expect(await claimRun(db, id, { worker: 'worker' })).toBeNull()
  })

  it('that has ended is taken over once', async () => {
    const id = await queuedRun()
    const claim = () => claimNextRun(db, 'shared', { worker: 'worker' })
    expect(await claim()).toMatchObject({ id, lost_leases: 0 })
    expect(await claim()).toBeNull()
    await expireLease(id)
    expect(await claim()).toMatchObject({ id, lost_leases: 1 })
    expect(await claim()).toBeNull()
  })

  it('that is lost twice is granted only to a process that has nothing else', async () => {
    const id = await queuedRun()
    await claimNextRun(db, 'shared', { worker: 'first' })
    await expireLease(id)
    await claimNextRun(db, 'shared', { worker: 'second' })
    await expireLease(id)
    expect(await claimNextRun(db, 'shared', { worker: 'third' })).toBeNull()
    expect(await claimNextRun(db, 'alone', { worker: 'third' })).toMatchObject({ id, lost_leases: 2 })
  })

  it('is prolonged together with the lease of the spreadsheet, and ends with a request to cancel', async () => {
    const id = await queuedRun()
    const run = await claimRun(db, id, { worker: 'worker', lease_s: 2 })
    if (!run) throw new Error('the run is already claimed')
    await acquireSpreadsheetLease(db, run, id)
    const turnUntil = async () =>
      (
        await db
          .selectFrom('spreadsheet_lease')
          .select('until')
          .where('run', '=', id)
          .executeTakeFirstOrThrow()
      ).until.getTime()
    const began = await turnUntil()
    const lease = holdLease(db, run)
    while ((await turnUntil()) < began + 1000) lease.signal.throwIfAborted()
    await db
      .updateTable('run')
      .set({ cancel_requested_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    await new Promise(resolve => lease.signal.addEventListener('abort', resolve))
    lease.stop()
    expect(lease.signal.reason).toMatchObject({ failure: { kind: 'cancelled' } })
  })
})
