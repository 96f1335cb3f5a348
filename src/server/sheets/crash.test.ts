import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ordersTo } from '#server/testing/spare-programs.ts'
import { drawn } from '#server/testing/random.ts'
import {
  CASES,
  contentOf,
  expectWritten,
  FEWER_CASES,
  isWhole,
  PATHS,
  trial,
  undisturbed,
  untilWritten,
} from './testing/faults.ts'
import { freely } from './testing/sandbox.ts'
import { testService } from './testing/service.ts'

const service = await testService()

/** A worker until it dies. */
const kill = ordersTo(fileURLToPath(new URL('./testing/writer-program.ts', import.meta.url)))
const cases = process.env.LONG ? CASES : FEWER_CASES

describe.each(cases)('a worker killed by way of $path, $shape', ({ path, shape }) => {
  it('leaves the old or the new table at every step, and the next attempt the new one', async () => {
    const { steps, document } = await undisturbed(service, path, shape)
    for (const dies_at of drawn([...Array(steps).keys()], 6, path)) {
      const trialled = await trial(service, shape)
      const { id: spreadsheet_id, previous } = trialled
      expect(await kill({ spreadsheet_id, previous, path, shape, dies_at, settings: service.settings })).toBe(
        'SIGKILL',
      )
      await service.settled()
      expect(isWhole(await contentOf(service, spreadsheet_id), { path, shape })).toBe(true)
      const effects = freely(service.client(), { limits: PATHS[path] })
      expect(await untilWritten(trialled, effects, { first_attempt: 2 })).toEqual([])
      await expectWritten(service, trialled, { shape, document })
    }
  })
})
