import { assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimal, millionths } from './decimals.ts'

describe('numbers that come as text', () => {
  it.each(['', ' ', '1e3', '0x10', '12abc', '1.', '.5', '-', '--1', '1,000', '1.2.3', ' 1', '∞', 'NaN', '٣'])(
    'are unreadable as %j',
    text => {
      expect(decimal(text)).toBeNaN()
      expect(millionths(text)).toBeNaN()
    },
  )

  it.each([undefined, null, 0, 12, [], {}, true])('are unreadable when they are %j', value => {
    expect(decimal(value)).toBeNaN()
    expect(millionths(value)).toBeNaN()
  })

  it('are unreadable where they would not be exact', () => {
    expect(decimal('9007199254740993')).toBeNaN()
    expect(decimal('9007199254740993.5')).toBeNaN()
    expect(decimal(`${'9'.repeat(400)}.5`)).toBeNaN()
    expect(millionths('9007199255')).toBeNaN()
  })

  it('are read as they stand', () => {
    expect(['0', '12', '-3', '1.253704', '007'].map(decimal)).toEqual([0, 12, -3, 1.253704, 7])
  })

  it('give money to the millionth, the seventh digit rounding away from zero', () => {
    expect(
      ['1532.5', '100.50', '-0.000001', '0.0000005', '-0.0000005', '0.00000049'].map(millionths),
    ).toEqual([1_532_500_000, 100_500_000, -1, 1, -1, 0])
  })

  it('give every amount of money exactly', () => {
    assert(
      property(integer({ min: -9_000_000_000_000_000, max: 9_000_000_000_000_000 }), amount => {
        const digits = String(Math.abs(amount)).padStart(7, '0')
        const text = `${amount < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
        expect(millionths(text)).toBe(amount)
      }),
    )
  })
})
