import type { Generated } from 'kysely'
import type { CustomerContact, FeeTier } from '#shared/api/customers.ts'
import type { PaymentTerms, SpendChannel } from '#shared/api/money.ts'
import type { Language } from '#shared/language.ts'
import type { GeneratedJson, Json } from './json.ts'

/** What every row has that people change: each change raises the version. */
export interface Versioned {
  id: Generated<number>
  version: Generated<number>
  created_at: Generated<Date>
  last_modified_at: Generated<Date>
}

export interface IndustryTable extends Versioned {
  name: string
  name_zh: string
}

export interface AgentTable extends Versioned {
  name: string
  tax_country: Generated<'TW' | 'JP' | 'other'>
  tax_id: Generated<string>
  address: Generated<string>
  commission_rate: Generated<number>
  commission_base: Generated<'fee' | 'media'>
  contacts: GeneratedJson<CustomerContact[]>
  payment_terms: GeneratedJson<PaymentTerms>
  note: Generated<string>
  is_active: Generated<boolean>
}

export interface AdvertiserTable extends Versioned {
  name: string
  legal_name: Generated<string>
  tax_country: Generated<'TW' | 'JP' | 'other'>
  tax_id: Generated<string>
  industry: number | null
  agent: number | null
  website: Generated<string>
  address: Generated<string>
  contacts: GeneratedJson<CustomerContact[]>
  document_language: Generated<Language>
  billing_currency: string | null
  tax: Generated<'tw_vat' | 'jp_ct' | 'zero_rated' | 'exempt'>
  media_billing: Generated<'agency' | 'advance' | 'client'>
  payment_terms: GeneratedJson<PaymentTerms>
  note: Generated<string>
  is_active: Generated<boolean>
}

export interface FeeAgreementTable extends Versioned {
  advertiser: number
  channel: SpendChannel | null
  currency: string
  /** First days of months. */
  from_month: string
  to_month: string | null
  amount: Generated<number>
  tiers: Json<FeeTier[]>
  tier_mode: Generated<'marginal' | 'whole'>
  basis: Generated<'on_top' | 'within'>
  minimum: Generated<number>
  charges_idle_months: Generated<boolean>
}

export interface IssuerTable {
  is_only: Generated<boolean>
  name: Generated<string>
  tax_id: Generated<string>
  jp_tax_id: Generated<string>
  address: Generated<string>
  phone: Generated<string>
  logo: Uint8Array | null
  logo_type: 'image/png' | 'image/jpeg' | null
  bank: Generated<string>
  terms_en: Generated<string>
  terms_zh: Generated<string>
  base_currency: Generated<string>
  valid_days: Generated<number>
  version: Generated<number>
  last_modified_at: Generated<Date>
}
