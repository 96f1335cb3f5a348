import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  completeDays,
  daysOfMonths,
  daysToAsk,
  knownAfter,
  monthsToAsk,
  monthsUpTo,
  spendChannels,
  type KnownDays,
} from './rules.ts'

const nothing: KnownDays = {
  provider: 'meta',
  known_from: null,
  known_to: null,
  settled_to: null,
  refreshed_at: null,
}
const today = '2026-11-20'

describe('the days to fetch', () => {
  it('are those of the overview first', () => {
    expect(daysToAsk(nothing, { today, is_fresh: false })).toEqual({ start: '2026-09-20', end: today })
  })

  it('are then older ones, a quarter at a time, until a year and a month are there', () => {
    let known = {
      ...nothing,
      ...knownAfter(nothing, { start: '2026-09-20', end: today }, { provider: 'meta', today }),
    }
    const slices = []
    for (let slice = daysToAsk(known, { today, is_fresh: true }); slice;) {
      slices.push(slice)
      known = { ...known, ...knownAfter(known, slice, { provider: 'meta', today }) }
      slice = daysToAsk(known, { today, is_fresh: true })
    }
    expect(slices).toEqual([
      { start: '2026-06-20', end: '2026-09-19' },
      { start: '2026-03-20', end: '2026-06-19' },
      { start: '2025-12-18', end: '2026-03-19' },
      { start: '2025-10-17', end: '2025-12-17' },
    ])
    expect(known).toMatchObject({ known_from: '2025-10-17', known_to: today, settled_to: '2026-10-23' })
  })

  it('are all older ones at once at LINE, which counts requests', () => {
    const known = { ...nothing, provider: 'line' as const, known_from: '2026-09-20', known_to: today }
    const older = { start: '2025-10-17', end: '2026-09-19' }
    expect(daysToAsk(known, { today, is_fresh: true })).toEqual(older)
    const months = monthsToAsk({ provider: 'line', known_from: '2025-10-17', known_months: [] }, today)
    expect(daysOfMonths(months ?? [])).toEqual({ start: '2024-10-01', end: '2025-10-31' })
  })

  it.each([
    ['meta', '2026-10-24'],
    ['google_ads', '2026-09-20'],
  ] as const)('are on another day those that can still change at %s, and the new ones', (provider, start) => {
    const known = {
      ...nothing,
      ...knownAfter(nothing, { start: '2026-09-20', end: today }, { provider, today }),
    }
    expect(daysToAsk(known, { today: '2026-11-22', is_fresh: false })).toEqual({ start, end: '2026-11-22' })
  })

  it('include everything that was not final before a long downtime', () => {
    const known = { ...nothing, known_from: '2025-11-01', known_to: '2026-05-01', settled_to: '2026-04-03' }
    expect(daysToAsk(known, { today, is_fresh: false })).toEqual({ start: '2026-04-04', end: today })
  })

  it('do not go back further than days are kept, and then drop what lies before the gap', () => {
    const known = { ...nothing, known_from: '2023-01-01', known_to: '2024-05-01', settled_to: '2024-04-03' }
    const range = { start: '2025-10-17', end: today }
    expect(daysToAsk(known, { today, is_fresh: false })).toEqual(range)
    expect(knownAfter(known, range, { provider: 'meta', today })).toMatchObject({ known_from: '2025-10-17' })
  })

  it('are those of ad channels alone', () => {
    expect(spendChannels).toEqual(['fb', 'aw', 'yg', 'tt', 'ln'])
  })
})

