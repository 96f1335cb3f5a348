import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dateTimeText, instantOf, isFuture, partsOf, thisMinute, typedDateTime } from './date-time-rules.ts'

const now = new Date('2026-11-20T01:30:45Z')
const timezone = 'Asia/Taipei'
const facts = { now, timezone }

describe('a moment to be picked', () => {
  it('is now at first, to the minute', () => {
    expect(thisMinute(now)).toBe('2026-11-20T01:30:00.000Z')
    expect(isFuture(thisMinute(now), now)).toBe(false)
  })

  it.each([
    ['2026-11-20T01:05:00.000Z', '11/20/2026 AM 9:05', '11/20/2026 上午 9:05'],
    ['2026-11-19T16:00:00.000Z', '11/20/2026 AM 12:00', '11/20/2026 凌晨 12:00'],
    ['2026-01-02T04:00:00.000Z', '01/02/2026 PM 12:00', '01/02/2026 下午 12:00'],
  ])('%s is written as %s', (instant, english, chinese) => {
    const parts = partsOf(instant, timezone)
    expect(dateTimeText(parts, 'en')).toBe(english)
    expect(dateTimeText(parts, 'zh-TW')).toBe(chinese)
    expect(typedDateTime(english, facts)).toEqual({ instant })
    expect(typedDateTime(chinese, facts)).toEqual({ instant })
  })

  it.each(['', '11/20/2026', '11/20/2026 9:05', '11/20/26 AM 9:05', '11/20/2026 AM 9', '2026-11-20 AM 9:05'])(
    'is incomplete as "%s"',
    text => expect(typedDateTime(text, facts)).toEqual({ problem: 'incomplete' }),
  )

  it.each([
    '13/01/2026 AM 9:05',
    '02/29/2026 AM 9:05',
    '11/20/2026 AM 0:05',
    '11/20/2026 AM 13:05',
    '11/20/2026 AM 9:60',
  ])('is none as "%s"', text => expect(typedDateTime(text, facts)).toEqual({ problem: 'no_such_time' }))

  it('is never in the future', () => {
    expect(typedDateTime('11/20/2026 AM 9:31', facts)).toEqual({ problem: 'future' })
    expect(typedDateTime('11/20/2026 AM 9:30', facts)).toEqual({ instant: '2026-11-20T01:30:00.000Z' })
    expect(typedDateTime('11/21/2026 AM 9:00', facts)).toEqual({ problem: 'future' })
  })

  it('comes back the same through its parts and through its text, in any zone and either language', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1990-01-01'), max: now, noInvalidDate: true }),
        fc.constantFrom('Asia/Taipei', 'UTC', 'Asia/Tokyo'),
        fc.constantFrom('en' as const, 'zh-TW' as const),
        (date, zone, language) => {
          const instant = thisMinute(date)
          const parts = partsOf(instant, zone)
          expect(instantOf(parts, zone)).toBe(instant)
          expect(typedDateTime(dateTimeText(parts, language), { now, timezone: zone })).toEqual({ instant })
        },
      ),
    )
  })
})
