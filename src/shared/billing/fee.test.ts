import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  agreementFor,
  feeDrops,
  feeOf,
  flatRate,
  hasDrop,
  overlappingAgreement,
  whyNotAgreement,
  type FeeAgreement,
  type FeeTier,
} from './fee.ts'

const UNIT = 1_000_000n

const agreed = (fields: Partial<FeeAgreement> = {}): FeeAgreement => ({
  channel: null,
  currency: 'TWD',
  from_month: '2026-01',
  to_month: null,
  amount: 0n,
  tiers: [{ up_to: null, rate: 1500 }],
  tier_mode: 'marginal',
  basis: 'on_top',
  minimum: 0n,
  charges_idle_months: false,
  ...fields,
})

const feeFor = (fields: Partial<FeeAgreement>, units: bigint) => feeOf(agreed(fields), units * UNIT) / UNIT

const three: FeeTier[] = [
  { up_to: 500_000n * UNIT, rate: 2000 },
  { up_to: 1_000_000n * UNIT, rate: 1500 },
  { up_to: null, rate: 1000 },
]

describe('a fee', () => {
  it('is a rate, at least the minimum (A3)', () => {
    expect(feeFor({ minimum: 30_000n * UNIT }, 150_000n)).toBe(30_000n)
    expect(feeFor({ minimum: 30_000n * UNIT }, 344_178n)).toBe(51_627n)
  })

  it('has the rates of its tiers, for each slice or for all (A4)', () => {
    expect(feeFor({ tiers: three }, 1_234_567n)).toBe(198_457n)
    expect(feeFor({ tiers: three, tier_mode: 'whole' }, 1_234_567n)).toBe(123_457n)
  })

  it('counts the edge of a tier to the lower one (A5)', () => {
    expect(feeFor({ tiers: three }, 500_000n)).toBe(100_000n)
    expect(feeFor({ tiers: three, tier_mode: 'whole' }, 500_000n)).toBe(100_000n)
    expect(feeFor({ tiers: three }, 500_001n)).toBe(100_000n)
    expect(feeFor({ tiers: three, tier_mode: 'whole' }, 500_001n)).toBe(75_000n)
  })

  it('is a rate of media and fee together where it is within (A6)', () => {
    expect(feeFor({ basis: 'within' }, 85_000n)).toBe(15_000n)
    expect(feeFor({ basis: 'within' }, 84_321n)).toBe(14_880n)
  })

  it('has a fixed amount, in idle months only where that is agreed (A7)', () => {
    const fields = { amount: 20_000n * UNIT, tiers: [{ up_to: null, rate: 500 }] }
    expect(feeFor(fields, 300_000n)).toBe(35_000n)
    expect(feeFor(fields, 0n)).toBe(0n)
    expect(feeFor({ ...fields, charges_idle_months: true }, 0n)).toBe(20_000n)
  })

  it('of an idle month is the minimum where that is more than the amount', () => {
    const fields = { amount: 20_000n * UNIT, minimum: 25_000n * UNIT }
    expect(feeFor(fields, 0n)).toBe(0n)
    expect(feeFor({ ...fields, charges_idle_months: true }, 0n)).toBe(25_000n)
  })

  it('of credit is given back at the first rate, without a minimum', () => {
    expect(feeFor({ minimum: 30_000n * UNIT, tiers: three }, -1_000_000n)).toBe(-200_000n)
    expect(feeFor({ basis: 'within' }, -85_000n)).toBe(-15_000n)
  })

  it('of credit has the amount of an idle month', () => {
    const fields = { amount: 20_000n * UNIT }
    expect(feeFor(fields, -1000n)).toBe(-150n)
    expect(feeFor({ ...fields, charges_idle_months: true }, -1000n)).toBe(19_850n)
  })

  it('is rounded once, to the step of its currency', () => {
    const tiers = [
      { up_to: 10n * UNIT, rate: 250 },
      { up_to: null, rate: 250 },
    ]
    expect(feeFor({ tiers }, 20n)).toBe(1n)
    expect(feeOf(agreed({ currency: 'USD' }), 1_234_560_000n)).toBe(185_180_000n)
  })

  it('never falls with more media where tiers are marginal', () => {
    const rate = fc.integer({ min: 0, max: 10_000 })
    const media = fc.oneof(fc.bigInt(-(10n ** 15n), 10n ** 16n), fc.constantFrom(0n, UNIT, -UNIT))
    const fixed = fc.constantFrom(0n, UNIT, 20_000n * UNIT, 500_000n * UNIT)
    const terms = fc.record({ amount: fixed, minimum: fixed, charges_idle_months: fc.boolean() })
    fc.assert(
      fc.property(fc.tuple(rate, rate, rate), terms, media, media, (rates, drawn, one, other) => {
        const agreement = agreed({
          ...drawn,
          tiers: three.map((tier, index) => ({ ...tier, rate: rates[index] ?? 0 })),
        })
        const [less, more] = one < other ? [one, other] : [other, one]
        expect(feeOf(agreement, less)).toBeLessThanOrEqual(feeOf(agreement, more))
      }),
    )
  })
})

