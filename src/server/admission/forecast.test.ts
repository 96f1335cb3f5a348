import { describe, expect, it } from 'vitest'
import { percentile } from '#server/testing/quantile.ts'
import { randomOf } from '#server/testing/random.ts'
import { forecastOf } from './forecast.ts'
import { playBurst, type Burst } from './testing/burst.ts'
import { at, newRun as run, waitlist } from './testing/position.ts'

const text = (seconds: number) => at(seconds).toISOString()

describe('when a run will end', () => {
  it('follows from the runs ahead of it, how often one begins, and how long the latest took', () => {
    expect(forecastOf(run)).toEqual({ ahead: 0, starts_at: text(0), finishes_at: text(22) })
    expect(forecastOf({ ...run, ahead: 4 })).toEqual({ ahead: 4, starts_at: text(20), finishes_at: text(42) })
  })

  it('counts the runs that wait for the spreadsheet service before it, now or later', () => {
    const long = { ...waitlist, waiting: 100, before: 100, first_at: at(3), next_at: at(103) }
    expect(forecastOf({ ...run, ahead: 10, waitlist: long }).finishes_at).toBe(text(103 + 10 + 2))
    // Two waitlists: half of those ahead go to the other one.
    expect(forecastOf({ ...run, ahead: 10, waitlist: { ...long, waitlists: 2 } }).finishes_at).toBe(
      text(103 + 5 + 2),
    )
    // Of an earlier round than most.
    expect(forecastOf({ ...run, waitlist: { ...long, before: 40 } }).finishes_at).toBe(text(3 + 40 + 2))
  })

  it('of a run in the waitlist is when its position is reached, whoever it swaps with', () => {
    const resting = { ...run, ahead: null, has_table: true, resumes_at: at(500) }
    const position = {
      ...waitlist,
      is_in_it: true,
      waiting: 400,
      before: 30,
      first_at: at(2),
      next_at: at(402),
    }
    expect(forecastOf({ ...resting, waitlist: position })).toEqual({
      ahead: 30,
      starts_at: text(32),
      finishes_at: text(34),
    })
  })

  it('of a postponed run begins at its time, and of one whose platform is paused when the pause ends', () => {
    const resting = { ...run, ahead: null, resumes_at: at(600) }
    expect(forecastOf(resting)).toEqual({ ahead: null, starts_at: text(600), finishes_at: text(622) })
    expect(forecastOf({ ...run, paused_until: at(300) }).finishes_at).toBe(text(322))
  })

  it('of a run in progress follows from its start, and is unknown once it takes longer than usual', () => {
    const under_way = { ...run, status: 'fetching', ahead: null, since: at(-5) }
    expect(forecastOf(under_way)).toEqual({ ahead: null, starts_at: null, finishes_at: text(17) })
    expect(forecastOf({ ...under_way, since: at(-25) }).finishes_at).toBeNull()
    const writing = {
      ...under_way,
      status: 'writing',
      has_table: true,
      is_past_waitlist: true,
      since: at(-1),
    }
    expect(forecastOf(writing).finishes_at).toBe(text(1))
  })

  it('is unknown where too few have run', () => {
    const times = { fetch_ms: null, write_ms: null, begin_every_ms: null }
    expect(forecastOf({ ...run, ahead: 3, times })).toEqual({ ahead: 3, starts_at: null, finishes_at: null })
    expect(forecastOf({ ...run, times })).toEqual({ ahead: 0, starts_at: text(0), finishes_at: null })
  })
})

describe('forecasts in a burst', () => {
  // Where workers are the bottleneck, it rests on how long a hundred runs took, which differ as much as runs
  // do.
  const bursts: [string, number, Omit<Burst, 'random'>][] = [
    ['limited by the spreadsheet service', 15, { runs: 1000, workers: 4, fetch_ms: 600, write_ms: 900 }],
    ['limited by workers', 30, { runs: 200, workers: 4, fetch_ms: 25_000, write_ms: 2000 }],
    ['limited by both', 30, { runs: 400, workers: 4, fetch_ms: 4000, write_ms: 1500 }],
  ]

  it.each(bursts)(
    '%s come true within a minute or %s %%, nine times in ten at any moment, and do not jump',
    (name, percent, burst) => {
      const seed = 7
      const readings: { at: number; promised: (number | null)[] }[] = []
      const ends = playBurst({ ...burst, random: randomOf(seed) }, 20_000, (ms, positions) => {
        const promised = positions.map(position => {
          const finishes_at = position && forecastOf(position).finishes_at
          return finishes_at && position ? Date.parse(finishes_at) - position.now.getTime() + ms : null
        })
        readings.push({ at: ms, promised })
      })
      const worst = { error: 0, jump: 0 }
      for (const [nth, { at: looked_at, promised }] of readings.entries()) {
        const before = readings[nth - 1]?.promised
        const of_left = (off: number, index: number) =>
          Math.abs(off) / Math.max(60_000, (percent / 100) * ((ends[index] ?? 0) - looked_at))
        const errors = promised.flatMap((promise, index) =>
          promise === null ? [] : [of_left(promise - (ends[index] ?? 0), index)],
        )
        const jumps = promised.flatMap((promise, index) => {
          const earlier = before?.[index] ?? null
          return promise === null || earlier === null ? [] : [of_left(promise - earlier, index)]
        })
        // Of the last few, nine in ten says nothing.
        if (errors.length < 20) continue
        worst.error = Math.max(worst.error, percentile(errors, 0.9))
        worst.jump = Math.max(worst.jump, percentile(jumps, 0.95))
      }
      console.log(
        `${name}: ${readings.length} readings; worst p90 of errors ${worst.error.toFixed(2)}, p95 of jumps ${worst.jump.toFixed(2)} of what is allowed; all done after ${(Math.max(...ends) / 1000).toFixed(0)} s`,
      )
      expect(worst.error).toBeLessThanOrEqual(1)
      expect(worst.jump).toBeLessThanOrEqual(1)
    },
  )
})
