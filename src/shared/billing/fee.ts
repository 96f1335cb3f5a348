import type { SpendChannel } from './spend-channels.ts'
import { BASIS_POINTS, isOnStep, round, stepOf } from './step.ts'

export const tierModes = ['marginal', 'whole'] as const
export const feeBases = ['on_top', 'within'] as const
export type FeeBasis = (typeof feeBases)[number]

export const MAX_TIERS = 6

export interface FeeTier {
  /** The most of a month's media in this tier; null: no limit, in the last one. */
  up_to: bigint | null
  rate: number
}

/** What an advertiser pays the agency for whole months, from the first to the last. */
export interface FeeAgreement {
  /** null: for all channels without an agreement of their own. */
  channel: SpendChannel | null
  /** The one in which the media is billed. */
  currency: string
  /** yyyy-MM */
  from_month: string
  /** null: until further notice. */
  to_month: string | null
  /** Due beside the tiers. */
  amount: bigint
  tiers: readonly FeeTier[]
  /**
   * marginal: each slice of the media has the rate of its tier; whole: all of it has that of the highest.
   */
  tier_mode: (typeof tierModes)[number]
  /** on_top: a rate of the media; within: a rate of media and fee together. */
  basis: FeeBasis
  minimum: bigint
  /** Whether amount and minimum are due for a month without media. */
  charges_idle_months: boolean
}

/**
 * The fee for a month's billed media. In a month of which only credit is left, the first rate alone counts:
 * what was charged on the media is given back; the amount is due as in an idle month.
 */
export function feeOf(agreement: FeeAgreement, media: bigint): bigint {
  const { amount, minimum, charges_idle_months } = agreement
  const fixed = media > 0n || charges_idle_months ? amount : 0n
  const fee = fixed + rateFee(agreement, media)
  const isMinimumDue = media > 0n || (media === 0n && charges_idle_months)
  return isMinimumDue && fee < minimum ? minimum : fee
}

/** The part of the fee that depends on the media, rounded once. */
function rateFee(agreement: FeeAgreement, media: bigint): bigint {
  const { currency, basis } = agreement
  const step = stepOf(currency)
  if (basis === 'on_top') return round(weightedMedia(agreement, media), BASIS_POINTS, { step })
  const rate = BigInt(agreement.tiers[0]?.rate ?? 0)
  return round(media * rate, BASIS_POINTS - rate, { step })
}

/** The media by its rates, in basis points. Below zero it is all in the first tier. */
function weightedMedia({ tiers, tier_mode }: FeeAgreement, media: bigint): bigint {
  if (tier_mode === 'whole') {
    const tier = tiers.find(({ up_to }) => up_to === null || media <= up_to)
    return media * BigInt(tier?.rate ?? 0)
  }
  let weighted = 0n
  let from = 0n
  for (const { up_to, rate } of tiers) {
    const to = up_to === null || media < up_to ? media : up_to
    weighted += (to - from) * BigInt(rate)
    from = to
  }
  return weighted
}

/** The agreement of a channel's media in a month: its own goes before that of all channels. */
export function agreementFor<Agreement extends FeeAgreement>(
  agreements: readonly Agreement[],
  { channel, currency, month }: { channel: SpendChannel; currency: string; month: string },
): Agreement | null {
  const inForce = agreements.filter(each => each.currency === currency && isInForce(each, month))
  const own = inForce.find(each => each.channel === channel)
  return own ?? inForce.find(each => each.channel === null) ?? null
}

type Months = Pick<FeeAgreement, 'from_month' | 'to_month'>

export const isInForce = ({ from_month, to_month }: Months, month: string): boolean =>
  from_month <= month && (to_month === null || month <= to_month)

/** One of the others that has the same channel and currency and shares a month with the agreement. */
export const overlappingAgreement = <Agreement extends Scope>(
  agreement: Scope,
  others: readonly Agreement[],
): Agreement | null =>
  others.find(
    other =>
      other.channel === agreement.channel &&
      other.currency === agreement.currency &&
      (other.to_month === null || agreement.from_month <= other.to_month) &&
      (agreement.to_month === null || other.from_month <= agreement.to_month),
  ) ?? null

type Scope = Months & Pick<FeeAgreement, 'channel' | 'currency'>

/** The rate of an agreement that is nothing but one; null: it has tiers, an amount or a minimum. */
export function flatRate({ tiers, amount, minimum }: Terms): number | null {
  const [tier, ...others] = tiers
  const isFlat = others.length === 0 && amount === 0n && minimum === 0n
  return tier && isFlat ? tier.rate : null
}

type Terms = Pick<FeeAgreement, 'tiers' | 'amount' | 'minimum'>

/** A fee that is lower for more media. */
export interface FeeDrop {
  /** The last media before it. */
  up_to: bigint
  fee: bigint
  /** The fee for one step more. */
  next_fee: bigint
}

/**
 * Where the fee drops at the edge of a tier, because the lower rate of the next one counts for all media.
 */
export function feeDrops(agreement: FeeAgreement): FeeDrop[] {
  return agreement.tiers.flatMap(({ up_to }) => {
    if (up_to === null) return []
    const fee = feeOf(agreement, up_to)
    const nextFee = feeOf(agreement, up_to + stepOf(agreement.currency))
    return nextFee < fee ? [{ up_to, fee, next_fee: nextFee }] : []
  })
}

export const hasDrop = (agreement: FeeAgreement): boolean => feeDrops(agreement).length > 0

/** What is wrong with an agreement by itself; `path` as in "tiers.0.up_to". */
export interface AgreementFault {
  code: 'field_invalid' | 'field_too_many' | 'amount_step'
  path: string
}

/** The first fault of an agreement; null: it may be agreed. */
export function whyNotAgreement(agreement: FeeAgreement): AgreementFault | null {
  return whyNotMonths(agreement) ?? whyNotAmounts(agreement) ?? whyNotTiers(agreement)
}

const whyNotMonths = ({ from_month, to_month }: Months): AgreementFault | null =>
  to_month !== null && to_month < from_month ? { code: 'field_invalid', path: 'to_month' } : null

function whyNotAmounts(agreement: FeeAgreement): AgreementFault | null {
  for (const path of ['amount', 'minimum'] as const) {
    if (agreement[path] < 0n) return { code: 'field_invalid', path }
    if (!isOnStep(agreement[path], agreement.currency)) return { code: 'amount_step', path }
  }
  return null
}

function whyNotTiers({ tiers, basis, currency }: FeeAgreement): AgreementFault | null {
  if (tiers.length === 0) return { code: 'field_invalid', path: 'tiers' }
  // The rate of a fee within the media depends on the fee itself, so tiers would not say which one is meant.
  if (tiers.length > (basis === 'within' ? 1 : MAX_TIERS)) return { code: 'field_too_many', path: 'tiers' }
  let from = 0n
  for (const [index, { up_to, rate }] of tiers.entries()) {
    const isLast = index === tiers.length - 1
    // A fee that is all of the media leaves none to buy.
    const isRate = Number.isInteger(rate) && rate >= 0 && rate <= (basis === 'within' ? 9_999 : 10_000)
    if (!isRate) return { code: 'field_invalid', path: `tiers.${index}.rate` }
    if (isLast !== (up_to === null) || (up_to !== null && up_to <= from))
      return { code: 'field_invalid', path: `tiers.${index}.up_to` }
    if (up_to !== null && !isOnStep(up_to, currency))
      return { code: 'amount_step', path: `tiers.${index}.up_to` }
    from = up_to ?? from
  }
  return null
}
