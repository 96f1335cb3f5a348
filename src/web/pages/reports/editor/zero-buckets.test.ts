import { describe, expect, it } from 'vitest'
import { zeroBuckets } from './zero-buckets.ts'

const november = { start: '2026-11-01', end: '2026-11-20' }

describe('filling with 0', () => {
  it('costs a row for each day, week or month of the range', () => {
    expect(zeroBuckets({ dimensions: ['date', 'campaign'] }, november)).toBe(20)
    expect(zeroBuckets({ dimensions: ['campaign', 'week'] }, november)).toBe(4)
    expect(zeroBuckets({ dimensions: ['month'] }, november)).toBe(1)
  })

  it('costs no row where no time splits the rows, or the range has no day', () => {
    expect(zeroBuckets({ dimensions: ['campaign'] }, november)).toBeNull()
    expect(zeroBuckets({ dimensions: ['date'] }, null)).toBeNull()
  })
})
