import { describe, expect, it } from 'vitest'
import { backoffMs } from './backoff.ts'

describe('the pause after a failure', () => {
  it('doubles with each failure, up to the longest', () => {
    const pauses = [1, 2, 3, 4, 5, 1000].map(failures =>
      backoffMs(failures, { first_ms: 100, longest_ms: 1500 }),
    )
    expect(pauses).toEqual([100, 200, 400, 800, 1500, 1500])
  })
})
