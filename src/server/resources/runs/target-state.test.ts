import { describe, expect, it } from 'vitest'
import { testAgency } from './testing/agency.ts'

const agency = await testAgency()
const { db, service } = agency

const next_run_at = new Date('2026-11-21T01:00:00Z')
/** A report that runs every morning, and its state after one run. */
async function daily(fields: Parameters<typeof agency.report>[0] = {}) {
  const made = await agency.report({ update_frequency: 2, next_run_at, ...fields })
  const state = async () =>
    await db
      .selectFrom('report')
      .select(['target_state', 'next_run_at'])
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow()
  return { ...made, state }
}

const rename = (spreadsheet_id: string, title: string) =>
  service.batch(spreadsheet_id, {
    updateSheetProperties: { properties: { sheetId: 0, title }, fields: 'title' },
  })

/** What makes a target unwritable, and the state of the report after it. */
const hindrances: Record<string, [(spreadsheet_id: string) => Promise<unknown>, string]> = {
  'tab is renamed': [id => rename(id, 'Other'), 'sheet_name_mismatch'],
  'tab is deleted': [
    id => service.batch(id, { addSheet: { properties: { sheetId: 9 } } }, { deleteSheet: { sheetId: 0 } }),
    'sheet_name_mismatch',
  ],
  'spreadsheet is no longer shared': [id => service.unshare(id, agency.systemUser(0)), 'not_shared'],
  'spreadsheet is released': [
    id => db.deleteFrom('spreadsheet_binding').where('spreadsheet_id', '=', id).execute(),
    'proof_required',
  ],
  'spreadsheet is another person’s': [
    async id => {
      const { id: advertiser } = await db
        .insertInto('advertiser')
        .values({ name: `Other ${id}` })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .updateTable('spreadsheet_binding')
        .set({ advertiser })
        .where('spreadsheet_id', '=', id)
        .execute()
    },
    'not_shared',
  ],
}

describe('a run that cannot write to its target', () => {
  for (const [name, [hinder, target_state]] of Object.entries(hindrances))
    it(`since the ${name} causes a gap, and the schedule stops`, async () => {
      const { id, spreadsheet_id, state } = await daily()
      await hinder(spreadsheet_id)
      expect(await agency.run(id)).toMatchObject({ status: 'error', rows: null, columns: null })
      expect(await state()).toEqual({ target_state, next_run_at: null })
    })

  it('since the system user may only read causes a gap too', async () => {
    const spreadsheet_id = await agency.spreadsheet({ role: 'reader' })
    const { id, state } = await daily({ spreadsheet_id })
    await agency.run(id)
    expect(await state()).toEqual({ target_state: 'not_editor', next_run_at: null })
  })

  it('does not affect a target that was chosen meanwhile', async () => {
    const { id, spreadsheet_id, state } = await daily()
    await rename(spreadsheet_id, 'Other')
    const elsewhere = await agency.spreadsheet()
    await agency.run(id, {
      async step(step) {
        if (step !== 'stored') return
        await db.updateTable('report').set({ spreadsheet_id: elsewhere }).where('id', '=', id).execute()
      },
    })
    expect(await state()).toEqual({ target_state: 'ok', next_run_at })
  })
})

it('a failure elsewhere keeps the schedule', async () => {
  const { id, state } = await daily({ blocks: [agency.block(['Delta Fitness new (empty)'])] })
  expect(await agency.run(id)).toMatchObject({ status: 'error', code: 'channel_no_data' })
  expect(await state()).toEqual({ target_state: 'ok', next_run_at })
})

it('a run that could write removes the gap, and the schedule goes on', async () => {
  const { id, state } = await daily({ date_start: null, date_end: null, dynamic_range: 2 })
  await agency.run(id, {
    async step(step) {
      if (step !== 'stored') return
      await db
        .updateTable('report')
        .set({ target_state: 'not_shared', next_run_at: null })
        .where('id', '=', id)
        .execute()
    },
  })
  expect(await state()).toEqual({ target_state: 'ok', next_run_at: expect.any(Date) })
})
