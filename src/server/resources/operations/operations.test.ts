import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { Operations } from '#shared/api/operations.ts'
import { testApi } from '#server/http/testing/api.ts'
import { registerRunMetrics } from './metrics.ts'
import { sheetsLimiter } from '#server/admission/sheets-limiter.ts'
import { platformLimiter } from '#server/admission/platform-limiter.ts'
import { pauseQuota, takePermit } from '#server/admission/rate.ts'
import { nextRunId } from '#server/resources/runs/testing/reports.ts'

const api = await testApi()
const { db } = api
const operator = await api.signedIn('superuser')
const read = async () => Operations.parse((await operator.get('/api/operations/')).body)

const ago = (minutes: number) => new Date(api.clock.now.getTime() - minutes * 60_000)

/** A run of a report of its own. */
async function run(facts: {
  status: 'queued' | 'fetching' | 'writing' | 'completed' | 'error' | 'cancelled'
  due_at?: Date
  queued_at?: Date
  started_at?: Date
  finished_at?: Date
  resumes_at?: Date
  code?: string
  worker?: string
  lease_until?: Date
  answers_requested?: number
  answers_shared?: number
}) {
  const report = await operator.report()
  await db
    .insertInto('run')
    .values({ id: nextRunId(), report: report.id, owner: operator.user.id, trigger: 'schedule', ...facts })
    .execute()
}

