import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { mayWrite } from './present.ts'
import { lockAudience, type LockedAudience } from './queries.ts'

/** Refused when the person may read audiences and no more. */
export async function requirePlan(db: Db, user: SignedInUser): Promise<void> {
  if (!(await mayWrite(db, user))) throw refuse('plan_needed')
}

/** For a change: refused when it is not the caller's, or on its way out. */
export async function holdAudience(trx: Trx, user: SignedInUser, id: number): Promise<LockedAudience> {
  const row = await lockAudience(trx, user, id)
  if (!row) throw refuse('not_found')
  await requirePlan(trx, user)
  if (row.is_deleting) throw refuse('action_not_allowed')
  return row
}

export interface AudienceNote {
  action: `audience.${'create' | 'change' | 'delete' | 'upload' | 'share' | 'unshare'}` | 'erasure.create'
  id: number
  user: Pick<SignedInUser, 'id'>
  now: Date
  detail: Record<string, unknown>
}

/** A line of the trail: counts, ids and the audience's name, never what somebody has written about people. */
export const noteAudience = (trx: Trx, { action, id, user, now, detail }: AudienceNote): Promise<void> =>
  writeAudit(trx, { actor: user.id, action, object: action.split('.')[0] ?? '', object_id: id, detail }, now)
