import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { findAdvertiser, findUsableAdvertiser, type AdvertiserRow } from './queries.ts'

/** The advertiser; refused when the person may not see it. */
export async function visibleAdvertiser(db: Db, user: SignedInUser, id: number): Promise<AdvertiserRow> {
  const row = await findAdvertiser(db, user, id)
  if (!row) throw refuse('not_found')
  return row
}

/** The advertiser; refused when the person may not use its accounts. */
export async function usableAdvertiser(db: Db, user: SignedInUser, id: number): Promise<AdvertiserRow> {
  const row = await findUsableAdvertiser(db, user, id)
  if (!row) throw refuse('not_found')
  return row
}

/** Records an action on an advertiser in the trail. */
export const noteChange = (
  trx: Trx,
  {
    user,
    action,
    id,
    now,
    detail,
  }: { user: SignedInUser; action: string; id: number; now: Date; detail?: Record<string, unknown> },
) =>
  writeAudit(
    trx,
    { actor: user.id, action, object: 'advertiser', object_id: id, ...(detail && { detail }) },
    now,
  )
