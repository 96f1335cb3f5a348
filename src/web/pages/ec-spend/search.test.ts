import { describe, expect, it } from 'vitest'
import { ecMonthSearch, ecSpendSearch, isMonth } from './search.ts'

describe('the address of spending by month', () => {
  it('has all that the page shows', () => {
    const search = {
      from: '2025-12',
      to: '2026-11',
      advertiser: 7,
      industry: 2,
      channel: 'fb',
      group: 'channel',
      convert: true,
      currency: 'TWD',
      measure: 'total',
      a: '2026-09',
      b: '2026-10',
      month: '2026-10',
    }
    expect(ecSpendSearch(search)).toEqual(search)
  })

  it('leaves out what is the usual', () => {
    expect(ecSpendSearch({ group: 'advertiser', measure: 'billed', convert: false })).toEqual({})
  })

  it('leaves out what is not valid', () => {
    const invalid = {
      from: '2026-13',
      to: 'now',
      advertiser: -1,
      industry: 'x',
      channel: 'ga4',
      group: 'day',
      currency: 'twd',
      measure: 'spend',
      a: '2026-09',
      month: 11,
    }
    expect(ecSpendSearch(invalid)).toEqual({})
  })
})

it('a month has a tab, or what is to be done next', () => {
  expect(ecMonthSearch({ tab: 'drift' })).toEqual({ tab: 'drift' })
  expect(ecMonthSearch({ tab: 'payments' })).toEqual({})
  expect(ecMonthSearch({})).toEqual({})
})

it('a month is a year and a number from 01 to 12', () => {
  expect(['2026-01', '2026-12'].every(isMonth)).toBe(true)
  expect(['2026-00', '2026-13', '2026-1', '26-01', 202601, null].some(isMonth)).toBe(false)
})
