import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing/database.ts'
import { SheetsFailure } from '#server/sheets/failure.ts'
import type { Refusal, SheetsLimiter } from '#server/sheets/requests.ts'
import { sheetsLimiter } from './sheets-limiter.ts'

const { db } = await testDatabase()

/** Thrown instead of waiting in place. */
class Wait extends Error {}

/** So many processes with the same system user. */
function processes(
  count: number,
  { system_user = crypto.randomUUID(), project = crypto.randomUUID(), per_user = 60 } = {},
) {
  const settings = { system_user, project, sharers: 1, per_user, per_project: 300 }
  const sleep = async (ms: number) => Promise.reject(new Wait(String(ms)))
  return Array.from({ length: count }, () => sheetsLimiter(db, settings, sleep))
}
const oneProcess = (facts: Parameters<typeof processes>[1] = {}): SheetsLimiter => {
  const [limiter] = processes(1, facts)
  if (!limiter) throw new Error('there is one')
  return limiter
}

/** The database's clock is the only one: everything that it has noted is moved into the past. */
const pass = (ms: number) =>
  sql`
    update quota set paused_until = paused_until - ${ms} * interval '1 ms', next_at = next_at - ${ms} * interval '1 ms',
      permits = (select coalesce(array_agg(at - ${ms} * interval '1 ms'), '{}') from unnest(permits) at)`.execute(
    db,
  )

/** Whether a write may be sent now; else for how long not. */
async function waitOf(limiter: SheetsLimiter): Promise<number> {
  try {
    await limiter.acquire('write')
    return 0
  } catch (error) {
    if (error instanceof Wait) return Number(error.message)
    if (error instanceof SheetsFailure) return error.retry_after_ms ?? 0
    throw error
  }
}
const refused = (limiter: SheetsLimiter, refusal: Partial<Refusal> = {}) =>
  limiter.report('write', {
    sent_ms_ago: 0,
    refusal: { retry_after_ms: null, why: 'user_quota', ...refusal },
  })
const gone = (limiter: SheetsLimiter) => limiter.report('write', { sent_ms_ago: 0, refusal: null })

/** A permit, and a refusal by the service. */
async function send(limiter: SheetsLimiter, refusal: Partial<Refusal> = {}): Promise<number> {
  await limiter.acquire('write')
  return await refused(limiter, refusal)
}

describe('the permits of a write and its read', () => {
  it('are taken together, or none of them', async () => {
    const [system_user, project] = [crypto.randomUUID(), crypto.randomUUID()]
    const limiter = oneProcess({ system_user, project, per_user: 2 })
    const takenOf = async (kind: string) => {
      const { rows } = await sql<{ scope: string; count: number }>`
        select scope, cardinality(permits) as count from quota
        where scope in (${`sheets ${kind} user ${system_user}`}, ${`sheets ${kind} project ${project}`})`.execute(
        db,
      )
      return rows.map(({ count }) => count)
    }
    await limiter.acquire('write', 'read')
    await limiter.acquire('write')
    await expect(limiter.acquire('write', 'read')).rejects.toMatchObject({ code: 'quota_exhausted' })
    expect(await takenOf('write')).toEqual([2, 2])
    expect(await takenOf('read')).toEqual([1, 1])
  })
})

