import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Change } from '#web/client/search.ts'
import { reportListSearch, type ReportListSearch } from '#web/pages/reports/search.ts'

export const PAGE_SIZE = 10
export const DEFAULT_ORDERING = '-last_modified_at'

export type ListView = ReportListSearch

/**
 * What the list shows: folder, search, filters, sort and page, all in the URL. A change goes back to the
 * first page unless it names one.
 */
export function useListView(): { view: ListView; change: (change: Change<ListView>) => void } {
  const view = useSearch({ from: '/shell/gs-template/' })
  const navigate = useNavigate({ from: '/gs-template/' })
  const change = (changed: Change<ListView>) =>
    void navigate({
      // Parsed like a URL, which leaves out what is undefined.
      search: current =>
        reportListSearch({ ...current, ...('execution' in changed ? {} : { page: 1 }), ...changed }),
      replace: 'search' in changed,
    })
  return { view, change }
}

export const isFiltered = ({ search, status, channel, scope, gap, favourite }: ListView) =>
  search !== '' || [status, channel, scope, gap, favourite].some(filter => filter !== undefined)

export const noFilters = {
  search: '',
  status: undefined,
  channel: undefined,
  scope: undefined,
  gap: undefined,
  favourite: undefined,
  view: undefined,
} as const
