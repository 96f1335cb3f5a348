import { expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing/database.ts'
import { endRuns } from './end-queries.ts'
import { claimRun } from './lease-queries.ts'
import { readTable, storeTable } from './table-store.ts'
import { insertReport, nextRunId } from './testing/reports.ts'

const { db } = await testDatabase()

it('a stored table has its note for every attempt, until its run ends without writing it', async () => {
  const { report, owner } = await insertReport(db)
  const id = nextRunId()
  await db.insertInto('run').values({ id, report, owner, trigger: 'click', status: 'queued' }).execute()
  const run = await claimRun(db, id, { worker: 'test' })
  if (!run) throw new Error('the run is already claimed')
  await storeTable(db, run, {
    columns: [],
    rows: 0,
    note: 'Updated 9:00\n更新',
    chunks: [],
    progress: { blocks: [], notes: [] },
  })
  expect(await readTable(db, id)).toMatchObject({ rows: 0, note: 'Updated 9:00\n更新' })
  await db
    .transaction()
    .execute(trx => endRuns(trx, [id], { status: 'error', code: 'internal_error', detail: {} }))
  expect(await readTable(db, id)).toBeNull()
  const row = await db.selectFrom('run').select('table_note').where('id', '=', id).executeTakeFirst()
  expect(row).toEqual({ table_note: null })
})
