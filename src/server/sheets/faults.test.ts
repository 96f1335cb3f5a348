import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  NEW,
  NEW_ROWS,
  OLD,
  PATHS,
  trial,
  untilWritten,
  type Path,
  type Shape,
  type Trial,
} from './faults-testing.ts'
import { freely, startService, type TestService } from './sandbox-testing.ts'
import { isObject } from './testing.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterEach(async () => {
  service.watch(null)
  service.control.setFaults([])
  await service.settled()
})
afterAll(() => service.stop())

const shapes = Object.keys(NEW_ROWS).filter((name): name is Shape => name in NEW_ROWS)
const paths = Object.keys(PATHS).filter((name): name is Path => name in PATHS)
const cases = paths.flatMap(path => shapes.map(shape => ({ path, shape })))

const seen = (id: string) => service.owner.values(id, "'T'")
const isWhole = (values: unknown[][], shape: Shape) =>
  [OLD, NEW[shape]].some(table => JSON.stringify(table) === JSON.stringify(values))

/** The document without staging tabs, which a request that lands very late may leave behind, hidden and empty. */
async function visible(id: string) {
  const document = await service.owner.document(id)
  if (!isObject(document) || !Array.isArray(document['sheets'])) throw new Error('no document')
  return {
    ...document,
    sheets: document['sheets'].filter(each => !JSON.stringify(each).includes('__sheetcast_stage')),
  }
}

/** How many requests an undisturbed run sends, and the document that it leaves. */
async function undisturbed(path: Path, shape: Shape) {
  const { id, job } = await trial(service, shape)
  service.takeRequests()
  await untilWritten(
    { id, job, previous: job.previous ?? fail() },
    freely(service.client(), { limits: PATHS[path] }),
  )
  const requests = service.takeRequests().filter(each => each.includes('/v4/')).length
  expect(await seen(id)).toEqual(NEW[shape])
  return { requests, document: await visible(id) }
}
const fail = (): never => {
  throw new Error('no earlier table')
}

async function expectWritten({ id }: Trial, shape: Shape, document: unknown) {
  expect(await seen(id)).toEqual(NEW[shape])
  expect(await visible(id)).toEqual(document)
  const { sheets } = await service
    .client()
    .getSpreadsheet(id, { fields: 'sheets(properties(sheetId,title),developerMetadata)' })
  const runs = sheets[0]?.developerMetadata.map(each => JSON.parse(each.metadataValue))
  expect(runs?.filter(each => each.run === 'now' && !('was' in each))).toHaveLength(1)
}

// Each request fails once for the whole attempt and once for a retry in place; the quick form takes turns.
const triesAt = (request: number) => (process.env.LONG ? [1, 4] : [request % 2 === 0 ? 1 : 4])

describe.each(cases)('by way of $path, $shape', ({ path, shape }) => {
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
    const { requests, document } = await undisturbed(path, shape)
    for (let skip = 0; skip < requests; skip++) {
      for (const tries of triesAt(skip)) {
        const trialled = await trial(service, shape)
        const broken: unknown[][][] = []
        service.watch(async () => {
          const values = await seen(trialled.id)
          if (!isWhole(values, shape)) broken.push(values)
        })
        service.arm(skip, { action })
        const effects = freely(service.client(), { limits: { ...limits, tries } })
        await untilWritten(trialled, effects, {
          between: async () => expect(isWhole(await seen(trialled.id), shape)).toBe(true),
        })
        expect(service.isArmed()).toBe(false)
        service.watch(null)
        expect(broken).toEqual([])
        await expectWritten(trialled, shape, document)
      }
    }
  })

  it.each([
    ['a time-out that the service goes on after', 'delay', 300],
    ['a cut after which the request lands at once', 'land_late', 0],
    ['a cut after which the request lands during the next attempt', 'land_late', 15],
    ['a cut after which the request lands later', 'land_late', 150],
  ])('is whole after %s, at each request', async (_, action, delay_ms) => {
    const { requests, document } = await undisturbed(path, shape)
    for (let skip = 0; skip < requests; skip++) {
      for (const tries of triesAt(skip)) {
        const trialled = await trial(service, shape)
        service.arm(skip, { action, delay_ms })
        const effects = freely(service.client(action === 'delay' ? { timeout_ms: 150 } : {}), {
          limits: { ...limits, tries },
        })
        await untilWritten(trialled, effects, {
          between: async () => expect(isWhole(await seen(trialled.id), shape)).toBe(true),
        })
        await service.settled()
        expect(service.isArmed()).toBe(false)
        await expectWritten(trialled, shape, document)
      }
    }
  })
})
