import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  paymentParts,
  remainderOf,
  whyNotShares,
  type PaymentPart,
  type PaymentSchedule,
} from './payment-schedule.ts'
import { stepOf, sumOf } from './step.ts'
import { taxKinds, taxOn } from './tax.ts'
import { UNIT } from './testing/example-order.ts'

const day = '2026-11-01'

const parts = (fields: Partial<PaymentSchedule>) =>
  paymentParts({
    untaxed: 0n,
    taxable: 282_499n * UNIT,
    tax: 'tw_vat',
    day,
    currency: 'TWD',
    shares: [10_000],
    ...fields,
  })

const units = (list: readonly PaymentPart[], key: keyof PaymentPart) =>
  list.map(part => Number(part[key] / UNIT))

describe('the parts of an order', () => {
  it('end where their share of it ends, rounded (B4)', () => {
    const list = parts({ shares: [3000, 4000, 3000] })
    expect(units(list, 'taxable')).toEqual([84_750, 112_999, 84_750])
    expect(units(list, 'tax_amount')).toEqual([4238, 5649, 4238])
    expect(units(list, 'amount')).toEqual([88_988, 118_648, 88_988])
  })

  it('have a tax that is rounded down in Japan (B5)', () => {
    const list = parts({ taxable: 333_335n * UNIT, tax: 'jp_ct', currency: 'JPY', shares: [5000, 5000] })
    expect(units(list, 'tax_amount')).toEqual([16_666, 16_667])
  })

  it('share what is not taxed likewise', () => {
    const list = parts({ untaxed: 255_555n * UNIT, taxable: 26_944n * UNIT, shares: [5000, 5000] })
    expect(units(list, 'untaxed')).toEqual([127_778, 127_777])
    expect(units(list, 'amount')).toEqual([141_924, 141_922])
  })

  it('are the whole order by default', () => {
    expect(units(parts({}), 'amount')).toEqual([296_624])
  })

  it('add up to the order, each with its own exact tax, rounded up or down', () => {
    const amount = fc.bigInt(0n, 9_000_000_000n)
    const cuts = fc.array(fc.integer({ min: 0, max: 10_000 }), { maxLength: 11 })
    const currencies = fc.constantFrom('TWD', 'USD', 'JPY')
    fc.assert(
      fc.property(
        fc.tuple(amount, amount),
        fc.constantFrom(...taxKinds),
        currencies,
        cuts,
        (sums, tax, currency, at) => {
          const step = stepOf(currency)
          const [untaxed, taxable] = [sums[0] * step, sums[1] * step]
          const ends = [...at.toSorted((one, other) => one - other), 10_000]
          const shares = ends.map((end, index) => end - (ends[index - 1] ?? 0))
          const list = paymentParts({ untaxed, taxable, tax, day, currency, shares })
          expect(sumOf(list.map(part => part.untaxed))).toBe(untaxed)
          expect(sumOf(list.map(part => part.taxable))).toBe(taxable)
          expect(sumOf(list.map(part => part.tax_amount))).toBe(taxOn(tax, taxable, { day, currency }))
          for (const part of list) {
            expect(part.amount).toBe(part.untaxed + part.taxable + part.tax_amount)
            const exact = part.taxable * (tax === 'tw_vat' ? 5n : tax === 'jp_ct' ? 10n : 0n)
            expect(part.tax_amount * 100n).toBeGreaterThan(exact - step * 100n)
            expect(part.tax_amount * 100n).toBeLessThan(exact + step * 100n)
          }
        },
      ),
    )
  })
})

describe('the shares of a schedule', () => {
  it('are all of the order together', () => {
    expect(whyNotShares([10_000])).toBeNull()
    expect(whyNotShares([3333, 3333, 3334])).toBeNull()
    expect(whyNotShares([3333, 3333, 3333])).toBe('shares_sum')
    expect(whyNotShares([])).toBe('shares_sum')
  })
})

describe('what is left of an order', () => {
  const order = { untaxed: 0n, taxable: 282_499n * UNIT, tax_amount: 14_125n * UNIT }
  const [first, second, third] = parts({ shares: [3000, 4000, 3000] })

  it('is the order without the payments in force', () => {
    expect(remainderOf(order, first ? [first] : [])).toEqual({
      untaxed: 0n,
      taxable: 197_749n * UNIT,
      tax_amount: 9887n * UNIT,
      amount: 207_636n * UNIT,
    })
    expect(remainderOf(order, [])).toMatchObject({ amount: 296_624n * UNIT })
  })

  it('is refused where they exceed it', () => {
    const smaller = { untaxed: 0n, taxable: 80_000n * UNIT, tax_amount: 4000n * UNIT }
    expect(remainderOf(smaller, first ? [first] : [])).toBe('less_than_nothing')
  })

  it('may be nothing', () => {
    const all = [first, second, third].flatMap(part => (part ? [part] : []))
    expect(remainderOf(order, all)).toMatchObject({ amount: 0n })
  })

  it('is refused where only the tax of a revision is less than what was asked for', () => {
    expect(remainderOf({ ...order, tax_amount: 0n }, first ? [first] : [])).toBe('less_than_nothing')
  })

  it('is shared out by the schedule, so that all payments are the order', () => {
    const standing = first && third ? [first, third] : []
    const list = parts({ shares: [5000, 5000], standing })
    expect(units(list, 'taxable')).toEqual([56_500, 56_499])
    const sums = [...standing, ...list]
    expect(sumOf(sums.map(({ taxable }) => taxable))).toBe(order.taxable)
    expect(sumOf(sums.map(({ tax_amount }) => tax_amount))).toBe(order.tax_amount)
  })

  it('has no tax below nothing, where taxes that stay in force were rounded up', () => {
    const tens = Array.from({ length: 4 }, () => ({ untaxed: 0n, taxable: 10n * UNIT, tax_amount: UNIT }))
    // 40 are taxed with 4 already, of which 2 is the exact tax.
    const list = parts({ taxable: 100n * UNIT, shares: [5000, 5000], standing: tens })
    expect(units(list, 'tax_amount')).toEqual([0, 1])
  })
})
