import { describe, expect, it } from 'vitest'
import { batchesOf } from './list.ts'

describe('all of a list', () => {
  const batches = async (count: number) => {
    const all = Array.from({ length: count }, (_, index) => index)
    const read = async ({ limit, offset }: { limit: number; offset: number }) => ({
      count,
      rows: all.slice(offset, offset + limit),
    })
    return await Array.fromAsync(batchesOf(2, read))
  }

  it('comes so many rows at a time, and is asked for no further than it goes', async () => {
    expect(await batches(5)).toEqual([[0, 1], [2, 3], [4]])
    expect(await batches(4)).toEqual([
      [0, 1],
      [2, 3],
    ])
    expect(await batches(0)).toEqual([[]])
  })
})
