import { writeAudit } from '#server/resources/audit/queries.ts'
import type { Trx } from '#server/db/transaction.ts'
import { insertNotices } from '#server/resources/notifications/queries.ts'
import { revokeAllOf } from '#server/resources/session/queries.ts'
import { deleteFactor } from './queries.ts'

/**
 * Turns off a lost second factor, signs the person out everywhere and notifies them; false when there was
 * none.
 */
export async function resetSecondFactor(
  trx: Trx,
  user_id: number,
  { actor, address, now }: { actor: number | null; address?: string; now: Date },
): Promise<boolean> {
  if (!(await deleteFactor(trx, user_id))) return false
  await revokeAllOf(trx, user_id, { because: 'second_factor', now })
  const reset = { actor, action: 'user.second_factor_reset', object: 'user', object_id: user_id }
  await writeAudit(trx, { ...reset, ...(address !== undefined && { address }) }, now)
  await insertNotices(trx, [{ user_id, kind: 'second_factor_reset' }], now)
  return true
}
