import { hash, randomUUID } from 'node:crypto'
import type { Updateable } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Database } from '#server/db/schema.ts'
import { SEED, drawn, randomOf } from '#server/testing/random.ts'
import type { LoggedCall } from '#server/sheets/logged-client.ts'
import type { WriterLimits } from '#server/sheets/work.ts'
import { FILE_WRITER, testAgency } from './testing/agency.ts'

const agency = await testAgency()
const { db, service, sandbox } = agency
const inSteps: Partial<WriterLimits> = { small_cells: 5, chunk: { bytes: 10_000, cells: 12 } }

/** Each revokes a right that a run needs, and returns how to grant it again. */
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

/** The same of the file itself. */
const fileRevocations = {
  'its owner has taken the file over': async (spreadsheet_id: string) => {
    const { id: other } = await db
      .insertInto('advertiser')
      .values({ name: `Whose file it is ${randomUUID()}` })
      .returning('id')
      .executeTakeFirstOrThrow()
    const set = (advertiser: number, role: 'owner' | 'writer') =>
      setBinding(spreadsheet_id, { advertiser, role })
    await set(other, 'owner')
    return () => set(agency.advertiser, 'writer')
  },
  'the owner was removed from the file, and a check has found that': async (spreadsheet_id: string) => {
    await service.unshare(spreadsheet_id, FILE_WRITER)
    await setBinding(spreadsheet_id, { lapsed_at: new Date(), verified_at: null })
    return async () => {
      await service.share(spreadsheet_id, FILE_WRITER, 'writer')
      await setBinding(spreadsheet_id, { lapsed_at: null })
    }
  },
}

const setBinding = (spreadsheet_id: string, change: Updateable<Database['spreadsheet_binding']>) =>
  db.updateTable('spreadsheet_binding').set(change).where('spreadsheet_id', '=', spreadsheet_id).execute()

