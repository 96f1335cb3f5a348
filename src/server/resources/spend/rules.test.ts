import { describe, expect, it } from 'vitest'
import { completeDays, daysToAsk, knownAfter, spendChannels, type KnownDays } from './rules.ts'

const nothing: KnownDays = { known_from: null, known_to: null, settled_to: null, refreshed_at: null }
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
