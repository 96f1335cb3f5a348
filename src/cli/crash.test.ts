import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Proxy } from '#server/db/testing/proxy.ts'
import { randomOf, SEED } from '#server/testing/random.ts'
import { patiently, testFleet, untilReady, type Member } from './testing/fleet.ts'
import { startClicking, testScheduledLoad } from './testing/scheduled-load.ts'

const LONG = process.env.LONG === '1'
const HOUR_MS = 3600_000
const fleet = await testFleet()
const load = await testScheduledLoad(fleet, { spreadsheets: LONG ? 12 : 2 })

const JUMPS_MS = [0, HOUR_MS, -HOUR_MS, 24 * HOUR_MS]
const LEASE_MS = 2000

describe('several schedulers and workers on one database', () => {
  it('run each occurrence once, to the end and without damage, whatever crashes, hangs or is cut off', async () => {
    const random = randomOf(SEED)
    const toApi = await fleet.proxy()
    const api = await fleet.start(['api'], { through: toApi })
    const crew: { member: Member; proxy: Proxy }[] = []
    let hired = 0
    const hire = async () => {
      const proxy = await fleet.proxy()
      // Every other one has a clock that jumps.
      const jumpsMs = hired++ % 2 === 0 ? {} : { jumps_ms: JUMPS_MS }
      const member = await fleet.start(['worker', 'scheduler'], { through: proxy, ...jumpsMs })
      crew.push({ member, proxy })
      // A thousand of them would use up what may be open at a time.
      void member.ended.then(() => sleep(LEASE_MS)).then(() => proxy.stop())
    }
    for (let count = 0; count < 3; count++) await hire()
    await untilReady(api)
    const { first_day, last_day } = load
    const clicked = await fleet.report({ update_frequency: 0, date_start: first_day, date_end: last_day })
    const clicks = startClicking(fleet, { reports: [clicked.id], origins: [api.origin] })

    const faults: Record<string, () => Promise<unknown>> = {
      async SIGKILL() {
        const { member } = crew.shift() ?? {}
        // Half of them are killed together with their child processes.
        if (random() < 0.5) member?.killAll('SIGKILL')
        else member?.kill('SIGKILL')
        await hire()
      },
      async 'SIGSTOP past the lease'() {
        const still = crew.shift()
        still?.member.killAll('SIGSTOP')
        await hire()
        // It wakes while others have its runs, and may then be the next one to be killed.
        setTimeout(
          () => {
            still?.member.killAll('SIGCONT')
            still?.member.kill('SIGTERM')
          },
          LEASE_MS * 1.5 + random() * LEASE_MS,
        )
      },
      'a crash of the database': () => fleet.crashDatabase(),
      async 'a connection that breaks'() {
        crew[0]?.proxy.cut()
        toApi.cut()
      },
      async 'a connection that falls silent'() {
        const cutOff = crew.shift()
        cutOff?.proxy.silence()
        await hire()
        // By then it has long been replaced, and it would retry for ever.
        setTimeout(() => cutOff?.member.killAll('SIGKILL'), LEASE_MS * 8)
      },
      async 'an API that is cut off without a word'() {
        toApi.silence()
        await sleep(1500)
        toApi.heal()
      },
    }
    const kinds = Object.keys(faults)
    const rounds = Number(process.env.FAULTS ?? (LONG ? 100 : kinds.length))
    const done: Record<string, number> = {}
    const playing = load.play(2, () => sum(done) < rounds)
    for (let count = 0; count < rounds; count++) {
      // All of them once; then a kill every other time.
      const kind =
        count < kinds.length
          ? kinds[count]
          : random() < 0.5
            ? 'SIGKILL'
            : kinds[Math.floor(random() * kinds.length)]
      await faults[kind ?? '']?.()
      done[kind ?? ''] = (done[kind ?? ''] ?? 0) + 1
      await sleep(random() * 500)
      await load.untilAnyEnds(LONG ? 5000 : 500)
    }
    await playing

    const clicking = await patiently(clicks.stop)
    await load.settled()
    console.log(JSON.stringify({ ...(await load.counts()), ...done, ...clicking }))
    expect(clicking).toMatchObject({ unwelcome: [], lost: [] })
    expect(await load.inconsistencies()).toEqual([])
  })
})

const sum = (counts: Record<string, number>) =>
  Object.values(counts).reduce((total, count) => total + count, 0)
