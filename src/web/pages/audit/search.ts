import { isId, listSearch, textOf, type ListSearch, type Raw } from '#web/client/search.ts'

/** The URL parameters of the audit trail. */
export interface AuditSearch extends ListSearch {
  action?: string
  actor?: number
  object?: string
  object_id?: string
  /** Days, both included. */
  from?: string
  to?: string
}

const read = listSearch(['at'])
const DAY = /^\d{4}-\d{2}-\d{2}$/

export function auditSearch(raw: Raw): AuditSearch {
  const [action, object, object_id] = [textOf(raw.action), textOf(raw.object), textOf(raw.object_id)]
  const [from, to] = [textOf(raw.from), textOf(raw.to)]
  return {
    ...read(raw),
    ...(action !== '' && { action }),
    ...(isId(raw.actor) && { actor: raw.actor }),
    ...(object !== '' && object_id !== '' && { object, object_id }),
    ...(DAY.test(from) && { from }),
    ...(DAY.test(to) && { to }),
  }
}
