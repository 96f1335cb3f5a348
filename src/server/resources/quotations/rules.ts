import { mayReach, type Person } from '#shared/access.ts'
import type { Quotation, QuotationAction, QuotationState } from '#shared/api/quotations.ts'

type Stored = Exclude<QuotationState, 'expired'>

/** A sent one of which the last day is over has expired; a later last day revives it. */
export const stateOf = (
  { status, valid_until }: { status: Stored; valid_until: string | null },
  today: string,
): QuotationState => (status === 'sent' && valid_until !== null && valid_until < today ? 'expired' : status)

const open = ['sent', 'expired'] as const
const states: Record<QuotationAction, readonly QuotationState[]> = {
  edit: ['draft', ...open, 'accepted'],
  delete: ['draft'],
  send: ['draft'],
  accept: open,
  reject: open,
  cancel: [...open, 'accepted'],
  revise: [...open, 'rejected', 'accepted'],
  copy: ['draft', ...open, 'accepted', 'rejected', 'cancelled', 'superseded'],
}

const forManagers: Partial<Record<QuotationAction, readonly QuotationState[]>> = {
  delete: ['draft'],
  accept: ['expired'],
  cancel: ['accepted'],
}

/** What a role allows in a state, of those that may see it at all. */
const isForRole = (person: Person, action: QuotationAction, state: QuotationState): boolean =>
  !forManagers[action]?.includes(state) || mayReach(person, 'manager_or_finance')

/** One of the revisions of a number. */
interface Revision {
  state: QuotationState
  /** There is a draft of a later revision, which is written on instead of another one. */
  has_draft: boolean
}

export const allowsAction = ({ state, has_draft }: Revision, action: QuotationAction): boolean =>
  states[action].includes(state) && !(action === 'revise' && has_draft)

export const mayAct = (person: Person, revision: Revision, action: QuotationAction): boolean =>
  allowsAction(revision, action) && isForRole(person, action, revision.state)

export const allActions = Object.keys(states).filter((action): action is QuotationAction => action in states)

/** Why an action is refused; null: it may be done. */
export function whyNotAct(
  person: Person,
  revision: Revision,
  action: QuotationAction,
): 'state_not_allowed' | 'forbidden' | null {
  if (!allowsAction(revision, action)) return 'state_not_allowed'
  return isForRole(person, action, revision.state) ? null : 'forbidden'
}

type Field = keyof Pick<Quotation, 'valid_until' | 'owner' | 'internal_note'>

/** What may still be changed of one that was sent: nothing that the customer has read. */
const changeable: Partial<Record<QuotationState, readonly Field[]>> = {
  sent: ['valid_until', 'owner', 'internal_note'],
  expired: ['valid_until', 'owner', 'internal_note'],
  accepted: ['owner', 'internal_note'],
}

export const mayChange = (state: QuotationState, fields: readonly string[]): boolean =>
  state === 'draft' || fields.every(field => changeable[state]?.some(allowed => allowed === field))
