import { describe, expect, it } from 'vitest'
import { randomOf } from '#server/testing/random.ts'
import { forecastOf, type Standing } from './forecast.ts'
import { playHerd, type Herd } from './testing/burst.ts'

const now = new Date('2026-11-20T09:00:00Z')
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const text = (seconds: number) => at(seconds).toISOString()

const line = {
  is_in_it: false,
  waiting: 0,
  before: 0,
  first_at: null,
  next_at: at(-15),
  step_ms: (1000 * 60) / 61,
  lines: 1,
}
const run: Standing = {
  now,
  status: 'queued',
  has_table: false,
  since: now,
  resumes_at: null,
  ahead: 0,
  is_past_line: false,
  held_until: null,
  line,
  pace: { fetch_ms: 20_000, write_ms: 2000, begin_every_ms: 5000 },
}

describe('when a run will end', () => {
  it('follows from what is ahead of it, how often one begins, and what the latest took', () => {
    expect(forecastOf(run)).toEqual({ ahead: 0, starts_at: text(0), finishes_at: text(22) })
    expect(forecastOf({ ...run, ahead: 4 })).toEqual({ ahead: 4, starts_at: text(20), finishes_at: text(42) })
  })

  it('waits for the line before the spreadsheet service behind those who stand there and those who will', () => {
    const long = { ...line, waiting: 100, before: 100, first_at: at(3), next_at: at(103) }
    expect(forecastOf({ ...run, ahead: 10, line: long }).finishes_at).toBe(text(103 + 10 + 2))
    // Two lines: half of those ahead go to the other one.
    expect(forecastOf({ ...run, ahead: 10, line: { ...long, lines: 2 } }).finishes_at).toBe(text(103 + 5 + 2))
    // Of an earlier round than most.
    expect(forecastOf({ ...run, line: { ...long, before: 40 } }).finishes_at).toBe(text(3 + 40 + 2))
  })

  it('of one in the line is when its turn comes, whoever it changes places with', () => {
    const resting = { ...run, ahead: null, has_table: true, resumes_at: at(500) }
    const place = { ...line, is_in_it: true, waiting: 400, before: 30, first_at: at(2), next_at: at(402) }
    expect(forecastOf({ ...resting, line: place })).toEqual({
      ahead: 30,
      starts_at: text(32),
      finishes_at: text(34),
    })
  })

  it('of one that rests begins with its time, and of one whose platform lets nobody ask, when it does again', () => {
    const resting = { ...run, ahead: null, resumes_at: at(600) }
    expect(forecastOf(resting)).toEqual({ ahead: null, starts_at: text(600), finishes_at: text(622) })
    expect(forecastOf({ ...run, held_until: at(300) }).finishes_at).toBe(text(322))
  })

  it('of one that is under way follows from its start, and is not known once it takes longer than usual', () => {
    const under_way = { ...run, status: 'fetching', ahead: null, since: at(-5) }
    expect(forecastOf(under_way)).toEqual({ ahead: null, starts_at: null, finishes_at: text(17) })
    expect(forecastOf({ ...under_way, since: at(-25) }).finishes_at).toBeNull()
    const writing = { ...under_way, status: 'writing', has_table: true, is_past_line: true, since: at(-1) }
    expect(forecastOf(writing).finishes_at).toBe(text(1))
  })

  it('is not known where too few have run', () => {
    const pace = { fetch_ms: null, write_ms: null, begin_every_ms: null }
    expect(forecastOf({ ...run, ahead: 3, pace })).toEqual({ ahead: 3, starts_at: null, finishes_at: null })
    expect(forecastOf({ ...run, pace })).toEqual({ ahead: 0, starts_at: text(0), finishes_at: null })
  })
})

const percentile = (values: number[], part: number) =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * part) - 1] ?? 0

describe('what is promised in a herd', () => {
  // Where workers hold it up, it stands on what a hundred runs took, which differ as much as runs do.
  const herds: [string, number, Omit<Herd, 'random'>][] = [
    ['that the spreadsheet service holds up', 15, { runs: 1000, hands: 4, fetch_ms: 600, write_ms: 900 }],
    ['that workers hold up', 30, { runs: 200, hands: 4, fetch_ms: 25_000, write_ms: 2000 }],
    ['that both hold up', 30, { runs: 400, hands: 4, fetch_ms: 4000, write_ms: 1500 }],
  ]

  it.each(herds)(
    '%s comes true within a minute or %s %%, for nine of ten at any time, and does not jump',
    (name, percent, herd) => {
      const seed = 7
      const looks: { at: number; promised: (number | null)[] }[] = []
      const ends = playHerd({ ...herd, random: randomOf(seed) }, 20_000, (ms, standings) => {
        const promised = standings.map(standing => {
          const finishes_at = standing && forecastOf(standing).finishes_at
          return finishes_at && standing ? Date.parse(finishes_at) - standing.now.getTime() + ms : null
        })
        looks.push({ at: ms, promised })
      })
      const worst = { error: 0, jump: 0 }
      for (const [nth, { at: looked_at, promised }] of looks.entries()) {
        const before = looks[nth - 1]?.promised
        const of_left = (off: number, index: number) =>
          Math.abs(off) / Math.max(60_000, (percent / 100) * ((ends[index] ?? 0) - looked_at))
        const errors = promised.flatMap((promise, index) =>
          promise === null ? [] : [of_left(promise - (ends[index] ?? 0), index)],
        )
        const jumps = promised.flatMap((promise, index) => {
          const earlier = before?.[index] ?? null
          return promise === null || earlier === null ? [] : [of_left(promise - earlier, index)]
        })
        // Of the last few nothing can be said of nine in ten.
        if (errors.length < 20) continue
        worst.error = Math.max(worst.error, percentile(errors, 0.9))
        worst.jump = Math.max(worst.jump, percentile(jumps, 0.95))
      }
      console.log(
        `${name}: ${looks.length} looks; worst p90 of errors ${worst.error.toFixed(2)}, p95 of jumps ${worst.jump.toFixed(2)} of what is allowed; all done after ${(Math.max(...ends) / 1000).toFixed(0)} s`,
      )
      expect(worst.error).toBeLessThanOrEqual(1)
      expect(worst.jump).toBeLessThanOrEqual(1)
    },
  )
})
