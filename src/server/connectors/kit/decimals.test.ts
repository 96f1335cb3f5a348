import { array, assert, constantFrom, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CsvReader } from './csv-bytes.ts'
import { decimal, decimalIn, millionths } from './decimals.ts'

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

describe('numbers in bytes', () => {
  const inBytes = (text: string, shift: 0 | 6) => {
    const row = new CsvReader([Buffer.from(`${text},`)])
    row.next()
    return decimalIn(row, 0, shift)
  }

  it('are those of the same text, or left to it', () => {
    expect.hasAssertions()
    const digits = array(constantFrom(...'0123456789'), { maxLength: 12 })
    assert(
      property(constantFrom('', '-', ' '), digits, constantFrom('', '.', '..', 'e'), digits, (...parts) => {
        const text = parts.map(part => (typeof part === 'string' ? part : part.join(''))).join('')
        expect(inBytes(text, 0)).toEqual(expect.toBeOneOf([Number.NaN, decimal(text)]))
        expect(inBytes(text, 6)).toEqual(expect.toBeOneOf([Number.NaN, millionths(text)]))
      }),
      { numRuns: 2000 },
    )
  })

  it('are read there as far as reports have them', () => {
    expect(['0', '1200', '2.5', '007', '123456789012.345'].map(text => inBytes(text, 0))).toEqual([
      0, 1200, 2.5, 7, 123456789012.345,
    ])
    expect(['0', '5120', '0.000001', '999999999.999999'].map(text => inBytes(text, 6))).toEqual([
      0, 5_120_000_000, 1, 999_999_999_999_999,
    ])
  })

  it.each(['', '-', '-7', '1e3', '.5', '5.', '1.2.3', '１', ' 5', '1234567890123456', '0.0000005'])(
    'are left to the text %j',
    text => {
      expect(inBytes(text, text === '0.0000005' ? 6 : 0)).toBeNaN()
    },
  )
})
