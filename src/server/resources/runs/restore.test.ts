import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { drawn } from '#server/testing/random.ts'
import { AttemptError } from './failure.ts'
import { testAgency } from '#server/resources/runs/testing/agency.ts'
import { dyingWorkers } from '#server/resources/runs/testing/crash.ts'
import { currentTable, insertRestore } from './restore-queries.ts'
import { RETAINED_TABLES } from './table-queries.ts'

const agency = await testAgency()
const { db, service, block } = agency
const dieAt = dyingWorkers(agency)

const setDays = (report: number, date_end: string) =>
  db.updateTable('report').set({ date_end }).where('id', '=', report).execute()

async function queueUndo(report: number, table_of: string): Promise<string | null> {
  const { owner, spreadsheet_id, sheet_id, sheet_name, start_cell } = await db
    .selectFrom('report')
    .selectAll()
    .where('id', '=', report)
    .executeTakeFirstOrThrow()
  const target = { spreadsheet_id: spreadsheet_id ?? '', sheet_id, sheet_name, start_cell }
  return await db
    .transaction()
    .execute(trx => insertRestore(trx, { table_of, owner, requested_by: agency.owner, target }))
}

async function undo(report: number, table_of: string) {
  const id = await queueUndo(report, table_of)
  return await agency.attempt(id ?? '')
}

/** A report that has run twice, the second time with more days; both tables have a note. */
async function ranTwice(limits = {}) {
  const { id, spreadsheet_id } = await agency.report({ date_end: '2026-11-04' })
  const first = await runWithNote(id, 'the first', limits)
  await setDays(id, '2026-11-09')
  const second = await runWithNote(id, 'the second', limits)
  expect([first.status, second.status]).toEqual(['completed', 'completed'])
  return { id, spreadsheet_id, first, second }
}

/** An attempt stores the table, as if with this note, and is stopped; the next one writes what is stored. */
async function runWithNote(report: number, table_note: string, sheets_limits = {}) {
  const run = await agency.queue(report)
  await agency.attempt(run, {
    async step(step) {
      if (step === 'stored') throw new AttemptError({ kind: 'released' })
    },
  })
  await db.updateTable('run').set({ table_note }).where('id', '=', run).execute()
  return await agency.attempt(run, { sheets_limits })
}

const notesIn = async (spreadsheet_id: string) =>
  [...(await service.document(spreadsheet_id)).matchAll(/"note":"([^"]*)"/g)].map(([, note]) => note)

