import { describe, expect, it } from 'vitest'
import { pointsOf } from './history-points.ts'

const ticksOf = (instants: string[], language: 'en' | 'zh-TW' = 'en') => {
  const { points, tickOf } = pointsOf(instants, language)
  return points.map(tickOf)
}
const at = (day: number, time = '12:00:00') => `2026-11-${String(day).padStart(2, '0')}T${time}Z`

describe('the axis of a chart over runs', () => {
  it('names days where each run is on one of its own', () => {
    const ticks = ticksOf([at(3), at(4), at(5)])
    expect(ticks.every(tick => /^11-\d\d$/.test(tick))).toBe(true)
    expect(new Set(ticks).size).toBe(3)
  })

  it('names times where all are on one day', () => {
    const ticks = ticksOf([at(3, '12:00:00'), at(3, '12:01:00'), at(3, '12:02:00')])
    expect(new Set(ticks).size).toBe(3)
    expect(ticks.every(tick => /^[AP]M \d\d:\d\d$/.test(tick))).toBe(true)
  })

  it.each(['en', 'zh-TW'] as const)('never has two alike in %s, also of runs in one minute', language => {
    for (const instants of [
      [at(3), at(3, '12:30:00'), at(4)],
      [at(3, '12:00:01'), at(3, '12:00:31')],
      [at(3, '12:00:01'), at(3, '12:00:31'), at(5)],
    ]) {
      const ticks = ticksOf(instants, language)
      expect(new Set(ticks).size).toBe(instants.length)
    }
  })
})
