import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { QuotaKey } from '#server/connectors/connector.ts'
import { testDatabase } from '#server/db/testing/database.ts'
import { openAdaptiveRates } from './adaptive-rate.ts'
import { platformLimiter } from './platform-limiter.ts'
import { pauseQuota } from './rate.ts'

const { db } = await testDatabase()
// Two processes: they share only the database.
const [one, other] = [openAdaptiveRates(db), openAdaptiveRates(db)]

/** As if the latest pause had ended so many minutes ago. */
const pauseEnded = (scope: string, minutes_ago: number) =>
  db
    .updateTable('quota')
    .set({ paused_until: new Date(Date.now() - minutes_ago * 60_000) })
    .where('scope', '=', scope)
    .execute()

/** As the limiter does when a platform refuses. */
async function refuse(scope: string, rates = one) {
  await rates.lower(scope)
  await pauseQuota(db, scope, 10_000)
}

const perMinute = async (scope: string, rates = other) => {
  const rate = await rates.rateOf(scope)
  return rate && Math.round(rate.per_minute)
}

async function sendFrom(rates: typeof one, scope: string, requests: number) {
  for (let sent = 0; sent < requests; sent++) await rates.rateOf(scope)
}

it('is none as long as nothing is refused', async () => {
  await sendFrom(one, 'free', 500)
  expect(await perMinute('free')).toBeNull()
  expect(await db.selectFrom('quota').select('scope').where('scope', '=', 'free').execute()).toEqual([])
})

it('is halved when the platform refuses, in all processes, by what was sent until then', async () => {
  await sendFrom(one, 'halved', 300)
  await refuse('halved')
  expect(await perMinute('halved')).toBe(150)
})

it('rises by as much each minute after the pause, is halved from there, and is forgotten', async () => {
  await sendFrom(one, 'rising', 300)
  await refuse('rising')
  await pauseEnded('rising', 5)
  expect(await perMinute('rising')).toBe(450)
  await refuse('rising', other)
  expect(await perMinute('rising', one)).toBe(225)
  await pauseEnded('rising', 16)
  expect(await perMinute('rising')).toBeNull()
})

it('is halved once for refusals at the same time', async () => {
  await sendFrom(one, 'together', 300)
  for (let refusals = 0; refusals < 4; refusals++) await refuse('together')
  expect(await perMinute('together')).toBe(150)
})

it('is never below one request a second', async () => {
  await sendFrom(one, 'slow', 3)
  await refuse('slow')
  expect(await perMinute('slow')).toBe(60)
  await pauseEnded('slow', 0)
  await refuse('slow')
  expect(await perMinute('slow')).toBe(60)
})

it('costs a read of the database now and then while it is none, and no more', async () => {
  let statements = 0
  const counting = db.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const limiter = platformLimiter(counting, sleep).forRun(
    { id: crypto.randomUUID(), is_urgent: true },
    async () => {},
  )
  const quotas: QuotaKey[] = [
    { platform: 'meta', kind: 'app', id: 'cost' },
    { platform: 'meta', kind: 'account', id: 'cost', at_once: 4 },
  ]
  const send = async () => {
    for (const quota of quotas) await limiter.acquire(quota)
    for (const quota of quotas) {
      await limiter.report(quota, { used_percent: 10, pause_ms: 0 })
      await limiter.release?.(quota)
    }
  }
  // Takes the slot that the run keeps.
  await send()
  statements = 0
  const began = performance.now()
  for (let requests = 0; requests < 2000; requests++) await send()
  const reads = Math.ceil((performance.now() - began) / 100) * quotas.length
  expect(statements).toBeLessThanOrEqual(reads)
  await limiter.close('for good')
})
