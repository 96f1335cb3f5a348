import { BASIS_POINTS, round, stepOf, type Rounding } from './step.ts'

export const taxKinds = ['tw_vat', 'jp_ct', 'zero_rated', 'exempt'] as const
export type Tax = (typeof taxKinds)[number]

interface TaxRules {
  /** From which day on which rate; the latest first. Before all of them there was no such tax. */
  rates: readonly { from: string; rate: number }[]
  mode: NonNullable<Rounding['mode']>
}

/**
 * Taiwan's value-added tax is 5 % since it was introduced. Japan's consumption tax is rounded once per rate
 * and invoice, and agencies there round it down (National Tax Agency, qualified invoice system, question
 * 57).
 */
const taxes: Record<Tax, TaxRules> = {
  tw_vat: { rates: [{ from: '1986-04-01', rate: 500 }], mode: 'half' },
  jp_ct: {
    rates: [
      { from: '2019-10-01', rate: 1000 },
      { from: '2014-04-01', rate: 800 },
      { from: '1997-04-01', rate: 500 },
      { from: '1989-04-01', rate: 300 },
    ],
    mode: 'down',
  },
  zero_rated: { rates: [], mode: 'half' },
  exempt: { rates: [], mode: 'half' },
}

/** Basis points of a tax on a day. */
export const taxRate = (kind: Tax, day: string): number =>
  taxes[kind].rates.find(({ from }) => from <= day)?.rate ?? 0

/** The tax of one document: on the sum of what is taxable in it, never by line. */
export const taxOn = (
  kind: Tax,
  taxable: bigint,
  { day, currency }: { day: string; currency: string },
): bigint =>
  round(taxable * BigInt(taxRate(kind, day)), BASIS_POINTS, {
    step: stepOf(currency),
    mode: taxes[kind].mode,
  })
