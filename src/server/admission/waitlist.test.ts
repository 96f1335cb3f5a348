import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing/database.ts'
import { sheetsLimiter } from './sheets-limiter.ts'
import { SheetsFailure } from '#server/sheets/failure.ts'
import { prepay, waitForPosition } from './waitlist.ts'
import { insertReport, nextRunId } from '#server/resources/runs/testing/reports.ts'
import { claimRun } from '#server/resources/runs/lease-queries.ts'

const { db } = await testDatabase()

/** A system user's own quota; waits in place are over at once. */
function limiterOf(quota: { per_user: number; per_project?: number }) {
  const slept: number[] = []
  const sleep = async (ms: number) => void slept.push(ms)
  const settings = {
    system_user: crypto.randomUUID(),
    project: 'reports',
    sharers: 1,
    per_project: 100_000,
    ...quota,
  }
  return { limiter: sheetsLimiter(db, settings, sleep), sleep, slept }
}

async function newRun(trigger: 'click' | 'schedule', by?: number) {
  const { report, owner } = await insertReport(db)
  const id = nextRunId()
  await db
    .insertInto('run')
    .values({ id, report, owner: by ?? owner, trigger, status: 'queued' })
    .execute()
  return id
}

/** As if its position had been reached, after all before it. */
async function reachPosition(id: string) {
  await sql`
    update run set status = 'completed' from run mine
    where mine.id = ${id} and run.waitlist = mine.waitlist and run.waitlist_until < mine.waitlist_until and run.status = 'queued'`.execute(
    db,
  )
  await sql`update run set waitlist_until = now() where id = ${id}`.execute(db)
}
const woken: string[] = []

/**
 * What a new attempt of the run gets: the milliseconds after which to try again, 0 when it is let through.
 */
async function waitOf(id: string, { limiter, sleep }: ReturnType<typeof limiterOf>) {
  const run = await claimRun(db, id, { worker: 'worker' })
  if (!run) throw new Error('the run is already claimed')
  try {
    await waitForPosition(db, run, {
      limiter,
      sleep,
      wakeWorkers: async (_, others) => void woken.push(...others),
    })
    await prepay(limiter)
    return 0
  } catch (error) {
    if (error instanceof SheetsFailure && error.code === 'quota_exhausted') return error.retry_after_ms ?? 0
    throw error
  } finally {
    await sql`update run set status = 'queued', lease_until = null where id = ${id}`.execute(db)
  }
}

describe('the waitlist of the spreadsheet service', () => {
  it('lets a few through at once; the others get a time of their own', async () => {
    const at = limiterOf({ per_user: 60 })
    const waits = []
    const began = performance.now()
    for (let run = 0; run < 30; run++) waits.push(await waitOf(await newRun('schedule'), at))
    // A quarter of a minute's at once, two whose position is near wait in place, then one a second.
    expect(waits.slice(0, 16).every(wait => wait === 0)).toBe(true)
    const retries = waits.filter(wait => wait > 0)
    // Each second that this takes lets one more through.
    const passedMs = performance.now() - began
    expect(retries.length).toBeGreaterThanOrEqual(12 - passedMs / 1000)
    expect(retries).toEqual(retries.toSorted((a, b) => a - b))
    expect(retries.at(-1)).toBeGreaterThan(10_000 - passedMs)
    expect(retries.at(-1)).toBeLessThanOrEqual(15_000)
  })

  it('keeps a run’s position: the next attempt does not join again', async () => {
    const at = limiterOf({ per_user: 60 })
    for (let run = 0; run < 30; run++) await waitOf(await newRun('schedule'), at)
    const late = await newRun('schedule')
    expect(await waitOf(late, at)).toBeGreaterThan(10_000)
    for (let run = 0; run < 20; run++) await waitOf(await newRun('schedule'), at)
    expect(await waitOf(late, at)).toBeGreaterThan(10_000)
    await reachPosition(late)
    expect(await waitOf(late, at)).toBe(0)
  })

  it('swaps a person’s only run with the second one of a person with many', async () => {
    const at = limiterOf({ per_user: 60 })
    const { owner } = await insertReport(db)
    const many: string[] = []
    for (let run = 0; run < 30; run++) {
      const id = await newRun('schedule', owner)
      if ((await waitOf(id, at)) > 0) many.push(id)
    }
    const only = await newRun('schedule')
    const last_wait = await waitOf(only, at)
    const [first = '', second = '', third = ''] = many
    woken.length = 0
    for (const id of [first, second]) {
      await reachPosition(id)
      expect(await waitOf(id, at)).toBe(0)
    }
    await reachPosition(third)
    const retries = await waitOf(third, at)
    expect(retries).toBeGreaterThan(last_wait - 10_000)
    expect(retries).toBeLessThanOrEqual(last_wait)
    expect(woken).toEqual([only])
    expect(await waitOf(only, at)).toBe(0)
  })

  it('does not make a manual run wait behind scheduled ones', async () => {
    const at = limiterOf({ per_user: 60 })
    for (let run = 0; run < 40; run++) await waitOf(await newRun('schedule'), at)
    expect(await waitOf(await newRun('click'), at)).toBe(0)
    expect(at.slept.every(ms => ms <= 2000)).toBe(true)
  })

  it('never lets more through in a minute than the service grants, however many callers', async () => {
    const at = limiterOf({ per_user: 10 })
    const waits = []
    for (let run = 0; run < 30; run++)
      waits.push(await waitOf(await newRun(run % 2 ? 'click' : 'schedule'), at))
    expect(waits.filter(wait => wait === 0).length).toBeLessThanOrEqual(10)
  })

  it('takes the read and the write that a small table needs at once, and further permits on demand', async () => {
    const { limiter } = limiterOf({ per_user: 60 })
    const kinds: string[] = []
    const counting = {
      ...limiter,
      acquire: async (...taken: ('read' | 'write')[]) => void kinds.push(...taken),
    }
    const prepaid = await prepay(counting)
    expect(kinds).toEqual(['write', 'read'])
    for (const kind of ['read', 'write', 'write', 'read'] as const) await prepaid.acquire(kind)
    expect(kinds).toEqual(['write', 'read', 'write', 'read'])
  })

  // Last: the project is one for all tests of this file.
  it('counts all system users together against the project', async () => {
    const project = { per_user: 100, per_project: 12 }
    const waits = []
    for (let user = 0; user < 4; user++) {
      const at = limiterOf(project)
      for (let run = 0; run < 6; run++) waits.push(await waitOf(await newRun('click'), at))
    }
    expect(waits.filter(wait => wait === 0).length).toBeLessThanOrEqual(12)
  })
})
