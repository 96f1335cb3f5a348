import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flatRate, agreementFor } from '#shared/billing/fee.ts'
import { mediaBillings } from '#shared/billing/media-billing.ts'
import { pricings, quotationSums, type QuotationSums } from '#shared/billing/quotation.ts'
import { taxKinds } from '#shared/billing/tax.ts'
import { agreementOf, exampleDraft, lineDraft, UNIT } from '#web/pages/orders/testing/example-quotation.ts'
import { bodyOf, channelOf, lineKinds, type Draft } from './draft.ts'
import { agreedFees, feeOf, partsOf, sumsOf } from './sums.ts'

const today = '2026-11-26'
const nothing = agreedFees([], 'TWD', today)
const sums = (draft: Draft, agreed = nothing) => sumsOf(draft, { today, agreed, commission: null })
const units = (found: QuotationSums) =>
  Object.fromEntries(
    (['subtotal', 'service_fee', 'untaxed', 'taxable', 'tax_amount', 'total'] as const).map(name => [
      name,
      Number(found[name]) / UNIT,
    ]),
  )

describe('the sums of a draft', () => {
  it('are those of its lines, fees, discount and tax (B1)', () => {
    const found = sums(exampleDraft())
    expect(units(found)).toEqual({
      subtotal: 255_555,
      service_fee: 31_944,
      untaxed: 0,
      taxable: 282_499,
      tax_amount: 14_125,
      total: 296_624,
    })
    expect(found.lines.map(({ budget, fee }) => [Number(budget) / UNIT, Number(fee) / UNIT])).toEqual([
      [100_000, 15_000],
      [55_555, 6944],
      [100_000, 10_000],
    ])
  })

  it('are the fee alone where the customer pays the platforms, or with media untaxed (B2)', () => {
    expect(units(sums(exampleDraft({ media_billing: 'client' })))).toMatchObject({
      taxable: 26_944,
      tax_amount: 1347,
      total: 28_291,
    })
    expect(units(sums(exampleDraft({ media_billing: 'advance' })))).toMatchObject({
      untaxed: 255_555,
      total: 283_846,
    })
  })

  it('are taxed once, not by line (B3)', () => {
    const line = lineDraft({ budget: 10_010 * UNIT, fee_rate: 0 })
    const two = exampleDraft({ discount: null, lines: [line, line] })
    expect(units(sums(two))).toMatchObject({ taxable: 20_020, tax_amount: 1001 })
  })

  it('have a Japanese tax that is rounded down (B5)', () => {
    const draft = exampleDraft({
      currency: 'JPY',
      tax: 'jp_ct',
      discount: null,
      lines: [123_456, 98_765].map(budget => lineDraft({ budget: budget * UNIT, fee_rate: 2000 })),
    })
    expect(units(sums(draft))).toMatchObject({ service_fee: 44_444, tax_amount: 26_666, total: 293_331 })
  })

  it('have what is missing to the least fee (B6)', () => {
    const draft = exampleDraft({
      discount: null,
      fee_minimum: 20_000 * UNIT,
      lines: [lineDraft({ budget: 60_000 * UNIT, fee_rate: 1500 })],
    })
    const found = sums(draft)
    expect(Number(found.minimum_fee) / UNIT).toBe(11_000)
    expect(units(found)).toMatchObject({ service_fee: 20_000, tax_amount: 4000, total: 84_000 })
  })

  it('have cents where the currency has some (B7)', () => {
    const draft = exampleDraft({
      currency: 'USD',
      tax: 'zero_rated',
      discount: null,
      lines: [lineDraft({ budget: 1_234_560_000, fee_rate: 1500 })],
    })
    expect(units(sums(draft))).toMatchObject({ service_fee: 185.18, total: 1419.74 })
  })

  it('have the commission of the agent (B10)', () => {
    const commission = { rate: 1000, base: 'fee' } as const
    const found = sumsOf(exampleDraft(), { today, agreed: nothing, commission })
    expect(Number(found.commission) / UNIT).toBe(3194)
  })

  it('count what is empty or cannot be read as nothing', () => {
    const draft = exampleDraft({
      discount: 'invalid',
      lines: [
        lineDraft({ budget: 'invalid', fee_rate: 'invalid' }),
        lineDraft({ pricing: 'cpc', quantity: null, unit_price: 12 * UNIT }),
        lineDraft({ budget: 100 * UNIT, fee_rate: 0 }),
      ],
    })
    expect(units(sums(draft))).toMatchObject({ subtotal: 100, service_fee: 0, total: 105 })
  })

  it('say when the discount is more than what is charged', () => {
    const draft = exampleDraft({ discount: 300_000 * UNIT })
    expect(sums(draft).refusal).toBe('taxable_negative')
    expect(sums(exampleDraft()).refusal).toBeNull()
  })

  it('are of the tax that is in force on the day of issue', () => {
    const lines = [lineDraft({ budget: 1000 * UNIT, fee_rate: 0 })]
    const draft = exampleDraft({ tax: 'jp_ct', currency: 'JPY', discount: null, lines })
    expect(units(sums({ ...draft, issue_on: '2019-09-30' }))).toMatchObject({ tax_amount: 80 })
    expect(units(sums(draft))).toMatchObject({ tax_amount: 100 })
  })
})

