import type { Quotation, QuotationAction, QuotationState } from '#shared/api/quotations.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse, type Refusal } from '#server/http/refusal.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { presentQuotation } from './present.ts'
import { findQuotation, lockRevisions, type QuotationFields } from './queries.ts'
import { allActions, mayAct, stateOf, whyNotAct } from './rules.ts'

interface Reading {
  user: SignedInUser
  /** In the organisation's zone. */
  today: string
}

export async function showQuotation(db: Db, id: number, { user, today }: Reading): Promise<Quotation> {
  const row = await findQuotation(db, user, id)
  if (!row) throw refuse('not_found')
  return await presentQuotation(db, row, { user, today })
}

type Revision = Parameters<typeof mayAct>[1]

export interface Locked {
  row: QuotationFields
  /** The other revisions of its number. */
  others: QuotationFields[]
  state: QuotationState
  revision: Revision
}

/** The quotation for an action on it, locked with all its revisions; refused when it may not be done. */
export async function lockedFor(
  trx: Trx,
  id: number,
  { user, today, action, version }: Reading & { action: QuotationAction; version: number },
): Promise<Locked> {
  const visible = await findQuotation(trx, user, id)
  if (!visible) throw refuse('not_found')
  const rows = await lockRevisions(trx, visible)
  const row = rows.find(each => each.id === id)
  // Somebody has deleted it in the meantime.
  if (!row) throw refuse('not_found')
  const state = stateOf(row, today)
  const revision = { state, has_draft: rows.some(each => each.status === 'draft') }
  const code = whyNotAct(user, revision, action)
  if (code === 'state_not_allowed') throw refuseState(user, revision)
  if (code === 'forbidden') throw refuse('forbidden')
  if (version !== row.version)
    throw refuse('conflict', { extra: { quotation: await showQuotation(trx, id, { user, today }) } })
  return { row, others: rows.filter(each => each.id !== id), state, revision }
}

/** With its state, and what may be done in it. */
export const refuseState = (user: SignedInUser, revision: Revision): Refusal =>
  refuse('state_not_allowed', {
    extra: {
      state: revision.state,
      allowed: allActions.filter(action => mayAct(user, revision, action)),
    },
  })

export const noteQuotation = (
  trx: Trx,
  id: number,
  {
    actor,
    action,
    detail,
    now,
  }: { actor: number; action: string; detail: Record<string, unknown>; now: Date },
): Promise<void> =>
  writeAudit(trx, { actor, action: `quotation.${action}`, object: 'quotation', object_id: id, detail }, now)
