import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { connect } from '#server/db/connect.ts'
import { testAgency } from './testing/agency.ts'

const agency = await testAgency()
const { db, url } = agency
const victim = await connect(url, { command: 'victim' })
afterAll(() => victim.close())

/** Ends every session of the worker, as a restart of the database does. */
const cutOff = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'sheetcast victim%'`.execute(db)

describe('a database that loses all its sessions', () => {
  it('at any step of a run costs no failure and no lease, and the run completes', async () => {
    const { id } = await agency.report()
    const steps: string[] = []
    await agency.run(id)
    await agency.run(id, { step: async step => void steps.push(step) })
    for (const at of steps.keys()) {
      const run = await agency.queue(id)
      let count = 0
      const under_way: Promise<unknown>[] = []
      const interrupted = await agency.attempt(run, {
        db: victim.db,
        // Not awaited, so that it affects whichever statement is next.
        step: async () => void (count++ === at && under_way.push(cutOff())),
      })
      await Promise.all(under_way)
      await agency.resume(run)
      await db.deleteFrom('spreadsheet_write').execute()
      expect(['queued', 'completed'], steps[at]).toContain(interrupted.status)
      // Of a completed run this changes nothing.
      const done = await agency.attempt(run)
      expect(done, steps[at]).toMatchObject({ status: 'completed', failures: 0, lost_leases: 0, code: null })
    }
  })
})
