import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Advertiser } from '#shared/api/advertisers.ts'
import { CreateQuotation, UpdateQuotation, type Quotation } from '#shared/api/quotations.ts'
import {
  exampleDraft,
  lineDraft,
  quotationLine,
  quotationOf,
  UNIT,
} from '#web/pages/orders/testing/example-quotation.ts'
import { bodyOf, draftOf, emptyDraft, lineAfter, ofAdvertiser } from './draft.ts'

describe('a draft', () => {
  it('is sent as the API takes it, for a new quotation and a known one', () => {
    const body = bodyOf(exampleDraft())
    expect(CreateQuotation.parse(body)).toMatchObject({
      title: '2026 雙 11',
      advertiser: 1,
      currency: 'TWD',
      discount: 5000 * UNIT,
      fee_minimum: 0,
      issue_on: null,
      lines: [
        { channel: 'fb', budget: 100_000 * UNIT, fee_rate: 1500 },
        { channel: 'aw', budget: 55_555 * UNIT },
        { channel: null, publisher: '自由時報', quantity: 833_333, unit_price: 120 * UNIT, budget: 0 },
      ],
    })
    expect(UpdateQuotation.parse({ ...body, version: 3 })).toMatchObject({ version: 3 })
  })

  it('leaves out what the server fills in: the owner, the terms, fees by agreement', () => {
    const line = lineDraft({ fee_rate: null, fee_basis: null })
    const { owner, terms, lines } = bodyOf(exampleDraft({ lines: [line] }))
    expect([owner, terms, lines?.[0]?.fee_rate, lines?.[0]?.fee_basis]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('sends of a price what counts: a budget, or a quantity at a price', () => {
    const typed = { budget: 5 * UNIT, quantity: 7, unit_price: 9 * UNIT }
    const { lines } = bodyOf(
      exampleDraft({ lines: [lineDraft(typed), lineDraft({ ...typed, pricing: 'cpv' })] }),
    )
    expect(lines).toMatchObject([
      { budget: 5 * UNIT, quantity: 0, unit_price: 0 },
      { budget: 0, quantity: 7, unit_price: 9 * UNIT },
    ])
  })

  it('sends accounts of a channel alone, and a publisher where the line is of one', () => {
    const typed = { accounts: [1, 2], publisher: 'UDN' }
    const { lines } = bodyOf(
      exampleDraft({
        lines: [
          lineDraft({ ...typed, kind: 'fb' }),
          lineDraft({ ...typed, kind: 'publisher' }),
          lineDraft({ ...typed, kind: 'other', title: 'Setup' }),
        ],
      }),
    )
    expect(lines?.map(line => [line.channel, line.publisher, line.accounts])).toEqual([
      ['fb', '', [1, 2]],
      [null, 'UDN', []],
      [null, '', []],
    ])
  })

  it('sends its schedule by days after acceptance or by a day', () => {
    const { schedule } = bodyOf(
      exampleDraft({
        schedule: [
          { key: 1, share: 3000, kind: 'after', after: '30', due_on: '' },
          { key: 2, share: 7000, kind: 'due_on', after: '30', due_on: '2027-01-31' },
        ],
      }),
    )
    expect(schedule).toEqual([
      { share: 3000, after: 30 },
      { share: 7000, due_on: '2027-01-31' },
    ])
  })
})

describe('a quotation in the editor', () => {
  it('is sent back as it came', () => {
    const day = fc.constantFrom('2026-11-01', '2026-12-31')
    const amount = fc.integer({ min: 1, max: 1_000_000 }).map(units => units * UNIT)
    const line = fc
      .record({
        kind: fc.constantFrom('fb', 'aw', 'publisher', 'other'),
        title: fc.constantFrom('A', 'B'),
        description: fc.constantFrom('', 'Reach'),
        start: day,
        end: day,
        pricing: fc.constantFrom('budget' as const, 'cpm' as const, 'day' as const),
        quantity: fc.integer({ min: 1, max: 1_000_000 }),
        unit_price: amount,
        budget: amount,
        fee_rate: fc.integer({ min: 0, max: 10_000 }),
        fee_basis: fc.constantFrom('on_top' as const, 'within' as const),
        typed_spent: fc.option(amount),
      })
      .map(({ kind, ...fields }) => {
        const isBudget = fields.pricing === 'budget'
        return quotationLine({
          ...fields,
          channel: kind === 'fb' || kind === 'aw' ? kind : null,
          publisher: kind === 'publisher' ? 'UDN' : '',
          accounts: kind === 'fb' ? [3, 4] : [],
          quantity: isBudget ? 0 : fields.quantity,
          unit_price: isBudget ? 0 : fields.unit_price,
          budget: isBudget ? fields.budget : 0,
        })
      })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), lines => {
        const quotation = quotationOf({
          lines,
          schedule: [
            { share: 4000, after: 0 },
            { share: 6000, due_on: '2027-01-31' },
          ],
          fee_minimum: 3 * UNIT,
          terms: 'Net 30',
          valid_until: '2026-12-01',
        })
        expect(bodyOf(draftOf(quotation))).toEqual(contentOf(quotation))
      }),
    )
  })

  it('gives each line and part a key of its own', () => {
    const { lines, schedule } = draftOf(
      quotationOf({
        lines: [quotationLine(), quotationLine()],
        schedule: [
          { share: 5000, after: 0 },
          { share: 5000, after: 30 },
        ],
      }),
    )
    const keys = [...lines, ...schedule].map(({ key }) => key)
    expect(new Set(keys).size).toBe(4)
  })

  it('has fields without a value where an amount is nothing', () => {
    const draft = draftOf(quotationOf({ lines: [quotationLine({ pricing: 'cpc' })] }))
    expect(draft.discount).toBeNull()
    expect(draft.lines[0]).toMatchObject({ quantity: null, unit_price: null, budget: null })
  })
})

