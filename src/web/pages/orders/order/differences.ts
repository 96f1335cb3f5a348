import type { Quotation, QuotationLine } from '#shared/api/quotations.ts'

/** What two revisions of an order are compared by. */
export const sumNames = [
  'subtotal',
  'service_fee',
  'discount',
  'untaxed',
  'taxable',
  'tax_amount',
  'total',
] as const satisfies readonly (keyof Quotation)[]

export interface LineDifference {
  /** The line of the older revision; null: it has been added. */
  before: QuotationLine | null
  /** null: it has been removed. */
  after: QuotationLine | null
}

/**
 * The lines of both revisions beside each other, those that are alike left out. A line is the same one where
 * its name is; what is left over is paired in its order, as far as the channel is the same.
 */
export function lineDifferences(
  before: readonly QuotationLine[],
  after: readonly QuotationLine[],
): LineDifference[] {
  const partners = partnersOf(before, after)
  const paired = new Set(partners.values())
  return [
    ...after.map(line => ({ before: partners.get(line) ?? null, after: line })),
    ...before.filter(line => !paired.has(line)).map(line => ({ before: line, after: null })),
  ].filter(({ before: one, after: other }) => one === null || other === null || !isAlike(one, other))
}

/** Of each line of the newer revision the one that it was. */
function partnersOf(before: readonly QuotationLine[], after: readonly QuotationLine[]) {
  const partners = new Map<QuotationLine, QuotationLine>()
  const free = new Set(before)
  for (const keyOf of [nameOf, channelOf])
    for (const line of after) {
      if (partners.has(line)) continue
      const partner = [...free].find(other => keyOf(other) === keyOf(line))
      if (!partner) continue
      partners.set(line, partner)
      free.delete(partner)
    }
  return partners
}

const channelOf = ({ channel, publisher }: QuotationLine) => channel ?? publisher
const nameOf = (line: QuotationLine) => JSON.stringify([channelOf(line), line.title])

const compared = [
  'title',
  'description',
  'start',
  'end',
  'pricing',
  'quantity',
  'unit_price',
  'budget',
  'fee_rate',
  'fee_basis',
  'media',
  'fee',
] as const satisfies readonly (keyof QuotationLine)[]

const isAlike = (one: QuotationLine, other: QuotationLine) =>
  channelOf(one) === channelOf(other) && compared.every(field => one[field] === other[field])