describe('the months to fetch', () => {
  it('are none before there are enough days', () => {
    const ask = (known_from: string | null) =>
      monthsToAsk({ provider: 'meta', known_from, known_months: [] }, today)
    expect(ask(null)).toBeNull()
    expect(ask('2025-10-18')).toBeNull()
    expect(ask('2025-10-17')).toEqual(['2025-08-01', '2025-09-01', '2025-10-01'])
  })

  it('are those that begin before the days, a quarter at a time, 25 months back', () => {
    const slices = []
    const known_months: string[] = []
    for (
      let slice;
      (slice = monthsToAsk({ ...nothing, known_from: '2025-10-17', known_months }, today)) !== null;
    ) {
      slices.push(daysOfMonths(slice))
      known_months.push(...slice)
    }
    expect(slices).toEqual([
      { start: '2025-08-01', end: '2025-10-31' },
      { start: '2025-05-01', end: '2025-07-31' },
      { start: '2025-02-01', end: '2025-04-30' },
      { start: '2024-11-01', end: '2025-01-31' },
      { start: '2024-10-01', end: '2024-10-31' },
    ])
  })

  it('end where a platform has nothing any more', () => {
    const missing = monthsUpTo('2025-02-01', { known_from: '2025-10-17', today })
    expect(missing.toSorted()).toEqual(['2024-10-01', '2024-11-01', '2024-12-01', '2025-01-01', '2025-02-01'])
  })

  it('cover with the days every month of two years, each once, however long ago it began', () => {
    const day = fc
      .integer({ min: 0, max: 3000 })
      .map(days => Temporal.PlainDate.from('2022-01-01').add({ days }).toString())
    const spread = fc.array(fc.integer({ min: 0, max: 24 }), { maxLength: 12 })
    fc.assert(
      fc.property(day, spread, (now, done) => {
        const first = Temporal.PlainYearMonth.from(now)
        const months = Array.from({ length: 25 }, (_, back) => `${first.subtract({ months: back + 1 })}-01`)
        // What has been imported, or fetched before.
        const known_months = [...new Set(done)].map(at => months[at] ?? '')
        let known = { ...nothing, known_months }
        const requested: string[] = []
        for (let calls = 0; calls < 40; calls += 1) {
          const range = daysToAsk(known, { today: now, is_fresh: known.known_to !== null })
          const slice = range === null ? monthsToAsk(known, now) : null
          if (range) known = { ...known, ...knownAfter(known, range, { provider: 'meta', today: now }) }
          if (!slice) {
            if (range) continue
            break
          }
          const { start, end } = daysOfMonths(slice)
          const last = Temporal.PlainDate.from(end)
          expect(last.day).toBe(last.daysInMonth)
          expect(Temporal.PlainDate.from(start).until(last, { largestUnit: 'months' }).months).toBeLessThan(3)
          requested.push(...slice)
          known = { ...known, known_months: [...known.known_months, ...slice] }
        }
        expect(new Set(requested).size).toBe(requested.length)
        expect(requested.filter(month => known_months.includes(month))).toEqual([])
        const byDays = months.filter(month => month >= (known.known_from ?? ''))
        expect(new Set([...requested, ...known_months, ...byDays])).toEqual(new Set(months))
      }),
      { numRuns: 200 },
    )
  })
})

describe('the days that are complete', () => {
  const account = (known_from: string | null, known_to: string | null, code: string | null = null) => ({
    known_from,
    known_to,
    code,
  })

  it.each([
    [
      'of one account end the day before its newest',
      [account('2026-09-01', '2026-11-20')],
      '2026-09-01',
      '2026-11-19',
    ],
    [
      'are those that all accounts have',
      [account('2026-09-01', '2026-11-20'), account('2026-10-01', '2026-11-21')],
      '2026-10-01',
      '2026-11-19',
    ],
    [
      'are counted without what could not be fetched, now or ever',
      [
        account('2026-09-01', '2026-11-20'),
        account('2026-01-01', '2026-02-01', 'platform_error'),
        account(null, null),
      ],
      '2026-09-01',
      '2026-11-19',
    ],
  ])('%s', (_, accounts, from, to) => {
    expect(completeDays(accounts)).toEqual({ from, to })
  })

  it('are none before the first was fetched, or on its first day', () => {
    expect(completeDays([])).toBeNull()
    expect(completeDays([account(null, null)])).toBeNull()
    expect(completeDays([account('2026-11-20', '2026-11-20')])).toBeNull()
  })
})
