import { describe, expect, it } from 'vitest'
import { convert, crossRate, isRate } from './rate.ts'

describe('rates', () => {
  it('convert an amount by both rates, rounded once (D5)', () => {
    expect(convert(100_500_000n, { from: '31.505', to: '1', step: 1n })).toBe(3_166_252_500n)
    expect(convert(100_000_000n, { from: '31.505', to: '0.2085', step: 1_000_000n })).toBe(15_110_000_000n)
    expect(convert(10_000_000_000n, { from: '0.2085', to: '31.505', step: 10_000n })).toBe(66_180_000n)
  })

  it('have up to ten decimals and are more than zero', () => {
    for (const text of ['1', '31.505', '0.0000000001', '123456789012.1234567890'])
      expect(isRate(text), text).toBe(true)
    for (const text of ['0', '0.0', '-1', '1.', '.5', '1e3', '1,5', '', '0.12345678901', '1234567890123'])
      expect(isRate(text), text).toBe(false)
  })

  it('of one currency in another have ten decimals at most', () => {
    expect(crossRate('31.505', '1')).toBe('31.505')
    expect(crossRate('1', '31.505')).toBe('0.0317409935')
    expect(crossRate('31.505', '0.2085')).toBe('151.103117506')
    expect(crossRate('20', '2.0')).toBe('10')
  })

  it('of a text that is none are an error of the program', () => {
    expect(() => convert(1n, { from: '1', to: '0', step: 1n })).toThrow('not a rate: 0')
  })
})
