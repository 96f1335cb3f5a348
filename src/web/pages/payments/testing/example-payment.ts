import type { Payment, Receipt } from '#shared/api/payments.ts'

export const UNIT = 1_000_000

/** The first part of example B1: 88,988, of which nothing has come. */
export const paymentOf = (fields: Partial<Payment> = {}): Payment => ({
  id: 5,
  version: 2,
  number: 'P2026-0001',
  quotation: 7,
  quotation_label: 'Q2026-0001',
  statement: null,
  month: null,
  advertiser: 1,
  advertiser_name: 'Fjord Travel',
  untaxed: 0,
  taxable: 84_750 * UNIT,
  tax_amount: 4238 * UNIT,
  amount: 88_988 * UNIT,
  received: 0,
  currency: 'TWD',
  issue_on: '2026-11-05',
  due_on: '2026-12-05',
  invoice_number: null,
  invoice_on: null,
  note: '',
  status: 'due',
  paid_on: null,
  reason: null,
  receipts: [],
  may: ['edit', 'void', 'receipt'],
  created_at: '2026-11-05T01:00:00.000Z',
  last_modified_at: '2026-11-05T01:00:00.000Z',
  ...fields,
})

export const receiptOf = (fields: Partial<Receipt> = {}): Receipt => ({
  id: 3,
  on: '2026-11-20',
  amount: 50_000 * UNIT,
  bank_fee: 0,
  method: 'transfer',
  reference: '',
  created_by: 4,
  created_at: '2026-11-20T01:00:00.000Z',
  reversed_at: null,
  reason: null,
  ...fields,
})
