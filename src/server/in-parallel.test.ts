import { describe, expect, it } from 'vitest'
import { inParallel, prefetched } from './in-parallel.ts'

describe('processing many items', () => {
  it('has so many in progress and no more, and starts each once and in order', async () => {
    const started: string[] = []
    let underWay = 0
    let most = 0
    await inParallel(['a', 'b', 'c', 'd', 'e'], 2, async (item, index) => {
      started.push(`${index}${item}`)
      most = Math.max(most, ++underWay)
      await Promise.resolve()
      underWay -= 1
    })
    expect(started).toEqual(['0a', '1b', '2c', '3d', '4e'])
    expect(most).toBe(2)
  })

  it('starts no more after a failure, and throws it once those in progress have ended', async () => {
    const ended: number[] = []
    const slow = Promise.withResolvers<void>()
    const work = inParallel([0, 1, 2, 3], 2, async item => {
      if (item === 1) {
        setImmediate(slow.resolve)
        throw new Error('one')
      }
      await slow.promise
      ended.push(item)
    })
    await expect(work).rejects.toThrow('one')
    expect(ended).toEqual([0])
  })

  it('ends at once without items', async () => {
    const work = inParallel([], 4, () => Promise.reject(new Error('never')))
    await expect(work).resolves.toBe(undefined)
  })
})

describe('items that are made one after the other', () => {
  it('are made while the one before is being used', async () => {
    const made: number[] = []
    async function* items() {
      for (const item of [1, 2, 3]) {
        made.push(item)
        yield await Promise.resolve(item)
      }
    }
    const uses: { item: number; made: number[] }[] = []
    for await (const item of prefetched(items())) uses.push({ item, made: [...made] })
    expect(uses).toEqual([
      { item: 1, made: [1, 2] },
      { item: 2, made: [1, 2, 3] },
      { item: 3, made: [1, 2, 3] },
    ])
  })

  it('fail where the one that cannot be made would be used', async () => {
    const used: number[] = []
    const work = (async () => {
      for await (const item of prefetched(onlyOne())) used.push(item)
    })()
    await expect(work).rejects.toThrow('two')
    expect(used).toEqual([1])
  })
})

async function* onlyOne() {
  yield await Promise.resolve(1)
  throw new Error('two')
}
