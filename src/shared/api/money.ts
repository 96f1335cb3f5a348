import { z } from 'zod'
import { channelIds } from '#shared/channels/ids.ts'

/** 9 × 10⁹ units: the largest amount of one document, in millionths. */
const MOST = 9_000_000_000_000_000

/** Millionths of the currency's unit, as typed on a document. */
export const Amount = z.number().int().min(0).max(MOST)
export const SignedAmount = z.number().int().min(-MOST).max(MOST)

/**
 * A sum in millionths. Sums are multiples of the currency's step, so they are exact as numbers far beyond the
 * safe integers (up to 1.4 × 10¹¹ units), which is all that JSON's readers would refuse.
 */
export const TotalAmount = z.number().refine(Number.isInteger)

/** Basis points: 1500 is 15 %. */
export const Rate = z.number().int().min(0).max(10_000)

/** ISO 4217. */
export const Currency = z.string().regex(/^[A-Z]{3}$/)

/** yyyy-MM */
export const Month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/)

/** The channels that have a cost of their own. */
export const SpendChannel = z.enum(channelIds).extract(['fb', 'aw', 'yg', 'tt', 'ln'])
export type SpendChannel = z.infer<typeof SpendChannel>

export const TaxKind = z.enum(['tw_vat', 'jp_ct', 'zero_rated', 'exempt'])
export const TaxCountry = z.enum(['TW', 'JP', 'other'])
/**
 * agency: media and fee are charged and taxed; advance: media is charged untaxed; client: the customer pays
 * the platform, the fee alone is charged.
 */
export const MediaBilling = z.enum(['agency', 'advance', 'client'])
export const FeeBasis = z.enum(['on_top', 'within'])

/** month_end: so many days after the last day of the month of issue. */
export const PaymentTerms = z.strictObject({
  kind: z.enum(['days', 'month_end']),
  days: z.number().int().min(0).max(180),
})
export type PaymentTerms = z.infer<typeof PaymentTerms>

/** The version of the row that was read; an older one answers 409 `conflict` with the newer row. */
export const Version = z.number().int().min(1)
/** The body of an action that needs nothing else, and of DELETE. */
export const OfVersion = z.strictObject({ version: Version })
