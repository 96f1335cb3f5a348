import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOnStep, MAX_DOCUMENT, round, sizeOf, stepOf } from './step.ts'

const UNIT = 1_000_000n

describe('the step of a currency', () => {
  it('is one unit of TWD, JPY, KRW and VND, and a hundredth of USD and EUR', () => {
    expect(['TWD', 'JPY', 'KRW', 'VND'].map(stepOf)).toEqual([UNIT, UNIT, UNIT, UNIT])
    expect(['USD', 'EUR'].map(stepOf)).toEqual([10_000n, 10_000n])
    expect(['KWD', 'CLF', 'XXX'].map(stepOf)).toEqual([1000n, 100n, 10_000n])
  })

  it('divides what may stand on a document', () => {
    expect(isOnStep(1_234_560_000n, 'USD')).toBe(true)
    expect(isOnStep(1_234_567_000n, 'USD')).toBe(false)
    expect(isOnStep(-1_500_000n, 'TWD')).toBe(false)
    expect(isOnStep(0n, 'TWD')).toBe(true)
  })

  it('lets the largest document be an exact number', () => {
    expect(MAX_DOCUMENT).toBeLessThan(BigInt(Number.MAX_SAFE_INTEGER))
    expect(MAX_DOCUMENT).toBe(9_000_000_000n * UNIT)
  })
})

describe('rounding', () => {
  it('takes half a step away from zero', () => {
    const rounded = [14n, 15n, 16n, 24n, 25n, -14n, -15n, -16n, 0n].map(each =>
      round(each, 1n, { step: 10n }),
    )
    expect(rounded).toEqual([10n, 20n, 20n, 20n, 30n, -10n, -20n, -20n, 0n])
  })

  it('cuts towards zero where it is down', () => {
    const cut = [19n, -19n, 20n].map(each => round(each, 1n, { step: 10n, mode: 'down' }))
    expect(cut).toEqual([10n, -10n, 20n])
  })

  it('sees half a step of a quotient that is no integer', () => {
    expect(round(49_999n, 10_000n, { step: 10n })).toBe(0n)
    expect(round(50_000n, 10_000n, { step: 10n })).toBe(10n)
    expect(round(50_000n, -10_000n, { step: 10n })).toBe(-10n)
  })

  it('is off by half a step at most, and the mirror of itself below zero', () => {
    const whole = fc.bigInt(-(10n ** 24n), 10n ** 24n)
    fc.assert(
      fc.property(
        whole,
        fc.bigInt(1n, 10n ** 12n),
        fc.constantFrom(1n, 100n, 10_000n, UNIT),
        (a, b, step) => {
          const rounded = round(a, b, { step })
          expect(rounded % step).toBe(0n)
          expect(2n * sizeOf(rounded * b - a)).toBeLessThanOrEqual(step * b)
          expect(round(-a, b, { step })).toBe(-rounded)
          expect(sizeOf(round(a, b, { step, mode: 'down' }) * b)).toBeLessThanOrEqual(sizeOf(a))
        },
      ),
    )
  })
})
