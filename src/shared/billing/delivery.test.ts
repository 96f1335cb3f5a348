import { describe, expect, it } from 'vitest'
import { deliveryOf, type DeliveryRequest } from './delivery.ts'

const UNIT = 1_000_000n

const delivered = (fields: Partial<DeliveryRequest> = {}) =>
  deliveryOf({
    media: 100_000n * UNIT,
    start: '2026-11-01',
    end: '2026-11-30',
    yesterday: '2026-11-21',
    spent: 63_200n * UNIT,
    currency: 'TWD',
    ...fields,
  })

describe('delivery', () => {
  it('is held against an even one (B11)', () => {
    expect(delivered()).toEqual({
      days: 30,
      days_over: 21,
      expected: 70_000n * UNIT,
      pace: 0.903,
      forecast: 90_286n * UNIT,
      verdict: 'on_pace',
    })
  })

  it('is on pace from 0.9 to 1.1', () => {
    const verdicts = [62_900n, 63_000n, 77_000n, 77_100n].map(spent => delivered({ spent: spent * UNIT }))
    expect(verdicts.map(({ pace }) => pace)).toEqual([0.899, 0.9, 1.1, 1.101])
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['under', 'on_pace', 'on_pace', 'over'])
  })

  it('has neither pace nor forecast before its first day is over', () => {
    const none = { days_over: 0, expected: 0n, pace: null, forecast: null, verdict: null }
    expect(delivered({ yesterday: '2026-10-31', spent: 0n })).toMatchObject(none)
    expect(delivered({ yesterday: '2026-09-01', spent: 0n })).toMatchObject(none)
    expect(delivered({ yesterday: '2026-11-01' })).toMatchObject({ days_over: 1 })
  })

  it('is what was spent once it is over', () => {
    const over = delivered({ yesterday: '2027-01-15' })
    expect(over).toMatchObject({ days_over: 30, expected: 100_000n * UNIT, pace: 0.632, verdict: 'under' })
    expect(over.forecast).toBe(63_200n * UNIT)
  })

  it('of unknown spend is not known, though what is expected is', () => {
    expect(delivered({ spent: null })).toMatchObject({
      expected: 70_000n * UNIT,
      pace: null,
      forecast: null,
      verdict: null,
    })
  })

  it('of a line without media has no pace', () => {
    expect(delivered({ media: 0n })).toMatchObject({ pace: null, verdict: null, forecast: 90_286n * UNIT })
  })
})
