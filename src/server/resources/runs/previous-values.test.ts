import { afterEach, describe, expect, it } from 'vitest'
import { PlatformFailure, sourceOf, type Source } from '#server/connectors/connector.ts'
import { meta } from '#server/connectors/meta/report.ts'
import { testAgency } from './testing/agency.ts'

const agency = await testAgency()
const { db, sandbox, service, report, run, block } = agency
afterEach(() => sandbox.setFaults([]))

const TAIWAN = 'Aurora Cosmetics Taiwan'
const OUTLET = 'Aurora Cosmetics Outlet'
const OTHER = 'Borealis Outdoor Taiwan'
const real = sourceOf(meta, { access_token: 'sandbox-agency' })

/** Meta, with one account that responds with this failure. */
const failing = (code: 'account_access_lost' | 'channel_retired', external_id: string): Source => {
  const refuse = () => {
    throw new PlatformFailure(code)
  }
  return {
    ...real,
    async *fetchReport(request, io) {
      if (request.account.external_id === external_id) refuse()
      yield* real.fetchReport(request, io)
    },
  }
}
const OUTLET_ID = '10150357160960122'
const OTHER_ID = '10150400220131004'

const blocks = (on_error: 'leave_empty' | 'keep_previous') => [
  block([TAIWAN], { metrics: ['impressions'] }),
  block([OUTLET], { metrics: ['impressions', 'ctr'], on_error }),
]

describe('a block that fails', () => {
  it('keeps its previous values beside the new ones of the others', async () => {
    const { id, spreadsheet_id } = await report({ blocks: blocks('keep_previous') })
    await run(id)
    const before = await service.values(spreadsheet_id)
    await move(id, '2026-11-03', '2026-11-12')
    const done = await run(id, { sourceOf: async () => failing('account_access_lost', OUTLET_ID) })
    expect(done).toMatchObject({ status: 'completed', partial: true, rows: 12 })
    expect(done.notes).toMatchObject([{ code: 'kept_previous', block: 1 }])
    const again = await run(id, { sourceOf: async () => failing('account_access_lost', OUTLET_ID) })
    expect(again.notes).toEqual(done.notes)
    const after = await service.values(spreadsheet_id)
    expect(after.slice(1, 11).map(row => row.slice(2))).toEqual(before.slice(1).map(row => row.slice(2)))
    // Days that are no longer requested have no new values, days that are new no previous ones.
    expect(after.slice(1, 3).map(row => row[1])).toEqual(['', ''])
    expect(after.slice(11).map(row => row.slice(2))).toEqual([[], []])
    expect(after.slice(3, 11).map(row => row[1])).toEqual(before.slice(3).map(row => row[1]))
  })

  it('keeps them in a table that is sorted, in its order, and none in one with a limit', async () => {
    const sort = JSON.stringify({ by: 'impressions', block: 1, descending: true })
    const { id, spreadsheet_id } = await report({ blocks: blocks('keep_previous'), sort })
    await run(id)
    const [header, ...before] = await service.values(spreadsheet_id)
    const sortedColumn = before.map(row => Number(row[2]))
    expect(sortedColumn).toEqual(sortedColumn.toSorted((one, other) => other - one))
    const failingRun = () => run(id, { sourceOf: async () => failing('account_access_lost', OUTLET_ID) })
    expect(await failingRun()).toMatchObject({ notes: [{ code: 'kept_previous', block: 1 }] })
    expect(await service.values(spreadsheet_id)).toEqual([header, ...before])
    await db.updateTable('report').set({ limit: 3 }).where('id', '=', id).execute()
    expect(await failingRun()).toMatchObject({
      rows: 3,
      notes: [{ code: 'first_rows', block: null, detail: { rows: 3, of_rows: before.length } }],
    })
    expect((await service.values(spreadsheet_id)).slice(1).map(row => row.slice(2))).toEqual([[], [], []])
  })

  it('keeps them under its own label in a stacked table', async () => {
    const { id, spreadsheet_id } = await report({
      blocks: blocks('keep_previous'),
      arrangement: 'stacked',
    })
    await run(id)
    const before = await service.values(spreadsheet_id)
    await run(id, { sourceOf: async () => failing('account_access_lost', OUTLET_ID) })
    expect(await service.values(spreadsheet_id)).toEqual(before)
  })

  it('leaves its cells empty where keeping them was not requested, and where the columns have changed', async () => {
    const { id, spreadsheet_id } = await report({ blocks: blocks('leave_empty') })
    await run(id)
    await run(id, { sourceOf: async () => failing('account_access_lost', OUTLET_ID) })
    expect((await service.values(spreadsheet_id)).slice(1).every(row => row.length === 2)).toBe(true)

    const other = await report({ blocks: blocks('keep_previous') })
    await run(other.id)
    const changed = blocks('keep_previous').map(one => ({ ...one, metrics: ['impressions', 'clicks'] }))
    await db
      .updateTable('report')
      .set({ channels: JSON.stringify(changed) })
      .where('id', '=', other.id)
      .execute()
    const done = await run(other.id, { sourceOf: async () => failing('account_access_lost', OUTLET_ID) })
    expect(done.notes).toEqual([])
  })

  it('keeps its values in any case when its platform was switched off', async () => {
    const { id, spreadsheet_id } = await report({ blocks: blocks('leave_empty') })
    await run(id)
    const before = await service.values(spreadsheet_id)
    const done = await run(id, { sourceOf: async () => failing('channel_retired', OUTLET_ID) })
    expect(done.blocks).toMatchObject([{ status: 'ok' }, { status: 'error', code: 'channel_retired' }])
    expect(await service.values(spreadsheet_id)).toEqual(before)
  })

  it('never shows numbers of an account that it does not name any more', async () => {
    const { id, spreadsheet_id } = await report({ blocks: blocks('keep_previous') })
    await run(id)
    const [taiwan] = blocks('keep_previous')
    const channels = [taiwan, block([OTHER], { metrics: ['impressions', 'ctr'], on_error: 'keep_previous' })]
    await db
      .updateTable('report')
      .set({ channels: JSON.stringify(channels) })
      .where('id', '=', id)
      .execute()
    const done = await run(id, { sourceOf: async () => failing('account_access_lost', OTHER_ID) })
    expect(done).toMatchObject({ status: 'completed', partial: true, notes: [] })
    expect((await service.values(spreadsheet_id)).slice(1).every(row => row.length === 2)).toBe(true)
  })

  it('writes numbers of an account that its owner has lost into no other spreadsheet', async () => {
    const { id, spreadsheet_id } = await report({ blocks: blocks('keep_previous') })
    await run(id)
    const before = await service.values(spreadsheet_id)
    const setAdvertiser = (advertiser: number | null) =>
      db.updateTable('ad_account').set({ advertiser }).where('id', '=', agency.account(OUTLET)).execute()
    await setAdvertiser(null)
    expect((await run(id)).notes).toMatchObject([{ code: 'kept_previous', block: 1 }])
    expect(await service.values(spreadsheet_id)).toEqual(before)
    const elsewhere = await agency.spreadsheet()
    await db
      .updateTable('report')
      .set({ spreadsheet_id: elsewhere, sheet_id: null })
      .where('id', '=', id)
      .execute()
    const done = await run(id)
    await setAdvertiser(agency.advertiser)
    expect(done).toMatchObject({ status: 'completed', partial: true, notes: [] })
    expect((await service.values(elsewhere)).slice(1).every(row => row.length === 2)).toBe(true)
  })
})

const move = (report_id: number, date_start: string, date_end: string) =>
  db.updateTable('report').set({ date_start, date_end }).where('id', '=', report_id).execute()