const changes = () => sandbox.countOf(/^(?!GET )\w+ \/v4\/spreadsheets\//)

/** A report that has run, and the steps of its next run up to the last change. */
async function readyReport(sheets_limits: Partial<WriterLimits>) {
  const { id, spreadsheet_id } = await agency.report()
  const steps: string[] = []
  // The first run also reads the file.
  await agency.run(id, { sheets_limits })
  await agency.run(id, { sheets_limits, step: async step => void steps.push(step) })
  // A longer range would be seen at once.
  await db.updateTable('report').set({ date_end: '2026-11-12' }).where('id', '=', id).execute()
  // From the step before the last change on, that change is already on its way.
  const until = steps.findLastIndex(step => /^before (commit|chunk|stage)/.test(step))
  const read = async () => hash('sha1', await service.document(spreadsheet_id, { visible: true }))
  return { id, spreadsheet_id, steps: steps.slice(0, until), read, before: await read(), sheets_limits }
}
type Ready = Awaited<ReturnType<typeof readyReport>>

/** Revokes the right at this step, and grants it again when the run has ended. */
async function expectNothingWritten(
  { id, spreadsheet_id, sheets_limits, steps, read, before }: Ready,
  at: number,
  revoke: (spreadsheet_id: string) => Promise<() => Promise<unknown>>,
) {
  let count = 0
  let sent = Infinity
  let restore: () => Promise<unknown> = async () => {}
  const done = await agency.run(id, {
    sheets_limits,
    async step(step) {
      if (count++ !== at) return
      restore = await revoke(spreadsheet_id)
      // A request that was announced before is still sent.
      sent = (await changes()) + (/^before (chunk|stage)/.test(step) ? 1 : 0)
    },
  })
  const sent_after = (await changes()) - sent
  await restore()
  expect(done, steps[at]).toMatchObject({ status: 'error', written: null })
  expect(['account_access_lost', 'proof_required', 'spreadsheet_not_shared'], steps[at]).toContain(done.code)
  expect(sent_after, steps[at]).toBeLessThanOrEqual(0)
  expect(await read(), steps[at]).toBe(before)
  return done
}

describe('once a right is gone', () => {
  for (const [name, revoke] of Object.entries(revocations))
    it.each([
      ['in one request', {}],
      ['in steps', inSteps],
    ])(`(${name}) nothing more is written %s, at whatever step that happens`, async (_, sheets_limits) => {
      const ready = await readyReport(sheets_limits)
      for (const at of drawn([...ready.steps.keys()], 3, name)) await expectNothingWritten(ready, at, revoke)
    })

  for (const [name, revoke] of Object.entries(fileRevocations))
    it(`(${name}) nothing more is written, at whatever step that happens`, async () => {
      const ready = await readyReport({})
      for (const at of drawn([...ready.steps.keys()], 3, name)) await expectNothingWritten(ready, at, revoke)
    })

  it.runIf(process.env['LONG'])('nothing more is written in 500 interleavings', async () => {
    const random = randomOf(SEED)
    const pick = <T>(of: readonly T[]): T => {
      const one = of[Math.floor(random() * of.length)]
      if (one === undefined) throw new Error('there is nothing to pick')
      return one
    }
    const reports = [await readyReport({}), await readyReport(inSteps)]
    const all = Object.values({ ...revocations, ...fileRevocations })
    for (let n = 0; n < 500; n++) {
      const ready = pick(reports)
      await expectNothingWritten(ready, pick([...ready.steps.keys()]), pick(all))
    }
  })
})

describe('a person who was removed from a file', () => {
  const TWO_HOURS_MS = 7_200_000
  const setCheckedAt = async (spreadsheet_id: string, before_ms: number) =>
    await setBinding(spreadsheet_id, { verified_at: new Date(agency.effects().now().getTime() - before_ms) })
  const bindingOf = (spreadsheet_id: string) =>
    db
      .selectFrom('spreadsheet_binding')
      .selectAll()
      .where('spreadsheet_id', '=', spreadsheet_id)
      .executeTakeFirstOrThrow()
  const stateOf = async (id: number) =>
    await db
      .selectFrom('report')
      .select(['target_state', 'next_run_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  it('writes no more from the next run on that reads the list, an hour later at the latest', async () => {
    const { id, spreadsheet_id } = await agency.report({ next_run_at: new Date(), update_frequency: 2 })
    expect(await agency.run(id)).toMatchObject({ status: 'completed' })
    const before = await service.document(spreadsheet_id, { visible: true })
    await service.unshare(spreadsheet_id, FILE_WRITER)
    await db.updateTable('report').set({ date_end: '2026-11-12' }).where('id', '=', id).execute()
    await setCheckedAt(spreadsheet_id, TWO_HOURS_MS)
    const sent = await changes()
    expect(await agency.run(id)).toMatchObject({ status: 'error', code: 'proof_required', written: null })
    expect(await changes()).toBe(sent)
    expect(await service.document(spreadsheet_id, { visible: true })).toBe(before)
    expect(await stateOf(id)).toEqual({ target_state: 'proof_required', next_run_at: null })
    // With the right granted again, the next run finds that by itself.
    await service.share(spreadsheet_id, FILE_WRITER, 'writer')
    expect(await agency.run(id)).toMatchObject({ status: 'completed' })
    expect(await stateOf(id)).toMatchObject({ target_state: 'ok' })
    expect((await bindingOf(spreadsheet_id)).lapsed_at).toBe(null)
  })

  it('is checked once an hour, and at once after a refusal', async () => {
    const { id, spreadsheet_id } = await agency.report()
    let lists = 0
    const call = ({ call: name }: LoggedCall) => void (lists += name === 'listPermissions' ? 1 : 0)
    const requestLog = {
      request: () => {},
      call: (_run: unknown, logged: LoggedCall) => call(logged),
      quotaWait: () => {},
    }
    const run = () => agency.run(id, { requestLog })
    await run()
    expect(lists).toBe(1)
    await run()
    expect(lists).toBe(1)
    await service.unshare(spreadsheet_id, agency.systemUser(0))
    expect((await run()).code).toMatch(/^spreadsheet_not/)
    await service.share(spreadsheet_id, agency.systemUser(0), 'writer')
    lists = 0
    expect(await run()).toMatchObject({ status: 'completed' })
    expect(lists).toBe(1)
  })

  it('never counts as removed while the service does not respond: the run is retried, and nothing is written', async () => {
    const { id, spreadsheet_id } = await agency.report()
    await agency.run(id)
    const before = await service.document(spreadsheet_id, { visible: true })
    await setCheckedAt(spreadsheet_id, TWO_HOURS_MS)
    await db.updateTable('report').set({ date_end: '2026-11-12' }).where('id', '=', id).execute()
    const sent = await changes()
    await sandbox.setFaults([
      { platform: 'drive', path: `${spreadsheet_id}/permissions`, action: '503', count: 2 },
    ])
    const run = await agency.run(id)
    expect(run).toMatchObject({ status: 'queued', code: 'spreadsheet_unavailable' })
    expect(await changes()).toBe(sent)
    expect(await service.document(spreadsheet_id, { visible: true })).toBe(before)
    expect(await bindingOf(spreadsheet_id)).toMatchObject({ lapsed_at: null })
    await agency.resume(run.id)
    expect(await agency.attempt(run.id)).toMatchObject({ status: 'completed' })
  })

  it('leaves the right to colleagues who may still write there', async () => {
    const { id, spreadsheet_id } = await agency.report()
    const colleague = await agency.insertUser('external_user', `colleague-${randomUUID()}@people.demo`)
    await db
      .insertInto('advertiser_member')
      .values({ advertiser: agency.advertiser, user_id: colleague })
      .execute()
    const { email } = await db
      .selectFrom('users')
      .select('email')
      .where('id', '=', colleague)
      .executeTakeFirstOrThrow()
    await service.share(spreadsheet_id, email ?? '', 'writer')
    await service.unshare(spreadsheet_id, FILE_WRITER)
    expect(await agency.run(id)).toMatchObject({ status: 'completed' })
    expect(await bindingOf(spreadsheet_id)).toMatchObject({ proven_by: colleague })
  })
})
