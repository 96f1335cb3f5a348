import { describe, expect, it } from 'vitest'
import type { Compared } from '#shared/api/run-changes.ts'
import { testAgency } from '#server/resources/runs/testing/agency.ts'
import { insertRestore } from '#server/resources/runs/restore-queries.ts'
import { changesOf } from './changes-of.ts'

const agency = await testAgency()
const { db, block } = agency
const set = (report: number, fields: object) =>
  db.updateTable('report').set(fields).where('id', '=', report).execute()

async function comparedOf(report: number, run: string): Promise<Compared> {
  const changes = await changesOf(db, { report, run })
  if (changes?.status !== 'compared') throw new Error(`${changes?.status}`)
  return changes
}

describe('the changes since the previous run', () => {
  it('are listed by day', async () => {
    const { id } = await agency.report({
      date_end: '2026-11-04',
      blocks: [block(['Aurora Cosmetics Taiwan'], { metrics: ['impressions', 'cost', 'ctr', 'clicks'] })],
    })
    const first = await agency.run(id)
    expect(await changesOf(db, { report: id, run: first.id })).toEqual({ status: 'first' })
    await set(id, { date_start: '2026-11-02', date_end: '2026-11-05' })
    const second = await agency.run(id)
    const changes = await comparedOf(id, second.id)
    expect(changes).toMatchObject({
      by: 'date',
      before: { run: first.id },
      rows: { same: 3, changed: 0, added: 1, removed: 1 },
      count: 2,
    })
    expect(changes.moved.map(({ kind, key }) => [kind, ...key])).toEqual([
      ['added', '2026-11-05'],
      ['removed', '2026-11-01'],
    ])
    expect(changes.columns.map(({ title }) => title)).toEqual(['Impressions', 'Cost', 'CTR', 'Clicks'])
    // Stored, even when neither table is kept any more.
    await db.deleteFrom('run_chunk').execute()
    expect(await changesOf(db, { report: id, run: second.id })).toEqual(changes)
  })

  it('are found in whatever order the rows are; with a limit row by row', async () => {
    const { id } = await agency.report({
      date_end: '2026-11-04',
      sort: JSON.stringify({ by: 'cost', block: null, descending: true }),
      blocks: [block(['Aurora Cosmetics Taiwan'], { metrics: ['cost'] })],
    })
    await agency.run(id)
    await set(id, { date_start: '2026-11-02', date_end: '2026-11-05' })
    const second = await agency.run(id)
    expect(await comparedOf(id, second.id)).toMatchObject({
      by: 'date',
      rows: { same: 3, changed: 0, added: 1, removed: 1 },
    })
    await set(id, { limit: 2 })
    const cut = await agency.run(id)
    expect(await changesOf(db, { report: id, run: cut.id })).toEqual({ status: 'not_alike' })
    const again = await agency.run(id)
    expect(await comparedOf(id, again.id)).toMatchObject({
      by: 'row',
      rows: { same: 2, added: 0, removed: 0 },
    })
  })

  it('add up the rows of a day, but no ratios and not the money of several currencies', async () => {
    const accounts = ['Aurora Cosmetics Taiwan', 'Delta Fitness 台灣']
    const { id } = await agency.report({
      dimensions: '["date","campaign"]',
      date_end: '2026-11-02',
      blocks: [block([accounts[0] ?? ''], { metrics: ['clicks', 'ctr', 'cost'] })],
    })
    const first = await agency.run(id)
    await set(id, {
      channels: JSON.stringify([
        block([accounts[0] ?? ''], {
          metrics: ['clicks', 'ctr', 'cost'],
          filters: [{ field: 'campaign_name', rule: 'NOT_CONTAINS', values: ['SALE'] }],
        }),
      ]),
    })
    const second = await agency.run(id)
    const changes = await comparedOf(id, second.id)
    expect(changes.rows).toMatchObject({
      changed: 0,
      added: 0,
      removed: Number(first.rows) - Number(second.rows),
    })
    expect(changes.rows.removed).toBeGreaterThan(0)
    const labels = new Set(
      changes.moved.flatMap(({ cells }) => cells.map(({ column }) => changes.columns[column]?.title)),
    )
    expect([...labels]).toEqual(['Clicks', 'Cost'])
  })

  it('are listed by row where the table has no time, with added and removed metrics', async () => {
    const blocks = (metrics: string[]) => [block(['Aurora Cosmetics Taiwan'], { metrics })]
    const { id } = await agency.report({ dimensions: '["campaign"]', blocks: blocks(['clicks', 'cost']) })
    await agency.run(id)
    await set(id, { channels: JSON.stringify(blocks(['cost', 'impressions'])), date_end: '2026-11-11' })
    const second = await agency.run(id)
    const changes = await comparedOf(id, second.id)
    expect(changes).toMatchObject({ by: 'row', columns_added: ['Impressions'], columns_removed: ['Clicks'] })
    expect(changes.rows.changed).toBeGreaterThan(0)
    expect(changes.moved[0]).toMatchObject({
      kind: 'changed',
      key: [expect.any(String)],
      cells: [{ column: 0 }],
    })
  })

  it('have a reason when there are none to show', async () => {
    const { id } = await agency.report({ date_end: '2026-11-04' })
    const statusOf = async (run: string, most_cells?: number) =>
      (await changesOf(db, { report: id, run }, most_cells))?.status
    const first = await agency.run(id)
    await set(id, { dimensions: '["campaign"]' })
    const second = await agency.run(id)
    expect(await statusOf(second.id)).toBe('not_alike')
    await set(id, { dimensions: '["date"]', date_end: '2026-11-10' })
    const third = await agency.run(id)
    const fourth = await agency.run(id)
    expect(await statusOf(fourth.id, 59)).toBe('too_large')
    await db.deleteFrom('run_chunk').where('run', '=', third.id).execute()
    expect(await statusOf(fourth.id)).toBe('not_kept')
    expect(await statusOf(await agency.queue(id))).toBe('no_table')
    expect(await changesOf(db, { report: id + 1, run: first.id })).toBeNull()
  })

  it('of a restore are the newer table’s, reversed', async () => {
    const { id } = await agency.report({ date_end: '2026-11-04' })
    const first = await agency.run(id)
    await set(id, { date_end: '2026-11-06' })
    const second = await agency.run(id)
    const report = await db.selectFrom('report').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const undo = await db.transaction().execute(trx =>
      insertRestore(trx, {
        table_of: first.id,
        owner: report.owner,
        requested_by: report.owner,
        target: {
          spreadsheet_id: report.spreadsheet_id ?? '',
          sheet_id: report.sheet_id,
          sheet_name: report.sheet_name,
          start_cell: report.start_cell,
        },
      }),
    )
    await agency.attempt(undo ?? '')
    expect(await comparedOf(id, undo ?? '')).toMatchObject({
      before: { run: second.id },
      rows: { same: 4, removed: 2 },
      moved: [
        { kind: 'removed', key: ['2026-11-06'] },
        { kind: 'removed', key: ['2026-11-05'] },
      ],
    })
  })
})
