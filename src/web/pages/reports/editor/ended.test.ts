import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maximumDay } from '#shared/date-range.ts'
import { hasEnded } from '#shared/schedule-end.ts'
import { extendedEnd } from './ended.ts'

const today = '2026-11-20'
const facts = { today, earliest: '2024-11-20', history_extended: false, archive: false }
const range = (start: string, end: string) => ({ start, end, dynamic_range: 0 })

describe('extending a report that has ended', () => {
  it('goes on for 30 days from today', () => {
    expect(extendedEnd(range('2026-09-01', '2026-09-30'), facts)).toBe('2026-12-20')
  })

  it('goes no further than a range may be long', () => {
    expect(extendedEnd(range('2024-12-01', '2025-02-01'), facts)).toBe('2026-12-01')
  })

  it('is not offered where the range began too long ago', () => {
    expect(extendedEnd(range('2024-10-01', '2024-12-01'), facts)).toBeNull()
    expect(
      extendedEnd(range('2024-10-01', '2024-12-01'), {
        ...facts,
        earliest: '2023-11-21',
        history_extended: true,
      }),
    ).toBe('2026-12-20')
  })

  it('restarts it whenever it is offered, with a range that may be saved', () => {
    const day = fc
      .integer({ min: 0, max: 1500 })
      .map(days => Temporal.PlainDate.from('2023-01-01').add({ days }).toString())
    fc.assert(
      fc.property(day, start => {
        const ended = range(start, start)
        const end = extendedEnd(ended, facts)
        const restarted = { ...ended, end: end ?? '' }
        const latest = maximumDay(start, facts) ?? ''
        expect(end === null || (!hasEnded(restarted, today) && end >= start && end <= latest)).toBe(true)
        expect(hasEnded(ended, today) || end === null).toBe(true)
      }),
    )
  })
})
