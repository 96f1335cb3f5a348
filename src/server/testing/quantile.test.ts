import { describe, expect, it } from 'vitest'
import { median, percentile } from './quantile.ts'

describe('a percentile', () => {
  it('is the smallest value that the given share does not exceed, in any order', () => {
    const values = [30, 10, 40, 20]
    expect([0.25, 0.5, 0.51, 0.99, 1].map(part => percentile(values, part))).toEqual([10, 20, 30, 40, 40])
    expect(values).toEqual([30, 10, 40, 20])
  })

  it('is 0 of nothing', () => {
    expect(percentile([], 0.99)).toBe(0)
  })
})

describe('the median', () => {
  it('is the value in the middle, of two the larger', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([9, 1, 5, 100])).toBe(9)
    expect(median([])).toBe(0)
  })
})
