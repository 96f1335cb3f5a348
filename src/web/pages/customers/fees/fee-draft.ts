import type { FeeAgreement, FeeTier } from '#shared/api/customers.ts'
import type { SpendChannel } from '#shared/api/money.ts'
import { whyNotAgreement, type FeeAgreement as Agreement } from '#shared/billing/fee.ts'
import type { TypedAmount } from '#web/ui/money.ts'
import type { TypedRate } from '#web/ui/rate.ts'

/** An agreement while it is being written: amounts and rates may be none yet. */
export interface FeeDraft {
  channel: SpendChannel | null
  currency: string
  from_month: string
  to_month: string | null
  amount: TypedAmount
  tiers: { up_to: TypedAmount; rate: TypedRate }[]
  tier_mode: FeeAgreement['tier_mode']
  basis: FeeAgreement['basis']
  minimum: TypedAmount
  charges_idle_months: boolean
}

export const newDraft = (currency: string, month: string): FeeDraft => ({
  channel: null,
  currency,
  from_month: month,
  to_month: null,
  amount: null,
  tiers: [{ up_to: null, rate: null }],
  tier_mode: 'marginal',
  basis: 'on_top',
  minimum: null,
  charges_idle_months: false,
})

/** The same of an agreement that was read; an amount of 0 is none. */
export const draftOf = (agreement: FeeAgreement): FeeDraft => ({
  channel: agreement.channel,
  currency: agreement.currency,
  from_month: agreement.from_month,
  to_month: agreement.to_month,
  amount: agreement.amount || null,
  tiers: agreement.tiers,
  tier_mode: agreement.tier_mode,
  basis: agreement.basis,
  minimum: agreement.minimum || null,
  charges_idle_months: agreement.charges_idle_months,
})

/** What is sent; null: something in the draft cannot be. */
export function feeBody(draft: FeeDraft) {
  const { amount, minimum } = draft
  if (amount === 'invalid' || minimum === 'invalid') return null
  const last = draft.tiers.length - 1
  const tiers = draft.tiers.flatMap(({ up_to, rate }, index): FeeTier[] => {
    if (rate === null || rate === 'invalid' || up_to === 'invalid') return []
    return index === last ? [{ up_to: null, rate }] : up_to === null ? [] : [{ up_to, rate }]
  })
  if (tiers.length !== draft.tiers.length) return null
  return { ...draft, amount: amount ?? 0, minimum: minimum ?? 0, tiers }
}

/** For the rules, which count in bigint; null: they would refuse it. */
export function agreementOf(draft: FeeDraft): Agreement | null {
  const body = feeBody(draft)
  if (body === null) return null
  const agreement = rulesOf(body)
  return whyNotAgreement(agreement) === null ? agreement : null
}

/** An agreement that was read, for the rules. */
export const rulesOf = (
  agreement: Omit<FeeAgreement, 'id' | 'version' | 'created_at' | 'last_modified_at' | 'is_used'>,
): Agreement => ({
  ...agreement,
  amount: BigInt(agreement.amount),
  minimum: BigInt(agreement.minimum),
  tiers: agreement.tiers.map(({ up_to, rate }) => ({ up_to: up_to === null ? null : BigInt(up_to), rate })),
})