describe('the operations page', () => {
  it('is empty when nothing happens', async () => {
    expect(await read()).toMatchObject({
      runs: { waiting: 0, resting: 0, fetching: 0, writing: 0, oldest_wanted_at: null },
      workers: [],
      last_hour: { completed: 0, error: 0, cancelled: 0, waited: null, took: null },
      failures: [],
      quotas: [],
      coming: [],
    })
  })

  it('counts requests to platforms and shared ones, and the size of the cache', async () => {
    const ended = { status: 'completed', queued_at: ago(9), started_at: ago(8), finished_at: ago(7) } as const
    await run({ ...ended, answers_requested: 3, answers_shared: 1 })
    await run({ ...ended, answers_shared: 4 })
    await db
      .insertInto('shared_fetch')
      .values({ name: Buffer.from('one'), response: Buffer.from('sealed'), bytes: 6, claimed_at: ago(8) })
      .execute()
    expect((await read()).answers).toEqual({ asked: 3, shared: 5, kept: 1, kept_bytes: 6 })
    const registry = new Registry()
    registerRunMetrics(registry, db, () => api.clock.now)
    const text = await registry.metrics()
    expect(text).toContain('sheetcast_platform_answers_last_hour{how="shared"} 5')
    expect(text).toContain('sheetcast_kept_answers_bytes 6')
    await db.deleteFrom('shared_fetch').execute()
    await db.deleteFrom('run').execute()
  })

  it('counts waiting, postponed and running runs, and since when the oldest waits', async () => {
    const later = new Date(Date.now() + 600_000)
    await run({ status: 'queued', due_at: ago(7), queued_at: ago(6) })
    await run({ status: 'queued', queued_at: ago(3) })
    await run({ status: 'queued', due_at: ago(90), resumes_at: later })
    await run({ status: 'fetching', worker: 'desk:1', lease_until: later })
    await run({ status: 'writing', worker: 'desk:1', lease_until: later })
    await run({ status: 'writing', worker: 'dead:2', lease_until: ago(1) })
    const { runs, workers } = await read()
    expect(runs).toEqual({
      waiting: 2,
      resting: 1,
      fetching: 1,
      writing: 2,
      oldest_wanted_at: ago(7).toISOString(),
    })
    expect(workers).toEqual([{ worker: 'desk:1', runs: 2, lease_until: later.toISOString() }])
  })

  it('has how long the runs of the last hour waited and took, and leaves out older ones', async () => {
    const ended = (wait_min: number, took_min: number, minutes_ago: number) => {
      const finished_at = ago(minutes_ago)
      const started_at = new Date(finished_at.getTime() - took_min * 60_000)
      const due_at = new Date(started_at.getTime() - wait_min * 60_000)
      return run({ status: 'completed', due_at, queued_at: due_at, started_at, finished_at })
    }
    for (const wait of [1, 2, 3]) await ended(wait, 1, 5)
    await ended(300, 1, 70)
    expect((await read()).last_hour).toEqual({
      completed: 3,
      error: 0,
      cancelled: 0,
      waited: { p50_ms: 120_000, p95_ms: 180_000 },
      took: { p50_ms: 60_000, p95_ms: 60_000 },
    })
  })

  it('ranks the failures of a day by code', async () => {
    for (const code of ['protected_range', 'credential_expired', 'credential_expired'])
      await run({ status: 'error', code, started_at: ago(30), finished_at: ago(20) })
    await run({ status: 'error', code: 'named_range', started_at: ago(3000), finished_at: ago(2000) })
    expect((await read()).failures).toEqual([
      { code: 'credential_expired', runs: 2, reports: 2, last_at: ago(20).toISOString() },
      { code: 'protected_range', runs: 1, reports: 1, last_at: ago(20).toISOString() },
    ])
  })

  it('names the quotas that make a run wait, not those that are merely in use', async () => {
    await takePermit(db, 'in use', { per_minute: 60, burst: 5 })
    await takePermit(db, 'housekeeping', { per_minute: 1, burst: 1 })
    await takePermit(db, 'used up', { per_minute: 1, burst: 1 })
    await pauseQuota(db, 'told to wait', 300_000)
    const { quotas } = await read()
    expect(quotas.map(({ scope, is_paused }) => [scope, is_paused])).toEqual([
      ['told to wait', true],
      ['used up', false],
    ])
    expect(quotas[1]?.wait_ms).toBeGreaterThan(30_000)
  })

  it('has how many runs wait where a quota has no free slot', async () => {
    const limiter = platformLimiter(db, async () => {})
    const scope = { platform: 'ga4', kind: 'account', id: '384626431', at_once: 1 } as const
    const runs = [1, 2, 3].map(() =>
      limiter.forRun({ id: crypto.randomUUID(), is_urgent: false }, async () => {}),
    )
    await Promise.allSettled(runs.map(one => one.acquire(scope)))
    const { quotas } = await read()
    expect(quotas).toContainEqual({
      scope: 'ga4 account 384626431',
      wait_ms: 0,
      is_paused: false,
      runs_waiting: 2,
    })
    for (const each of runs) await each.close('for good')
  })

  it('names the waitlist and the used-up minute of each system user and of its project', async () => {
    const system_user = 'busy@reports.iam.gserviceaccount.com'
    const settings = { system_user, project: 'reports', sharers: 1, per_user: 3, per_project: 5 }
    const limiter = sheetsLimiter(db, settings, async () => {})
    for (let n = 0; n < 3; n++) await limiter.acquire('write')
    for (let n = 0; n < 2; n++) await limiter.acquire('read')
    for (let n = 0; n < 4; n++) await limiter.reservePosition('schedule')
    const { quotas } = await read()
    const of_it = quotas.filter(({ scope }) => scope.includes('sheets'))
    expect(of_it.map(({ scope, is_paused }) => [scope, is_paused]).toSorted()).toEqual([
      [`sheets waitlist schedule user ${system_user}`, false],
      [`sheets write user ${system_user}`, false],
    ])
    for (const { wait_ms } of of_it) expect(wait_ms).toBeGreaterThan(30_000)
  })

  it('has the load of each system user, and names removed ones that spreadsheets are still assigned to', async () => {
    const [first, second, removed] = ['first', 'second', 'gone'].map(
      name => `${name}@crowd.iam.gserviceaccount.com`,
    )
    if (!first || !second || !removed) throw new Error('there are three')
    const known = api.effects.spreadsheets.system_users
    api.effects.spreadsheets.system_users = [first, second].map(address => ({ address, project: 'crowd' }))
    for (const [spreadsheet_id, address] of Object.entries({ a: first, b: first, c: removed }))
      await db.insertInto('spreadsheet_system_user').values({ spreadsheet_id, address }).execute()
    for (const system_user of [first, second]) {
      const settings = { system_user, project: 'crowd', sharers: 2, per_user: 60, per_project: 300 }
      await sheetsLimiter(db, settings, async () => {}).acquire('write')
    }
    const { system_users } = await read()
    const idle = { writes: 0, reads: 0, project_writes: 0, project_reads: 0, waiting: 0 }
    const busy = { ...idle, writes: 1, project: 'crowd', project_writes: 2 }
    expect(system_users).toEqual([
      { system_user: first, spreadsheets: 2, ...busy },
      { system_user: second, spreadsheets: 0, ...busy },
      { system_user: removed, spreadsheets: 1, project: null, ...idle },
    ])
    api.effects.spreadsheets.system_users = known
  })

  it('has how many scheduled runs are due in each quarter hour', async () => {
    const nine = new Date(Math.ceil(api.clock.now.getTime() / 900_000) * 900_000)
    for (const next_run_at of [nine, nine, new Date(nine.getTime() + 900_000)]) {
      const { id } = await operator.report()
      await db.updateTable('report').set({ next_run_at }).where('id', '=', id).execute()
    }
    expect((await read()).coming).toEqual([
      { at: nine.toISOString(), runs: 2 },
      { at: new Date(nine.getTime() + 900_000).toISOString(), runs: 1 },
    ])
  })

  it('warns where all visitors have the address of the proxy', async () => {
    expect((await read()).warnings).toEqual([])
    api.effects.settings.shares_one_address = true
    expect((await read()).warnings).toEqual(['shared_address'])
    api.effects.settings.shares_one_address = false
  })

  it('is for superusers alone', async () => {
    const director = await api.signedIn('director')
    expect((await director.get('/api/operations/')).status).toBe(403)
  })
})

describe('the metrics for Prometheus', () => {
  it('agree with the page', async () => {
    const registry = new Registry()
    registerRunMetrics(registry, db, () => api.clock.now)
    const text = await registry.metrics()
    expect(text).toContain('sheetcast_runs{state="waiting"} 2\n')
    expect(text).toContain('sheetcast_runs{state="resting"} 1\n')
    expect(text).toContain('sheetcast_oldest_waiting_run_seconds 420\n')
    expect(text).toContain('sheetcast_workers 1\n')
    expect(text).toContain('sheetcast_runs_ended_last_hour{status="completed"} 3\n')
    expect(text).toContain('sheetcast_run_failures_last_day{code="credential_expired"} 2\n')
    expect(text).toMatch(/sheetcast_quota_wait_seconds\{scope="told to wait"\} (29|30)\d/)
    expect(text).not.toContain('in use')
  })
})
