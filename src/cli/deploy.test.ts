import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { startTraffic } from './testing/requests.ts'
import { testFleet, untilReady, type Member } from './testing/fleet.ts'

const LONG = process.env.LONG === '1'
/** Of three restarts each. */
const ROUNDS = Number(process.env.ROUNDS ?? (LONG ? 34 : 1))
const fleet = await testFleet()
const { db } = fleet

describe('a deploy in the middle of everything', () => {
  it('loses no request, counts no run as failed, and lets another process finish what takes long', async () => {
    const apis = [await fleet.start(['api']), await fleet.start(['api'])]
    let worker = await fleet.start(['worker', 'scheduler'], { lease_s: 10 })
    await Promise.all(apis.map(untilReady))
    const reports = await Promise.all(Array.from({ length: 6 }, () => fleet.report()))
    const load = startTraffic(fleet, { apis, reports: reports.map(({ id }) => id) })
    const stops: { ended: number | string; took_ms: number }[] = []
    const leave = async (member: Member) => {
      const began = performance.now()
      member.kill('SIGTERM')
      stops.push({ ended: await member.ended, took_ms: Math.round(performance.now() - began) })
    }

    // A slow platform: the run is under way when its worker has to stop.
    await fleet.sandbox.setFaults([
      { platform: 'meta', path: 'insights', action: 'latency', delay_ms: 60_000 },
    ])
    const { id } = await fleet.report()
    const long = await load.click(id)
    await untilFetching(long)
    load.begin()
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, old] of apis.entries()) {
        const fresh = await fleet.start(['api'])
        await untilReady(fresh)
        apis[at] = fresh
        await leave(old)
      }
      const next = await fleet.start(['worker', 'scheduler'], { lease_s: 10 })
      // The process that takes the run over gets fast responses.
      await fleet.sandbox.setFaults([])
      await leave(worker)
      worker = next
    }
    const outcome = await load.stop()
    await untilAllEnded()

    console.log(JSON.stringify({ ...outcome, stops }))
    expect(stops.map(({ ended }) => ended)).toEqual(stops.map(() => 0))
    expect(outcome.failures).toEqual([])
    const { rows: harmed } = await sql`
        select id, status, code, failures, lost_leases from run
        where status <> 'completed' or failures > 0 or lost_leases > 0`.execute(db)
    expect(harmed).toEqual([])
    // The first attempt was released, as its timeline says.
    expect(await fleet.runRow(long)).toMatchObject({
      timeline: expect.arrayContaining([expect.objectContaining({ phase: 'waiting', why: 'restart' })]),
    })
  })
})

async function untilFetching(run: string) {
  for (;;) {
    const { rows } =
      await sql`select from run where id = ${run} and status = 'fetching' and plan is not null`.execute(db)
    if (rows.length > 0) return
    await sleep(50)
  }
}

async function untilAllEnded() {
  for (;;) {
    const { rows } = await sql`select from run where finished_at is null limit 1`.execute(db)
    if (rows.length === 0) return
    await sleep(100)
  }
}
