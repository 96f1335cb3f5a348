import type { z } from 'zod'
import type { CreateFeeAgreement, UpdateFeeAgreement } from '#shared/api/customers.ts'
import { overlappingAgreement, whyNotAgreement } from '#shared/billing/fee.ts'
import { monthOf } from '#shared/month.ts'
import type { FieldProblem } from '#server/http/refusal.ts'
import type { AgreementRow } from './fee-agreement-queries.ts'

/** What is agreed, with months as on the wire. */
export type Terms = z.output<typeof CreateFeeAgreement>

export function termsOf(row: AgreementRow): Terms {
  const { channel, currency, amount, tiers, tier_mode, basis, minimum, charges_idle_months } = row
  const from_month = monthOf(row.from_month)
  const to_month = row.to_month && monthOf(row.to_month)
  return {
    channel,
    currency,
    from_month,
    to_month,
    amount,
    tiers,
    tier_mode,
    basis,
    minimum,
    charges_idle_months,
  }
}

export function changedTerms(
  before: Terms,
  changes: Omit<z.output<typeof UpdateFeeAgreement>, 'version'>,
): Terms {
  const named = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(named) }
}

/** What is wrong with an agreement by itself and beside the others of its advertiser; null: nothing. */
export function problemsOf(
  terms: Terms,
  others: readonly AgreementRow[],
): Record<string, FieldProblem[]> | null {
  const fault = whyNotAgreement(asAgreed(terms))
  if (fault) return { [fault.path]: [fault.code] }
  const other = overlappingAgreement(
    terms,
    others.map(row => ({ ...termsOf(row), id: row.id })),
  )
  if (!other) return null
  const { id, from_month, to_month } = other
  return { from_month: [{ code: 'agreement_overlaps', detail: { id, from_month, to_month } }] }
}

const asAgreed = ({ tiers, amount, minimum, ...terms }: Terms) => ({
  ...terms,
  amount: BigInt(amount),
  minimum: BigInt(minimum),
  tiers: tiers.map(({ up_to, rate }) => ({ up_to: up_to === null ? null : BigInt(up_to), rate })),
})

/**
 * Whether a change of an agreement leaves every locked month as it was: its end alone changes, and is not
 * before the last of them.
 */
export function keepsUsed(before: Terms, after: Terms, lastUsed: string): boolean {
  const { to_month, ...rest } = after
  const { to_month: _end, ...same } = before
  const isRest = JSON.stringify(rest) === JSON.stringify(same)
  return isRest && (to_month === null || to_month >= lastUsed)
}
