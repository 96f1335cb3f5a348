import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, it, vi } from 'vitest'
import { platformLimiter } from '#server/admission/platform-limiter.ts'
import { sheetsLimiter } from '#server/admission/sheets-limiter.ts'
import { testAgency } from './testing/agency.ts'

const agency = await testAgency()
const { db, owner } = agency

/** As in production: shared responses, and the limiters of platforms and of the spreadsheet service. */
const { fetches, system_users: users } = agency.effects()
const system_users = users.map(({ client }) => {
  const { system_user, project } = client
  const quota = { per_user: 60, per_project: 300, sharers: 1 }
  return { client, limiter: sheetsLimiter(db, { system_user, project, ...quota }, ms => sleep(ms)) }
})

/** What an attempt sends to the database, without what opens a session. */
async function statementsOf(run: string): Promise<string[]> {
  const query = vi.spyOn(Client.prototype, 'query')
  const { forRun } = platformLimiter(db, sleep)
  const done = await agency.attempt(run, { limiterFor: forRun, system_users, ...(fetches && { fetches }) })
  const texts = query.mock.calls.map(([statement]: unknown[]) => String(statement).trim())
  query.mockRestore()
  expect(done.status).toBe('completed')
  return texts.filter(text => !/pg_backend_pid|^select 1$|^select \* from "run"/.test(text))
}

it('of a small report are as many as one run needs, and none of them opens a transaction', async () => {
  await db.updateTable('users').set({ identity: 'superuser' }).where('id', '=', owner).execute()
  const { id } = await agency.report()
  const run = async () => await statementsOf(await agency.queue(id))
  // The first ones read the file and its people, and fill the report's stored tables.
  for (let before = 0; before < 2; before++) await run()
  const statements = await run()
  expect(statements.filter(text => /^(begin|start|commit)/.test(text))).toEqual([])
  // The total's slot is left a moment later than its request, or with the table's.
  const others = statements.filter(text => !text.startsWith('select release_slots'))
  expect(others, others.map(text => text.slice(0, 90)).join('\n')).toHaveLength(25)
  expect(statements.length - others.length).toBeLessThanOrEqual(2)
  // It leaves nothing behind that another run of the spreadsheet would wait for.
  for (const table of ['quota_slot', 'spreadsheet_lease', 'spreadsheet_write'] as const)
    expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([])
})
