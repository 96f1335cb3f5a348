import { describe, expect, it } from 'vitest'
import { lineBudget, quotationSums, type Quotation, type QuotationLine } from './quotation.ts'
import { exampleOrder as b1, budgetLine as line, UNIT } from './testing/example-order.ts'

const quoted = (fields: Partial<Quotation>) => quotationSums({ ...b1, lines: [], discount: 0n, ...fields })
const units = (amount: bigint) => Number(amount) / 1_000_000

describe('a quotation', () => {
  it('rounds each line, then adds up, then is taxed once (B1)', () => {
    const sums = quotationSums(b1)
    expect(sums.lines.map(({ budget }) => units(budget))).toEqual([100_000, 55_555, 100_000])
    expect(sums.lines.map(({ fee }) => units(fee))).toEqual([15_000, 6944, 10_000])
    expect(units(sums.subtotal)).toBe(255_555)
    expect(units(sums.service_fee)).toBe(31_944)
    expect(units(sums.taxable)).toBe(282_499)
    expect(units(sums.tax_amount)).toBe(14_125)
    expect(units(sums.total)).toBe(296_624)
    expect(sums.untaxed).toBe(0n)
    expect(sums.refusal).toBeNull()
  })

  it('charges the fee alone where the client pays the media, and media untaxed in advance (B2)', () => {
    const client = quotationSums({ ...b1, media_billing: 'client' })
    expect([client.taxable, client.tax_amount, client.total].map(units)).toEqual([26_944, 1347, 28_291])
    const advance = quotationSums({ ...b1, media_billing: 'advance' })
    expect([advance.untaxed, advance.taxable, advance.total].map(units)).toEqual([255_555, 26_944, 283_846])
  })

  it('is not taxed by line (B3)', () => {
    const sums = quoted({ lines: [line(10_010, 0), line(10_010, 0)] })
    expect(units(sums.tax_amount)).toBe(1001)
  })

  it('rounds the tax of Japan down (B5)', () => {
    const lines = [line(123_456, 2000), line(98_765, 2000)]
    const sums = quoted({ currency: 'JPY', tax: 'jp_ct', lines })
    expect(sums.lines.map(({ fee }) => units(fee))).toEqual([24_691, 19_753])
    expect([sums.tax_amount, sums.total].map(units)).toEqual([26_666, 293_331])
  })

  it('charges what is missing to the least fee (B6)', () => {
    const sums = quoted({ lines: [line(60_000, 1500)], fee_minimum: 20_000n * UNIT })
    expect(sums.lines.map(({ fee }) => units(fee))).toEqual([9000])
    expect([sums.minimum_fee, sums.service_fee].map(units)).toEqual([11_000, 20_000])
    expect([sums.tax_amount, sums.total].map(units)).toEqual([4000, 84_000])
  })

  it('counts cents in dollars (B7)', () => {
    const sums = quoted({ currency: 'USD', tax: 'zero_rated', lines: [line(1234.56, 1500)] })
    expect([sums.service_fee, sums.tax_amount, sums.total].map(units)).toEqual([185.18, 0, 1419.74])
  })

  it('has the agent’s commission beside its sums (B10)', () => {
    const commission = (base: 'fee' | 'media') => quotationSums({ ...b1, commission: { rate: 1000, base } })
    expect(units(commission('fee').commission)).toBe(3194)
    expect(units(commission('media').commission)).toBe(25_556)
    expect(commission('fee').total).toBe(quotationSums(b1).total)
    expect(quotationSums(b1).commission).toBe(0n)
  })

  it('takes a fee that is within out of the budget', () => {
    const lines: QuotationLine[] = [{ ...line(100_000, 1500), fee_basis: 'within' }]
    const sums = quoted({ lines })
    expect(sums.lines.map(({ fee, media }) => [units(fee), units(media)])).toEqual([[15_000, 85_000]])
    expect([sums.subtotal, sums.service_fee, sums.taxable].map(units)).toEqual([85_000, 15_000, 100_000])
  })

  it('is refused where the discount exceeds what is taxable', () => {
    const lines = [line(100_000, 1500)]
    const refusal = (discount: bigint) =>
      quoted({ lines, media_billing: 'client', discount: discount * UNIT }).refusal
    expect(refusal(15_000n)).toBeNull()
    expect(refusal(15_001n)).toBe('taxable_negative')
  })

  it('is refused where a sum is more than a document may amount to', () => {
    const refusal = (budget: number, media_billing: Quotation['media_billing'] = 'agency') =>
      quoted({ tax: 'exempt', lines: [line(budget, 0)], media_billing }).refusal
    expect(refusal(9_000_000_000)).toBeNull()
    expect(refusal(9_000_000_001)).toBe('document_too_large')
    expect(refusal(9_000_000_001, 'client')).toBe('document_too_large')
    const within: QuotationLine = { ...line(9_000_000_001, 5000), fee_basis: 'within' }
    expect(quoted({ lines: [within], media_billing: 'client' }).refusal).toBe('document_too_large')
    expect(quoted({ tax: 'tw_vat', lines: [line(9_000_000_000, 0)] }).refusal).toBe('document_too_large')
  })

  it('of no line is nothing', () => {
    expect(quoted({})).toMatchObject({ subtotal: 0n, total: 0n, refusal: null })
  })
})

describe('the budget of a line', () => {
  const budgetOf = (fields: Partial<Parameters<typeof lineBudget>[0]>) =>
    lineBudget({ pricing: 'cpc', quantity: 3, unit_price: 500_000n, budget: 7n, currency: 'TWD', ...fields })

  it('is a quantity at a price, of impressions by the thousand', () => {
    expect(budgetOf({})).toBe(2n * UNIT)
    expect(budgetOf({ pricing: 'cpm', quantity: 4_166_666, unit_price: 120n * UNIT })).toBe(500_000n * UNIT)
    expect(budgetOf({ pricing: 'day', quantity: 30, unit_price: 333n * UNIT })).toBe(9990n * UNIT)
    expect(budgetOf({ currency: 'USD', unit_price: 3333n })).toBe(10_000n)
  })

  it('is what is typed, where nothing is counted', () => {
    expect(budgetOf({ pricing: 'budget' })).toBe(7n)
  })
})
