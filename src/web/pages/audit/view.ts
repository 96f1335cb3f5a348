import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Change } from '#web/client/search.ts'
import { auditSearch, type AuditSearch } from './search.ts'

/** What the list shows, all of it in the URL. A change goes back to the first page unless it names one. */
export function useView() {
  const view = useSearch({ from: '/shell/setting/audit' })
  const navigate = useNavigate({ from: '/setting/audit' })
  const change = (changed: Change<AuditSearch>) =>
    void navigate({ search: current => auditSearch({ ...current, page: 1, ...changed }) })
  return { view, change }
}

export const isFiltered = ({ action, actor, object, from, to }: AuditSearch) =>
  [action, actor, object, from, to].some(value => value !== undefined)

export const NO_FILTERS = {
  action: undefined,
  actor: undefined,
  object: undefined,
  object_id: undefined,
  from: undefined,
  to: undefined,
}
