import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sheetsLimiter } from '#server/admission/sheets-limiter.ts'
import { pauseQuota } from '#server/admission/rate.ts'
import { testAgency } from './testing/agency.ts'
import type { RunEffects } from './run-report.ts'

const USERS = 5
const agency = await testAgency({ system_users: USERS })
const { db, service, sandbox } = agency
const addresses = Array.from({ length: USERS }, (_, index) => agency.systemUser(index))

const Journal = z.object({ changes: z.array(z.object({ email: z.string(), spreadsheet_id: z.string() })) })

/** Which system users have changed the file, in order. */
async function writersOf(spreadsheet_id: string): Promise<string[]> {
  const { changes } = Journal.parse(await (await fetch(`${sandbox.base_url}/control/journal`)).json())
  const of_file = changes.filter(change => change.spreadsheet_id === spreadsheet_id)
  return of_file.flatMap(({ email }) => (addresses.includes(email) ? email : []))
}

const stuckTo = async (spreadsheet_id: string) => {
  const { rows } = await sql<{ address: string }>`
    select address from spreadsheet_system_user where spreadsheet_id = ${spreadsheet_id}`.execute(db)
  return rows[0]?.address ?? null
}

/** A report into a file that is shared with this one of the system users. */
async function reportWith(index: number) {
  const system_user = agency.systemUser(index)
  const report = await agency.report({ spreadsheet_id: await agency.spreadsheet({ system_user }) })
  return { ...report, system_user }
}

beforeEach(() => agency.setLimits({ quota: { per_user: 1_000_000, per_project: 1_000_000 } }))

describe('several system users', () => {
  it('write each the spreadsheets that are shared with them, with the requests of one', async () => {
    const reports = []
    for (let n = 0; n < 20; n++) reports.push(await reportWith((n * 3) % USERS))
    for (const { id } of reports) expect(await agency.run(id)).toMatchObject({ status: 'completed' })
    for (const { spreadsheet_id, system_user } of reports) {
      expect(await stuckTo(spreadsheet_id)).toBe(system_user)
      expect(await writersOf(spreadsheet_id)).toEqual([system_user])
    }
    const before = (await sandbox.requests()).length
    for (const { id } of reports.slice(0, USERS))
      expect(await agency.run(id)).toMatchObject({ status: 'completed' })
    const later = (await sandbox.requests()).slice(before)
    const sheets = later.filter(({ path }) => path.startsWith('/v4/'))
    expect(sheets.filter(({ method }) => method === 'POST')).toHaveLength(USERS)
    expect(sheets.filter(({ method }) => method === 'GET').length).toBeLessThanOrEqual(2 * USERS)
    // The system user of the file is known: no other is tried, except to check after an hour whether it still
    // has access.
    expect(later.filter(({ path }) => path.startsWith('/drive/')).length).toBeLessThanOrEqual(USERS)
  })

  it('replace each other for a spreadsheet when one loses it and another has it', async () => {
    const { id, spreadsheet_id, system_user } = await reportWith(1)
    expect(await agency.run(id)).toMatchObject({ status: 'completed' })
    await service.share(spreadsheet_id, agency.systemUser(4), 'writer')
    // As long as the known one has it, it stays.
    expect(await agency.run(id)).toMatchObject({ status: 'completed' })
    expect(await stuckTo(spreadsheet_id)).toBe(system_user)
    await service.unshare(spreadsheet_id, system_user)
    const table = await service.values(spreadsheet_id)
    expect(await agency.run(id)).toMatchObject({ status: 'completed', code: null })
    expect(await stuckTo(spreadsheet_id)).toBe(agency.systemUser(4))
    expect(await writersOf(spreadsheet_id)).toEqual([system_user, system_user, agency.systemUser(4)])
    expect(await service.values(spreadsheet_id)).toEqual(table)
  })

  it('replace each other as well when one may only read it any more', async () => {
    const { id, spreadsheet_id, system_user } = await reportWith(0)
    expect(await agency.run(id)).toMatchObject({ status: 'completed' })
    await service.share(spreadsheet_id, system_user, 'reader')
    await service.share(spreadsheet_id, agency.systemUser(2), 'writer')
    expect(await agency.run(id)).toMatchObject({ status: 'completed' })
    expect(await stuckTo(spreadsheet_id)).toBe(agency.systemUser(2))
  })

  it('pause the schedule when none has it, and leave the old table as it is', async () => {
    const { id, spreadsheet_id, system_user } = await reportWith(3)
    await agency.run(id)
    const table = await service.values(spreadsheet_id)
    await service.unshare(spreadsheet_id, system_user)
    expect(await agency.run(id)).toMatchObject({ status: 'error', code: 'spreadsheet_not_shared' })
    expect(await service.values(spreadsheet_id)).toEqual(table)
  })

  it('retry later when the one that has it is unavailable', async () => {
    const { id, spreadsheet_id, system_user } = await reportWith(3)
    await agency.run(id)
    await service.unshare(spreadsheet_id, system_user)
    await service.share(spreadsheet_id, agency.systemUser(1), 'writer')
    await sandbox.setFaults([{ platform: 'drive', path: spreadsheet_id, action: '503', count: 100 }])
    await db.deleteFrom('spreadsheet_system_user').where('spreadsheet_id', '=', spreadsheet_id).execute()
    const run = await agency.queue(id)
    expect(await agency.attempt(run)).toMatchObject({
      status: 'queued',
      code: 'spreadsheet_unavailable',
    })
    await sandbox.setFaults([])
    await agency.resume(run)
    expect(await agency.attempt(run)).toMatchObject({ status: 'completed' })
  })

  it('take over from one that is no longer configured, where they have access', async () => {
    const { id, spreadsheet_id, system_user } = await reportWith(1)
    await agency.run(id)
    const fewer = agency.effects().system_users.filter(({ client }) => client.system_user !== system_user)
    expect(await agency.run(id, { system_users: fewer })).toMatchObject({
      status: 'error',
      code: 'spreadsheet_not_shared',
    })
    await service.share(spreadsheet_id, agency.systemUser(0), 'writer')
    expect(await agency.run(id, { system_users: fewer })).toMatchObject({ status: 'completed' })
    expect(await stuckTo(spreadsheet_id)).toBe(agency.systemUser(0))
  })
})