describe('the drop of a fee', () => {
  it('is at the edge of a tier whose next rate is lower and counts for all media (A5)', () => {
    const agreement = agreed({ tiers: three, tier_mode: 'whole' })
    expect(hasDrop(agreement)).toBe(true)
    expect(feeDrops(agreement)).toEqual([
      { up_to: 500_000n * UNIT, fee: 100_000n * UNIT, next_fee: 75_000n * UNIT },
      { up_to: 1_000_000n * UNIT, fee: 150_000n * UNIT, next_fee: 100_000n * UNIT },
    ])
  })

  it('is nowhere in slices, under a minimum, or where rates rise', () => {
    expect(hasDrop(agreed({ tiers: three }))).toBe(false)
    expect(hasDrop(agreed({ tiers: three, tier_mode: 'whole', minimum: 150_000n * UNIT }))).toBe(false)
    const rising = three.map((tier, index) => ({ ...tier, rate: 1000 + index }))
    expect(hasDrop(agreed({ tiers: rising, tier_mode: 'whole' }))).toBe(false)
  })
})

describe('the agreement of a channel', () => {
  const general = agreed()
  const own = agreed({ channel: 'fb', from_month: '2026-03', to_month: '2026-05' })
  const dollars = agreed({ channel: 'fb', currency: 'USD' })
  const find = (channel: 'fb' | 'aw', month: string) =>
    agreementFor([general, own, dollars], { channel, currency: 'TWD', month })

  it('is its own before the general one', () => {
    expect(['2026-02', '2026-03', '2026-05', '2026-06'].map(month => find('fb', month))).toEqual([
      general,
      own,
      own,
      general,
    ])
    expect(find('aw', '2026-04')).toBe(general)
  })

  it('is none before its first month and in another currency', () => {
    expect(find('fb', '2025-12')).toBeNull()
    expect(agreementFor([general], { channel: 'aw', currency: 'JPY', month: '2026-04' })).toBeNull()
  })
})

describe('agreements', () => {
  it('of one scope never share a month (A8)', () => {
    const open = agreed()
    const later = agreed({ from_month: '2026-06' })
    expect(overlappingAgreement(later, [open])).toBe(open)
    expect(overlappingAgreement(later, [agreed({ to_month: '2026-05' })])).toBeNull()
    const ended = agreed({ to_month: '2026-06' })
    expect(overlappingAgreement(later, [ended])).toBe(ended)
    expect(overlappingAgreement(agreed({ to_month: '2026-05' }), [later])).toBeNull()
    expect(overlappingAgreement(agreed({ to_month: '2026-06' }), [later])).toBe(later)
  })

  it('of another channel or currency do no harm', () => {
    expect(overlappingAgreement(agreed({ channel: 'fb' }), [agreed()])).toBeNull()
    expect(overlappingAgreement(agreed({ currency: 'USD' }), [agreed()])).toBeNull()
  })

  it('are flat where they are one rate and nothing else', () => {
    expect(flatRate(agreed())).toBe(1500)
    expect(flatRate(agreed({ tiers: three }))).toBeNull()
    expect(flatRate(agreed({ amount: UNIT }))).toBeNull()
    expect(flatRate(agreed({ minimum: UNIT }))).toBeNull()
  })

  it('may have any months, amounts and tiers that make sense', () => {
    const valid = [
      {},
      { tiers: three },
      { basis: 'within' },
      { to_month: '2026-01' },
    ] satisfies Partial<FeeAgreement>[]
    for (const fields of valid) expect(whyNotAgreement(agreed(fields))).toBeNull()
  })

  it.each<[string, Partial<FeeAgreement>, string]>([
    ['ends before it begins', { to_month: '2025-12' }, 'field_invalid to_month'],
    ['has an amount below zero', { amount: -UNIT }, 'field_invalid amount'],
    ['has half a dollar of Taiwan', { minimum: UNIT / 2n }, 'amount_step minimum'],
    ['has no tier', { tiers: [] }, 'field_invalid tiers'],
    [
      'has seven tiers',
      { tiers: Array.from({ length: 7 }, () => ({ up_to: null, rate: 1 })) },
      'field_too_many tiers',
    ],
    ['is within and has tiers', { basis: 'within', tiers: three }, 'field_too_many tiers'],
    ['ends in a limit', { tiers: three.slice(0, 1) }, 'field_invalid tiers.0.up_to'],
    ['has a tier after the last', { tiers: three.toReversed() }, 'field_invalid tiers.0.up_to'],
    ['has a limit twice', { tiers: [...three.slice(0, 1), ...three] }, 'field_invalid tiers.1.up_to'],
    [
      'has limits that fall',
      { tiers: three.toSpliced(1, 0, { up_to: UNIT, rate: 1 }) },
      'field_invalid tiers.1.up_to',
    ],
    [
      'has a limit off the step',
      { tiers: three.with(0, { up_to: 5n, rate: 1 }) },
      'amount_step tiers.0.up_to',
    ],
    ['takes more than all', { tiers: [{ up_to: null, rate: 10_001 }] }, 'field_invalid tiers.0.rate'],
    [
      'leaves nothing within',
      { basis: 'within', tiers: [{ up_to: null, rate: 10_000 }] },
      'field_invalid tiers.0.rate',
    ],
  ])('are refused where one %s', (_, fields, fault) => {
    const found = whyNotAgreement(agreed(fields))
    expect(found && `${found.code} ${found.path}`).toBe(fault)
  })
})
