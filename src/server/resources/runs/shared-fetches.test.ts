import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { sources } from '#server/connectors/all.ts'
import type { Source } from '#server/connectors/connector.ts'
import { pageFrom } from '#server/connectors/testing/pages.ts'
import { openSharedFetches } from '#server/fetches/share-fetches.ts'
import { dyingWorkers } from './testing/crash.ts'
import { patient, TEST_NOW, TEST_VAULT } from './testing/effects.ts'
import { everyPlatform } from './testing/every-platform.ts'
import { mixedAgency } from './testing/mixed-agency.ts'
import type { RunEffects } from './run-report.ts'

const agency = await mixedAgency()
const { db, sandbox, service, block, queue, attempt, runRow } = agency
const dieAt = dyingWorkers(agency)

const BURST = process.env.LONG ? 60 : 12
const TAIWAN = 'Aurora Cosmetics Taiwan'
const OUTLET = 'Aurora Cosmetics Outlet'
const daily = { dimensions: JSON.stringify(['date', 'campaign']) }
let occurrences = Date.now() - 60_000
/** A minute ago; each occurrence of a report is its own. */
const due = () => ({ trigger: 'schedule', due_at: new Date((occurrences += 1)) }) as const

beforeEach(async () => {
  await sandbox.reset(TEST_NOW, { keep_files: true })
  await agency.setLimits({ quota: { per_user: 1_000_000, per_project: 1_000_000 } })
  await db.deleteFrom('shared_fetch').execute()
})

/** A step that no run reaches. */
const NEVER = 1_000_000
const waiting: Partial<RunEffects> = { sleep: (ms, signal) => sleep(ms, undefined, { signal }) }

/** As workers do: a run that waits is claimed again. */
async function finished(run_id: string, more: Partial<RunEffects> = waiting) {
  for (let attempts = 0; attempts < 50; attempts++) {
    const run = await attempt(run_id, more)
    if (run.finished_at) return run
    await agency.resume(run_id)
    await sleep(20)
  }
  throw new Error(`the run still waits: ${JSON.stringify((await runRow(run_id)).timeline)}`)
}

const countRequests = async (part = 'insights') =>
  (await sandbox.requests()).filter(({ path }) => path.includes(part)).length

/** The requests to the platform during the work, and its result. */
async function counted<T>(work: () => Promise<T>, part?: string): Promise<[requests: number, result: T]> {
  const before = await countRequests(part)
  const result = await work()
  return [(await countRequests(part)) - before, result]
}

const cellsOf = (spreadsheet_id: string) => service.values(spreadsheet_id)

describe('reports of one account and the same days', () => {
  it('cause one fetch, however many run at once in several processes', async () => {
    const alone = await agency.report(daily)
    const [needed] = await counted(async () => await finished(await queue(alone.id)))
    const expected = await cellsOf(alone.spreadsheet_id)
    expect(needed).toBeGreaterThan(0)

    const burst = await Promise.all(Array.from({ length: BURST }, () => agency.report(daily)))
    const runs = await Promise.all(burst.map(({ id }) => queue(id, due())))
    await db.deleteFrom('shared_fetch').execute()
    await sandbox.setFaults([{ platform: 'meta', action: 'latency', delay_ms: 300, count: 100 }])
    const [requests] = await counted(async () => {
      const [theirs, ours] = [runs.slice(0, 2), runs.slice(2)]
      const elsewhere = theirs.map(run_id => dieAt(NEVER, { run_id, sheets_limits: {}, is_patient: true }))
      await Promise.all([...elsewhere, ...ours.map(run_id => finished(run_id, patient))])
      // One of the other processes may have released its worker.
      for (const run_id of theirs)
        if ((await runRow(run_id)).status === 'queued') await finished(run_id, patient)
    })
    expect(requests).toBe(needed)
    for (const { spreadsheet_id } of burst) expect(await cellsOf(spreadsheet_id)).toEqual(expected)
    const rows = await Promise.all(runs.map(runRow))
    expect(rows.map(({ status }) => status)).toEqual(runs.map(() => 'completed'))
    const answers = rows.map(({ answers_requested, answers_shared }) => answers_requested + answers_shared)
    expect(new Set(answers)).toEqual(new Set([2]))
    expect(rows.reduce((sum, { platform_requests }) => sum + platform_requests, 0)).toBe(needed)
    for (const { answers_shared, platform_requests, shared_from } of rows) {
      expect(platform_requests === 0).toBe(answers_shared === 2)
      expect(shared_from !== null).toBe(answers_shared > 0)
    }
  })

  it('each have their columns in their own order', async () => {
    const metrics = ['impressions', 'cost', 'clicks']
    const reportOf = (order: string[]) => agency.report({ blocks: [block([TAIWAN], { metrics: order })] })
    const [one, other] = [await reportOf(metrics), await reportOf(metrics.toReversed())]
    const [needed] = await counted(async () => await finished(await queue(one.id, due())))
    const [more] = await counted(async () => await finished(await queue(other.id, due())))
    expect([needed > 0, more]).toEqual([true, 0])
    const turned = (await cellsOf(other.spreadsheet_id)).map(([day, ...cells]) => [
      day,
      ...cells.toReversed(),
    ])
    expect(turned).toEqual(await cellsOf(one.spreadsheet_id))
  })

  it('wait for a report that a platform prepares, which is requested once', async () => {
    const account = agency.found.find(({ provider }) => provider === 'line')
    const blocks = [block([], { channel: 'ln', accounts: [account?.id ?? 0] })]
    const burst = [await agency.report({ blocks }), await agency.report({ blocks })]
    const runs = await Promise.all(burst.map(({ id }) => queue(id, due())))
    let now_ms = Date.parse(TEST_NOW)
    const effects = { ...everyPlatform, now: () => new Date((now_ms += 1000)) }
    const [requested] = await counted(
      async () => await Promise.all(runs.map(run_id => finished(run_id, effects))),
      '/pfreports',
    )
    const [again] = await counted(async () => {
      await db.deleteFrom('shared_fetch').execute()
      await finished(await queue(burst[0]?.id ?? 0), effects)
    }, '/pfreports')
    expect(requested).toBeLessThan(again * 2)
    const posts = (await sandbox.requests()).filter(
      ({ method, path }) => method === 'POST' && path.endsWith('/pfreports'),
    )
    // Two runs at once, and one alone: the table and the account's total each time.
    expect(posts).toHaveLength(4)
    const [one, other] = await Promise.all(burst.map(({ spreadsheet_id }) => cellsOf(spreadsheet_id)))
    expect(one?.length).toBeGreaterThan(1)
    expect(one).toEqual(other)
  })
})

