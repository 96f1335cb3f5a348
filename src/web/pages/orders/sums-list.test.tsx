// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { SumsList, type Sums } from './sums-list.tsx'
import { UNIT } from './testing/example-quotation.ts'

/** Example B1. */
const example: Sums = {
  subtotal: 255_555 * UNIT,
  service_fee: 31_944 * UNIT,
  minimum_fee: 0,
  discount: 5000 * UNIT,
  untaxed: 0,
  taxable: 282_499 * UNIT,
  tax_amount: 14_125 * UNIT,
  total: 296_624 * UNIT,
  commission: 0,
}

function rows(sums: Partial<Sums> = {}, currency = 'TWD') {
  draw(<SumsList sums={{ ...example, ...sums }} currency={currency} />)
  return screen.getAllByRole('term').map(name => [name.textContent, name.nextElementSibling?.textContent])
}

describe('the sums of a document', () => {
  it('are listed as the document has them', () => {
    expect(rows()).toEqual([
      ['Media', 'NT$255,555'],
      ['Service fee', 'NT$31,944'],
      ['Discount', '-NT$5,000'],
      ['Taxable', 'NT$282,499'],
      ['Tax', 'NT$14,125'],
      ['Total', 'NT$296,624'],
    ])
  })

  it('leave out what is nothing', () => {
    expect(rows({ discount: 0 }).map(([name]) => name)).toEqual([
      'Media',
      'Service fee',
      'Taxable',
      'Tax',
      'Total',
    ])
  })

  it('name what is missing to the least fee, what is untaxed, and the commission', () => {
    const names = rows({ minimum_fee: UNIT, untaxed: UNIT, commission: UNIT }).map(([name]) => name)
    expect(names).toContain('of which to the minimum')
    expect(names).toContain('Untaxed')
    expect(names).toContain('Agent’s commission (On no document)')
  })

  it('may be more than a number can hold exactly', () => {
    const total = 123_456_789_012n * BigInt(UNIT)
    expect(rows({ total }).at(-1)).toEqual(['Total', 'NT$123,456,789,012'])
  })

  it('have the cents of their currency', () => {
    expect(rows({ total: 1_419_740_000 }, 'USD').at(-1)).toEqual(['Total', '$1,419.74'])
  })
})
