import { describe, expect, it } from 'vitest'
import { dayIn, inNeedOf } from './rules.ts'

describe('the reports that need attention', () => {
  it('are each there once, by what is most urgent', () => {
    const failed = [
      { id: 1, is_scheduled: false },
      { id: 2, is_scheduled: true },
    ]
    const toChange = [
      { id: 2, reason: 'ending' as const },
      { id: 3, reason: 'ending' as const },
      { id: 3, reason: 'gap' as const },
      { id: 1, reason: 'gap' as const },
      { id: 4, reason: 'gap' as const },
    ]
    expect(inNeedOf(failed, toChange)).toEqual([
      { id: 2, reason: 'scheduled_failure' },
      { id: 1, reason: 'failure' },
      { id: 3, reason: 'ending' },
      { id: 4, reason: 'gap' },
    ])
  })
})

describe('the day', () => {
  it.each([
    ['Asia/Taipei', '2026-11-20', '2026-11-19T16:00:00.000Z', '2026-11-20T16:00:00.000Z'],
    ['Etc/GMT-8', '2026-11-20', '2026-11-19T16:00:00.000Z', '2026-11-20T16:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-20', '2026-11-19T18:30:00.000Z', '2026-11-20T18:30:00.000Z'],
    ['America/Los_Angeles', '2026-11-19', '2026-11-19T08:00:00.000Z', '2026-11-20T08:00:00.000Z'],
  ])('in %s is %s', (zone, day, from, to) => {
    const found = dayIn(zone, new Date('2026-11-20T02:00:00Z'))
    expect([found.day, found.from.toISOString(), found.to.toISOString()]).toEqual([day, from, to])
  })
})
