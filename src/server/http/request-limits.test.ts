import { describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { createRateLimit } from './rate-limit.ts'
import { openFairQueue } from './fair-queue.ts'
import { BURST_MINUTES, createRequestLimits, queueLimits } from './request-limits.ts'
import { callerOf, expectRefusal, testApi, type Client } from './testing/api.ts'

const clock = { ms: 0 }
const PER_MINUTE = 120
const realShares = () =>
  createRequestLimits(
    { queues: queueLimits, writes: { per_minute: PER_MINUTE, burst: PER_MINUTE * BURST_MINUTES } },
    () => clock.ms,
  )
const api = await testApi()
/** The limits of the product, all of them unused. */
const fresh = () => {
  api.effects.requestLimits = realShares()
}
const FOLDERS = '/api/gs-template-folder/'
const REPORTS = '/api/gs-template-setting/'

/** Work that goes on until it is released, in the order in which it began. */
function held() {
  const began: string[] = []
  const ends: (() => void)[] = []
  const work = (name: string) => () =>
    new Promise<string>(resolve => {
      began.push(name)
      ends.push(() => resolve(name))
    })
  const settled = () => new Promise(resolve => setImmediate(resolve))
  const letGo = async () => {
    ends.shift()?.()
    await settled()
  }
  return { began, work, letGo, settled }
}

describe('a queue of all people', () => {
  const limits = {
    of_one: 2,
    of_all: 3,
    waiting: 20,
    waiting_of_all: 60,
    wait_ms: 60_000,
    retry_after_s: 3,
  }

  it('serves people in turn: twenty requests of one person delay only that person', async () => {
    const queue = openFairQueue(limits)
    const { began, work, letGo, settled } = held()
    const all = Array.from({ length: 20 }, (_, index) => queue.within(1, work(`a${index}`)))
    all.push(queue.within(2, work('b0')), queue.within(2, work('b1')), queue.within(3, work('c0')))
    await settled()
    expect(began).toEqual(['a0', 'a1', 'b0'])
    await letGo()
    // One has one in progress, two has one, three has none.
    expect(began.at(-1)).toBe('c0')
    await letGo()
    expect(began.slice(4)).toEqual(['a2'])
    await letGo()
    expect(began.slice(5)).toEqual(['b1'])
    await letGo()
    expect(began.slice(6)).toEqual(['a3'])
    for (let left = 0; left < 20; left++) await letGo()
    expect(await Promise.all(all)).toHaveLength(23)
  })

  it('refuses what is too much for one person, and what has waited for too long', async () => {
    const { work, letGo } = held()
    const queue = openFairQueue({ ...limits, waiting: 1, wait_ms: 1 })
    const underWay = [queue.within(1, work('first')), queue.within(1, work('second'))]
    const waiting = queue.within(1, work('waits'))
    const refusal = { code: 'rate_limited', facts: { retry_after_s: 3 } }
    await expect(queue.within(1, work('too many'))).rejects.toMatchObject(refusal)
    await expect(waiting).rejects.toMatchObject(refusal)
    await letGo()
    await letGo()
    expect(await Promise.all(underWay)).toEqual(['first', 'second'])
  })

  it('that is full drops the last request of the person with the most, and a newcomer only when all have as many', async () => {
    const queue = openFairQueue({ ...limits, of_one: 1, of_all: 1, waiting_of_all: 3 })
    const { began, work, letGo } = held()
    const first = queue.within(9, work('under way'))
    const greedy = ['a0', 'a1', 'a2'].map(name => queue.within(1, work(name)))
    const running = [queue.within(2, work('b0'))]
    await expect(greedy[2]).rejects.toMatchObject({ code: 'rate_limited', facts: { retry_after_s: 3 } })
    running.push(queue.within(3, work('c0')))
    await expect(greedy[1]).rejects.toMatchObject({ code: 'rate_limited' })
    await expect(queue.within(4, work('d0'))).rejects.toMatchObject({
      code: 'overloaded',
      facts: { retry_after_s: 3 },
    })
    for (let left = 0; left < 4; left++) await letGo()
    await Promise.all([first, greedy[0], ...running])
    expect(began).toEqual(['under way', 'a0', 'b0', 'c0'])
  })

  it('drops disconnected clients, and frees the slot after a failure', async () => {
    const { began, work, letGo } = held()
    const queue = openFairQueue({ ...limits, of_one: 1 })
    const failing = queue.within(1, () => work('fails')().then(() => Promise.reject(new Error('failed'))))
    const disconnected = new AbortController()
    const left = queue.within(1, work('left'), disconnected.signal)
    const last = queue.within(1, work('last'))
    disconnected.abort()
    await expect(left).rejects.toMatchObject({ code: 'rate_limited' })
    await Promise.all([expect(failing).rejects.toThrow('failed'), letGo()])
    expect(began).toEqual(['fails', 'last'])
    await letGo()
    expect(await last).toBe('last')
  })
})

describe('a rate limit', () => {
  it('holds a burst, refills by the minute, and says when there is enough', () => {
    let now = 0
    const allowance = createRateLimit({ per_minute: 60, burst: 100, now: () => now })
    expect(allowance.take(1, 98)).toBeNull()
    expect(allowance.take(1, 4)).toBe(2)
    expect(allowance.take(2, 100)).toBeNull()
    now = 2000
    expect(allowance.take(1, 4)).toBeNull()
    expect(allowance.take(1, 1)).toBe(1)
    allowance.refund(1, 1)
    expect(allowance.take(1, 1)).toBeNull()
    now = 1_000_000
    expect(allowance.take(1, 5000), 'more than the limit takes all').toBeNull()
    expect(allowance.take(1, 100)).toBe(100)
  })

  it('remembers ten thousand people, and drops the least recent', () => {
    const allowance = createRateLimit({ per_minute: 1, burst: 2, now: () => 0 })
    for (let person = 0; person < 10_000; person++) expect(allowance.take(person, 2)).toBeNull()
    expect(allowance.take(0, 1)).not.toBeNull()
    expect(allowance.take(10_000, 2)).toBeNull()
    expect(allowance.take(0, 1)).toBeNull()
    expect(allowance.take(2, 1)).not.toBeNull()
  })
})

describe('the concurrent requests of one person', () => {
  const heldUp = async (person: Client, work: () => Promise<void>) => {
    const session = await api.pool.connect()
    await session.query('begin')
    await session.query('select id from users where id = $1 for update', [person.user.id])
    try {
      await work()
    } finally {
      await session.query('rollback')
      session.release()
    }
  }

  it('are a few changes; those that wait hold no database session, so that others are served', async () => {
    fresh()
    const [greedy, other] = [await api.signedIn('external_user'), await api.signedIn('external_user')]
    let sent: Promise<number[]> | undefined
    await heldUp(greedy, async () => {
      const responses = Array.from({ length: 60 }, (_, nth) =>
        greedy.post(FOLDERS, { name: `Folder ${nth}` }),
      )
      sent = Promise.all(responses).then(all => all.map(({ status }) => status))
      const refused = await Promise.race(responses)
      expectRefusal(refused, 429, 'rate_limited')
      expect(refused.headers.get('retry-after')).toBe('2')
      expect((await other.post(FOLDERS, { name: 'Mine' })).status).toBe(201)
      expect((await other.get(FOLDERS)).status).toBe(200)
      expect((await greedy.get(FOLDERS)).status).toBe(200)
      expect(api.pool.waitingCount).toBe(0)
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        api.db,
      )
      expect(rows[0]?.count).toBeLessThanOrEqual(queueLimits.write.of_one)
    })
    const statuses = await sent
    const { of_one, waiting } = queueLimits.write
    expect(statuses?.filter(status => status === 201)).toHaveLength(of_one + waiting)
    expect(statuses?.filter(status => status === 429)).toHaveLength(60 - of_one - waiting)
  })

  it('are a few exports: of twenty six are sent, the others get Retry-After, and another person’s is sent meanwhile', async () => {
    fresh()
    const [greedy, other] = [await api.signedIn('external_user'), await api.signedIn('external_user')]
    for (const person of [greedy, other]) await person.report()
    const gate = Promise.withResolvers<void>()
    const { batch } = api.effects.requestLimits
    api.effects.requestLimits.batch = async (person, work) => {
      if (person === greedy.user.id) await gate.promise
      return await batch(person, work)
    }
    const path = `${REPORTS}?format=csv`
    const responses = Array.from({ length: 20 }, () => greedy.get(path))
    expectRefusal(await Promise.race(responses), 429, 'rate_limited')
    expect((await other.get(path)).body).toContain('A report')
    gate.resolve()
    const statuses = (await Promise.all(responses)).map(({ status }) => status)
    expect(statuses.filter(status => status === 200)).toHaveLength(6)
    expect(statuses.filter(status => status === 429)).toHaveLength(14)
  })

  it('are a few searches; an empty one and a plain list do not count', async () => {
    fresh()
    const { search } = queueLimits
    const greedy = await api.signedIn('external_user')
    const many = (query: string) =>
      Promise.all(Array.from({ length: 40 }, () => greedy.get(`${REPORTS}${query}`)))
    for (const query of ['', '?search='])
      expect((await many(query)).filter(({ status }) => status !== 200)).toEqual([])
    // The overview costs as much as a search, and is one.
    for (const path of [`${REPORTS}?search=x`, '/api/overview/']) {
      fresh()
      const gate = Promise.withResolvers<void>()
      const { within } = api.effects.requestLimits
      api.effects.requestLimits.within = (request, work) =>
        within(request, async () => {
          await gate.promise
          return await work()
        })
      const found = Array.from({ length: 40 }, () => greedy.get(path))
      expectRefusal(await Promise.race(found), 429, 'rate_limited')
      gate.resolve()
      const statuses = (await Promise.all(found)).map(({ status }) => status)
      expect(statuses.filter(status => status === 200)).toHaveLength(search.of_one + search.waiting)
    }
  })
})

