import { describe, expect, it } from 'vitest'
import { frequency, nextOccurrence, nextOccurrences, type Schedule } from './schedule.ts'

const daily: Schedule = {
  update_frequency: frequency.daily,
  update_time: '09:00:00',
  update_day_of_week: null,
  update_day_of_month: null,
  timezone: 'Asia/Taipei',
}
const next = (schedule: Partial<Schedule>, after: string) =>
  nextOccurrence({ ...daily, ...schedule }, new Date(after))?.toISOString()

describe('the next occurrence', () => {
  it('of a daily report is today when its time is still to come, else tomorrow', () => {
    expect(next({}, '2026-11-20T00:59:59Z')).toBe('2026-11-20T01:00:00.000Z')
    expect(next({}, '2026-11-20T01:00:00Z')).toBe('2026-11-21T01:00:00.000Z')
  })

  it('of a weekly report is on its day, 1 Monday to 7 Sunday', () => {
    const weekly = { update_frequency: frequency.weekly, update_day_of_week: 1 }
    expect(next(weekly, '2026-11-20T00:00:00Z')).toBe('2026-11-23T01:00:00.000Z')
    expect(next({ ...weekly, update_day_of_week: 7 }, '2026-11-20T00:00:00Z')).toBe(
      '2026-11-22T01:00:00.000Z',
    )
  })

  it('of a monthly report uses the last day of a month that is too short', () => {
    const monthly = { update_frequency: frequency.monthly, update_day_of_month: 31 }
    expect(next(monthly, '2026-02-01T00:00:00Z')).toBe('2026-02-28T01:00:00.000Z')
    expect(next(monthly, '2028-02-01T00:00:00Z')).toBe('2028-02-29T01:00:00.000Z')
    expect(next(monthly, '2026-11-30T01:00:00Z')).toBe('2026-12-31T01:00:00.000Z')
  })

  it('does not exist without a schedule', () => {
    expect(next({ update_frequency: frequency.none }, '2026-11-20T00:00:00Z')).toBeUndefined()
  })

  it('that a clock change skips is moved forward by the gap', () => {
    // New York goes from 02:00 to 03:00 on 8 March 2026.
    expect(next({ timezone: 'America/New_York', update_time: '02:30:00' }, '2026-03-08T00:00:00Z')).toBe(
      '2026-03-08T07:30:00.000Z',
    )
  })

  it('that a clock change repeats counts once, the first time', () => {
    const schedule = { ...daily, timezone: 'America/New_York', update_time: '01:30:00' }
    expect(nextOccurrences(schedule, new Date('2026-11-01T04:00:00Z'), 2).map(d => d.toISOString())).toEqual([
      '2026-11-01T05:30:00.000Z',
      '2026-11-02T06:30:00.000Z',
    ])
  })

  it('of a day that a zone skipped altogether falls together with the next', () => {
    // Samoa had no 30 December 2011.
    const schedule = { ...daily, timezone: 'Pacific/Apia' }
    const found = nextOccurrences(schedule, new Date('2011-12-29T00:00:00Z'), 3).map(d => d.toISOString())
    expect(found).toEqual([
      '2011-12-29T19:00:00.000Z',
      '2011-12-30T19:00:00.000Z',
      '2011-12-31T19:00:00.000Z',
    ])
  })
})

describe('occurrences over years', () => {
  const notable = [
    'Asia/Taipei',
    'America/New_York',
    'Australia/Lord_Howe',
    'Europe/Dublin',
    'Africa/Casablanca',
    'Asia/Gaza',
  ]
  const zones = process.env.LONG ? Intl.supportedValuesOf('timeZone') : notable
  const times = process.env.LONG
    ? Array.from({ length: 96 }, (_, quarter) => timeOf(quarter * 15))
    : ['00:00:00', '00:15:00', '01:30:00', '02:00:00', '02:15:00', '03:00:00', '09:00:00', '23:45:00']

  it.each(zones)('are neither missed nor doubled in %s', zone => {
    const years = process.env.LONG && notable.includes(zone) ? 3 : 1
    const walls = wallClock(zone, Date.UTC(2025, 11, 30), Date.UTC(2026 + years, 0, 3))
    for (const update_time of times) {
      const expected = expectedDaily(walls, update_time, years)
      const found: number[] = []
      let after = new Date((expected[0] ?? 0) - 1)
      while (found.length < expected.length) {
        const occurrence = nextOccurrence({ ...daily, timezone: zone, update_time }, after)
        if (!occurrence) break
        found.push(occurrence.getTime())
        after = occurrence
      }
      expect(found, update_time).toEqual(expected)
    }
  })
})

const QUARTER = 15 * 60_000
function timeOf(minutes: number) {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`
}

/**
 * What the zone's clock shows at each quarter hour of UTC, by the formatter and not by the calculation under
 * test.
 */
function wallClock(zone: string, from: number, to: number) {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const walls: { at: number; wall: number }[] = []
  for (let at = from; at < to; at += QUARTER) {
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = (format.format(at).match(/\d+/g) ?? []).map(
      Number,
    )
    walls.push({ at, wall: Date.UTC(year, month - 1, day, hour, minute) })
  }
  return walls
}

/**
 * Each day's instant: the first that shows the time, or, where none does, as far behind the gap as the time
 * is inside it.
 */
function expectedDaily(walls: { at: number; wall: number }[], time: string, years: number) {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const firstAt = new Map<number, number>()
  for (const { at, wall } of walls) if (!firstAt.has(wall)) firstAt.set(wall, at)
  const expected: number[] = []
  for (let day = Date.UTC(2026, 0, 1); day < Date.UTC(2026 + years, 0, 1); day += 24 * 3600_000) {
    const wall = day + (hours * 60 + minutes) * 60_000
    const firstInstant = firstAt.get(wall)
    if (firstInstant !== undefined) {
      expected.push(firstInstant)
      continue
    }
    // Where the clock jumps past the scheduled time, the offset from before the jump still counts.
    const before = walls.findLast((entry, index) => entry.wall < wall && (walls[index + 1]?.wall ?? 0) > wall)
    if (before) expected.push(before.at + (wall - before.wall))
  }
  return expected
}
