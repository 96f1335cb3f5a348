import { describe, expect, it } from 'vitest'
import type { SpendSeries } from '#shared/api/spend.ts'
import { changeOf, compareHalves, moneyText } from './spend-figures.ts'

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

describe('the spend of two halves', () => {
  it('is compared by channel, the costliest first, each currency for itself', () => {
    const [twd, jpy] = compareHalves({
      days,
      series: [
        series({ currency: 'JPY', channel: 'yg', cost: [5e6, 5e6, 5e6, 0] }),
        series({ currency: 'TWD', channel: 'fb', cost: [10e6, 0.5e6, 20e6, 1e6] }),
        series({ currency: 'TWD', channel: 'tt', cost: [1e6, 1e6, 40e6, 1e6], accounts: 3 }),
      ],
    })
    expect(twd).toEqual({
      currency: 'TWD',
      accounts: 4,
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

  it('is not compared with days that nobody knows', () => {
    const [twd] = compareHalves({
      days,
      series: [series({ currency: 'TWD', channel: 'fb', cost: [null, 1e6, 2e6, 3e6] })],
    })
    expect(twd).toMatchObject({ total: { now: 5, before: null }, before_by_day: [null, 1] })
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