/** All of them with the limiters of production. */
function paced(quota: { per_user: number; per_project: number }): RunEffects['system_users'] {
  const pause = (ms: number) => sleep(ms)
  return agency.effects().system_users.map(({ client }) => {
    const { system_user, project } = client
    return { client, limiter: sheetsLimiter(db, { system_user, project, sharers: USERS, ...quota }, pause) }
  })
}

it('a write that the service refuses keeps no other run from its spreadsheet', async () => {
  const { id, spreadsheet_id } = await reportWith(0)
  await agency.run(id)
  await sandbox.setFaults([
    { platform: 'sheets', path: `${spreadsheet_id}:batchUpdate`, action: '429', count: 1 },
  ])
  expect(await agency.run(id, { sheets_limits: { patience_ms: 0, tries: 1 } })).toMatchObject({
    status: 'queued',
    code: 'quota_exhausted',
  })
  expect(await db.selectFrom('spreadsheet_write').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('spreadsheet_lease').selectAll().execute()).toEqual([])
})

describe('a used-up quota', () => {
  beforeEach(() => sql`delete from quota`.execute(db))

  it('of one system user does not delay the reports of another', async () => {
    const [held, free] = [await reportWith(0), await reportWith(1)]
    const system_users = paced({ per_user: 60, per_project: 300 })
    await pauseQuota(db, `sheets write user ${held.system_user}`, 60_000)
    expect(await agency.run(held.id, { system_users })).toMatchObject({ status: 'queued' })
    expect(await agency.run(free.id, { system_users })).toMatchObject({ status: 'completed' })
  })

  it('that the service refuses for is paused for the one it is about, by the details of the refusal', async () => {
    const [refused, other] = [await reportWith(2), await reportWith(3)]
    const system_users = paced({ per_user: 60, per_project: 300 })
    const sheets_limits = { patience_ms: 0, tries: 1 }
    const fault = { platform: 'sheets', path: refused.spreadsheet_id, action: '429', count: 1 }
    await sandbox.setFaults([fault])
    expect(await agency.run(refused.id, { system_users, sheets_limits })).toMatchObject({ status: 'queued' })
    expect(await agency.run(other.id, { system_users, sheets_limits })).toMatchObject({ status: 'completed' })
    const { rows } = await sql<{ scope: string }>`
      select scope from quota where paused_until is not null`.execute(db)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every(({ scope }) => scope.includes(`user ${refused.system_user}`))).toBe(true)
  })

  it('is tried again at once, once: the run ends with that, or waits for the next minute', async () => {
    const [once, always] = [await reportWith(0), await reportWith(1)]
    const system_users = paced({ per_user: 60, per_project: 300 })
    const refuse = (path: string, count: number) =>
      sandbox.setFaults([{ platform: 'sheets', method: 'POST', path, action: '429', count }])
    const before = (await sandbox.requests()).length
    await refuse(once.spreadsheet_id, 1)
    expect(await agency.run(once.id, { system_users })).toMatchObject({ status: 'completed', code: null })
    await refuse(always.spreadsheet_id, 100)
    const {
      rows: [begun],
    } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
    expect(await agency.run(always.id, { system_users })).toMatchObject({ status: 'queued' })
    await sandbox.setFaults([])
    const writes = (await sandbox.requests())
      .slice(before)
      .filter(({ method, path }) => method === 'POST' && path.includes(':batchUpdate'))
    for (const { spreadsheet_id } of [once, always])
      expect(writes.filter(({ path }) => path.includes(spreadsheet_id))).toHaveLength(2)
    const { rows } = await sql<{ scope: string }>`
      select scope from quota where paused_until > ${begun?.at}::timestamptz + interval '50 s'`.execute(db)
    expect(rows).toEqual([{ scope: `sheets write user ${always.system_user}` }])
  })

  it('of a project is paused for all of its system users', async () => {
    const [first, second] = [await reportWith(0), await reportWith(4)]
    const system_users = paced({ per_user: 60, per_project: 300 })
    await agency.setLimits({ quota: { per_user: 1000, per_project: 1 } })
    const sheets_limits = { patience_ms: 0, tries: 1 }
    await agency.run(first.id, { system_users, sheets_limits })
    expect(await agency.run(second.id, { system_users, sheets_limits })).toMatchObject({ status: 'queued' })
    const { rows } = await sql<{ scope: string }>`
      select scope from quota where paused_until is not null`.execute(db)
    expect(rows.map(({ scope }) => scope)).toContain('sheets read project sheetcast-sandbox')
    expect(rows.every(({ scope }) => scope.includes(' project '))).toBe(true)
  })

  it('lets each of them have a waitlist of its own', async () => {
    const [one, two] = paced({ per_user: 60, per_project: 300 })
    if (!one || !two) throw new Error('there are two')
    for (let n = 0; n < 40; n++) await one.limiter.reservePosition('schedule')
    expect((await one.limiter.reservePosition('schedule')).wait_ms).toBeGreaterThan(20_000)
    expect((await two.limiter.reservePosition('schedule')).wait_ms).toBe(0)
  })
})
