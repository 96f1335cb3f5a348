import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { PlatformFailure, type QuotaKey } from '#server/connectors/connector.ts'
import { withPermits } from '#server/connectors/kit/with-permits.ts'
import { testDatabase } from '#server/db/testing/database.ts'
import { platformLimiter, type RunLimiter } from './platform-limiter.ts'
import { retriesOf } from './rate.ts'

const { db } = await testDatabase()
// Two processes: they share only the database.
const [one, other] = [platformLimiter(db, sleep), platformLimiter(db, sleep)]

let numbers = 0
const quotaOf = (limits: Partial<QuotaKey> = {}): QuotaKey => ({
  platform: 'ga4',
  kind: 'account',
  id: String((numbers += 1)),
  ...limits,
})
const id = () => crypto.randomUUID()

function session(limiter = one, { is_urgent = false, run = id() } = {}) {
  const woken: string[] = []
  const opened = limiter.forRun({ id: run, is_urgent }, async ids => void woken.push(...ids))
  return { ...opened, run, woken }
}

/** Whether a request may go; else how long it has to wait. */
async function outcomeOf({ acquire }: Pick<RunLimiter, 'acquire'>, quota: QuotaKey) {
  try {
    await acquire(quota)
    return 'in'
  } catch (error) {
    if (error instanceof PlatformFailure) return error.retry_after_ms ?? 0
    throw error
  }
}

/** When the next caller that finds the quota paused may retry, in milliseconds since 1970. */
async function nextRetry(quota: QuotaKey) {
  const { next_at } = await db
    .selectFrom('quota')
    .select('next_at')
    .where('scope', '=', retriesOf(`${quota.platform} ${quota.kind} ${quota.id}`))
    .executeTakeFirstOrThrow()
  return next_at?.getTime() ?? 0
}

/** Those that hold a slot. */
async function holdersOf({ platform, kind, id: of }: QuotaKey): Promise<string[]> {
  const rows = await db
    .selectFrom('quota_slot')
    .select('holder')
    .where('scope', '=', `${platform} ${kind} ${of}`)
    .where('state', '=', 'held')
    .execute()
  return rows.map(({ holder }) => holder)
}

