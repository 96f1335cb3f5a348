import { describe, expect, it } from 'vitest'
import type { SpendSeries } from '#shared/api/spend.ts'
import { changeOf, comparePeriods, moneyText } from './spend-figures.ts'

const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04']
const series = (facts: Pick<SpendSeries, 'currency' | 'channel' | 'cost'> & { accounts?: number }) => ({
  account: null,
  account_name: null,
  accounts: 1,
  impressions: [],
  clicks: [],
  conversions: [],
  ...facts,
})

const period = {
  now: { start: '2026-11-03', end: '2026-11-04' },
  before: { start: '2026-11-01', end: '2026-11-02' },
}
const complete = { from: '2026-11-01', to: '2026-11-04' }
const answer = (all: ReturnType<typeof series>[], facts = {}) => ({
  days,
  series: all,
  complete,
  home_currency: 'TWD',
  ...facts,
})

describe('the spend of a period', () => {
  const all = [
    series({ currency: 'JPY', channel: 'yg', cost: [5e6, 5e6, 5e6, 0], accounts: 9 }),
    series({ currency: 'TWD', channel: 'fb', cost: [10e6, 0.5e6, 20e6, 1e6] }),
    series({ currency: 'TWD', channel: 'tt', cost: [1e6, 1e6, 40e6, 1e6], accounts: 3 }),
  ]

  it('is compared with the days before, the costliest channel first', () => {
    const [twd, jpy] = comparePeriods(answer(all), period)
    expect(twd).toEqual({
      currency: 'TWD',
      days: ['2026-11-03', '2026-11-04'],
      channels: [
        { channel: 'tt', by_day: [40, 1], now: 41, before: 2 },
        { channel: 'fb', by_day: [20, 1], now: 21, before: 10.5 },
      ],
      total: { now: 62, before: 12.5 },
      before_by_day: [11, 1.5],
    })
    expect(jpy).toMatchObject({ currency: 'JPY', total: { now: 5, before: 10 } })
  })

  it("has the agency's own currency first, then that of the most accounts", () => {
    const usd = series({ currency: 'USD', channel: 'fb', cost: [0, 0, 0, 0], accounts: 4 })
    const order = (home_currency: string) =>
      comparePeriods(answer([...all, usd], { home_currency }), period).map(({ currency }) => currency)
    expect(order('TWD')).toEqual(['TWD', 'JPY', 'USD'])
    expect(order('USD')).toEqual(['USD', 'JPY', 'TWD'])
    expect(order('EUR')).toEqual(['JPY', 'TWD', 'USD'])
  })

  it('is not compared with days that are not known of every account', () => {
    const [twd] = comparePeriods(answer(all, { complete: { from: '2026-11-02', to: '2026-11-04' } }), period)
    expect(twd).toMatchObject({ total: { now: 62, before: null }, before_by_day: [null, null] })
  })

  it('may be longer than what it is compared with, and may have no day yet', () => {
    const long = { ...period, before: { start: '2026-11-01', end: '2026-11-01' } }
    expect(comparePeriods(answer(all), long)[0]).toMatchObject({ before_by_day: [11, null] })
    const none = { ...period, now: null }
    expect(comparePeriods(answer(all), none)[0]).toMatchObject({ days: [], total: { now: 0, before: 12.5 } })
  })
})

describe('a change', () => {
  it.each([
    [{ now: 150, before: 100 }, 0.5],
    [{ now: 0, before: 100 }, -1],
    [{ now: 5, before: 0 }, null],
    [{ now: 5, before: null }, null],
  ])('of %j is %s', (compared, change) => {
    expect(changeOf(compared)).toBe(change)
  })
})

describe('an amount', () => {
  it.each([
    [1234.5, 'TWD', 'en', 'NT$1,235'],
    [99.5, 'USD', 'en', '$99.50'],
    [99.5, 'USD', 'zh-TW', 'US$99.50'],
    [99.4, 'JPY', 'en', '¥99'],
  ])('%d %s in %s is %s', (value, currency, language, text) => {
    expect(moneyText(value, currency, language)).toBe(text)
  })
})
