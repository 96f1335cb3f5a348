import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing/database.ts'
import { endRuns } from './end-queries.ts'
import { claimRun } from './lease-queries.ts'
import { readTable, storeTable } from './table-store.ts'
import { insertReport, nextRunId } from './testing/reports.ts'

const { db } = await testDatabase()

async function* chunks(count: number, onMade: (index: number) => void = () => undefined) {
  for (let index = 0; index < count; index++) {
    onMade(index)
    yield await Promise.resolve({ first_row: index, rows: 1, json: Buffer.from(`[[${index}]]`) })
  }
}

async function claimedRun() {
  const { report, owner } = await insertReport(db)
  const id = nextRunId()
  await db.insertInto('run').values({ id, report, owner, trigger: 'click', status: 'queued' }).execute()
  const run = await claimRun(db, id, { worker: 'test' })
  if (!run) throw new Error('the run is already claimed')
  return run
}

it('the next chunks of a table are made while one is being stored', async () => {
  const run = await claimedRun()
  const last = Promise.withResolvers<void>()
  const storing = await db.transaction().execute(async trx => {
    // Nothing can be stored until this transaction has ended.
    await sql`lock table run_chunk in exclusive mode`.execute(trx)
    const begun = storeTable(db, run, {
      columns: [],
      rows: 3,
      chunks: chunks(4, index => index === 3 && last.resolve()),
      progress: { blocks: [], notes: [] },
    })
    await last.promise
    return { begun }
  })
  await storing.begun
  const stored = await Array.fromAsync((await readTable(db, run.id))?.chunks() ?? [])
  expect(stored.map(({ json }) => Buffer.from(json).toString())).toEqual(['[[0]]', '[[1]]', '[[2]]', '[[3]]'])
})

it.each([
  { memory_bytes: 15, expected: ['[[0]]', '[[1]]', '[[2]]'] },
  { memory_bytes: 14, expected: null },
])('a table of $memory_bytes bytes at most need not be read again', async ({ memory_bytes, expected }) => {
  const run = await claimedRun()
  const table = { columns: [], rows: 2, progress: { blocks: [], notes: [] } }
  const stored = await storeTable(db, run, { ...table, chunks: chunks(3), memory_bytes })
  // A second time, as a request that is repeated reads it.
  for (let time = 0; time < 2; time++) {
    const read = stored && (await Array.fromAsync(stored.chunks()))
    expect(read && read.map(({ json }) => Buffer.from(json).toString())).toEqual(expected)
  }
})

it('a stored table has its note for every attempt, until its run ends without writing it', async () => {
  const run = await claimedRun()
  const { id } = run
  await storeTable(db, run, {
    columns: [],
    rows: 0,
    note: 'Updated 9:00\n更新',
    chunks: chunks(0),
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
