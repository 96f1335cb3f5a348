import { describe, expect, it } from 'vitest'
import { columnDecimals, currencyDecimals, millionthsOf } from './money.ts'

describe('money', () => {
  it('has the decimals of ISO 4217', () => {
    expect(['USD', 'TWD', 'JPY', 'KRW', 'KWD', 'XXX'].map(currencyDecimals)).toEqual([2, 2, 0, 0, 3, 2])
  })

  it('has two decimals in a column of several currencies', () => {
    expect(columnDecimals(['JPY', 'JPY'])).toBe(0)
    expect(columnDecimals(['JPY', 'KRW'])).toBe(2)
    expect(columnDecimals([])).toBe(2)
  })

  it.each([
    ['1532.5', 1_532_500_000],
    ['0.1', 100_000],
    ['-0.000001', -1],
    ['12', 12_000_000],
    ['0.0000005', 1],
    ['0.00000049', 0],
    ['9007199254.740991', Number.MAX_SAFE_INTEGER],
    ['1e-3', 1000],
  ])('reads %s exactly', (text, millionths) => {
    expect(millionthsOf(text)).toBe(millionths)
  })

  it('says when a text is no number', () => {
    expect(['', ' ', 'abc', '1,5'].map(millionthsOf)).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ])
  })
})
