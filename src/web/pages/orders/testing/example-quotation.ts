import type { FeeAgreement } from '#shared/api/customers.ts'
import type { Quotation, QuotationLine } from '#shared/api/quotations.ts'
import { emptyDraft, lineAfter, type Draft, type LineDraft } from '#web/pages/orders/editor/draft.ts'

export const UNIT = 1_000_000

/** A line of the editor, of November. */
export const lineDraft = (fields: Partial<LineDraft> = {}): LineDraft => ({
  ...lineAfter(undefined),
  start: '2026-11-01',
  end: '2026-11-30',
  fee_basis: 'on_top',
  ...fields,
})

/** Example B1 of the specification: three lines, fees, a discount; 296,624 in all. */
export const exampleDraft = (fields: Partial<Draft> = {}): Draft => ({
  ...emptyDraft(),
  title: '2026 雙 11',
  advertiser: 1,
  discount: 5000 * UNIT,
  lines: [
    lineDraft({ kind: 'fb', budget: 100_000 * UNIT, fee_rate: 1500 }),
    lineDraft({ kind: 'aw', budget: 55_555 * UNIT, fee_rate: 1250 }),
    lineDraft({
      kind: 'publisher',
      publisher: '自由時報',
      pricing: 'cpm',
      quantity: 833_333,
      unit_price: 120 * UNIT,
      fee_rate: 1000,
    }),
  ],
  ...fields,
})

let lastId = 0

export const quotationLine = (fields: Partial<QuotationLine> = {}): QuotationLine => ({
  id: (lastId += 1),
  channel: 'fb',
  publisher: '',
  title: '',
  description: '',
  start: '2026-11-01',
  end: '2026-11-30',
  pricing: 'budget',
  quantity: 0,
  unit_price: 0,
  budget: 0,
  fee_rate: 1500,
  fee_basis: 'on_top',
  accounts: [],
  typed_spent: null,
  media: 0,
  fee: 0,
  ...fields,
})

/** A quotation as the server has it. */
export const quotationOf = (fields: Partial<Quotation> = {}): Quotation => ({
  id: 7,
  version: 3,
  number: null,
  revision: 1,
  label: null,
  status: 'draft',
  title: '2026 雙 11',
  advertiser: 1,
  agent: null,
  bill_to: 'advertiser',
  owner: 4,
  currency: 'TWD',
  tax: 'tw_vat',
  media_billing: 'agency',
  language: 'zh-TW',
  issue_on: null,
  valid_until: null,
  payment_terms: { kind: 'month_end', days: 30 },
  terms: '',
  client_po: '',
  internal_note: '',
  discount: 0,
  fee_minimum: 0,
  schedule: [],
  lines: [],
  subtotal: 0,
  service_fee: 0,
  minimum_fee: 0,
  untaxed: 0,
  taxable: 0,
  tax_amount: 0,
  total: 0,
  commission: 0,
  advertiser_name: 'Fjord Travel',
  agent_name: null,
  owner_name: 'Sam',
  parties: null,
  sent_at: null,
  accepted_on: null,
  accepted_by: null,
  has_acceptance_file: false,
  reason: null,
  revisions: [],
  may: ['send', 'edit', 'delete', 'copy'],
  created_at: '2026-11-01T01:00:00.000Z',
  last_modified_at: '2026-11-02T01:00:00.000Z',
  ...fields,
})

/** What an advertiser has agreed to: by default 15 % of everything from January on. */
export const agreementOf = (fields: Partial<FeeAgreement> = {}): FeeAgreement => ({
  id: (lastId += 1),
  version: 1,
  channel: null,
  currency: 'TWD',
  from_month: '2026-01',
  to_month: null,
  amount: 0,
  tiers: [{ up_to: null, rate: 1500 }],
  tier_mode: 'marginal',
  basis: 'on_top',
  minimum: 0,
  charges_idle_months: false,
  is_used: false,
  created_at: '2026-01-01T00:00:00.000Z',
  last_modified_at: '2026-01-01T00:00:00.000Z',
  ...fields,
})
