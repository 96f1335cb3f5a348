import pino from 'pino'
import { expect, it } from 'vitest'
import type { Wake } from '#server/admission/platform-limiter.ts'
import { testAgency } from '#server/resources/runs/testing/agency.ts'
import { sandboxEffects } from '#server/resources/runs/testing/effects.ts'
import { openExecutor } from './executor.ts'

const agency = await testAgency()

it('fetches the spend of charts in the background of every quota, with runs that it can wake', async () => {
  const permits = { background: 0, person: 0 }
  const counting = (who: keyof typeof permits) => ({
    acquire: async () => void (permits[who] += 1),
    report: async () => undefined,
  })
  const waiting = await agency.queue((await agency.report()).id)
  await agency.db
    .updateTable('run')
    .set({ resumes_at: new Date(Date.now() + 60_000) })
    .where('id', '=', waiting)
    .execute()
  let wakeRuns: Wake = async () => undefined
  const executor = openExecutor(agency, {
    log: pino({ level: 'silent' }),
    effects: {
      ...sandboxEffects(agency.db, agency.sandbox),
      limiter: counting('person'),
      limiterForBackground: wake => {
        wakeRuns = wake
        return counting('background')
      },
    },
  })
  await executor.errand({ kind: 'spend', every_ms: 3_600_000 })
  expect(permits.background).toBeGreaterThan(0)
  expect(permits.person).toBe(0)
  expect(await executor.claim('shared')).toBeNull()
  await wakeRuns([waiting])
  expect(await executor.claim('shared')).toMatchObject({ id: waiting })
})