describe('numbers', () => {
  const today = { ...daily, date_start: '2026-11-18', date_end: '2026-11-20' }

  it('that have changed are seen by a later manual run, at once', async () => {
    const { id, spreadsheet_id } = await agency.report(today)
    await finished(await queue(id))
    const before = await cellsOf(spreadsheet_id)
    await sandbox.reset('2026-11-20T08:00:00Z', { keep_files: true })
    const clicked = await finished(await queue(id))
    expect(clicked).toMatchObject({ answers_requested: 2, answers_shared: 0, shared_from: null })
    expect(await cellsOf(spreadsheet_id)).not.toEqual(before)
  })

  it('are shared by runs that are due at one time as long as the platform’s own are current', async () => {
    const { id, spreadsheet_id } = await agency.report(today)
    await finished(await queue(id, due()))
    expect(await finished(await queue(id, due()))).toMatchObject({ answers_requested: 0, answers_shared: 2 })
    const before = await cellsOf(spreadsheet_id)
    await sandbox.reset('2026-11-20T08:00:00Z', { keep_files: true })
    await db
      .updateTable('shared_fetch')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute()
    expect(await finished(await queue(id, due()))).toMatchObject({ answers_requested: 2, answers_shared: 0 })
    expect(await cellsOf(spreadsheet_id)).not.toEqual(before)
  })

  it('of days behind the attribution window are not fetched again by a schedule within a day, but by a manual run', async () => {
    const ofDays = (date_start: string, date_end: string) => agency.report({ ...daily, date_start, date_end })
    const settled = await ofDays('2026-10-20', '2026-10-23')
    const moving = await ofDays('2026-10-20', '2026-10-24')
    for (const { id } of [settled, moving]) await finished(await queue(id, due()))
    // All of this was yesterday.
    await db
      .updateTable('shared_fetch')
      .set(eb => ({
        requested_at: sql<Date>`${eb.ref('requested_at')} - interval '24 hours'`,
        expires_at: sql<Date>`${eb.ref('expires_at')} - interval '24 hours'`,
      }))
      .execute()
    const again = { answers_requested: 2, answers_shared: 0 }
    const sharedOnly = { answers_requested: 0, answers_shared: 2 }
    expect(await finished(await queue(settled.id, due()))).toMatchObject(sharedOnly)
    expect(await finished(await queue(moving.id, due()))).toMatchObject(again)
    expect(await finished(await queue(settled.id))).toMatchObject(again)
  })

  it('of a failure are not cached', async () => {
    const [one, other] = [await agency.report(daily), await agency.report(daily)]
    await sandbox.setFaults([{ platform: 'meta', action: 'server_error', status: 503 }])
    expect(await attempt(await queue(one.id, due()))).toMatchObject({ status: 'queued', failures: 1 })
    await sandbox.setFaults([])
    expect(await attempt(await queue(other.id, due()))).toMatchObject({
      status: 'completed',
      answers_requested: 2,
      answers_shared: 0,
    })
  })
})

