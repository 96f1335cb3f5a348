import { describe, expect, it } from 'vitest'
import type { TimeGrain } from '#server/connectors/connector.ts'
import { slicesOf } from '#server/connectors/kit/slices.ts'
import { reachWindows } from './reach.ts'

const coverageOf = (today: string, range: [string, string], time: TimeGrain) => {
  const slices = slicesOf({ start: range[0], end: range[1] }, time)
  const { windows, missing } = reachWindows(slices, Temporal.PlainDate.from(today))
  return [
    windows.map(({ named, slices: of }) => `${named.name} ${of.length}`),
    missing.map(({ start }) => start),
  ]
}

describe('reach of display ads', () => {
  it('is there for all days since the start of last month, up to yesterday', () => {
    expect(coverageOf('2026-11-21', ['2026-09-30', '2026-11-21'], 'date')).toEqual([
      ['LAST_MONTH 31', 'LAST_30_DAYS 20'],
      ['2026-09-30', '2026-11-21'],
    ])
    expect(coverageOf('2026-12-31', ['2026-11-01', '2026-12-30'], 'date')[1]).toEqual([])
  })

  it('is there on a Monday for the week before, on the first of a month for the month before', () => {
    expect(coverageOf('2026-11-23', ['2026-11-16', '2026-11-22'], 'week')).toEqual([['LAST_WEEK 1'], []])
    expect(coverageOf('2026-12-01', ['2026-11-01', '2026-11-30'], 'month')).toEqual([['LAST_MONTH 1'], []])
    expect(coverageOf('2026-11-22', ['2026-11-16', '2026-11-22'], 'week')).toEqual([[], ['2026-11-16']])
  })

  it('is there for a total that is a day, last week or last month', () => {
    expect(coverageOf('2026-11-21', ['2026-11-20', '2026-11-20'], 'total')).toEqual([['YESTERDAY 1'], []])
    expect(coverageOf('2026-11-21', ['2026-11-09', '2026-11-15'], 'total')).toEqual([['LAST_WEEK 1'], []])
    expect(coverageOf('2026-11-21', ['2026-10-01', '2026-10-31'], 'total')).toEqual([['LAST_MONTH 1'], []])
    expect(coverageOf('2026-11-21', ['2026-11-14', '2026-11-20'], 'total')).toEqual([[], ['2026-11-14']])
  })

  it('is missed by no day that is still to come', () => {
    expect(coverageOf('2026-11-21', ['2026-11-20', '2026-11-30'], 'date')).toEqual([
      ['YESTERDAY 1'],
      ['2026-11-21'],
    ])
  })
})
