import type { AdAccount } from '#shared/api/ad-accounts.ts'
import type { Advertiser } from '#shared/api/advertisers.ts'
import type { Agent, Industry } from '#shared/api/customers.ts'

const at = '2026-11-01T08:00:00.000Z'
const row = { version: 1, created_at: at, last_modified_at: at }

export const beauty: Industry = { ...row, id: 2, name: 'Beauty', name_zh: '美妝保養', advertisers: 3 }
export const travel: Industry = { ...row, id: 3, name: 'Travel', name_zh: '旅遊', advertisers: 0 }

export const northern: Agent = {
  ...row,
  id: 5,
  name: 'Northern Media',
  tax_country: 'TW',
  tax_id: '04595252',
  address: '',
  commission_rate: 1000,
  commission_base: 'fee',
  contacts: [{ name: 'Amy Lin', title: '', phone: '', email: 'amy@example.com', is_billing: true }],
  payment_terms: { kind: 'month_end', days: 30 },
  note: '',
  is_active: true,
  advertisers: 1,
}

export const aurora: Advertiser = {
  ...row,
  id: 1,
  version: 4,
  name: 'Aurora',
  legal_name: '極光股份有限公司',
  tax_country: 'TW',
  tax_id: '10458570',
  industry: 2,
  agent: 5,
  website: '',
  address: '',
  contacts: [],
  document_language: 'zh-TW',
  billing_currency: 'TWD',
  tax: 'tw_vat',
  media_billing: 'agency',
  payment_terms: { kind: 'month_end', days: 30 },
  note: '',
  is_active: true,
  members: [7],
  service_fee_rate: 1500,
  accounts: { fb: 3, ga4: 1 },
  open_orders: 2,
  overdue: [{ currency: 'TWD', amount: 88_988_000_000, payments: 1 }],
  shares_tax_id_with: [],
}

const person = {
  username: 'sam',
  position: 'Account manager',
  email: 'sam@example.com',
  contacts: [],
  company_extension: '',
  is_active: 1,
  employment_status: 1,
}
export const people = [
  { ...person, user_id: 7, full_name: 'Sam Huang', identity: 'staff', department: 2 },
  { ...person, user_id: 8, full_name: 'Mika Chen', identity: 'manager', department: 2 },
  { ...person, user_id: 9, full_name: 'Alice Aurora', identity: 'external_user', department: null },
]

export const account = (facts: Partial<AdAccount>): AdAccount => ({
  id: 11,
  channel: 'fb',
  provider: 'meta',
  external_id: '1015',
  name: 'Aurora Taiwan',
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
