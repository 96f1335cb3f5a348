import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { QuotationLine } from '#shared/api/quotations.ts'
import { quotationLine as line } from '#web/pages/orders/testing/example-quotation.ts'
import { lineDifferences } from './differences.ts'

const budgets = (before: QuotationLine[], after: QuotationLine[]) =>
  lineDifferences(before, after).map(pair => [pair.before?.budget ?? null, pair.after?.budget ?? null])

describe('the lines of two revisions', () => {
  it('are no differences where nothing has changed, wherever they have moved', () => {
    const one = [line({ title: 'A', budget: 1 }), line({ channel: 'aw', budget: 2 })]
    expect(
      budgets(
        one,
        one.toReversed().map(each => ({ ...each, id: each.id + 10 })),
      ),
    ).toEqual([])
  })

  it('stand beside each other by their names', () => {
    const before = [line({ title: 'A', budget: 1 }), line({ title: 'B', budget: 2 })]
    const after = [line({ title: 'B', budget: 3 }), line({ title: 'A', budget: 1 })]
    expect(budgets(before, after)).toEqual([[2, 3]])
  })

  it('are the same ones under another name where the channel is the same', () => {
    expect(budgets([line({ title: 'A', budget: 1 })], [line({ title: 'A2', budget: 1 })])).toEqual([[1, 1]])
  })

  it('are added and removed where they have no other', () => {
    const before = [line({ budget: 1 }), line({ channel: null, publisher: 'UDN', budget: 2 })]
    const after = [line({ budget: 1 }), line({ channel: 'tt', budget: 3 })]
    expect(budgets(before, after)).toEqual([
      [null, 3],
      [2, null],
    ])
  })
})

it('names every line of either revision that is not in the other as it is', () => {
  const some = fc
    .record({
      channel: fc.constantFrom('fb' as const, 'aw' as const),
      title: fc.constantFrom('A', 'B', ''),
      budget: fc.integer({ min: 1, max: 3 }),
    })
    .map(line)
  fc.assert(
    fc.property(fc.array(some, { maxLength: 5 }), fc.array(some, { maxLength: 5 }), (before, after) => {
      const found = lineDifferences(before, after)
      const old = found.flatMap(pair => pair.before ?? [])
      const recent = found.flatMap(pair => pair.after ?? [])
      // Each line is at most once in it, and as many are left out on either side.
      expect(new Set(old).size).toBe(old.length)
      expect(new Set(recent).size).toBe(recent.length)
      expect(before.length - old.length).toBe(after.length - recent.length)
      const key = ({ channel, title, budget }: QuotationLine) => `${channel} ${title} ${budget}`
      const rest = (all: QuotationLine[], named: QuotationLine[]) =>
        all
          .filter(each => !named.includes(each))
          .map(key)
          .toSorted()
      expect(rest(before, old)).toEqual(rest(after, recent))
    }),
  )
})
