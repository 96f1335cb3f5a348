// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { quotationStates } from '#shared/api/quotations.ts'
import { filtersOf } from './data.ts'
import { newOrderSearch, ordersSearch, orderSearch, orderStates } from './search.ts'
import { filterCount, NO_FILTERS } from './view.ts'

const plain = { search: '', page: 1 }

describe('the address of the list of orders', () => {
  it('knows the states that the API has', () => {
    expect(orderStates).toEqual(quotationStates)
  })

  it('names the state and the filters', () => {
    const search = {
      search: '雙 11',
      page: 3,
      ordering: '-valid_until',
      status: 'sent',
      advertiser: 1,
      agent: 2,
      owner: 3,
      currency: 'JPY',
      from: '2026-01-01',
      to: '2026-12-31',
    }
    expect(ordersSearch(search)).toEqual(search)
    expect(filtersOf(ordersSearch(search))).toEqual({
      search: '雙 11',
      ordering: '-valid_until',
      status: 'sent',
      advertiser: 1,
      agent: 2,
      owner: 3,
      currency: 'JPY',
      from: '2026-01-01',
      to: '2026-12-31',
    })
  })

  it('leaves out what means nothing', () => {
    const wrong = { status: 'gone', advertiser: '1', owner: 0, currency: 'yen', from: 'today', to: 5 }
    expect(ordersSearch(wrong)).toEqual(plain)
  })

  it('has the newest first where nothing else is chosen', () => {
    expect(filtersOf(plain).ordering).toBe('-id')
  })
})

describe('the filters', () => {
  it('are counted without search and state', () => {
    expect(filterCount({ ...plain, status: 'sent', search: 'a' })).toBe(0)
    expect(filterCount({ ...plain, agent: 1, owner: 2, from: '2026-01-01' })).toBe(3)
  })

  it('are all cleared at once', () => {
    expect(ordersSearch({ page: 1, agent: 1, currency: 'USD', ...NO_FILTERS })).toEqual(plain)
  })
})

describe('the address of an order', () => {
  it('names what is about to be done, what it is compared with, and the open payment', () => {
    expect(orderSearch({ do: 'send' })).toEqual({ do: 'send' })
    expect(orderSearch({ do: 'accept', compare: 4, payment: 6 })).toEqual({
      do: 'accept',
      compare: 4,
      payment: 6,
    })
  })

  it('leaves out what cannot be opened so', () => {
    expect(orderSearch({ do: 'delete', compare: 'x', payment: null })).toEqual({})
  })

  it('names the advertiser of a new one', () => {
    expect(newOrderSearch({ advertiser: 3 })).toEqual({ advertiser: 3 })
    expect(newOrderSearch({ advertiser: 'three' })).toEqual({})
  })
})
