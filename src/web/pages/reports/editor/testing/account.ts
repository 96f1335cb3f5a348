import type { AdAccount } from '#shared/api/ad-accounts.ts'

/** An account as the API tells it, of Meta unless said otherwise. */
export const testAccount = (id: number, facts: Partial<AdAccount> = {}): AdAccount => ({
  id,
  channel: 'fb',
  provider: 'meta',
  external_id: String(id),
  name: `Account ${id}`,
  currency: 'TWD',
  timezone: 'Asia/Taipei',
  status: 'active',
  ecid: null,
  advertiser: 1,
  advertiser_name: 'Aurora',
  public_account: null,
  last_checked_at: null,
  ga_account_id: null,
  ga_account_name: null,
  property_id: null,
  property_name: null,
  ...facts,
})
