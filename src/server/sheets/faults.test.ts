import { describe, expect, it } from 'vitest'
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

// Each request fails once for the whole attempt and once for a retry in place; the quick form alternates, at
// half of the requests.
const triesAt = (request: number) => (process.env.LONG ? [1, 4] : [request % 2 === 0 ? 1 : 4])

describe.each(process.env.LONG ? CASES : FEWER_CASES)('by way of $path, $shape', ({ path, shape }) => {
  const limits = PATHS[path]

  it.each([
    '429',
    '500',
    '503',
    'drop_before_commit',
    'drop_after_commit',
    'truncate',
    'expired_token',
    'forbidden',
  ])('is seen whole before and after %s at each request, and written once', async action => {
    const { requests, document } = await undisturbed(service, path, shape)
    for (const skip of drawn([...Array(requests).keys()], 6, `${path} ${shape} ${action}`)) {
      for (const tries of triesAt(skip)) {
        const trialled = await trial(service, shape)
        const broken: unknown[] = []
        service.watch(async () => {
          const content = await contentOf(service, trialled.id)
          if (!isWhole(content, { path, shape })) broken.push(content)
        })
        service.arm(skip, { action })
        const effects = freely(service.client(), { limits: { ...limits, tries } })
        await untilWritten(trialled, effects, {
          between: async () =>
            expect(isWhole(await contentOf(service, trialled.id), { path, shape })).toBe(true),
        })
        expect(service.isArmed()).toBe(false)
        service.watch(null)
        expect(broken).toEqual([])
        await expectWritten(service, trialled, { shape, document })
      }
    }
  })

  it.each([
    ['a time-out after which the service continues', 'delay', 300],
    ['a cut after which the request is applied at once', 'land_late', 0],
    ['a cut after which the request is applied during the next attempt', 'land_late', 15],
    ['a cut after which the request is applied later', 'land_late', 150],
  ])('is whole after %s, at each request', async (_, action, delay_ms) => {
    const { requests, document } = await undisturbed(service, path, shape)
    for (const skip of drawn([...Array(requests).keys()], 6, `${path} ${shape} ${action}`)) {
      for (const tries of triesAt(skip)) {
        const trialled = await trial(service, shape)
        service.arm(skip, { action, delay_ms })
        const effects = freely(service.client(action === 'delay' ? { timeout_ms: 150 } : {}), {
          limits: { ...limits, tries },
        })
        await untilWritten(trialled, effects, {
          between: async () =>
            expect(isWhole(await contentOf(service, trialled.id), { path, shape })).toBe(true),
        })
        await service.settled()
        expect(service.isArmed()).toBe(false)
        await expectWritten(service, trialled, { shape, document, late: true })
      }
    }
  })
})