describe('a restore', () => {
  it('writes an older table back, fetches nothing, and can be reverted', async () => {
    const { id, spreadsheet_id, first, second } = await ranTwice()
    const newer = await service.values(spreadsheet_id)
    const requestCount = (await agency.sandbox.requests()).filter(({ path }) =>
      path.includes('insights'),
    ).length
    const back = await undo(id, first.id)
    expect(back).toMatchObject({
      status: 'completed',
      trigger: 'undo',
      restores: first.id,
      rows: first.rows,
      platform_requests: 0,
      range_end: '2026-11-04',
    })
    const older = await service.values(spreadsheet_id)
    expect(older).toHaveLength(1 + Number(first.rows))
    expect(older).toEqual(newer.slice(0, older.length))
    expect(await currentTable(db, id)).toBe(first.id)

    await undo(id, second.id)
    expect(await service.values(spreadsheet_id)).toEqual(newer)
    expect((await agency.sandbox.requests()).filter(({ path }) => path.includes('insights'))).toHaveLength(
      requestCount,
    )
    // The next run writes new numbers.
    await setDays(id, '2026-11-06')
    expect(await agency.run(id)).toMatchObject({ status: 'completed', rows: 6 })
    expect(await service.values(spreadsheet_id)).toHaveLength(7)
  })

  it('writes the table’s note back with it, and leaves one that somebody has set instead', async () => {
    const { id, spreadsheet_id, first, second } = await ranTwice()
    expect(second.written).toMatchObject({ note: 'the second' })
    expect(await notesIn(spreadsheet_id)).toEqual(['the second'])
    expect(await undo(id, first.id)).toMatchObject({ written: { note: 'the first' }, notes: [] })
    expect(await notesIn(spreadsheet_id)).toEqual(['the first'])
    const cell = { sheetId: 0, startRowIndex: 0, endRowIndex: 1, startColumnIndex: 0, endColumnIndex: 1 }
    await service.batch(spreadsheet_id, {
      updateCells: { range: cell, rows: [{ values: [{ note: 'mine' }] }], fields: 'note' },
    })
    expect(await undo(id, second.id)).toMatchObject({
      written: { note: null },
      notes: [{ code: 'note_kept', block: null, detail: { ranges: 'A1' } }],
    })
    expect(await notesIn(spreadsheet_id)).toEqual(['mine'])
  })

  it('removes the note of a table when the older one has none', async () => {
    const { id, spreadsheet_id } = await agency.report()
    const first = await agency.run(id)
    await runWithNote(id, 'the second')
    expect(await notesIn(spreadsheet_id)).toEqual(['the second'])
    expect(await undo(id, first.id)).toMatchObject({ status: 'completed', notes: [] })
    expect(await notesIn(spreadsheet_id)).toEqual([])
  })

  it('is possible for the last five tables, and one that was restored counts among them', async () => {
    const { id, first, second } = await ranTwice()
    await undo(id, first.id)
    for (let count = 0; count < RETAINED_TABLES - 1; count++) await agency.run(id)
    const remaining = await db
      .selectFrom('run_chunk')
      .innerJoin('run', 'run.id', 'run_chunk.run')
      .select('run')
      .distinct()
      .where('report', '=', id)
      .execute()
    expect(remaining).toHaveLength(RETAINED_TABLES)
    expect(remaining.map(({ run }) => run)).toContain(first.id)
    expect(remaining.map(({ run }) => run)).not.toContain(second.id)
  })

  it('never writes part of a table: one whose rows are gone fails, and the sheet keeps its content', async () => {
    const { id, spreadsheet_id, first } = await ranTwice()
    const before = await service.document(spreadsheet_id)
    const run_id = await queueUndo(id, first.id)
    await db.deleteFrom('run_chunk').where('run', '=', first.id).execute()
    let done = await agency.attempt(run_id ?? '', { onUnexpected: () => undefined })
    for (let tries = 0; done.status === 'queued' && tries < 5; tries++) {
      await agency.resume(done.id)
      done = await agency.attempt(done.id, { onUnexpected: () => undefined })
    }
    expect(done).toMatchObject({ status: 'error', code: 'internal_error' })
    expect(await service.document(spreadsheet_id)).toBe(before)
  })

  it('does not begin while another run of the report waits, and nothing begins beside it', async () => {
    const { id, first } = await ranTwice()
    const waiting = await agency.queue(id)
    expect(await queueUndo(id, first.id)).toBeNull()
    await agency.attempt(waiting)
    const ids = await Promise.all(Array.from({ length: 8 }, () => queueUndo(id, first.id)))
    expect(ids.filter(each => each !== null)).toHaveLength(1)
  })

  it('writes nothing once the owner has lost an account that is in the table', async () => {
    const { id, spreadsheet_id, first } = await ranTwice()
    const before = await service.document(spreadsheet_id)
    const run_id = await queueUndo(id, first.id)
    const away = await db
      .updateTable('ad_account')
      .set({ advertiser: null })
      .where('name', '=', 'Aurora Cosmetics Taiwan')
      .execute()
    expect(away).toBeDefined()
    const done = await agency.attempt(run_id ?? '')
    await db
      .updateTable('ad_account')
      .set({ advertiser: agency.advertiser })
      .where('name', '=', 'Aurora Cosmetics Taiwan')
      .execute()
    expect(done).toMatchObject({ status: 'error', code: 'account_access_lost' })
    expect(await service.document(spreadsheet_id)).toBe(before)
  })

  it('refuses to cover the table of another report at the same place', async () => {
    const { id, spreadsheet_id, first } = await ranTwice()
    await setDays(id, '2026-11-02')
    await agency.run(id)
    // Below the short table, where the older one was longer.
    const other = await agency.report({
      spreadsheet_id,
      start_cell: 'A5',
      blocks: [block(['Aurora Cosmetics Outlet'])],
    })
    expect(await agency.run(other.id)).toMatchObject({ status: 'completed' })
    const before = await service.document(spreadsheet_id)
    expect(await undo(id, first.id)).toMatchObject({ status: 'error', code: 'target_overlap' })
    expect(await service.document(spreadsheet_id)).toBe(before)
  })
})

describe('a worker that is killed while it restores a table', () => {
  const ways = [
    ['in one request', {}],
    ['in steps, assembled in a hidden tab', { small_cells: 5, chunk: { bytes: 10_000, cells: 12 } }],
  ] as const
  it.each(ways)('%s leaves one table or the other, and the next worker finishes', async (way, limits) => {
    const { id, spreadsheet_id, first, second } = await ranTwice(limits)
    const read = async (how = {}) => hash('sha1', await service.document(spreadsheet_id, how))
    const tables = [first.id, second.id]
    const stepsOf: string[][] = []
    const hashes: string[] = []
    for (const table of [...tables, ...tables]) {
      const steps: string[] = []
      const run_id = await queueUndo(id, table)
      const step = async (name: string) => void steps.push(name)
      await agency.attempt(run_id ?? '', { sheets_limits: limits, step })
      hashes.push(await read())
      stepsOf.push(steps)
    }
    expect(hashes.slice(2)).toEqual(hashes.slice(0, 2))
    const steps = stepsOf.at(-1) ?? []
    console.log(`${steps.length} points: ${steps.join(', ')}`)

    for (const [count, [index, step]] of drawn([...steps.entries()], 6, way).entries()) {
      const nth = count % 2
      const run_id = (await queueUndo(id, tables[nth] ?? '')) ?? ''
      const could = stepsOf[2 + nth]?.length ?? 0
      expect(await dieAt(index + 1, { run_id, sheets_limits: limits }), step).toBe(
        index < could ? 'SIGKILL' : 0,
      )
      expect([hashes[0], hashes[1]], step).toContain(await read({ visible: true }))
      await sql`update run set lease_until = now() - interval '1 s' where id = ${run_id} and lease_until is not null`.execute(
        db,
      )
      expect(await agency.attempt(run_id, { sheets_limits: limits }), step).toMatchObject({
        status: 'completed',
        failures: 0,
      })
      expect(await read(), step).toBe(hashes[nth])
      // As if the 200 seconds had passed in which the dead worker's request could still be applied.
      await db.deleteFrom('spreadsheet_write').execute()
    }
  })
})
