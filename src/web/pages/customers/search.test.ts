import { describe, expect, it } from 'vitest'
import { advertisersSearch, advertiserSearch, agentsSearch, industriesSearch, tabs } from './search.ts'

describe('the address of the list of advertisers', () => {
  const filters = { industry: 2, agent: 5, member: 7, is_active: false, no_agreement: true as const }

  it('has all of what is searched, filtered and sorted', () => {
    const whole = { search: 'aurora', page: 3, ordering: '-name', ...filters }
    expect(advertisersSearch(whole)).toEqual(whole)
  })

  it.each([
    ['industry', 'beauty'],
    ['agent', 0],
    ['member', -1],
    ['is_active', 'false'],
    ['no_agreement', false],
    ['ordering', 'overdue'],
    ['page', 0],
  ])('leaves out a wrong %s', (field, value) => {
    expect(advertisersSearch({ [field]: value })).toEqual({ search: '', page: 1 })
  })

  it('knows no others', () => {
    expect(advertisersSearch({ search: 7, fee: 15 })).toEqual({ search: '7', page: 1 })
  })
})

it('the address of an advertiser has one of its tabs', () => {
  for (const tab of tabs) expect(advertiserSearch({ tab })).toEqual({ tab })
  for (const tab of ['money', 1, null, undefined]) expect(advertiserSearch({ tab })).toEqual({})
})

it('the address of the list of agents has the open one', () => {
  const whole = { search: '', page: 2, ordering: 'commission_rate', is_active: true, agent: 5 }
  expect(agentsSearch(whole)).toEqual(whole)
  expect(agentsSearch({ agent: 'x', is_active: 1 })).toEqual({ search: '', page: 1 })
})

it('the list of industries is sorted by their names or by how many advertisers they have', () => {
  for (const ordering of ['name', '-name_zh', 'advertisers'])
    expect(industriesSearch({ ordering })).toEqual({ search: '', page: 1, ordering })
  expect(industriesSearch({ ordering: 'id' })).toEqual({ search: '', page: 1 })
})

describe('an address that somebody has typed', () => {
  const hostile = [null, undefined, {}, [], '<script>', -1, 1.5, Number.NaN, '1'] as const

  it.each(['industry', 'agent', 'member'])('names no %s that is no id', field => {
    for (const value of hostile) expect(advertisersSearch({ [field]: value })).not.toHaveProperty(field)
  })

  it('names no state that is none', () => {
    for (const value of hostile) {
      expect(advertisersSearch({ is_active: value })).not.toHaveProperty('is_active')
      expect(advertisersSearch({ no_agreement: value })).not.toHaveProperty('no_agreement')
      expect(agentsSearch({ is_active: value })).not.toHaveProperty('is_active')
    }
  })

  it('begins with the first page where it names none', () => {
    for (const page of hostile) {
      expect(advertisersSearch({ page }).page).toBe(1)
      expect(agentsSearch({ page }).page).toBe(1)
      expect(industriesSearch({ page }).page).toBe(1)
    }
  })

  it('opens no agent that is none', () => {
    for (const agent of hostile) expect(agentsSearch({ agent })).not.toHaveProperty('agent')
  })
})