describe('the fee of a line without a rate', () => {
  const agreements = [
    agreementOf({ from_month: '2026-11' }),
    agreementOf({ channel: 'aw', tiers: [{ up_to: null, rate: 1200 }], basis: 'within' }),
    agreementOf({
      channel: 'tt',
      tiers: [
        { up_to: 1000 * UNIT, rate: 2000 },
        { up_to: null, rate: 1000 },
      ],
    }),
    agreementOf({ channel: 'ln', amount: 500 * UNIT }),
    agreementOf({ currency: 'USD', tiers: [{ up_to: null, rate: 900 }] }),
  ]
  const agreed = agreedFees(agreements, 'TWD', today)

  it('is that of the agreement of its channel, or of all channels', () => {
    expect(agreed(lineDraft({ kind: 'fb' }))).toEqual({ rate: 1500, basis: 'on_top', isTiered: false })
    expect(agreed(lineDraft({ kind: 'aw' }))).toEqual({ rate: 1200, basis: 'within', isTiered: false })
  })

  it('is the general one where the line is of no channel', () => {
    expect(agreed(lineDraft({ kind: 'publisher' }))).toMatchObject({ rate: 1500 })
    expect(agreed(lineDraft({ kind: 'other' }))).toMatchObject({ rate: 1500 })
  })

  it('is that of the month in which the line starts, or of this one', () => {
    expect(agreed(lineDraft({ kind: 'fb', start: '2026-10-31' }))).toMatchObject({ rate: 0 })
    expect(agreed(lineDraft({ kind: 'fb', start: '' }))).toMatchObject({ rate: 1500 })
  })

  it('has to be typed where the agreement is more than one rate', () => {
    expect(agreed(lineDraft({ kind: 'tt' }))).toEqual({ rate: 0, basis: 'on_top', isTiered: true })
    expect(agreed(lineDraft({ kind: 'ln' }))).toMatchObject({ rate: 0, isTiered: true })
  })

  it('is nothing where nothing is agreed in the currency', () => {
    const yen = agreedFees(agreements, 'JPY', today)
    expect(yen(lineDraft({ kind: 'fb' }))).toEqual({ rate: 0, basis: 'on_top', isTiered: false })
    const dollars = agreedFees(agreements, 'USD', today)
    expect(dollars(lineDraft({ kind: 'fb' }))).toMatchObject({ rate: 900 })
  })

  it('gives way to what is typed, rate and basis each', () => {
    const within = { rate: 1200, basis: 'within' } as const
    expect(feeOf({ fee_rate: null, fee_basis: null }, within)).toEqual({
      fee_rate: 1200,
      fee_basis: 'within',
    })
    // As the server has it: a rate of its own is on top unless the line says otherwise.
    expect(feeOf({ fee_rate: 1000, fee_basis: null }, within)).toEqual({
      fee_rate: 1000,
      fee_basis: 'on_top',
    })
    expect(feeOf({ fee_rate: null, fee_basis: 'on_top' }, within)).toEqual({
      fee_rate: 1200,
      fee_basis: 'on_top',
    })
  })
})