describe('the changes of one person over time', () => {
  it('are three minutes’ worth at first, then the rate of a minute, for each person alone', async () => {
    fresh()
    const person = await api.signedIn('external_user')
    const other = await api.signedIn('external_user')
    const write = () => person.patch(`${FOLDERS}999999/`, { name: 'x' })
    const { within } = api.effects.requestLimits
    const used = PER_MINUTE * BURST_MINUTES - 20
    for (let nth = 0; nth < used; nth++)
      await within({ kind: 'write', person: person.user.id, writes: 1 }, async () => {})
    const statuses = (await Promise.all(Array.from({ length: 20 }, write))).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([404]))
    const refused = await write()
    expectRefusal(refused, 429, 'rate_limited')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect((await other.post(FOLDERS, { name: 'Mine' })).status).toBe(201)
    expect((await person.get(FOLDERS)).status).toBe(200)
    clock.ms += 1000
    expect((await Promise.all([write(), write(), write()])).map(({ status }) => status).toSorted()).toEqual([
      404, 404, 429,
    ])
    expect((await person.post('/api/token/logout/', {})).status, 'signing out is never refused').toBe(204)
  })

  it('count for every 25 items of one request, so that many in a row are let through', async () => {
    fresh()
    const person = await api.signedIn('external_user')
    const ids = Array.from({ length: 1000 }, (_, nth) => 900_000 + nth)
    const bulk = () => person.post('/api/notifications/read/', { ids })
    const burst = (PER_MINUTE * BURST_MINUTES) / 41
    for (let nth = 0; nth < Math.floor(burst); nth++) expect((await bulk()).status).toBeLessThan(300)
    expectRefusal(await bulk(), 429, 'rate_limited')
  })

  it('include exports, so that nobody fills the audit trail with them', async () => {
    clock.ms = 0
    api.effects.requestLimits = createRequestLimits(
      { queues: queueLimits, writes: { per_minute: 1, burst: 3 } },
      () => clock.ms,
    )
    const person = await api.signedIn('external_user')
    const { id } = await person.report()
    for (const path of [`${REPORTS}?format=csv`, `${REPORTS}${id}/export/`])
      expect((await person.get(path)).status).toBe(200)
    expectRefusal(await person.get(`${REPORTS}?format=csv`), 429, 'rate_limited')
    expect((await person.get(REPORTS)).status).toBe(200)
  })

  it('do not include requests that were refused because of concurrency', async () => {
    const limits = createRequestLimits(
      {
        queues: { ...queueLimits, write: { ...queueLimits.write, of_one: 1, waiting: 0 } },
        writes: { per_minute: 1, burst: 2 },
      },
      () => 0,
    )
    const { work, letGo, settled } = held()
    const request = { kind: 'write' as const, person: 1, writes: 1 }
    const first = limits.within(request, work('first'))
    for (let nth = 0; nth < 5; nth++)
      await expect(limits.within(request, work('refused'))).rejects.toMatchObject({
        facts: { retry_after_s: queueLimits.write.retry_after_s },
      })
    await settled()
    await letGo()
    await first
    const second = limits.within(request, work('second'))
    await settled()
    await letGo()
    expect(await second).toBe('second')
  })

  it('do not apply to anonymous requests, which get 401', async () => {
    fresh()
    const nobody = callerOf(api.origin, { authorization: 'Bearer a.b.c' })
    for (const status of (
      await Promise.all(Array.from({ length: 60 }, () => nobody.post(FOLDERS, { name: 'x' })))
    ).map(response => response.status))
      expect(status).toBe(401)
  })
})