/** What of a quotation can be written. */
function contentOf({ lines, ...quotation }: Quotation) {
  const fields = Object.keys(bodyOf(emptyDraft())).concat('owner', 'terms')
  return {
    ...Object.fromEntries(Object.entries(quotation).filter(([name]) => fields.includes(name))),
    lines: lines.map(({ id: _id, media: _media, fee: _fee, ...line }) => line),
  }
}

describe('the next line', () => {
  it('has the days, channel, price and fee of the one before, and nothing else of it', () => {
    const before = lineDraft({
      kind: 'tt',
      title: 'Awareness',
      pricing: 'cpm',
      quantity: 5,
      unit_price: UNIT,
      fee_rate: 1000,
      fee_basis: 'within',
      accounts: [1],
    })
    const next = lineAfter(before)
    expect(next).toMatchObject({
      kind: 'tt',
      start: before.start,
      end: before.end,
      pricing: 'cpm',
      fee_rate: 1000,
      fee_basis: 'within',
      title: '',
      quantity: null,
      accounts: [],
    })
    expect(next.key).not.toBe(before.key)
  })

  it('has no rate where the one before had a text that is none', () => {
    expect(lineAfter(lineDraft({ fee_rate: 'invalid' })).fee_rate).toBeNull()
  })
})

describe('an advertiser', () => {
  const advertiser = {
    id: 9,
    agent: 2,
    billing_currency: 'USD',
    tax: 'zero_rated',
    media_billing: 'advance',
    document_language: 'en',
    payment_terms: { kind: 'days', days: 45 },
  } as Advertiser

  it('brings along what is usual for it', () => {
    expect(ofAdvertiser(advertiser)).toEqual({
      advertiser: 9,
      agent: 2,
      bill_to: 'advertiser',
      currency: 'USD',
      tax: 'zero_rated',
      media_billing: 'advance',
      language: 'en',
      payment_terms: { kind: 'days', days: 45 },
    })
  })

  it('leaves the currency where it has none of its own', () => {
    expect(ofAdvertiser({ ...advertiser, billing_currency: null })).not.toHaveProperty('currency')
  })
})
