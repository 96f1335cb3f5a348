import { beforeEach, describe, expect, it, vi } from 'vitest'
import { RunEvent } from '#shared/api/executions.ts'
import {
  PlatformFailure,
  ReportPending,
  sourceOf,
  type ReportRequest,
  type Source,
} from '#server/connectors/connector.ts'
import { meta } from '#server/connectors/meta/report.ts'
import { withoutSharing } from '#server/fetches/share-fetches.ts'
import { RUN_CHANNEL } from './queries.ts'
import { testAgency } from './testing/agency.ts'
import { patient } from './testing/effects.ts'

const agency = await testAgency()
const { db, sandbox, report, block, attempt, queue, resume } = agency

const TAIWAN = 'Aurora Cosmetics Taiwan'
const OUTLET = 'Aurora Cosmetics Outlet'
const SLOW = '10150357160960122'
const real = sourceOf(meta, { access_token: 'sandbox-agency' })

beforeEach(async () => void (await db.deleteFrom('shared_fetch').execute()))

interface Changes {
  prepare?: (request: ReportRequest) => Promise<void> | void
  /** Before its first page. */
  read?: (request: ReportRequest) => Promise<void> | void
  /** After its last page. */
  isRead?: () => void
}

/** Sources whose preparing and reading tests change, by account. */
const changed =
  (changes: (external_id: string) => Changes) =>
  async ({ external_id }: { external_id: string }): Promise<Source> => {
    const { prepare, read, isRead } = changes(external_id)
    return {
      ...real,
      async prepare(request, context) {
        await prepare?.(request)
        await real.prepare(request, context)
      },
      async *fetchReport(request, context) {
        await read?.(request)
        yield* real.fetchReport(request, context)
        isRead?.()
      },
    }
  }

const isTotal = ({ time }: ReportRequest) => time === 'total'
const pending = () => {
  throw new ReportPending(100)
}
const requestsOf = async (account: string) =>
  (await sandbox.requests()).filter(({ path }) => path.includes(`${account}/insights`)).length
/** The requests about the account that is ready at once, and what the work returned. */
async function counted<T>(work: () => Promise<T>): Promise<[number, T]> {
  const before = await requestsOf('10150357160960121')
  const result = await work()
  return [(await requestsOf('10150357160960121')) - before, result]
}
const twoChannels = () => report({ blocks: [block([TAIWAN]), block([OUTLET])] })

describe('a channel', () => {
  it('is read while the platform of another one still prepares its report, which is polled meanwhile', async () => {
    const polledAgain = Promise.withResolvers<void>()
    let polls = 0
    const sources = changed(account =>
      account === SLOW
        ? {
            prepare: request =>
              isTotal(request) ? undefined : ++polls === 1 ? pending() : polledAgain.resolve(),
          }
        : { read: () => polledAgain.promise },
    )
    const done = await attempt(await queue((await twoChannels()).id), { ...patient, sourceOf: sources })
    expect(done).toMatchObject({ status: 'completed', attempt: 1 })
    expect(done.blocks.map(({ proof }) => proof?.matches)).toEqual([true, true])
  })

  it('is read beside the total of its account', async () => {
    const begun = { table: Promise.withResolvers<void>(), total: Promise.withResolvers<void>() }
    const sources = changed(() => ({
      async read(request) {
        const [own, other] = isTotal(request) ? [begun.total, begun.table] : [begun.table, begun.total]
        own.resolve()
        await other.promise
      },
    }))
    const done = await attempt(await queue((await report()).id), { sourceOf: sources })
    expect(done).toMatchObject({ status: 'completed', blocks: [{ proof: { matches: true } }] })
  })

  it('has ended, with a time of its own, before another one is ready', async () => {
    const isRead = Promise.withResolvers<void>()
    let reads = 0
    const sources = changed(account =>
      account === SLOW
        ? { prepare: () => isRead.promise }
        : { isRead: () => void (++reads === 2 && isRead.resolve()) },
    )
    const done = await attempt(await queue((await twoChannels()).id), { sourceOf: sources })
    expect(done.status).toBe('completed')
    const [first = 0, second = 0] = done.blocks.map(
      ({ after_ms, took_ms }) => (after_ms ?? 0) + (took_ms ?? 0),
    )
    expect(second).toBeGreaterThan(first)
  })
})

