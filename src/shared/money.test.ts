import { describe, expect, it } from 'vitest'
import { columnDecimals, currencyDecimals } from './money.ts'

describe('money', () => {
  it('has the decimals of ISO 4217', () => {
    expect(['USD', 'TWD', 'JPY', 'KRW', 'KWD', 'XXX'].map(currencyDecimals)).toEqual([2, 2, 0, 0, 3, 2])
  })

  it('has two decimals in a column of several currencies', () => {
    expect(columnDecimals(['JPY', 'JPY'])).toBe(0)
    expect(columnDecimals(['JPY', 'KRW'])).toBe(2)
    expect(columnDecimals([])).toBe(2)
  })
})
