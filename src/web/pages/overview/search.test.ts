import { describe, expect, it } from 'vitest'
import { overviewSearch, withChange } from './search.ts'

describe('the address of the overview', () => {
  it('has nothing in its usual state', () => {
    expect(overviewSearch({})).toEqual({})
    expect(overviewSearch({ attention: 0, period: '', currency: null, view: [], page: 3 })).toEqual({})
  })

  it('names the page of the list, the period, the currency and the view', () => {
    const search = { attention: 2, period: '90d', currency: 'JPY', view: 'teams' }
    expect(overviewSearch(search)).toEqual(search)
  })

  it('changes in one thing at a time, and loses what is undefined', () => {
    const search = { attention: 2, period: '90d' }
    expect(withChange(search, { currency: 'TWD' })).toEqual({ ...search, currency: 'TWD' })
    expect(withChange(search, { attention: undefined })).toEqual({ period: '90d' })
  })
})
