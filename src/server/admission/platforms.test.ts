import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Channel } from '#shared/channels/catalogue.ts'
import { sources } from '#server/connectors/all.ts'
import {
  PlatformFailure,
  type AccountRef,
  type PlatformAccount,
  type Source,
  type ConnectorContext,
} from '#server/connectors/connector.ts'
import { startTestSandbox, type TestSandbox } from '#server/connectors/testing/sandbox.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { testDatabase } from '#server/db/testing/database.ts'
import { platformLimiter, type PlatformLimiter } from './platform-limiter.ts'

// The emulated platforms count by themselves and refuse as the real ones do; the numbers are the documented
// ones, or smaller.

const { db, url } = await testDatabase()
// Two processes: they share only the database.
const limiters = [platformLimiter(db, sleep), platformLimiter(db, sleep)] as const
const NOW = '2026-11-20T04:00:00Z'

const google = {
  client_id: '100000000000-sandbox.apps.googleusercontent.com',
  client_secret: 'GOCSPX-sandbox-client-secret',
  refresh_token: 'sandbox-agency',
}
const LINE_KEY = { access_key: 'sandbox-admin', secret_key: 'sandbox-admin', group_ids: 'G10000000001' }
const logins = {
  meta: { access_token: 'sandbox-agency' },
  google_ads: google,
  ga4: google,
  tiktok: { access_token: 'sandbox-admin', app_id: '7300000000000000001', app_secret: 'sandbox-app-secret' },
  line: LINE_KEY,
  ly_ads: { client_id: 'any', client_secret: 'sandbox-admin', refresh_token: 'sandbox-admin' },
}
type Platform = keyof typeof logins
const CHANNELS: Record<Platform, Channel> = {
  meta: 'fb',
  google_ads: 'aw',
  ga4: 'ga4',
  tiktok: 'tt',
  line: 'ln',
  ly_ads: 'yg',
}

const platforms = Object.keys(CHANNELS) as Platform[]

let sandbox: TestSandbox
const accounts = new Map<Platform, PlatformAccount[]>()
beforeAll(async () => {
  sandbox = await startTestSandbox()
  await sandbox.reset(NOW)
  await put('clock', { speed: 1 })
  for (const platform of platforms) {
    const pages = sourceOf(platform).listAccounts(testContext(sandbox.base_url, NOW))
    const all = (await Array.fromAsync(pages)).flat()
    accounts.set(
      platform,
      all.filter(({ status }) => status === 'enabled'),
    )
  }
})
afterEach(() => sandbox.setFaults([]))
afterAll(() => sandbox.stop())

