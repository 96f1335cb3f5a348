import { assert, constantFrom, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { monthsBetween, monthsLater, monthText } from './month.ts'

describe('a month', () => {
  it.each([
    ['2026-11', 1, '2026-12'],
    ['2026-12', 1, '2027-01'],
    ['2026-01', -1, '2025-12'],
    ['2026-11', 0, '2026-11'],
    ['2026-11', -12, '2025-11'],
    ['2026-11', 26, '2029-01'],
  ])('%s and %i later is %s', (month, by, other) => {
    expect(monthsLater(month, by)).toBe(other)
  })

  it('is the same again after as many back', () => {
    assert(
      property(
        constantFrom('2025-01', '2026-06', '2027-12'),
        integer({ min: -300, max: 300 }),
        (month, by) => {
          expect(monthsLater(monthsLater(month, by), -by)).toBe(month)
        },
      ),
    )
  })

  it('is written as the language does', () => {
    expect(monthText('2026-11', 'en')).toBe('Nov 2026')
    expect(monthText('2026-11', 'zh-TW')).toBe('2026年11月')
    expect(monthText('2026-01', 'en')).toBe('Jan 2026')
  })
})

describe('the months between two', () => {
  it('are all of them, with both', () => {
    expect(monthsBetween('2026-11', '2027-02')).toEqual(['2026-11', '2026-12', '2027-01', '2027-02'])
    expect(monthsBetween('2026-11', '2026-11')).toEqual(['2026-11'])
  })

  it('are none when the last is before the first', () => {
    expect(monthsBetween('2026-11', '2026-10')).toEqual([])
  })

  it('are 13 for a year and the same month before', () => {
    expect(monthsBetween('2025-11', '2026-11')).toHaveLength(13)
  })
})
