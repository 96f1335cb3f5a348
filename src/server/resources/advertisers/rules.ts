import { flatRate } from '#shared/billing/fee.ts'
import type { AdvertiserRow } from './queries.ts'
import type { GeneralAgreement } from './figure-queries.ts'

/** What people write about a customer, for the trail and for comparison. */
export function factsOf({
  id: _id,
  version: _version,
  created_at: _at,
  last_modified_at: _last,
  ...facts
}: AdvertiserRow) {
  return facts
}

/**
 * The service fee of a month as one rate. Agreements in several currencies have one when they are alike; of a
 * customer who is billed in one currency that one counts.
 */
export function serviceFeeRate(
  agreements: readonly GeneralAgreement[],
  billed: string | null,
): number | null {
  const counting = agreements.filter(({ currency }) => billed === null || currency === billed)
  const rates = new Set(counting.map(rateOf))
  const [rate = null] = rates
  return rates.size === 1 ? rate : null
}

const rateOf = ({ tiers, amount, minimum }: GeneralAgreement): number | null =>
  flatRate({
    tiers: tiers.map(({ up_to, rate }) => ({ up_to: up_to === null ? null : BigInt(up_to), rate })),
    amount: BigInt(amount),
    minimum: BigInt(minimum),
  })

export const isSameSet = (some: readonly number[], others: readonly number[]) =>
  new Set([...some, ...others]).size === new Set(some).size && new Set(some).size === new Set(others).size
