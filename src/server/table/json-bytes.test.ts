import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NUMBER_BYTES, openOutput, putMillionths, putNumber } from './json-bytes.ts'

type Put = typeof putNumber

/** What is written amid other bytes, which has to fit into the room for a number. */
function printed(put: Put, value: number): string {
  const { bytes, view } = openOutput(NUMBER_BYTES + 1)
  const end = put(view, 1, value)
  return new TextDecoder().decode(bytes.subarray(1, end))
}

const whole = fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.integer({ min: -10_001, max: 10_001 }))

describe('numbers', () => {
  it('are those of JSON.stringify', () => {
    const any = fc.oneof(whole, fc.double({ noNaN: true, noDefaultInfinity: true }))
    fc.assert(fc.property(any, value => void expect(printed(putNumber, value)).toBe(JSON.stringify(value))))
  })

  it.each([0, 9, 10, 9999, 10_000, 99_999_999, 100_000_000, 999_999_999_999, 2 ** 53 - 1])(
    'are whole up to 2^53: %d',
    value => {
      expect(printed(putNumber, value)).toBe(String(value))
      expect(printed(putNumber, -value)).toBe(value === 0 ? '0' : `-${value}`)
    },
  )

  it('in millionths have each digit, and no zeros at their end', () => {
    const millions = fc.integer({ min: -9_000_000_000, max: 9_000_000_000 }).map(value => value * 1_000_000)
    const nearMillions = fc.tuple(millions, fc.integer({ min: -2, max: 2 })).map(([one, more]) => one + more)
    fc.assert(
      fc.property(fc.oneof(whole, nearMillions), value => {
        const digits = String(Math.abs(value)).padStart(7, '0')
        const fraction = digits.slice(-6).replace(/0+$/, '')
        const text = `${value < 0 ? '-' : ''}${digits.slice(0, -6)}${fraction && `.${fraction}`}`
        expect(printed(putMillionths, value)).toBe(text)
      }),
    )
  })
})
