import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { WriterLimits } from '#server/sheets/work.ts'
import { testAgency } from './agency-testing.ts'

const agency = await testAgency()
const { db, service, sandbox } = agency
const inSteps: Partial<WriterLimits> = { small_cells: 5, chunk: { bytes: 10_000, cells: 12 } }

/** Each takes away what a run needs, and answers how to give it back. */
const revocations = {
  'the account is no longer the client’s': async () => {
    const id = agency.account('Aurora Cosmetics Taiwan')
    const set = (advertiser: number | null) =>
      db.updateTable('ad_account').set({ advertiser }).where('id', '=', id).execute()
    await set(null)
    return () => set(agency.advertiser)
  },
  'the owner’s account is closed': async () => {
    const set = (is_active: number) =>
      db.updateTable('users').set({ is_active }).where('id', '=', agency.owner).execute()
    await set(0)
    return () => set(1)
  },
  'the owner no longer serves the client': async () => {
    const member = { advertiser: agency.advertiser, user_id: agency.owner }
    await db.deleteFrom('advertiser_member').where('user_id', '=', agency.owner).execute()
    return () => db.insertInto('advertiser_member').values(member).execute()
  },
  'the spreadsheet is released': async (spreadsheet_id: string) => {
    const binding = await db
      .deleteFrom('spreadsheet_binding')
      .where('spreadsheet_id', '=', spreadsheet_id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return () => db.insertInto('spreadsheet_binding').values(binding).execute()
  },
}

const changes = async () =>
  (await sandbox.requests()).filter(
    ({ method, path }) =>
      method !== 'GET' && path.startsWith('/v4/') && !path.startsWith('/v4/spreadsheets?'),
  ).length

describe('once a right is gone', () => {
  for (const [name, revoke] of Object.entries(revocations))
    it.each([
      ['in one request', {}],
      ['in steps', inSteps],
    ])(`(${name}) nothing more is written %s, at whatever step that happens`, async (_, sheets_limits) => {
      const { id, spreadsheet_id } = await agency.report()
      const look = async () => hash('sha1', await service.document(spreadsheet_id, { visible: true }))
      const steps: string[] = []
      // The first run also looks at the file.
      await agency.run(id, { sheets_limits })
      await agency.run(id, { sheets_limits, step: async step => void steps.push(step) })
      const before = await look()
      // A longer range would be seen at once.
      await db.updateTable('report').set({ date_end: '2026-11-12' }).where('id', '=', id).execute()

      // From the step before the last change on, that change is already on its way.
      const until = steps.findLastIndex(step => /^before (commit|chunk|stage)/.test(step))
      for (let at = 0; at < until; at++) {
        let count = 0
        let sent = Infinity
        let restore: () => Promise<unknown> = async () => {}
        const done = await agency.run(id, {
          sheets_limits,
          async step(step) {
            if (count++ !== at) return
            restore = await revoke(spreadsheet_id)
            // What was announced before is still sent.
            sent = (await changes()) + (/^before (chunk|stage)/.test(step) ? 1 : 0)
          },
        })
        const sent_after = (await changes()) - sent
        await restore()
        expect(done, steps[at]).toMatchObject({ status: 'error', written: null })
        expect(['account_access_lost', 'proof_required', 'spreadsheet_not_shared'], steps[at]).toContain(
          done.code,
        )
        expect(sent_after, steps[at]).toBeLessThanOrEqual(0)
        expect(await look(), steps[at]).toBe(before)
      }
      console.log(`${name}: ${until} steps`)
    })
})
