import { describe, expect, it } from 'vitest'
import { maximumDay, minimumDay, platformFloor, rangeOfRun, todayIn } from './date-range.ts'

const dynamic = (dynamic_range: number) => ({ start: '2020-01-01', end: '2020-01-02', dynamic_range })
const fixed = (start: string | null, end: string | null) => ({ start, end, dynamic_range: 0 })

describe('the range of a run', () => {
  it.each([
    [1, '2026-11-18', '2026-11-01'],
    [2, '2026-11-18', '2026-10-01'],
    [3, '2026-11-18', '2026-08-01'],
    [4, '2026-11-18', '2026-05-01'],
    [5, '2026-11-18', '2026-01-01'],
    [2, '2026-01-31', '2025-12-01'],
    [3, '2026-05-31', '2026-02-01'],
    [4, '2026-03-31', '2025-09-01'],
    [1, '2028-02-29', '2028-02-01'],
  ])('dynamic %i on %s begins on %s and ends that day', (kind, today, start) => {
    expect(rangeOfRun(dynamic(kind), today)).toEqual({ start, end: today })
  })

  it('stops at today', () => {
    expect(rangeOfRun(fixed('2026-11-01', '2026-12-31'), '2026-11-18')).toEqual({
      start: '2026-11-01',
      end: '2026-11-18',
    })
    expect(rangeOfRun(fixed('2026-10-01', '2026-10-31'), '2026-11-18')).toEqual({
      start: '2026-10-01',
      end: '2026-10-31',
    })
    expect(rangeOfRun(fixed('2026-11-18', '2026-11-18'), '2026-11-18')).toEqual({
      start: '2026-11-18',
      end: '2026-11-18',
    })
  })

  it('is none when nothing is chosen or all of it is in the future', () => {
    expect(rangeOfRun(fixed(null, null), '2026-11-18')).toBeNull()
    expect(rangeOfRun(fixed('2026-11-19', '2026-11-30'), '2026-11-18')).toBeNull()
  })
})

it('knows the day in a time zone', () => {
  const now = new Date('2026-11-17T16:30:00Z')
  expect(todayIn('Asia/Taipei', now)).toBe('2026-11-18')
  expect(todayIn('UTC', now)).toBe('2026-11-17')
})

describe('the floor', () => {
  it('is two years, three when extended', () => {
    expect(minimumDay('2026-11-18', { history_extended: false })).toBe('2024-11-18')
    expect(minimumDay('2026-11-18', { history_extended: true })).toBe('2023-11-19')
    expect(minimumDay('2026-11-18', { history_extended: false, history_days: 10 })).toBe('2026-11-08')
    expect(maximumDay('2026-11-08', { history_extended: false, history_days: 10 })).toBe('2026-11-18')
    expect(maximumDay('2026-11-08', { history_extended: true })).toBeNull()
  })

  it('of a platform is counted in months', () => {
    expect(platformFloor('2026-03-31', 37)).toBe('2023-02-28')
  })
})