describe('nobody gets', () => {
  it('what was fetched with another login, or of another account', async () => {
    const { id } = await agency.report(daily)
    await finished(await queue(id, due()))
    const { id: of_other } = await agency.report({ ...daily, blocks: [block([OUTLET])] })
    expect(await finished(await queue(of_other, due()))).toMatchObject({ answers_shared: 0 })
    const another = sources.meta({ access_token: 'sandbox-agency', app_secret: 'another' })
    const { id: of_another } = await agency.report(daily)
    // The platform refuses it: with the cached response nobody would have noticed.
    const refused = await attempt(await queue(of_another, due()), { sourceOf: async () => another })
    expect(refused).toMatchObject({ status: 'queued', code: 'platform_error', answers_shared: 0 })
    const { id: public_account } = await db
      .insertInto('public_account')
      .values({
        platform: 'meta',
        name: 'Another',
        login: Buffer.alloc(0),
        login_fields: [],
        created_by: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.updateTable('ad_account').set({ public_account }).execute()
    expect(await finished(await queue(id, due()))).toMatchObject({ answers_shared: 0 })
    await db.updateTable('ad_account').set({ public_account: null }).execute()
    expect(await finished(await queue(id, due()))).toMatchObject({ answers_requested: 0, answers_shared: 2 })
  })

  it('anything of an account that their owner may not fetch any more, although it is cached', async () => {
    const { id, spreadsheet_id } = await agency.report(daily)
    await finished(await queue(id, due()))
    const before = await cellsOf(spreadsheet_id)
    const ofAccount = (advertiser: number | null) =>
      db.updateTable('ad_account').set({ advertiser }).where('name', '=', TAIWAN).execute()
    await ofAccount(null)
    const [requests, run] = await counted(async () => await attempt(await queue(id, due())))
    await ofAccount(agency.advertiser)
    expect(run).toMatchObject({
      status: 'error',
      blocks: [{ code: 'account_access_lost' }],
      answers_shared: 0,
    })
    expect(requests).toBe(0)
    expect(await cellsOf(spreadsheet_id)).toEqual(before)
  })

  it('anything from the cache table itself: it has neither names nor numbers nor the account', async () => {
    const { id, spreadsheet_id } = await agency.report(daily)
    await finished(await queue(id, due()))
    const rows = await db.selectFrom('shared_fetch').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    const { rows: dumped } = await sql<{ text: string }>`
      select encode(name, 'escape') || encode(coalesce(response, ''), 'escape') || shared_fetch::text as text
      from shared_fetch`.execute(db)
    const everything = dumped.map(({ text }) => text).join('\n')
    const cells = (await cellsOf(spreadsheet_id)).flat().filter(cell => String(cell).length > 5)
    expect(cells.length).toBeGreaterThan(10)
    const canaries = [TAIWAN, '10150357160960121', 'sandbox-agency', '2026-11-01', ...cells.map(String)]
    expect(canaries.filter(canary => everything.includes(canary))).toEqual([])
  })
})

describe('a run fetches for itself', () => {
  it('once the run that it waits for was killed and its lease has ended', async () => {
    const [one, other] = [await agency.report(daily), await agency.report(daily)]
    const steps: string[] = []
    await finished(await queue(one.id), { step: async step => void steps.push(step) })
    const expected = await cellsOf(one.spreadsheet_id)
    await db.deleteFrom('shared_fetch').execute()

    const dying = await queue(one.id, due())
    expect(await dieAt(steps.indexOf('page') + 1, { run_id: dying, sheets_limits: {} })).toBe('SIGKILL')
    const behind = await queue(other.id, due())
    // Its worker is released while the dead one may yet be alive.
    expect(await attempt(behind)).toMatchObject({ status: 'queued', failures: 0, code: null })
    await sql`update run set lease_until = now() - interval '1 s' where id = ${dying}`.execute(db)
    const { status, answers_requested } = await finished(behind)
    // The dead one may have read the account's total.
    expect([status, answers_requested > 0]).toEqual(['completed', true])
    expect(await cellsOf(other.spreadsheet_id)).toEqual(expected)
    expect(await finished(dying)).toMatchObject({ status: 'completed' })
    expect(await cellsOf(one.spreadsheet_id)).toEqual(expected)
  })

  it('where nothing can be cached', async () => {
    const { id, spreadsheet_id } = await agency.report(daily)
    await finished(await queue(id, due()))
    const expected = await cellsOf(spreadsheet_id)
    const errors: unknown[] = []
    const shared = (vault = TEST_VAULT) =>
      openSharedFetches(db, { vault, most_bytes: 1_000_000, onError: error => void errors.push(error) })

    await db
      .updateTable('shared_fetch')
      .set({ response: Buffer.from('something else') })
      .execute()
    expect(await finished(await queue(id, due()), { fetches: shared() })).toMatchObject({
      status: 'completed',
    })
    expect(errors.length).toBeGreaterThan(0)

    errors.length = 0
    await sql`alter table shared_fetch rename to away`.execute(db)
    expect(await finished(await queue(id, due()), { fetches: shared() })).toMatchObject({
      status: 'completed',
    })
    await sql`alter table away rename to shared_fetch`.execute(db)
    expect(errors.length).toBeGreaterThan(0)
    expect(await cellsOf(spreadsheet_id)).toEqual(expected)
  })
})

/** A run that is fetching. */
async function requester() {
  const { id } = await agency.report({ spreadsheet_id: null })
  const fields = {
    ...due(),
    status: 'fetching',
    attempt: 1,
    lease_until: new Date(Date.now() + 60_000),
  } as const
  const { due_at } = fields
  return { run: await queue(id, fields), attempt: 1, fresh_since: due_at, settled_since: due_at }
}

describe('the cache', () => {
  const request = {
    channel: 'fb',
    account: { provider: 'meta', external_id: '1', currency: 'TWD', timezone: 'Asia/Taipei', via: null },
    range: { start: '2026-11-01', end: '2026-11-02' },
    time: 'date',
    dimensions: ['campaign'],
    metrics: ['cost'],
    filters: [],
  } as const

  /** Responds with so many pages of 1000 rows that cannot be compressed. */
  const sourceWithNotes = (pages: number): Source => ({
    ...sources.meta({ access_token: 'sandbox-agency' }),
    async *fetchReport({ range }, { note }) {
      note({ code: 'partial_answer', detail: {} })
      for (let at = 0; at < pages; at++)
        yield pageFrom({
          length: 1000,
          dates: Array<string>(1000).fill(range.start),
          dimensions: [{ keys: Array.from({ length: 1000 }, () => crypto.randomUUID()) }],
          metrics: [Float64Array.from({ length: 1000 }, Math.random)],
        })
    },
  })

  async function store(most_bytes: number, { pages = 1, external_id = '1' } = {}) {
    const shared = openSharedFetches(db, { vault: TEST_VAULT, most_bytes, onError: console.error })
    const counts = { fetched: 0, shared: 0 }
    const notes: string[] = []
    const { share, stored } = shared.of(await requester(), {
      onFetched: () => counts.fetched++,
      onShared: () => counts.shared++,
    })
    const effects = agency.effects()
    const context = {
      ...effects,
      sleep: async () => {},
      signal: new AbortController().signal,
      jobs: {
        find: async () => null,
        startOnce: async (_: string, begin: () => Promise<string>) => begin(),
        forget: async () => {},
      },
      note: ({ code }: { code: string }) => void notes.push(code),
    }
    const accountRequest = {
      ...request,
      dimensions: ['campaign' as const],
      metrics: ['cost'],
      filters: [],
      account: { ...request.account, external_id },
    }
    const received = await Array.fromAsync(
      share(sourceWithNotes(pages), null).fetchReport(accountRequest, context),
    )
    await stored()
    return { ...counts, notes, received }
  }

  it('returns a response whole, with the platform’s notes', async () => {
    const first = await store(10_000_000, { pages: 3 })
    const second = await store(10_000_000, { pages: 3 })
    expect([first.fetched, second.shared]).toEqual([1, 1])
    expect(second.received).toEqual(first.received.map(page => ({ ...page })))
    expect(second.notes).toEqual(['partial_answer'])
  })

  it('has no more bytes than allowed; the least recently used goes first', async () => {
    const most = 300_000
    for (let at = 0; at < 12; at++) await store(most, { external_id: String(at) })
    const { rows } = await sql<{ bytes: number; answers: number }>`
      select sum(bytes)::int as bytes, count(response)::int as answers from shared_fetch`.execute(db)
    expect(rows[0]?.bytes).toBeLessThanOrEqual(most)
    expect(rows[0]?.answers).toBeGreaterThan(3)
    expect(await store(most, { external_id: '11' })).toMatchObject({ shared: 1 })
    expect(await store(most, { external_id: '0' })).toMatchObject({ fetched: 1 })
  })

  it('has no response that is too large: each run fetches for itself then, and none waits for another', async () => {
    const first = await store(100_000_000, { pages: 250 })
    expect(first.received).toHaveLength(250)
    expect(await db.selectFrom('shared_fetch').select(['response', 'claim_run']).execute()).toEqual([
      { response: null, claim_run: null },
    ])
    expect(await store(100_000_000, { pages: 1 })).toMatchObject({ fetched: 1, shared: 0 })
  })
})