describe('the parts of a schedule', () => {
  const part = (share: number | null) => ({
    key: Math.random(),
    share,
    kind: 'after' as const,
    after: '0',
    due_on: '',
  })
  const partsWith = (...shares: (number | null)[]) => {
    const draft = exampleDraft({ schedule: shares.map(part) })
    return partsOf(draft, sums(draft), today)?.map(({ amount }) => Number(amount) / UNIT) ?? null
  }

  it('add up to the order (B4)', () => {
    expect(partsWith(3000, 4000, 3000)).toEqual([88_988, 118_648, 88_988])
  })

  it('are not known while the shares are not all of it', () => {
    expect(partsWith(3000, 4000)).toBeNull()
    expect(partsWith(5000, null)).toBeNull()
    expect(partsWith(5000, 6000)).toBeNull()
  })
})

it('agrees with what the server works out of what is sent', () => {
  const amount = fc.option(fc.integer({ min: 0, max: 10_000_000 }).map(whole => whole * UNIT))
  const rate = fc.option(fc.integer({ min: 0, max: 10_000 }))
  const line = fc.record({
    kind: fc.constantFrom(...lineKinds),
    pricing: fc.constantFrom(...pricings),
    quantity: fc.option(fc.integer({ min: 0, max: 10_000_000 })),
    unit_price: fc.option(fc.integer({ min: 0, max: 1_000_000_000 })),
    budget: amount,
    fee_rate: rate,
    fee_basis: fc.constantFrom('on_top' as const, 'within' as const, null),
  })
  const head = fc.record({
    tax: fc.constantFrom(...taxKinds),
    media_billing: fc.constantFrom(...mediaBillings),
    discount: amount,
    fee_minimum: amount,
  })
  const agreements = [
    agreementOf(),
    agreementOf({ channel: 'fb', tiers: [{ up_to: null, rate: 777 }], basis: 'within' }),
  ]
  fc.assert(
    fc.property(head, fc.array(line, { maxLength: 8 }), (fields, lines) => {
      const draft = exampleDraft({ ...fields, lines: lines.map(lineDraft) })
      const here = sums(draft, agreedFees(agreements, 'TWD', today))
      expect(here).toEqual(serverSums(bodyOf(draft), agreements))
    }),
  )
})

/** As server/resources/quotations/draft.ts fills in what a body leaves out. */
function serverSums(body: ReturnType<typeof bodyOf>, agreements: readonly ReturnType<typeof agreementOf>[]) {
  const known = agreements.map(each => ({
    ...each,
    amount: BigInt(each.amount),
    minimum: BigInt(each.minimum),
    tiers: each.tiers.map(tier => ({ ...tier, up_to: null })),
  }))
  return quotationSums({
    currency: body.currency ?? '',
    tax: body.tax ?? 'exempt',
    media_billing: body.media_billing ?? 'agency',
    day: body.issue_on ?? today,
    discount: BigInt(body.discount ?? 0),
    fee_minimum: BigInt(body.fee_minimum ?? 0),
    commission: null,
    lines: (body.lines ?? []).map(line => {
      const agreement = line.channel
        ? agreementFor(known, { channel: line.channel, currency: 'TWD', month: line.start.slice(0, 7) })
        : known.find(({ channel }) => channel === null)
      const agreed = agreement ? flatRate(agreement) : null
      return {
        pricing: line.pricing ?? 'budget',
        quantity: line.quantity ?? 0,
        unit_price: BigInt(line.unit_price ?? 0),
        budget: BigInt(line.budget ?? 0),
        fee_rate: line.fee_rate ?? agreed ?? 0,
        fee_basis:
          line.fee_basis ?? (line.fee_rate === undefined ? (agreement?.basis ?? 'on_top') : 'on_top'),
      }
    }),
  })
}

it('sends a line of no channel without one', () => {
  expect(lineKinds.map(channelOf)).toEqual(['fb', 'aw', 'yg', 'tt', 'ln', null, null])
})
