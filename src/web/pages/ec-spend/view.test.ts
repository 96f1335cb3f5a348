// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { ecSpendSearch } from './search.ts'
import { isFiltered, listsAccounts, NO_FILTERS, type View } from './view.ts'

const view: View = {
  from: '2026-09',
  to: '2026-11',
  months: ['2026-09', '2026-10', '2026-11'],
  group: 'advertiser',
  measure: 'billed',
}

describe('the filters', () => {
  it.each([{ advertiser: 1 }, { industry: 2 }, { channel: 'fb' as const }])('are some (%j)', filter => {
    expect(isFiltered({ ...view, ...filter })).toBe(true)
  })

  it('are none once they are cleared; months, currency and rows are no filters', () => {
    const search = { advertiser: 1, channel: 'fb', currency: 'TWD', group: 'channel', from: '2026-09' }
    const cleared = ecSpendSearch({ ...search, ...NO_FILTERS })
    expect(cleared).toEqual({ currency: 'TWD', group: 'channel', from: '2026-09' })
    expect(isFiltered({ ...view, ...cleared })).toBe(false)
  })
})

describe('accounts', () => {
  it('are listed of one advertiser', () => {
    expect(listsAccounts({ ...view, advertiser: 1 })).toBe(true)
  })

  it('are listed of one month', () => {
    expect(listsAccounts({ from: '2026-11', to: '2026-11' })).toBe(true)
  })

  it('are too many of all advertisers over months', () => {
    expect(listsAccounts(view)).toBe(false)
  })
})