const put = async (path: string, body: object) => {
  const response = await fetch(`${sandbox.base_url}/control/${path}`, {
    method: 'PUT',
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
}

const accountsOf = (platform: Platform) => accounts.get(platform) ?? []
const sourceOf = (platform: Platform): Source => sources[platform](logins[platform])

const noneYet = () => ({ requests: 0, refused: 0, by_path: new Map<string, number>() })

/** What a run may use, and how often it was refused for exceeding a quota. */
function watchedContext(limiter: ConnectorContext['limiter'], counts = noneYet()) {
  const watching: typeof fetch = async (...request) => {
    const response = await fetch(...request)
    // Signing in is no request to the platform.
    if (String(request[0]).endsWith('/token')) return response
    const text = response.status === 429 ? '' : await response.clone().text()
    counts.requests += 1
    const path = new URL(String(request[0])).pathname.replaceAll(/[^/]*\d[^/]*/g, '*')
    counts.by_path.set(path, (counts.by_path.get(path) ?? 0) + 1)
    if (response.status === 429 || /"code":\s*("0003"|40100|40133|17\b|80000)/.test(text)) counts.refused += 1
    return response
  }
  return { context: { ...testContext(sandbox.base_url, NOW), fetch: watching, sleep, limiter }, counts }
}

const woken = new Map<string, () => void>()
const wake = async (ids: string[]) => ids.forEach(id => woken.get(id)?.())

/**
 * Works as a run does: when told to wait it releases its worker, and goes on when it is time or it is woken.
 */
async function asRun(
  limiter: PlatformLimiter,
  counts: ReturnType<typeof noneYet>,
  work: (context: ConnectorContext) => Promise<unknown>,
): Promise<number> {
  const id = crypto.randomUUID()
  for (let waits = 0; ; waits += 1) {
    const session = limiter.forRun({ id, is_urgent: false }, wake)
    const { promise: called, resolve } = Promise.withResolvers<void>()
    woken.set(id, resolve)
    try {
      await work(watchedContext(session, counts).context)
      return waits
    } catch (error) {
      if (!(error instanceof PlatformFailure) || error.code !== 'quota_exhausted') throw error
      await session.close()
      await Promise.race([called, sleep(error.retry_after_ms ?? 0)])
    } finally {
      await session.close()
    }
  }
}

type Work = (platform: Platform, account: AccountRef) => (context: ConnectorContext) => Promise<unknown>

const reading: Work = (platform, account) => context =>
  Array.fromAsync(
    sourceOf(platform).fetchReport(
      {
        channel: CHANNELS[platform],
        account,
        range: { start: '2026-10-01', end: '2026-10-07' },
        time: 'date',
        dimensions: [],
        metrics: platform === 'ga4' ? ['sessions'] : ['impressions'],
        filters: [],
      },
      context,
    ),
  )

/** So many runs in two processes, about the accounts in turn; how long they took in all. */
async function burst(
  platform: Platform,
  runs: number,
  { about, work = reading }: { about: number; work?: Work },
) {
  const some = accountsOf(platform).slice(0, about)
  const counts = noneYet()
  const began = performance.now()
  await Promise.all(
    Array.from({ length: runs }, (_, index) => {
      const account = some[index % some.length]
      if (!account) throw new Error(`${platform} has no account`)
      return asRun(limiters[index % 2 ? 1 : 0], counts, work(platform, account))
    }),
  )
  return { ...counts, took_ms: performance.now() - began }
}

const slow = (platform: string, path: string) => ({ platform, path, action: 'latency', delay_ms: 60 })

describe('a burst of runs in two processes', () => {
  it('sends each platform no more requests than it allows', async () => {
    await put('limits', {
      ga4_quota: { concurrentRequests: 2 },
      google_ads_quota: { customer_at_once: 2, project_at_once: 5 },
      // Not the 10 a second of the lowest: requests sent at that rate arrive at once when a busy machine has
      // paused.
      tiktok_tier: 'advanced',
    })
    await sandbox.setFaults([slow('ga4', 'runReport'), slow('google_ads', 'search')])
    const checking: Work = (platform, account) => context => sourceOf(platform).checkAccount(account, context)
    const [ga4, google_ads, tiktok, line] = await Promise.all([
      burst('ga4', 12, { about: 1 }),
      burst('google_ads', 20, { about: 4 }),
      burst('tiktok', 24, { about: 3 }),
      burst('line', 5, { about: 2, work: checking }),
    ])
    expect({ ga4, google_ads, tiktok, line }).toMatchObject({
      ga4: { refused: 0 },
      google_ads: { refused: 0 },
      tiktok: { refused: 0 },
      line: { refused: 0 },
    })
    for (const { requests } of [ga4, google_ads, tiktok, line]) expect(requests).toBeGreaterThanOrEqual(5)
    // Of 10 a second at most ten in a window of a second and a quarter; of 2 a second two at each endpoint.
    const windowsOf = (requests: number, most: number) => Math.ceil(requests / most) - 1
    expect(tiktok.took_ms).toBeGreaterThan(windowsOf(tiktok.requests, 10) * 1250)
    expect(line.took_ms).toBeGreaterThan(windowsOf(Math.max(...line.by_path.values()), 2) * 1250)
  })

  it('is refused by a platform that counts less than we do', async () => {
    await put('limits', { ga4_quota: { concurrentRequests: 1 } })
    await sandbox.setFaults([slow('ga4', 'runReport')])
    const [account] = accountsOf('ga4')
    if (!account) throw new Error('there is no property')
    const { context, counts } = watchedContext({ acquire: async () => {}, report: async () => {} })
    await Promise.allSettled([1, 2, 3].map(() => reading('ga4', account)(context)))
    expect(counts.refused).toBe(2)
    await put('limits', { ga4_quota: {} })
  })
})

describe('after a refusal', () => {
  const refusing: { platform: Platform; fault: object; at_least_ms: number; is_of_account: boolean }[] = [
    {
      platform: 'ga4',
      fault: { platform: 'ga4', action: 'rate_limit', quota: 'project_hour' },
      at_least_ms: 29 * 60_000,
      is_of_account: true,
    },
    {
      platform: 'meta',
      fault: { platform: 'meta', action: 'rate_limit', code: 80_000, path: 'insights' },
      at_least_ms: 4 * 60_000,
      is_of_account: true,
    },
    {
      platform: 'google_ads',
      fault: {
        platform: 'google_ads',
        action: 'rate_limit',
        code: 'RESOURCE_EXHAUSTED',
        retry_delay: '50400s',
        path: 'search',
      },
      at_least_ms: 13.9 * 3600_000,
      is_of_account: false,
    },
    {
      platform: 'ly_ads',
      fault: { platform: 'ly_search', action: 'rate_limit', path: 'ReportDefinitionService' },
      at_least_ms: 8000,
      is_of_account: false,
    },
    {
      platform: 'tiktok',
      fault: { platform: 'tiktok', action: 'rate_limit', window: 'minute', path: 'report' },
      at_least_ms: 4.9 * 60_000,
      is_of_account: false,
    },
  ]

  it.each(refusing)(
    'of $platform no process sends it a request before the time is over, and other accounts go on when it concerns one',
    async ({ platform, fault, at_least_ms, is_of_account }) => {
      const [account, other] = accountsOf(platform)
      if (!account || !other) throw new Error(`${platform} lacks accounts`)
      await sandbox.setFaults([{ ...fault, count: 1 }])
      const once_ = async (index: 0 | 1, queried: AccountRef) => {
        const session = limiters[index].forRun({ id: crypto.randomUUID(), is_urgent: false }, wake)
        const { context, counts } = watchedContext(session)
        const end = await reading(platform, queried)(context).catch((error: unknown) => error)
        await session.close()
        return { end, counts }
      }
      const refused = await once_(0, account)
      expect(refused.end).toMatchObject({ code: 'quota_exhausted' })
      for (const index of [1, 0] as const) {
        const { end, counts } = await once_(index, account)
        expect(end).toMatchObject({ code: 'quota_exhausted' })
        expect(end instanceof PlatformFailure && end.retry_after_ms).toBeGreaterThan(at_least_ms)
        expect(counts.requests).toBe(0)
      }
      const { end } = await once_(1, other)
      expect(end instanceof PlatformFailure).toBe(!is_of_account)
    },
  )
})

describe('a process that is killed', () => {
  it('frees its slots as soon as its lease is over, and not before', async () => {
    const lease_ms = 1500
    const script = join(import.meta.dirname, 'testing/slot-worker.ts')
    const child = spawn(process.execPath, [script, url, 'killed', String(lease_ms)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(createInterface(child.stdout), 'line')
    const scope = { platform: 'ga4', kind: 'account', id: 'killed', at_once: 1 } as const
    const slot = () =>
      db
        .selectFrom('quota_slot')
        .select('until')
        .where('scope', '=', 'ga4 account killed')
        .where('state', '=', 'held')
        .executeTakeFirstOrThrow()
    const isIn = async () => {
      const run = limiters[0].forRun({ id: crypto.randomUUID(), is_urgent: false }, wake)
      const outcome = await run.acquire(scope).then(
        () => true,
        () => false,
      )
      await run.close('for good')
      return outcome
    }
    // Its heartbeat goes on: it keeps its slots for another lease.
    const { until: first } = await slot()
    await expect.poll(async () => (await slot()).until.getTime()).toBeGreaterThan(first.getTime())
    expect(await isIn()).toBe(false)
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    await expect.poll(isIn, { interval: 100 }).toBe(true)
  })
})
