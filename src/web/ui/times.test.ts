import { describe, expect, it } from 'vitest'
import { dayText, instantText, relativeText, timeText } from './times.ts'

describe('times', () => {
  it.each([
    ['09:00:00', 'AM 09:00', '上午 09:00'],
    ['00:15:00', 'AM 12:15', '凌晨 12:15'],
    ['12:00:00', 'PM 12:00', '下午 12:00'],
    ['23:45:00', 'PM 11:45', '下午 11:45'],
  ])('writes %s with its half of the day first', (time, en, zh) => {
    expect(timeText(time, 'en')).toBe(en)
    expect(timeText(time, 'zh-TW')).toBe(zh)
  })

  it('formats an instant in the requested time zone', () => {
    expect(instantText('2026-11-20T16:30:00Z', 'en', 'Asia/Taipei')).toBe('2026-11-21 AM 12:30')
    expect(dayText('2026-11-20T16:30:00Z', 'America/New_York')).toBe('2026-11-20')
  })

  const now = new Date('2026-11-20T12:00:00Z')
  it.each([
    ['2026-11-20T11:59:50Z', 'now', '現在'],
    ['2026-11-20T11:57:00Z', '3 minutes ago', '3 分鐘前'],
    ['2026-11-20T14:00:00Z', 'in 2 hours', '2 小時後'],
    ['2026-11-19T12:00:00Z', 'yesterday', '昨天'],
    ['2026-11-23T12:00:00Z', 'in 3 days', '3 天後'],
    ['2026-10-20T12:00:00Z', 'last month', '上個月'],
  ])('says %s relative to now', (instant, en, zh) => {
    expect(relativeText(instant, now, 'en')).toBe(en)
    expect(relativeText(instant, now, 'zh-TW')).toBe(zh)
  })
})
