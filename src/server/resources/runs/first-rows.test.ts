import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { FirstRows } from '#shared/api/first-rows.ts'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'
import { testAccount, testPlan } from '#server/table/testing/table.ts'
import { nextRunId } from './testing/reports.ts'

const api = await testApi()
const { db } = api

const columns = [
  { title: 'Date', format: { kind: 'day' } },
  { title: 'CTR', format: { kind: 'percent', digits: 2 } },
]

interface RunFacts {
  accounts?: number[]
  status?: 'queued' | 'writing' | 'completed' | 'error'
  restores?: string
}

/** A run of the report; its table has 60 rows in two chunks, unless it failed or restores another's. */
async function runOf(
  client: Client,
  report: number,
  { status = 'completed', restores, accounts = [] }: RunFacts = {},
) {
  const id = nextRunId()
  const hasTable = status !== 'error'
  const plan = testPlan({
    blocks: [{ accounts }],
    accounts: accounts.map(account => testAccount(account)),
  })
  await db
    .insertInto('run')
    .values({
      id,
      report,
      owner: client.user.id,
      trigger: 'click',
      status,
      restores: restores ?? null,
      finished_at: status === 'completed' ? new Date('2026-11-20T02:00:00Z') : null,
      plan: JSON.stringify({ plan, target: { start_cell: 'B3' } }),
      ...(hasTable && {
        rows: 60,
        table_rows: 60,
        table_columns: JSON.stringify(columns),
        table_attempt: 1,
      }),
    })
    .execute()
  if (!hasTable || restores) return id
  const rows = Array.from({ length: 61 }, (_, row) =>
    row === 0 ? ['Date', 'CTR'] : [46_000 + row, row / 100],
  )
  for (const [seq, [start, end]] of [[0, 20] as const, [20, 61] as const].entries()) {
    const bytes = zstdCompressSync(JSON.stringify(rows.slice(start, end)))
    await db
      .insertInto('run_chunk')
      .values({ run: id, attempt: 1, seq, first_row: start, rows: end - start, bytes })
      .execute()
  }
  return id
}

const tableOf = (client: Client, report: number, run: string) =>
  client.get(`/api/gs-template-setting/${report}/runs/${run}/table/`)
const read = async (client: Client, report: number, run: string) =>
  FirstRows.parse((await tableOf(client, report, run)).body)

describe('the first rows of the table of a run', () => {
  it('are 50 with their formats, the cell where it starts, and how many there are in all', async () => {
    const owner = await api.signedIn('external_user')
    const { id } = await owner.report()
    const table = await read(owner, id, await runOf(owner, id))
    expect(table).toMatchObject({
      status: 'stored',
      columns,
      row_count: 60,
      start_cell: 'B3',
      as_of: '2026-11-20T02:00:00.000Z',
    })
    if (table.status !== 'stored') return
    expect(table.rows).toHaveLength(50)
    expect([table.rows[0], table.rows.at(-1)]).toEqual([
      [46_001, 0.01],
      [46_050, 0.5],
    ])
  })

  it('are there from when it is stored, before it is written', async () => {
    const owner = await api.signedIn('staff')
    const { id } = await owner.report()
    const waiting = await runOf(owner, id, { status: 'queued' })
    expect(await read(owner, id, waiting)).toMatchObject({ status: 'stored', row_count: 60, as_of: null })
  })

  it('are missing where the run has no table, or it is no longer stored, all or in part', async () => {
    const owner = await api.signedIn('staff')
    const { id } = await owner.report()
    expect(await read(owner, id, await runOf(owner, id, { status: 'error' }))).toEqual({ status: 'no_table' })
    const run = await runOf(owner, id)
    for (const seq of [1, 0]) {
      await db.deleteFrom('run_chunk').where('run', '=', run).where('seq', '=', seq).execute()
      expect(await read(owner, id, run)).toEqual({ status: 'not_kept' })
    }
  })

  it('of a restore are those of the table that it restores', async () => {
    const owner = await api.signedIn('staff')
    const { id } = await owner.report()
    const origin = await runOf(owner, id)
    expect(await read(owner, id, await runOf(owner, id, { restores: origin }))).toEqual(
      await read(owner, id, origin),
    )
  })

  it('are for people who see the report, and not over accounts that a client may not use', async () => {
    const owner = await api.signedIn('staff')
    const viewer = await api.client()
    const { id } = await owner.report()
    const theirs = await api.account({ advertiser: viewer.advertiser })
    const foreign = await api.account({ advertiser: await api.advertiser('Another client') })
    const [visible, hidden] = [
      await runOf(owner, id, { accounts: [theirs] }),
      await runOf(owner, id, { accounts: [theirs, foreign] }),
    ]
    expectRefusal(await tableOf(viewer, id, visible), 404, 'not_found')
    await db
      .insertInto('report_share')
      .values({ report: id, user_id: viewer.user.id, access: 'viewer', shared_by: null })
      .execute()
    expect(await read(viewer, id, visible)).toMatchObject({ status: 'stored' })
    expectRefusal(await tableOf(viewer, id, hidden), 404, 'not_found')
    // A restore in their own name reveals no more than the run that fetched the table.
    const restore = await runOf(viewer, id, { restores: hidden, accounts: [theirs, foreign] })
    expect(await read(viewer, id, restore)).toEqual({ status: 'not_kept' })
    expect(await read(owner, id, restore)).toMatchObject({ status: 'stored' })
  })
})
