import { describe, expect, it } from 'vitest'
import { partsOf, startReader } from './ranges.ts'

const October = { start: '2026-10-01', end: '2026-10-31' }
const today = Temporal.PlainDate.from('2026-11-21')

describe('a cell of days', () => {
  it.each([
    ['date', '2026/10/05', '2026-10-05'],
    ['date', '2026-10-05', '2026-10-05'],
    ['date', '20261005', '2026-10-05'],
    ['date', '2026/10/5', '2026-10-05'],
    ['date', '2026-10-05T00:00:00', '2026-10-05'],
    ['week', '2026/10/05 - 2026/10/11', '2026-10-05'],
    ['week', '2026/09/28', '2026-10-01'],
    ['month', '2026/10', '2026-10-01'],
    ['month', '202610', '2026-10-01'],
    ['month', '2026-10-01', '2026-10-01'],
  ] as const)('of a %s may be written %s', (interval, cell, start) => {
    expect(startReader(October, interval)(cell)).toBe(start)
  })

  it.each([
    ['date', '2026/11/01'],
    ['date', '05/10/2026'],
    ['date', '2026/10'],
    ['date', '202610'],
    ['week', '2026/10'],
    ['date', '--'],
    ['date', ''],
    ['week', '2026/10/06'],
    ['month', 'Oct 2026'],
  ] as const)('of a %s is refused as %s', (interval, cell) => {
    expect(() => startReader(October, interval)(cell)).toThrow('a day that was not asked for')
  })
})

describe('a range', () => {
  it('is one report, but for many days of ads or keywords, and for weeks cut at the ends of months', () => {
    const year = { range: { start: '2025-11-15', end: '2026-11-10' }, dimensions: ['ad' as const] }
    const cut = (time: 'date' | 'week' | 'month_week') => partsOf({ ...year, time }, today)
    expect(cut('week')).toEqual([year.range])
    expect(partsOf({ ...year, time: 'date', dimensions: ['campaign'] }, today)).toEqual([year.range])
    expect(cut('date').map(({ start }) => start)).toEqual([
      '2025-11-15',
      '2026-02-15',
      '2026-05-18',
      '2026-08-18',
    ])
    expect(cut('date').at(-1)?.end).toBe('2026-11-10')
    expect(cut('month_week').length).toBe(13)
  })

  it('ends today', () => {
    const of = (start: string, end: string) =>
      partsOf({ range: { start, end }, time: 'total', dimensions: [] }, today)
    expect(of('2026-11-01', '2026-11-30')).toEqual([{ start: '2026-11-01', end: '2026-11-21' }])
    expect(of('2026-11-22', '2026-11-30')).toEqual([])
  })
})