describe('the page of a run', () => {
  it('shows the rows of a channel while another one is being read', async () => {
    const { id } = await twoChannels()
    const run = await queue(id)
    const isVisible = Promise.withResolvers<void>()
    const done = attempt(run, {
      sourceOf: changed(account => (account === SLOW ? { read: () => isVisible.promise } : {})),
    })
    await expect.poll(async () => (await agency.runRow(run)).blocks[0]?.rows, { timeout: 30_000 }).toBe(10)
    isVisible.resolve()
    expect(await done).toMatchObject({ status: 'completed', rows: 10 })
  })

  it('shows the channels while the first response has not come', async () => {
    const { id } = await report()
    const run = await queue(id)
    const isVisible = Promise.withResolvers<void>()
    const done = attempt(run, { sourceOf: changed(() => ({ read: () => isVisible.promise })) })
    const row = async () => await agency.runRow(run)
    await expect.poll(async () => (await row()).blocks, { timeout: 30_000 }).toHaveLength(1)
    expect(await row()).toMatchObject({ range_end: '2026-11-10', blocks: [{ status: 'pending', rows: 0 }] })
    isVisible.resolve()
    expect(await done).toMatchObject({ status: 'completed', rows: 10 })
  })

  it('is not told of what has ended before anybody could see it', async () => {
    const { id } = await report()
    const statuses: string[] = []
    const unlisten = await agency.listen(RUN_CHANNEL, payload => {
      const event = RunEvent.parse(JSON.parse(payload))
      if (event.report === id) statuses.push(event.status)
    })
    // However slow the machine is, the time to save has not come.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await attempt(await queue(id)).finally(() => vi.useRealTimers())
    await expect.poll(() => statuses.at(-1)).toBe('completed')
    await unlisten()
    expect(statuses).toEqual(['completed'])
  })
})

describe('what is read before another channel is ready', () => {
  it('is not requested again after the wait of the run', async () => {
    const [needed] = await counted(async () => attempt(await queue((await twoChannels()).id)))
    await db.deleteFrom('shared_fetch').execute()
    const run = await queue((await twoChannels()).id)
    const sourceOfSlow = changed(account => (account === SLOW ? { prepare: pending } : {}))
    const [first, waiting] = await counted(() => attempt(run, { sourceOf: sourceOfSlow }))
    expect([first, waiting.status]).toEqual([needed, 'queued'])
    await resume(run)
    const [second, done] = await counted(() => attempt(run))
    expect([second, done.status, done.attempt]).toEqual([0, 'completed', 2])
  })

  it('is read to its end when another channel has to wait for its quota', async () => {
    const refused = Promise.withResolvers<void>()
    const sources = changed(account =>
      account === SLOW
        ? {
            prepare() {
              refused.resolve()
              throw new PlatformFailure('quota_exhausted', { retry_after_ms: 60_000 })
            },
          }
        : { read: () => refused.promise },
    )
    const run = await queue((await report({ blocks: [block([OUTLET]), block([TAIWAN])] })).id)
    expect(await attempt(run, { sourceOf: sources })).toMatchObject({
      status: 'queued',
      code: 'quota_exhausted',
    })
    const cached = db.selectFrom('shared_fetch').select('name').where('response', 'is not', null)
    expect((await cached.execute()).length).toBeGreaterThan(0)
    await resume(run)
    expect(await attempt(run)).toMatchObject({ status: 'completed' })
  })

  it.each([['by nobody'], ['since it is too large']])(
    'is not begun where it is not cached, %s',
    async why => {
      const { id } = await report({ blocks: [block([TAIWAN]), block([TAIWAN]), block([OUTLET])] })
      await attempt(await queue(id))
      await db.updateTable('shared_fetch').set({ response: null, too_large_at: new Date() }).execute()
      const run = await queue(id)
      const [first, waiting] = await counted(() =>
        attempt(run, {
          ...(why === 'by nobody' && {
            fetches: { of: () => ({ stored: async () => [], share: withoutSharing }) },
          }),
          sourceOf: changed(account => (account === SLOW ? { prepare: pending } : {})),
        }),
      )
      expect([first, waiting.status]).toEqual([0, 'queued'])
      await resume(run)
      expect(await attempt(run)).toMatchObject({ status: 'completed', attempt: 2 })
    },
  )
})
