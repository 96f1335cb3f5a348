import { describe, expect, it } from 'vitest'
import { todayIn } from './date-range.ts'
import { hasEnded, scheduleEndOf, NOTICE_DAYS_BEFORE, NOTICE_DAYS_AFTER, laterEnd } from './schedule-end.ts'

const fixed = (end: string) => ({
  date_range: { start: '2026-01-01', end, dynamic_range: 0 },
  update_frequency: 2,
})
const dayAfter = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).toString()
const everyDay = (from: string, count: number) =>
  Array.from({ length: count }, (_, day) => dayAfter(from, day))

describe('the end of a report', () => {
  const range = (end: string | null, dynamic_range = 0) => ({ start: '2026-01-01', end, dynamic_range })

  it('comes by itself when its last day is more than 14 days ago', () => {
    expect(hasEnded(range('2026-11-04'), '2026-11-18')).toBe(false)
    expect(hasEnded(range('2026-11-03'), '2026-11-18')).toBe(true)
  })

  it('never comes with a dynamic range, nor without a last day', () => {
    expect(hasEnded(range('2026-01-02', 1), '2026-11-18')).toBe(false)
    expect(hasEnded(range(null), '2026-11-18')).toBe(false)
  })

  it('is listed from a week ahead, and for two weeks afterwards', () => {
    const today = '2026-11-22'
    const states = everyDay(dayAfter(today, -40), 60).map(end => scheduleEndOf(fixed(end), today))
    expect(states.filter(ending => ending?.state === 'soon').map(ending => ending?.days)).toEqual([
      1, 2, 3, 4, 5, 6, 7,
    ])
    expect(states.filter(ending => ending?.state === 'ended')).toHaveLength(NOTICE_DAYS_AFTER)
  })

  it('is where the rule of 14 days says, whatever the day', () => {
    for (const end of everyDay('2024-01-25', 800)) {
      const { date_range } = fixed(end)
      for (const days of [1, NOTICE_DAYS_BEFORE]) {
        const { ends_on = '', state } = scheduleEndOf(fixed(end), dayAfter(end, 15 - days)) ?? {}
        expect([state, hasEnded(date_range, ends_on), hasEnded(date_range, dayAfter(ends_on, -1))]).toEqual([
          'soon',
          true,
          false,
        ])
      }
      expect(scheduleEndOf(fixed(end), dayAfter(end, 14 - NOTICE_DAYS_BEFORE))).toBeNull()
    }
  })

  it('is that of the report’s own zone', () => {
    // 23:30 on the 21st in New York is already the 22nd in Taipei.
    const now = new Date('2026-11-22T04:30:00Z')
    const report = fixed('2026-11-07')
    expect(scheduleEndOf(report, todayIn('Asia/Taipei', now))).toMatchObject({ state: 'ended', days: 0 })
    expect(scheduleEndOf(report, todayIn('America/New_York', now))).toMatchObject({ state: 'soon', days: 1 })
  })

  it('does not exist for dynamic ranges and unscheduled reports', () => {
    const { date_range } = fixed('2026-11-10')
    for (const report of [
      { date_range: { ...date_range, dynamic_range: 1 }, update_frequency: 2 },
      { date_range: { ...date_range, end: null }, update_frequency: 2 },
      { date_range, update_frequency: 0 },
      { date_range, update_frequency: 1 },
    ])
      expect(scheduleEndOf(report, '2026-11-22')).toBeNull()
  })
})

describe('a later end', () => {
  it('is never over, and so many whole months away', () => {
    for (const end of everyDay('2023-12-20', 800))
      for (const months of [1, 3]) {
        const today = '2026-03-30'
        const later = laterEnd(end, months, today)
        expect(later >= today && later > end).toBe(true)
        const apart = Temporal.PlainDate.from(end)
          .toPlainYearMonth()
          .until(Temporal.PlainDate.from(later).toPlainYearMonth())
        expect((apart.years * 12 + apart.months) % months).toBe(0)
      }
  })

  it('goes from the last day of a month to the last day of a month', () => {
    expect(laterEnd('2026-02-28', 1, '2026-03-01')).toBe('2026-03-31')
    expect(laterEnd('2026-08-31', 1, '2026-09-01')).toBe('2026-09-30')
    expect(laterEnd('2026-11-10', 1, '2026-11-22')).toBe('2026-12-10')
    expect(laterEnd('2026-01-30', 1, '2026-02-01')).toBe('2026-02-28')
  })
})