describe('the slots of a quota', () => {
  it('are as many as documented, across all processes; the others learn at once when to retry', async () => {
    const quota = quotaOf({ at_once: 2 })
    const sessions = Array.from({ length: 6 }, (_, index) => session(index % 2 ? one : other))
    const outcomes = await Promise.all(sessions.map(item => outcomeOf(item, quota)))
    expect(outcomes.filter(outcome => outcome === 'in')).toHaveLength(2)
    expect(outcomes.filter(outcome => typeof outcome === 'number' && outcome >= 3000)).toHaveLength(4)
  })

  it('never let more requests through side by side than there are slots, in one run or in several', async () => {
    const count = { now: 0, most: 0 }
    const request = async () => {
      count.most = Math.max(count.most, (count.now += 1))
      await sleep(2)
      count.now -= 1
    }
    // The race occurs when a slot is released and acquired at the same moment: in one try of ten.
    for (let attempt = 0; attempt < 40; attempt++) {
      const quota = quotaOf({ at_once: 3, rate: { per_minute: 60_000, burst: 1000 } })
      const sessions = [session(one), session(other)]
      for (const each of sessions) await withPermits(each, [quota], request)
      const work = sessions.flatMap(item =>
        Array.from({ length: 20 }, () => withPermits(item, [quota], request)),
      )
      await Promise.all(work)
      for (const each of sessions) await each.close('for good')
      expect(count.now).toBe(0)
      expect(count.most).toBeLessThanOrEqual(3)
    }
    expect(count.most).toBe(3)
  })

  it('go to the longest waiting run, manual before scheduled, and are reserved for the woken run', async () => {
    const quota = quotaOf({ at_once: 1 })
    const first = session()
    const [second, third] = [session(other), session()]
    const manual = session(other, { is_urgent: true })
    expect(await outcomeOf(first, quota)).toBe('in')
    for (const each of [second, third, manual]) expect(await outcomeOf(each, quota)).toBeGreaterThan(0)
    await first.release?.(quota)
    await first.close()
    expect(first.woken).toEqual([manual.run])
    expect(await outcomeOf(session(), quota)).toBeGreaterThan(0)
    expect(await outcomeOf(third, quota)).toBeGreaterThan(0)
    expect(await outcomeOf(manual, quota)).toBe('in')
    await manual.close('for good')
    expect(manual.woken).toEqual([second.run])
    expect(await outcomeOf(second, quota)).toBe('in')
  })

  it('stay with a run from page to page, and are released when it ends', async () => {
    const quota = quotaOf({ at_once: 1 })
    const [run, next] = [session(), session(other)]
    for (let page = 0; page < 3; page++) await withPermits(run, [quota], async () => undefined)
    expect(await outcomeOf(next, quota)).toBeGreaterThan(0)
    await run.close('for good')
    expect(run.woken).toEqual([next.run])
  })

  it('are taken by one statement for requests that begin together, and left by one', async () => {
    let statements = 0
    const counting = db.withPlugin({
      transformQuery: ({ node }) => {
        statements += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const quota = quotaOf({ at_once: 3, rate: { per_minute: 60_000, burst: 1000 } })
    const run = session(platformLimiter(counting, sleep))
    await Promise.all([run, run, run].map(({ acquire }) => acquire(quota)))
    // One for the slots, and one for the permit of each.
    expect(statements).toBe(4)
    await run.close('for good')
    expect(statements).toBe(5)
    expect(await holdersOf(quota)).toEqual([])
  })

  it('that a run has not needed for a moment are free for others, but for its first one', async () => {
    const quota = quotaOf({ at_once: 3 })
    const [run, next] = [session(), session(other)]
    for (let requests = 0; requests < 3; requests++) await run.acquire(quota)
    expect(await outcomeOf(next, quota)).toBeGreaterThan(0)
    for (let requests = 0; requests < 3; requests++) await run.release?.(quota)
    await expect.poll(() => run.woken).toEqual([next.run])
    expect(await outcomeOf(next, quota)).toBe('in')
    expect((await holdersOf(quota)).toSorted()).toEqual([run.run, next.run].toSorted())
    await run.close('for good')
  })

  it('are free again within a lease after their process has died', async () => {
    const quota = quotaOf({ at_once: 1 })
    expect(await outcomeOf(session(), quota)).toBe('in')
    await db
      .updateTable('quota_slot')
      .set({ until: new Date(0), held_by: id() })
      .execute()
    expect(await outcomeOf(session(other), quota)).toBe('in')
  })

  it('let one request of a person through beside the runs', async () => {
    const quota = quotaOf({ at_once: 1 })
    expect(await outcomeOf(session(), quota)).toBe('in')
    expect(await outcomeOf(other, quota)).toBe('in')
    await other.release?.(quota)
    expect(
      await db.selectFrom('quota_slot').select('state').where('scope', 'like', `%${quota.id}`).execute(),
    ).toEqual([{ state: 'held' }])
  })

  it('of one account do not depend on those of another', async () => {
    const [full, free] = [quotaOf({ at_once: 1 }), quotaOf({ at_once: 1 })]
    expect(await outcomeOf(session(), full)).toBe('in')
    const run = session()
    expect(await outcomeOf(run, full)).toBeGreaterThan(0)
    expect(await outcomeOf(run, free)).toBe('in')
  })
})

describe('the endpoints of a quota', () => {
  const endpoints = () => {
    const quota = quotaOf({ rate: { most: 2, window_ms: 60_000 }, at_once: 3 })
    return ['GET reports', 'POST reports'].map(endpoint => ({ ...quota, endpoint })) as [QuotaKey, QuotaKey]
  }

  it('are counted each by itself, across all processes, and share its slots', async () => {
    const [reading, making] = endpoints()
    const [first, second, third] = [session(one), session(other), session(one)]
    expect(await outcomeOf(first, reading)).toBe('in')
    expect(await outcomeOf(second, reading)).toBe('in')
    expect(Number(await outcomeOf(third, reading))).toBeGreaterThan(10_000)
    expect(await outcomeOf(third, making)).toBe('in')
    expect(await outcomeOf(session(other), making)).toBeGreaterThan(0)
  })

  it('are paused each by itself', async () => {
    const [reading, making] = endpoints()
    await one.report(reading, { used_percent: 100, pause_ms: 60_000 })
    expect(Number(await outcomeOf(other, reading))).toBeGreaterThan(50_000)
    expect(await outcomeOf(other, making)).toBe('in')
  })
})

describe('a click', () => {
  /** As if so much time had passed on the database's clock. */
  const pass = (quota: QuotaKey, ms: number) =>
    sql`update quota set next_at = next_at - ${ms} * interval '1 ms',
        urgent_until = urgent_until - ${ms} * interval '1 ms',
        permits = array(select permit - ${ms} * interval '1 ms' from unnest(permits) permit)
      where scope like ${`% ${quota.id}`}`.execute(db)
  const scheduled = () => session(other)
  const click = () => session(one, { is_urgent: true })

  const sum = (waits: readonly number[]) => waits.reduce((total, ms) => total + ms, 0)

  /** In the background, where every wait ends as soon as it may, with its time passed. */
  function patient(quota: QuotaKey, mayEnd: Promise<void> = Promise.resolve()) {
    const waits: number[] = []
    const limiter = platformLimiter(db, async ms => {
      waits.push(ms)
      await mayEnd
      await pass(quota, ms)
    })
    return { limiter: limiter.forBackground(async () => {}), waits }
  }

  it.each([{ rate: { per_minute: 20, burst: 1 } }, { rate: { most: 1, window_ms: 3000 } }])(
    'takes the permit that the background waits for, which takes the one after it: $rate',
    async limits => {
      const quota = quotaOf({ ...limits, at_once: 9 })
      expect(await outcomeOf(scheduled(), quota)).toBe('in')
      const clicked = Promise.withResolvers<void>()
      const { limiter, waits } = patient(quota, clicked.promise)
      const behind = limiter.acquire(quota)
      await expect.poll(() => waits.length).toBe(1)
      const wait = Promise.withResolvers<number>()
      await platformLimiter(db, async ms => wait.resolve(ms)).acquire(quota)
      expect(await wait.promise).toBeLessThanOrEqual(3000)
      clicked.resolve()
      await behind
      // More than one step: the first one was the click's.
      expect(sum(waits)).toBeGreaterThan(3000)
    },
  )

  it('has the permits of a burst to itself for a moment, and then the background has them', async () => {
    const quota = quotaOf({ rate: { per_minute: 60, burst: 20 }, at_once: 9 })
    const { limiter, waits } = patient(quota)
    await limiter.acquire(quota)
    expect(waits).toEqual([])
    for (let requests = 0; requests < 5; requests++) expect(await outcomeOf(one, quota)).toBe('in')
    await limiter.acquire(quota)
    // It has waited until nothing was left of the mark, although there were permits all the time.
    expect(sum(waits)).toBeGreaterThan(1000)
    expect(await outcomeOf(scheduled(), quota)).toBe('in')
  })

  it('gets the slot that the background leaves, which takes none that a run waits for', async () => {
    const quota = quotaOf({ at_once: 1 })
    const woken: string[] = []
    const background = other.forBackground(async ids => void woken.push(...ids))
    await background.acquire(quota)
    const run = click()
    expect(await outcomeOf(run, quota)).toBeGreaterThan(0)
    await background.release?.(quota)
    expect(woken).toEqual([run.run])
    const impatient = platformLimiter(db, async () => {}).forBackground(async () => {})
    expect(await outcomeOf(impatient, quota)).toBeGreaterThan(0)
    expect(await outcomeOf(run, quota)).toBe('in')
    expect(await outcomeOf(impatient, quota)).toBeGreaterThan(0)
    await run.close('for good')
    expect(await outcomeOf(impatient, quota)).toBe('in')
  })
})

describe('a quota that is paused', () => {
  it('refuses every request for as long as the pause lasts, and then admits them one after another', async () => {
    const quota = quotaOf({ at_once: 2, rate: { per_minute: 60, burst: 5 } })
    const inside = session()
    await withPermits(inside, [quota], async () => undefined)
    await inside.report(quota, { used_percent: 100, pause_ms: 60_000 })
    const retries = []
    for (const limiter of [one, other, one]) {
      expect(await outcomeOf(session(limiter), quota)).toBeGreaterThan(50_000)
      retries.push(await nextRetry(quota))
    }
    expect(Number(await outcomeOf(inside, quota))).toBeGreaterThan(50_000)
    const [first = 0, second = 0, third = 0] = retries
    expect([second - first, third - second]).toEqual([1000, 1000])
  })

  it('does not pause any other quota', async () => {
    const [closed, open] = [quotaOf(), quotaOf()]
    await one.report(closed, { used_percent: 100, pause_ms: 60_000 })
    expect(await outcomeOf(other, closed)).toBeGreaterThan(50_000)
    expect(await outcomeOf(other, open)).toBe('in')
  })

  it('is paused for twice as long when the platform states no duration and refuses again; many refusals at once count as one', async () => {
    const quota = quotaOf()
    const refused = () => one.report(quota, { used_percent: 100, pause_ms: 10_000, is_guess: true })
    const left = async () => Number(await outcomeOf(other, quota))
    for (let request = 0; request < 4; request++) await refused()
    expect(await left()).toBeLessThan(13_000)
    expect(await left()).toBeGreaterThan(5000)
    await db
      .updateTable('quota')
      .set({ paused_until: new Date() })
      .where('scope', 'like', `%${quota.id}`)
      .execute()
    await refused()
    await refused()
    expect(await left()).toBeGreaterThan(14_000)
    expect(await left()).toBeLessThan(26_000)
  })
})
