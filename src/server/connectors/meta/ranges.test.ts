import { describe, expect, it } from 'vitest'
import { slicesOf } from '#server/connectors/kit/slices.ts'
import { groupsOf, timeParams } from './ranges.ts'

describe('the days of a request to Meta', () => {
  const range = { start: '2026-09-30', end: '2026-10-13' }

  it('cuts weeks at Mondays and at the range', () => {
    expect(slicesOf(range, 'week')).toEqual([
      { start: '2026-09-30', end: '2026-10-04' },
      { start: '2026-10-05', end: '2026-10-11' },
      { start: '2026-10-12', end: '2026-10-13' },
    ])
  })

  it('cuts months at the range, and weeks at months where both are requested', () => {
    expect(slicesOf(range, 'month').map(slice => slice.start)).toEqual(['2026-09-30', '2026-10-01'])
    expect(slicesOf(range, 'month_week').map(slice => slice.start)).toEqual([
      '2026-09-30',
      '2026-10-01',
      '2026-10-05',
      '2026-10-12',
    ])
  })

  it('requests a week that has already begun by itself, since Meta counts weeks from the first day', () => {
    const [begun, whole] = groupsOf(slicesOf(range, 'week'), 'week')
    expect(timeParams(begun ?? [], 'week')).toEqual({
      time_range: '{"since":"2026-09-30","until":"2026-10-04"}',
      time_increment: 'all_days',
    })
    expect(timeParams(whole ?? [], 'week')).toEqual({
      time_range: '{"since":"2026-10-05","until":"2026-10-13"}',
      time_increment: '7',
    })
  })

  it('requests weeks cut by months as a list of ranges', () => {
    const [slices] = groupsOf(
      slicesOf({ start: '2026-09-28', end: '2026-10-04' }, 'month_week'),
      'month_week',
    )
    expect(timeParams(slices ?? [], 'month_week')).toEqual({
      time_ranges:
        '[{"since":"2026-09-28","until":"2026-09-30"},{"since":"2026-10-01","until":"2026-10-04"}]',
    })
  })
})
