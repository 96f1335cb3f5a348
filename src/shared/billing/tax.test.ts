import { describe, expect, it } from 'vitest'
import { taxKinds, taxOn, taxRate } from './tax.ts'

const UNIT = 1_000_000n
const day = '2026-11-26'

describe('taxes', () => {
  it('have the rate of the document’s day', () => {
    expect(taxKinds.map(kind => taxRate(kind, day))).toEqual([500, 1000, 0, 0])
    expect(['2019-09-30', '2019-10-01', '1980-01-01'].map(each => taxRate('jp_ct', each))).toEqual([
      800, 1000, 0,
    ])
  })

  it('are rounded half up in Taiwan and down in Japan', () => {
    const on = (taxable: bigint) => taxOn('tw_vat', taxable * UNIT, { day, currency: 'TWD' }) / UNIT
    expect([10n, 29n, 30n, 282_499n].map(on)).toEqual([1n, 1n, 2n, 14_125n])
    expect(taxOn('jp_ct', 266_665n * UNIT, { day, currency: 'JPY' })).toBe(26_666n * UNIT)
  })

  it('of a credit mirror those of the charge', () => {
    expect(taxOn('tw_vat', -10n * UNIT, { day, currency: 'TWD' })).toBe(-UNIT)
    expect(taxOn('jp_ct', -266_665n * UNIT, { day, currency: 'JPY' })).toBe(-26_666n * UNIT)
  })

  it('count in cents where the currency has some', () => {
    expect(taxOn('tw_vat', 1_230_000n, { day, currency: 'USD' })).toBe(60_000n)
  })

  it('are nothing where the rate is zero or there is none', () => {
    expect(taxOn('zero_rated', UNIT * 1000n, { day, currency: 'TWD' })).toBe(0n)
    expect(taxOn('exempt', UNIT * 1000n, { day, currency: 'TWD' })).toBe(0n)
  })
})
