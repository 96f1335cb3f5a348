import type { z } from 'zod'
import type { AuditEntry, AuditList } from '#shared/api/audit.ts'
import { useListPage } from '#web/pages/use-list-page.ts'
import type { AuditSearch } from './search.ts'

export const PATH = '/api/audit/'
export const PAGE_SIZE = 20
export const DEFAULT_ORDERING = '-at'
export type Line = z.infer<typeof AuditEntry>

export const useTrail = (view: AuditSearch) =>
  useListPage<z.infer<typeof AuditList>>({
    key: ['audit'],
    path: PATH,
    filters: filtersOf(view),
    page: view.page,
    size: PAGE_SIZE,
  })

/** What the list is filtered by, on every page; days are in the reader's time zone. */
export const filtersOf = (view: AuditSearch) => ({
  search: view.search,
  ordering: view.ordering ?? DEFAULT_ORDERING,
  action: view.action,
  actor: view.actor,
  object: view.object,
  object_id: view.object_id,
  from: view.from && new Date(`${view.from}T00:00:00`).toISOString(),
  to: view.to && new Date(`${view.to}T23:59:59.999`).toISOString(),
})
