import { describe, expect, it } from 'vitest'
import { comparedRange, matchedDay, whyNotComparison } from './comparison.ts'

const previous = { to: 'previous_period', align: 'date' } as const
const previousByWeekday = { to: 'previous_period', align: 'weekday' } as const
const lastYear = { to: 'last_year', align: 'date' } as const
const lastYearByWeekday = { to: 'last_year', align: 'weekday' } as const

const rangeOf = (text: string) => {
  const [start = '', end = ''] = text.split('…')
  return { start, end }
}
const compared = (range: string, comparison: Parameters<typeof comparedRange>[1]) => {
  const { start, end } = comparedRange(rangeOf(range), comparison)
  return `${start}…${end}`
}

describe('the compared period', () => {
  it.each([
    ['2026-11-01…2026-11-20', previous, '2026-10-01…2026-10-20'],
    ['2026-11-01…2026-11-20', previousByWeekday, '2026-10-11…2026-10-30'],
    ['2026-11-01…2026-11-20', lastYearByWeekday, '2025-11-02…2025-11-21'],
    ['2026-03-01…2026-03-31', previous, '2026-02-01…2026-02-28'],
    ['2026-11-10…2026-11-16', previous, '2026-11-03…2026-11-09'],
    ['2028-02-01…2028-02-29', lastYear, '2027-02-01…2027-02-28'],
    ['2029-02-01…2029-02-28', lastYear, '2028-02-01…2028-02-29'],
    ['2026-09-01…2026-11-20', previous, '2026-06-01…2026-08-20'],
    ['2026-01-01…2026-02-28', previous, '2025-11-01…2025-12-31'],
    ['2026-05-01…2026-05-30', previous, '2026-04-01…2026-04-30'],
    ['2026-11-20…2026-11-20', previousByWeekday, '2026-11-13…2026-11-13'],
  ])('of %s is as agreed', (range, comparison, expected) => {
    expect(compared(range, comparison)).toBe(expected)
  })
})

describe('a day of the compared period', () => {
  const match = (day: string, range: string, comparison: Parameters<typeof comparedRange>[1]) =>
    matchedDay(day, { range: rangeOf(range), comparison })

  it('is set beside the same day of its month, and a day that the month lacks beside none', () => {
    expect(match('2026-02-28', '2026-03-01…2026-03-31', previous)).toBe('2026-03-28')
    expect(match('2026-01-30', '2026-02-01…2026-02-28', previous)).toBeNull()
    expect(match('2028-02-29', '2029-02-01…2029-02-28', lastYear)).toBeNull()
  })

  it('is set beside the same weekday', () => {
    expect(match('2025-11-02', '2026-11-01…2026-11-20', lastYearByWeekday)).toBe('2026-11-01')
    expect(match('2026-10-11', '2026-11-01…2026-11-20', previousByWeekday)).toBe('2026-11-01')
  })

  it('is set beside none outside the range', () => {
    expect(match('2026-10-31', '2026-11-01…2026-11-20', previous)).toBeNull()
  })
})

describe('a comparison', () => {
  const reasons = (
    dimensions: ('week' | 'month' | 'date')[],
    comparison: Parameters<typeof comparedRange>[1],
    start = '2026-11-01',
  ) =>
    whyNotComparison(
      { dimensions, comparison: { ...comparison, show: ['value'] } },
      { start, end: '2026-11-20' },
    ).map(({ code, detail }) => [code, detail.reason])

  it('of weeks is by weekday, and that of months by date', () => {
    expect(reasons(['week'], previous)).toEqual([['comparison_not_allowed', 'week_needs_weekday']])
    expect(reasons(['week'], previousByWeekday)).toEqual([])
    expect(reasons(['month'], lastYearByWeekday)).toEqual([['comparison_not_allowed', 'month_needs_date']])
    expect(reasons(['month', 'week'], lastYear)).toEqual([['comparison_not_allowed', 'week_needs_weekday']])
    expect(reasons(['date'], previous)).toEqual([])
  })

  it('of months with the period before begins at a first', () => {
    expect(reasons(['month'], previous)).toEqual([])
    expect(reasons(['month'], previous, '2026-11-02')).toEqual([
      ['comparison_not_allowed', 'month_needs_first'],
    ])
    expect(reasons(['month'], lastYear, '2026-11-02')).toEqual([])
  })
})
