import { describe, expect, it } from 'vitest'
import { deleteOldRuns, deleteOldWrites, deleteStrayChunks, RUN_RETENTION_DAYS } from './cleanup-queries.ts'
import { testDatabase } from '#server/db/testing/database.ts'
import { insertReport } from './testing/reports.ts'
import { idAt } from '#server/db/id-at.ts'

const { db } = await testDatabase()
const now = new Date('2026-11-20T02:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 3600_000)
const written = JSON.stringify({ spreadsheet_id: 's', sheet_id: 0, rect: [0, 0, 1, 1], head: '', fmt: '' })

async function insertRun(report: number, owner: number, fields: object) {
  const finished_at = 'finished_at' in fields && fields.finished_at instanceof Date ? fields.finished_at : now
  const id = idAt(finished_at).replace(/.{12}$/, crypto.randomUUID().slice(-12))
  await db
    .insertInto('run')
    .values({ id, report, owner, trigger: 'schedule', status: 'completed', finished_at, written, ...fields })
    .execute()
  return id
}
const left = async (report: number) =>
  (await db.selectFrom('run').select('id').where('report', '=', report).orderBy('id').execute()).map(
    run => run.id,
  )

describe('deleting old rows', () => {
  it('deletes old runs, but never the last one that wrote', async () => {
    const { report, owner } = await insertReport(db)
    const old = RUN_RETENTION_DAYS + 1
    await insertRun(report, owner, { finished_at: daysAgo(old + 2) })
    const last_written = await insertRun(report, owner, { finished_at: daysAgo(old + 1) })
    await insertRun(report, owner, { finished_at: daysAgo(old), status: 'error', written: null })
    const recent = await insertRun(report, owner, { finished_at: daysAgo(3), status: 'error', written: null })
    expect(await deleteOldRuns(db, now)).toBe(2)
    expect(await left(report)).toEqual([last_written, recent])
    expect(await deleteOldRuns(db, now)).toBe(0)
  })

  it('deletes chunks of failed attempts, and keeps what a run still needs', async () => {
    const { report, owner } = await insertReport(db)
    const runs = [
      await insertRun(report, owner, { table_attempt: 2, table_rows: 1 }),
      await insertRun(report, owner, { status: 'error', written: null }),
      await insertRun(report, owner, { status: 'fetching', finished_at: null, written: null }),
    ]
    const chunk = { seq: 0, first_row: 0, rows: 1, bytes: Buffer.from('x') }
    for (const run of runs)
      for (const attempt of [1, 2])
        await db
          .insertInto('run_chunk')
          .values({ run, attempt, ...chunk })
          .execute()
    expect(await deleteStrayChunks(db)).toBe(3)
    const remaining = await db
      .selectFrom('run_chunk')
      .select(['run', 'attempt'])
      .orderBy('attempt')
      .orderBy('run')
      .execute()
    expect(remaining).toEqual([
      { run: runs[2], attempt: 1 },
      ...[runs[0], runs[2]].toSorted().map(run => ({ run, attempt: 2 })),
    ])
  })

  it('deletes requests that can no longer be applied', async () => {
    const { report, owner } = await insertReport(db)
    const run = await insertRun(report, owner, {})
    const note = (started_at: Date) =>
      db
        .insertInto('spreadsheet_write')
        .values({ spreadsheet_id: 's', run, attempt: 1, started_at })
        .execute()
    await note(new Date(Date.now() - 2 * 24 * 3600_000))
    await note(new Date())
    await deleteOldWrites(db)
    expect(await db.selectFrom('spreadsheet_write').select('id').execute()).toHaveLength(1)
  })
})
