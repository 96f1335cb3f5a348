import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing/database.ts'
import { noteWrite, settleWrites, acquireSpreadsheetLease } from './spreadsheet-lease-queries.ts'
import { insertReport, nextRunId } from './testing/reports.ts'
import { claimRun } from './lease-queries.ts'

const { db } = await testDatabase()
const sheet = () => `sheet-${crypto.randomUUID()}`

async function claimedRun() {
  const { report, owner } = await insertReport(db)
  const id = nextRunId()
  await db.insertInto('run').values({ id, report, owner, trigger: 'click', status: 'queued' }).execute()
  const run = await claimRun(db, id, { worker: 'worker' })
  if (!run) throw new Error('the run is already claimed')
  return run
}
const note = (run: Awaited<ReturnType<typeof claimedRun>>, spreadsheet_id: string) =>
  noteWrite(db, run, spreadsheet_id)
const age = (id: number, seconds: number) =>
  sql`update spreadsheet_write set started_at = now() - ${seconds} * interval '1 s' where id = ${id}`.execute(
    db,
  )
const expireLease = (spreadsheet_id: string) =>
  sql`update spreadsheet_lease set until = now() - interval '1 s' where spreadsheet_id = ${spreadsheet_id}`.execute(
    db,
  )

describe('the lease of a spreadsheet', () => {
  it('belongs to one run at a time', async () => {
    const spreadsheet_id = sheet()
    const runs = await Promise.all(Array.from({ length: 8 }, claimedRun))
    const waits = await Promise.all(runs.map(run => acquireSpreadsheetLease(db, run, spreadsheet_id)))
    expect(waits.filter(wait => wait === null)).toHaveLength(1)
  })

  it('waits for a request of another run that may still be applied, and no longer', async () => {
    const spreadsheet_id = sheet()
    const [first, second] = [await claimedRun(), await claimedRun()]
    await acquireSpreadsheetLease(db, first, spreadsheet_id)
    const id = await note(first, spreadsheet_id)
    await expireLease(spreadsheet_id)
    expect(await acquireSpreadsheetLease(db, second, spreadsheet_id)).toBeGreaterThan(190_000)
    await age(id, 201)
    expect(await acquireSpreadsheetLease(db, second, spreadsheet_id)).toBeNull()
  })

  it('does not wait for a request whose outcome is known, nor for its own', async () => {
    const spreadsheet_id = sheet()
    const [first, second] = [await claimedRun(), await claimedRun()]
    await acquireSpreadsheetLease(db, first, spreadsheet_id)
    const id = await note(first, spreadsheet_id)
    expect(await acquireSpreadsheetLease(db, first, spreadsheet_id)).toBeNull()
    await settleWrites(db, [id])
    await expireLease(spreadsheet_id)
    expect(await acquireSpreadsheetLease(db, second, spreadsheet_id)).toBeNull()
  })

  it('that has passed to another run lets its former holder write nothing', async () => {
    const spreadsheet_id = sheet()
    const [first, second] = [await claimedRun(), await claimedRun()]
    await acquireSpreadsheetLease(db, first, spreadsheet_id)
    await expireLease(spreadsheet_id)
    await acquireSpreadsheetLease(db, second, spreadsheet_id)
    await expect(note(first, spreadsheet_id)).rejects.toMatchObject({
      failure: { kind: 'spreadsheet_taken' },
    })
  })

  it('is of no use to an older attempt', async () => {
    const spreadsheet_id = sheet()
    const first = await claimedRun()
    await acquireSpreadsheetLease(db, first, spreadsheet_id)
    await sql`update run set lease_until = now() - interval '1 s' where id = ${first.id}`.execute(db)
    await claimRun(db, first.id, { worker: 'other' })
    await expect(note(first, spreadsheet_id)).rejects.toMatchObject({ failure: { kind: 'lease_lost' } })
  })
})
