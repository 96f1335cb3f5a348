import type { Generated } from 'kysely'
import type { PaymentTerms, SpendChannel } from '#shared/api/money.ts'
import type { Parties, SchedulePart } from '#shared/api/quotations.ts'
import type { Language } from '#shared/language.ts'
import type { Versioned } from './customers.ts'
import type { GeneratedJson, Json, NullableJson } from './json.ts'

type Tax = 'tw_vat' | 'jp_ct' | 'zero_rated' | 'exempt'
type MediaBilling = 'agency' | 'advance' | 'client'

export interface QuotationTable extends Versioned {
  number: string | null
  revision: Generated<number>
  revises: number | null
  status: Generated<'draft' | 'sent' | 'accepted' | 'rejected' | 'cancelled' | 'superseded'>
  title: string
  advertiser: number
  agent: number | null
  bill_to: Generated<'advertiser' | 'agent'>
  owner: number
  currency: string
  tax: Tax
  media_billing: MediaBilling
  language: Language
  issue_on: string | null
  valid_until: string | null
  payment_terms: Json<PaymentTerms>
  terms: Generated<string>
  client_po: Generated<string>
  internal_note: Generated<string>
  schedule: GeneratedJson<SchedulePart[]>
  discount: Generated<number>
  fee_minimum: Generated<number>
  subtotal: Generated<number>
  service_fee: Generated<number>
  minimum_fee: Generated<number>
  untaxed: Generated<number>
  taxable: Generated<number>
  tax_amount: Generated<number>
  total: Generated<number>
  commission: Generated<number>
  parties: NullableJson<Parties>
  sent_at: Date | null
  accepted_on: string | null
  accepted_by: string | null
  accepted_at: Date | null
  reason: string | null
  ended_at: Date | null
  expiry_noted: string | null
  verdict: 'under' | 'on_pace' | 'over' | null
  verdict_at: Date | null
  created_by: number | null
}

export interface QuotationLineTable {
  id: Generated<number>
  quotation: number
  position: number
  channel: SpendChannel | null
  publisher: Generated<string>
  title: Generated<string>
  description: Generated<string>
  start: string
  end: string
  pricing: 'budget' | 'cpm' | 'cpc' | 'cpv' | 'day'
  quantity: Generated<number>
  unit_price: Generated<number>
  budget: number
  fee_rate: Generated<number>
  fee_basis: Generated<'on_top' | 'within'>
  media: number
  fee: number
  typed_spent: number | null
  final_spent: number | null
  final_at: Date | null
}

export interface QuotationFileTable {
  quotation: number
  kind: 'pdf' | 'acceptance'
  name: string
  mime: string
  sha256: Uint8Array
  bytes: Uint8Array
  created_at: Generated<Date>
}

export interface PaymentTable extends Versioned {
  number: string
  quotation: number | null
  statement: number | null
  advertiser: number
  untaxed: number
  taxable: number
  tax_amount: number
  amount: number
  currency: string
  issue_on: string
  due_on: string
  invoice_number: string | null
  invoice_on: string | null
  note: Generated<string>
  status: Generated<'due' | 'paid' | 'void'>
  reason: string | null
  received: Generated<number>
  paid_on: string | null
  overdue_noted: string | null
  created_by: number | null
}

export interface ReceiptTable {
  id: Generated<number>
  payment: number
  on: string
  amount: number
  bank_fee: Generated<number>
  method: 'transfer' | 'cheque' | 'cash' | 'card' | 'offset'
  reference: Generated<string>
  reversed_at: Date | null
  reversed_by: number | null
  reason: string | null
  created_by: number | null
  created_at: Generated<Date>
}

export interface SpendMonthTable {
  ad_account: number
  month: string
  cost: number | null
  known: 'full' | 'partial' | 'none'
  origin: 'platform' | 'import'
  as_of: Date
}

export interface BillingMonthTable {
  month: string
  state: Generated<'open' | 'locked'>
  locked_by: number | null
  locked_at: Date | null
  waivers: GeneratedJson<{ ad_account: number; reason: string }[]>
}

export interface PlatformInvoiceTable extends Versioned {
  ad_account: number
  month: string
  amount: number
  number: Generated<string>
  note: Generated<string>
}

export interface AdjustmentTable extends Versioned {
  advertiser: number
  channel: SpendChannel
  month: string
  concerns_month: string
  currency: string
  amount: number
  reason: 'credit' | 'invalid_traffic' | 'make_good' | 'coupon' | 'drift' | 'other'
  note: Generated<string>
}

export interface RateTable {
  id: Generated<number>
  version: Generated<number>
  month: string
  currency: string
  /** numeric(20, 10), as text. */
  rate: string
  kind: 'final' | 'provisional'
  source: Generated<string>
  last_modified_at: Generated<Date>
}

export interface StatementTable {
  id: Generated<number>
  advertiser: number
  month: string
  currency: string
  media: number
  fee: number
  untaxed: number
  taxable: number
  tax_amount: number
  total: number
  tax: Tax
  media_billing: MediaBilling
  frozen: Json<unknown>
  covered_by: number | null
  /** Set when the month was opened again; kept for the void payment that names it. */
  reopened_at: Date | null
}

export interface StatementLineTable {
  id: Generated<number>
  month: string
  statement: number | null
  advertiser: number | null
  channel: SpendChannel
  currency: string
  spend: number | null
  invoiced: number | null
  rate: string | null
  adjusted: Generated<number>
  billing_currency: string | null
  billed: number | null
  fee: number | null
  tax_amount: number | null
  total: number | null
  code: string | null
}

export interface LockedAccountTable {
  month: string
  ad_account: number
  advertiser: number | null
  cost: number | null
  invoice: number | null
}
