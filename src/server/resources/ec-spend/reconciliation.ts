import type { Reconciliation } from '#shared/api/ec-spend.ts'
import { round, stepOf } from '#shared/billing/step.ts'
import type { AccountMonth } from './account-queries.ts'
import type { AccountCount } from './account-rows.ts'

type Line = Reconciliation['results'][number]

/** An account's report beside its invoice; of a locked month, beside what it counted for then, too. */
export function reconciled(
  account: AccountMonth,
  { locked, names }: { locked: AccountCount | null; names: ReadonlyMap<number, string> },
): Line {
  const { currency, cost, known, invoice } = account
  const advertiser = locked ? locked.advertiser : account.advertiser
  const billed = (amount: string) => round(BigInt(amount), 1n, { step: stepOf(currency) })
  const before = locked ? locked.reported : account.reported
  const difference = invoice === null || before === null ? null : BigInt(invoice) - billed(before)
  const isComparable = difference !== null && before !== null && billed(before) !== 0n
  const hasDrift = locked !== null && locked.invoice === null
  const now = known === 'full' ? (cost ?? '0') : (locked?.reported ?? '0')
  return {
    ad_account: account.ad_account,
    account_name: account.account_name,
    external_id: account.external_id,
    channel: account.channel,
    advertiser,
    advertiser_name: advertiser === null ? null : (names.get(advertiser) ?? null),
    currency,
    spend: cost === null ? null : Number(cost),
    known,
    invoice: invoiceOf(account),
    difference: difference === null ? null : Number(difference),
    difference_rate: isComparable ? Number(round(difference * 100_000n, billed(before), { step: 1n })) : null,
    locked_cost: locked && locked.reported !== null ? Number(billed(locked.reported)) : null,
    drift: hasDrift ? Number(billed(now) - billed(locked.reported ?? '0')) : null,
  }
}

function invoiceOf({
  invoice,
  invoice_id,
  invoice_version,
  invoice_number,
  invoice_note,
}: AccountMonth): Line['invoice'] {
  if (invoice === null || invoice_id === null || invoice_version === null) return null
  return {
    id: invoice_id,
    version: invoice_version,
    amount: Number(invoice),
    number: invoice_number ?? '',
    note: invoice_note ?? '',
  }
}
