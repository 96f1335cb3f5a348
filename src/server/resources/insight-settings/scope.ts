import { mayReach } from '#shared/access.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { holdScope } from './scope-queries.ts'

// Whose a setting is: an advertiser's, for those who serve it, or the agency's, for everybody.

/** An advertiser's row that a person sees is theirs to change. */
export const mayWrite = (user: SignedInUser, { advertiser }: { advertiser: number | null }): boolean =>
  advertiser !== null || mayReach(user, 'manager')

export function refuseOfAgency(user: SignedInUser, row: { advertiser: number | null }): void {
  if (!mayWrite(user, row)) throw refuse('forbidden')
}

/** For a new row; until the end of the transaction no other is added there. */
export async function requireScope(trx: Trx, user: SignedInUser, advertiser: number | null): Promise<void> {
  refuseOfAgency(user, { advertiser })
  if (!(await holdScope(trx, user, advertiser)))
    throw refuse('invalid', { fields: { advertiser: ['field_not_available'] } })
}

export interface SettingNote {
  action: `${'metric' | 'conversion' | 'label' | 'rate'}.${'create' | 'change' | 'delete'}`
  id: number
  user: SignedInUser
  now: Date
  detail: Record<string, unknown>
}

/** A line of the trail about one row. */
export const noteSetting = (trx: Trx, { action, id, user, now, detail }: SettingNote): Promise<void> =>
  writeAudit(trx, { actor: user.id, action, object: action.split('.')[0] ?? '', object_id: id, detail }, now)
