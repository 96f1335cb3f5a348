import { describe, expect, it } from 'vitest'
import { batchesOf } from './list.ts'

describe('a paged list', () => {
  const batches = async (count: number) => {
    const all = Array.from({ length: count }, (_, index) => index)
    const read = async ({ limit, offset }: { limit: number; offset: number }) => ({
      count,
      rows: all.slice(offset, offset + limit),
    })
    return await Array.fromAsync(batchesOf(2, read))
  }

  it('is read so many rows at a time, and no further than its end', async () => {
    expect(await batches(5)).toEqual([[0, 1], [2, 3], [4]])
    expect(await batches(4)).toEqual([
      [0, 1],
      [2, 3],
    ])
    expect(await batches(0)).toEqual([[]])
  })
})
