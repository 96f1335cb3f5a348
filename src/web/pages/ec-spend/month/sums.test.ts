import { describe, expect, it } from 'vitest'
import { frozen, statement, units } from '#web/pages/ec-spend/testing/samples.ts'
import { hasDrift, sumsOf, toBill, unbooked } from './sums.ts'

describe('the sums of statements', () => {
  it('are by currency, and exact beyond the safe integers', () => {
    const large = { total: 90_000_000_000 * 1_000_000 }
    expect(
      sumsOf([statement({ currency: 'USD', total: units(99.5) }), statement(large), statement(large)]),
    ).toEqual([
      { currency: 'TWD', count: 2, total: 180_000_000_000_000_000n, isPartial: false },
      { currency: 'USD', count: 1, total: 99_500_000n, isPartial: false },
    ])
  })

  it('say that something is not known', () => {
    expect(sumsOf([statement({ total: null })])).toEqual([
      { currency: 'TWD', count: 1, total: 0n, isPartial: true },
    ])
  })
})

it('billing asks for what is above 0, in no order and not asked for yet', () => {
  expect(toBill(frozen).map(({ advertiser_name }) => advertiser_name)).toEqual(['Cedar', 'Fjord'])
  expect(toBill([statement({ total: null }), statement({ total: units(-5) })])).toEqual([])
})

it('drift is what of the changes has not been booked', () => {
  const part = { channel: 'aw' as const, currency: 'TWD', amount: units(-351), booked: 0 }
  expect(unbooked(part)).toBe(units(-351))
  expect(hasDrift(statement({ drift: [part] }))).toBe(true)
  expect(hasDrift(statement({ drift: [{ ...part, booked: part.amount }] }))).toBe(false)
  expect(hasDrift(statement())).toBe(false)
})
