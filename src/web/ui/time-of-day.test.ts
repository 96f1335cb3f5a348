import { describe, expect, it } from 'vitest'
import { joinTime, quarters, splitTime } from './time-of-day.ts'

describe('the time of day', () => {
  it.each([
    ['00:00:00', 'am', '12:00'],
    ['09:00:00', 'am', '09:00'],
    ['12:15:00', 'pm', '12:15'],
    ['23:45:00', 'pm', '11:45'],
  ] as const)('splits %s into %s %s', (time, half, quarter) => {
    expect(splitTime(time)).toEqual({ half, quarter })
  })

  it('comes back the same for every quarter of both halves', () => {
    const times = (['am', 'pm'] as const).flatMap(half =>
      quarters.map(quarter => joinTime({ half, quarter })),
    )
    expect(new Set(times).size).toBe(96)
    expect(times).toEqual(times.toSorted())
    for (const time of times) expect(joinTime(splitTime(time))).toBe(time)
  })
})
