import { plusMonths } from '#shared/month.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import { writeAuditLines } from '#server/resources/audit/queries.ts'
import { lockedMonths } from '#server/resources/insight-settings/month-queries.ts'
import { insertAdjustments } from './adjustment-queries.ts'
import { driftOf } from './drift-queries.ts'
import { holdMonths } from './lock-queries.ts'
import { readCustomers } from './queries.ts'

/**
 * Books what platforms have changed of a locked month, and is not booked yet, into the first open month.
 */
export async function bookDrift(
  trx: Trx,
  { month, advertiser }: { month: string; advertiser: number },
  { user, now }: { user: number; now: Date },
): Promise<{ adjustments: number; month: string }> {
  await holdMonths(trx)
  const locked = await lockedMonths(trx)
  if (!locked.includes(month))
    throw refuse('state_not_allowed', { extra: { state: 'open', allowed: ['lock'] } })
  if ((await readCustomers(trx, { advertiser })).length === 0) throw refuse('not_found')
  const open = plusMonths(locked.at(-1) ?? month, 1)
  const adjustments = (await driftOf(trx, { month, advertiser }))
    .filter(({ amount, booked }) => amount !== booked)
    .map(({ channel, currency, amount, booked }) => ({
      advertiser,
      channel,
      currency,
      amount: Number(amount - booked),
      month: open,
      concerns_month: month,
      reason: 'drift' as const,
      note: '',
    }))
  const ids = await insertAdjustments(trx, adjustments, now)
  await writeAuditLines(
    trx,
    adjustments.map((adjustment, index) => ({
      actor: user,
      action: 'adjustment.create',
      object: 'adjustment',
      object_id: ids[index] ?? '',
      detail: adjustment,
    })),
    now,
  )
  return { adjustments: ids.length, month: open }
}
