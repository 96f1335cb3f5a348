import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shareOut } from './shares.ts'
import { sizeOf, sumOf } from './step.ts'

describe('sharing out', () => {
  it('gives what is left over to the largest remainders', () => {
    expect(shareOut(51_627n, [123_457n, 88_001n, 93_825n, 38_895n], 1n)).toEqual([
      18_519n,
      13_200n,
      14_074n,
      5834n,
    ])
  })

  it('gives it to the earlier of equal ones', () => {
    expect(shareOut(100n, [1n, 1n, 1n], 1n)).toEqual([34n, 33n, 33n])
    expect(shareOut(20n, [1n, 1n, 1n], 10n)).toEqual([10n, 10n, 0n])
  })

  it('mirrors a total below zero', () => {
    expect(shareOut(-100n, [1n, 1n, 1n], 1n)).toEqual([-34n, -33n, -33n])
    expect(shareOut(-100n, [-1n, -1n, -2n], 1n)).toEqual([-25n, -25n, -50n])
    expect(shareOut(100n, [-1n, -1n, -2n], 1n)).toEqual([25n, 25n, 50n])
  })

  it('gives back to a line with credit where the total is a rate of the sum', () => {
    expect(shareOut(150n, [3000n, -2000n], 1n)).toEqual([450n, -300n])
  })

  it('gives no line more than the total where the sum of the weights is near zero', () => {
    expect(shareOut(20_000n, [300_000n, -299_999n], 1n)).toEqual([10_000n, 10_000n])
    expect(shareOut(20_000n, [300_000n, -300_000n], 1n)).toEqual([10_000n, 10_000n])
    expect(shareOut(0n, [300_000n, -300_000n], 1n)).toEqual([0n, 0n])
  })

  it('shares equally where nothing has weight', () => {
    expect(shareOut(7n, [0n, 0n], 1n)).toEqual([4n, 3n])
    expect(shareOut(7n, [], 1n)).toEqual([])
  })

  it('adds up to the total, never a step off the exact share', () => {
    const amount = fc.bigInt(-(10n ** 16n), 10n ** 16n)
    const weights = fc.array(fc.oneof(amount, fc.constantFrom(0n, 1n, -1n)), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(amount, weights, fc.constantFrom(1n, 10_000n, 1_000_000n), (rough, drawn, step) => {
        const total = rough - (rough % step)
        const shares = shareOut(total, drawn, step)
        expect(sumOf(shares)).toBe(total)
        expect(shares.every(share => share % step === 0n)).toBe(true)
        expect(shareOut(-total, drawn, step)).toEqual(shares.map(share => -share))
        const sum = sumOf(drawn)
        const isProportional = drawn.every(weight => weight >= 0n) || sizeOf(total) <= sizeOf(sum)
        if (!isProportional || sum === 0n) return
        for (const [index, share] of shares.entries())
          expect(sizeOf(share * sum - total * (drawn[index] ?? 0n))).toBeLessThan(step * sizeOf(sum))
      }),
    )
  })
})
