// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { filtersOf, orderingOf } from './data.ts'
import { paymentsSearch } from './search.ts'
import { filterCount, NO_FILTERS } from './view.ts'

const today = '2026-11-26'
const plain = { search: '', page: 1 }

describe('the address of the list of payments', () => {
  it('names the group, the filters and the open payment', () => {
    const search = {
      search: 'Fjord',
      page: 2,
      ordering: '-amount',
      group: 'overdue',
      advertiser: 3,
      currency: 'USD',
      due_from: '2026-11-01',
      due_to: '2026-11-30',
      payment: 9,
    }
    expect(paymentsSearch(search)).toEqual(search)
  })

  it('leaves out what means nothing', () => {
    expect(
      paymentsSearch({
        group: 'late',
        advertiser: 'x',
        currency: 'usd',
        due_from: '1 November',
        payment: -1,
        ordering: 'password',
        page: 0,
      }),
    ).toEqual(plain)
  })
})

describe('what is requested', () => {
  it('is the state of the group, by the due day where it is still to come in', () => {
    expect(filtersOf({ ...plain, group: 'overdue' }, today)).toMatchObject({
      status: 'overdue',
      ordering: 'due_on',
    })
    expect(filtersOf({ ...plain, group: 'paid' }, today)).toMatchObject({ status: 'paid', ordering: '-id' })
    expect(filtersOf(plain, today)).toMatchObject({ status: undefined, ordering: '-id' })
    expect(orderingOf('due')).toBe('due_on')
  })

  it('is due from today to Sunday for this week', () => {
    expect(filtersOf({ ...plain, group: 'week' }, today)).toMatchObject({
      status: 'due',
      due_from: '2026-11-26',
      due_to: '2026-11-29',
    })
  })

  it('has the order that was chosen', () => {
    expect(filtersOf({ ...plain, group: 'week', ordering: '-amount' }, today).ordering).toBe('-amount')
  })
})

describe('the filters', () => {
  it('are counted without search and group', () => {
    expect(filterCount({ ...plain, search: 'a', group: 'due' })).toBe(0)
    expect(filterCount({ ...plain, advertiser: 1, due_to: today })).toBe(2)
  })

  it('are all cleared at once', () => {
    const cleared = paymentsSearch({ page: 2, advertiser: 1, currency: 'USD', ...NO_FILTERS })
    expect(filterCount(cleared)).toBe(0)
    expect(cleared.search).toBe('')
  })
})