describe('a quota that the service refuses for, without saying for how long', () => {
  it('is tried again within a second, and after that is as before', async () => {
    const limiter = oneProcess()
    const pause_ms = await send(limiter)
    expect(pause_ms).toBeGreaterThan(500)
    expect(pause_ms).toBeLessThanOrEqual(1000)
    expect(await waitOf(limiter)).toBeGreaterThan(0)
    await pass(1000)
    expect(await waitOf(limiter)).toBe(0)
    await gone(limiter)
    for (let request = 0; request < 5; request++) expect(await waitOf(limiter)).toBe(0)
  })

  it('waits for the next minute when that try is refused, too', async () => {
    const limiter = oneProcess()
    await send(limiter)
    await pass(1000)
    expect(await send(limiter)).toBeGreaterThan(59_900)
    expect(await waitOf(limiter)).toBeGreaterThan(59_900)
  })

  it('is tried once for all runs of all processes, and the others wait for what comes of it', async () => {
    const limiters = processes(20)
    for (const limiter of limiters) await limiter.acquire('write')
    const pauses = await Promise.all(limiters.map(limiter => refused(limiter)))
    expect(pauses.every(ms => ms > 0 && ms <= 1000)).toBe(true)
    const probeIn = async () => {
      const waits = await Promise.all(limiters.map(waitOf))
      expect(waits.filter(ms => ms > 0 && ms <= 1500)).toHaveLength(19)
      const probe = limiters[waits.indexOf(0)]
      if (!probe) throw new Error('one of them tries')
      return probe
    }
    await pass(1000)
    await refused(await probeIn())
    expect((await Promise.all(limiters.map(waitOf))).every(ms => ms > 59_000)).toBe(true)
    await pass(63_000)
    await gone(await probeIn())
    expect(await Promise.all(limiters.map(waitOf))).toEqual(Array(20).fill(0))
  })

  it('lets one after the other try while the service works on what was sent: it has not refused that', async () => {
    const [slow, other, third] = processes(3)
    if (!slow || !other || !third) throw new Error('there are three')
    await send(slow)
    await pass(1000)
    expect(await waitOf(slow)).toBe(0)
    expect(await waitOf(other)).toBeGreaterThan(0)
    await pass(1500)
    expect(await waitOf(other)).toBe(0)
    expect(await waitOf(third)).toBeGreaterThan(0)
    // The later one was refused: that the earlier one has gone through says nothing about now.
    expect(await refused(other)).toBeGreaterThan(59_900)
    await gone(slow)
    expect(await waitOf(third)).toBeGreaterThan(59_000)
  })

  it('is not tried at once when as much was sent as is allowed', async () => {
    const limiter = oneProcess({ per_user: 5 })
    for (let request = 0; request < 5; request++) expect(await waitOf(limiter)).toBe(0)
    expect(await refused(limiter)).toBeGreaterThan(59_900)
  })

  it('is not tried at once a second time within two minutes', async () => {
    const limiter = oneProcess()
    await send(limiter)
    await pass(1000)
    await limiter.acquire('write')
    await gone(limiter)
    expect(await send(limiter)).toBeGreaterThan(59_900)
    await pass(63_000)
    await limiter.acquire('write')
    await gone(limiter)
    await pass(120_000)
    expect(await send(limiter)).toBeLessThanOrEqual(1000)
  })

  it('counts the try in the window like any other request', async () => {
    const limiter = oneProcess({ per_user: 3 })
    await send(limiter)
    await pass(1000)
    expect(await waitOf(limiter)).toBe(0)
    await gone(limiter)
    expect(await waitOf(limiter)).toBe(0)
    expect(await waitOf(limiter)).toBeGreaterThan(50_000)
  })
})

describe('a quota that the service refuses for', () => {
  it('is paused for as long as the service says', async () => {
    const limiter = oneProcess()
    for (const retry_after_ms of [7000, 30_000]) {
      const pause_ms = await send(limiter, { retry_after_ms })
      expect(pause_ms).toBeGreaterThan(retry_after_ms - 100)
      expect(pause_ms).toBeLessThanOrEqual(retry_after_ms)
      await pass(retry_after_ms)
    }
  })

  it('is the one that the refusal names', async () => {
    const project = crypto.randomUUID()
    const [one, other] = [oneProcess({ project }), oneProcess({ project })]
    await send(one, { retry_after_ms: 20_000 })
    expect(await waitOf(one)).toBeGreaterThan(10_000)
    expect(await waitOf(other)).toBe(0)
    await refused(other, { why: 'project_quota', retry_after_ms: 40_000 })
    expect(await waitOf(other)).toBeGreaterThan(30_000)
    expect(await waitOf(oneProcess({ project }))).toBeGreaterThan(30_000)
    expect(await waitOf(oneProcess())).toBe(0)
  })

  it('is both when the refusal names none', async () => {
    const project = crypto.randomUUID()
    const [one, other] = [oneProcess({ project }), oneProcess({ project })]
    await send(one, { why: null, retry_after_ms: 20_000 })
    expect(await waitOf(one)).toBeGreaterThan(10_000)
    expect(await waitOf(other)).toBeGreaterThan(10_000)
  })
})
