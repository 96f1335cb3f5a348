import type { Quotation, QuotationLine } from '#shared/billing/quotation.ts'

export const UNIT = 1_000_000n

export const budgetLine = (units: number, fee_rate: number): QuotationLine => ({
  pricing: 'budget',
  quantity: 0,
  unit_price: 0n,
  budget: BigInt(Math.round(units * 1_000_000)),
  fee_rate,
  fee_basis: 'on_top',
})

/** Example B1 of the specification: 296,624 in all. */
export const exampleOrder: Quotation = {
  currency: 'TWD',
  tax: 'tw_vat',
  media_billing: 'agency',
  day: '2026-11-01',
  discount: 5000n * UNIT,
  fee_minimum: 0n,
  lines: [
    budgetLine(100_000, 1500),
    budgetLine(55_555, 1250),
    {
      pricing: 'cpm',
      quantity: 833_333,
      unit_price: 120n * UNIT,
      budget: 0n,
      fee_rate: 1000,
      fee_basis: 'on_top',
    },
  ],
}
