import { describe, expect, it } from 'vitest'
import { PlatformFailure, type QuotaKey } from '#server/connectors/connector.ts'
import { withPermits } from '#server/connectors/with-permits.ts'
import { testDatabase } from '#server/db/testing/database.ts'
import { platformGate, type QuotaSession } from './platform-limiter.ts'
import { lineOf } from './rate.ts'

const { db } = await testDatabase()
const sleep = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
// Two processes: each knows of the other by the database alone.
const [one, other] = [platformGate(db, sleep), platformGate(db, sleep)]

let numbers = 0
const scopeOf = (limits: Partial<QuotaKey> = {}): QuotaKey => ({
  platform: 'ga4',
  kind: 'account',
  id: String((numbers += 1)),
  ...limits,
})
const id = () => crypto.randomUUID()

function session(gate = one, { is_urgent = false, run = id() } = {}) {
  const called: string[] = []
  const opened = gate.forRun({ id: run, is_urgent }, async ids => void called.push(...ids))
  return { ...opened, run, called }
}

/** Whether a request may go; else how long it is told to wait. */
async function tried({ before }: Pick<QuotaSession, 'before'>, scope: QuotaKey) {
  try {
    await before(scope)
    return 'in'
  } catch (error) {
    if (error instanceof PlatformFailure) return error.retry_after_ms ?? 0
    throw error
  }
}

/** When the next one who finds the scope closed may come, in milliseconds since 1970. */
async function placeBehind(scope: QuotaKey) {
  const { next_at } = await db
    .selectFrom('quota')
    .select('next_at')
    .where('scope', '=', lineOf(`${scope.platform} ${scope.kind} ${scope.id}`))
    .executeTakeFirstOrThrow()
  return next_at?.getTime() ?? 0
}

describe('room in a scope', () => {
  it('is for so many at a time, whichever process they are in; the others are told when to come back at once', async () => {
    const scope = scopeOf({ at_once: 2 })
    const sessions = Array.from({ length: 6 }, (_, index) => session(index % 2 ? one : other))
    const outcomes = await Promise.all(sessions.map(each => tried(each, scope)))
    expect(outcomes.filter(outcome => outcome === 'in')).toHaveLength(2)
    expect(outcomes.filter(outcome => typeof outcome === 'number' && outcome >= 3000)).toHaveLength(4)
  })

  it('never holds more requests than it says, side by side in one run or in several', async () => {
    const count = { now: 0, most: 0 }
    const request = async () => {
      count.most = Math.max(count.most, (count.now += 1))
      await sleep(2)
      count.now -= 1
    }
    // What goes wrong does so when one is let go and taken again at once: in one round of ten.
    for (let round = 0; round < 40; round++) {
      const scope = scopeOf({ at_once: 3, rate: { per_minute: 60_000, burst: 1000 } })
      const sessions = [session(one), session(other)]
      for (const each of sessions) await withPermits(each, [scope], request)
      const work = sessions.flatMap(each =>
        Array.from({ length: 20 }, () => withPermits(each, [scope], request)),
      )
      await Promise.all(work)
      for (const each of sessions) await each.close('for good')
      expect(count.now).toBe(0)
      expect(count.most).toBeLessThanOrEqual(3)
    }
    expect(count.most).toBe(3)
  })

  it('calls in who has waited longest, clicks before schedules, and keeps the room for them', async () => {
    const scope = scopeOf({ at_once: 1 })
    const first = session()
    const [second, third] = [session(other), session()]
    const click = session(other, { is_urgent: true })
    expect(await tried(first, scope)).toBe('in')
    for (const each of [second, third, click]) expect(await tried(each, scope)).toBeGreaterThan(0)
    await first.done?.(scope)
    await first.close()
    expect(first.called).toEqual([click.run])
    expect(await tried(session(), scope)).toBeGreaterThan(0)
    expect(await tried(third, scope)).toBeGreaterThan(0)
    expect(await tried(click, scope)).toBe('in')
    await click.close('for good')
    expect(click.called).toEqual([second.run])
    expect(await tried(second, scope)).toBe('in')
  })

  it('is kept by a run from page to page, and let go when it has ended', async () => {
    const scope = scopeOf({ at_once: 1 })
    const [run, next] = [session(), session(other)]
    for (let page = 0; page < 3; page++) await withPermits(run, [scope], async () => undefined)
    expect(await tried(next, scope)).toBeGreaterThan(0)
    await run.close('for good')
    expect(run.called).toEqual([next.run])
  })

  it('is free again within a lease when its process has died', async () => {
    const scope = scopeOf({ at_once: 1 })
    expect(await tried(session(), scope)).toBe('in')
    await db
      .updateTable('quota_slot')
      .set({ until: new Date(0), held_by: id() })
      .execute()
    expect(await tried(session(other), scope)).toBe('in')
  })

  it('lets one question of a person in beside the runs', async () => {
    const scope = scopeOf({ at_once: 1 })
    expect(await tried(session(), scope)).toBe('in')
    expect(await tried(other, scope)).toBe('in')
    await other.done?.(scope)
    expect(
      await db.selectFrom('quota_slot').select('state').where('scope', 'like', `%${scope.id}`).execute(),
    ).toEqual([{ state: 'held' }])
  })

  it('of one account says nothing of another', async () => {
    const [full, free] = [scopeOf({ at_once: 1 }), scopeOf({ at_once: 1 })]
    expect(await tried(session(), full)).toBe('in')
    const run = session()
    expect(await tried(run, full)).toBeGreaterThan(0)
    expect(await tried(run, free)).toBe('in')
  })
})

describe('a scope that is closed', () => {
  it('keeps everybody out as long as it was told, and lets them in one after another then', async () => {
    const scope = scopeOf({ at_once: 2, rate: { per_minute: 60, burst: 5 } })
    const inside = session()
    await withPermits(inside, [scope], async () => undefined)
    await inside.after(scope, { used_percent: 100, pause_ms: 60_000 })
    const places = []
    for (const gate of [one, other, one]) {
      expect(await tried(session(gate), scope)).toBeGreaterThan(50_000)
      places.push(await placeBehind(scope))
    }
    expect(Number(await tried(inside, scope))).toBeGreaterThan(50_000)
    const [first = 0, second = 0, third = 0] = places
    expect([second - first, third - second]).toEqual([1000, 1000])
  })

  it('does not close any other', async () => {
    const [closed, open] = [scopeOf(), scopeOf()]
    await one.after(closed, { used_percent: 100, pause_ms: 60_000 })
    expect(await tried(other, closed)).toBeGreaterThan(50_000)
    expect(await tried(other, open)).toBe('in')
  })

  it('is closed for twice as long when nobody says for how long and it happens again; many refusals at once are one', async () => {
    const scope = scopeOf()
    const refused = () => one.after(scope, { used_percent: 100, pause_ms: 10_000, is_guess: true })
    const left = async () => Number(await tried(other, scope))
    for (let request = 0; request < 4; request++) await refused()
    expect(await left()).toBeLessThan(13_000)
    expect(await left()).toBeGreaterThan(5000)
    await db
      .updateTable('quota')
      .set({ paused_until: new Date() })
      .where('scope', 'like', `%${scope.id}`)
      .execute()
    await refused()
    await refused()
    expect(await left()).toBeGreaterThan(14_000)
    expect(await left()).toBeLessThan(26_000)
  })
})
