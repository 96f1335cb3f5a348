import { describe, expect, it } from 'vitest'
import type { AdAccount } from '#shared/api/ad-accounts.ts'
import { accountFacts, accountPath, accountShort } from './account-text.ts'
import { testAccount } from './testing/account.ts'

const account = testAccount(7, {
  external_id: '1010',
  name: 'Aurora Taiwan',
  timezone: 'America/New_York',
  status: 'enabled',
})
const view: AdAccount = {
  ...account,
  channel: 'ga',
  provider: 'universal_analytics',
  name: 'All traffic',
  external_id: '9265',
  ga_account_id: '31415',
  ga_account_name: 'Aurora Cosmetics',
  property_id: 'UA-31415-1',
  property_name: 'Shop',
}
const property: AdAccount = {
  ...view,
  channel: 'ga4',
  provider: 'ga4',
  name: 'Shop (GA4)',
  external_id: '271828',
  property_id: '271828',
  property_name: 'Shop (GA4)',
}

describe('an account in the picker', () => {
  it('of ads is called by its name', () => {
    expect([accountPath(account), accountShort(account)]).toEqual(['Aurora Taiwan', 'Aurora Taiwan'])
  })

  it('of analytics says which account and property it belongs to', () => {
    expect(accountPath(view)).toBe('Aurora Cosmetics › Shop › All traffic')
    expect(accountShort(view)).toBe('Shop › All traffic')
    expect([accountPath(property), accountShort(property)]).toEqual([
      'Aurora Cosmetics › Shop (GA4)',
      'Shop (GA4)',
    ])
  })

  it('says its ids, currency, zone, client number and product', () => {
    expect(accountFacts({ ...account, ecid: 'EC1' }, { provider: 'Search' })).toBe(
      'Search · 1010 · TWD · America/New York · EC1',
    )
    expect(accountFacts(view, { provider: null })).toBe(
      'Aurora Cosmetics › Shop › All traffic · 31415 › UA-31415-1 › 9265 · TWD · America/New York',
    )
    expect(accountFacts(property, { provider: null })).toBe(
      'Aurora Cosmetics › Shop (GA4) · 31415 › 271828 · TWD · America/New York',
    )
  })
})
