import type { QueryClient } from '@tanstack/react-query'
import type { AudienceList } from '#shared/api/audiences.ts'
import { client } from '#web/client/client.ts'
import { rowsOf } from '#web/client/list-pages.ts'
import type { AudiencesSearch } from './search.ts'

export const PATH = '/api/lta/'
export const PAGE_SIZE = 10
export const DEFAULT_ORDERING = '-last_modified_at'

/** What the list is filtered by, on every page. */
export const filtersOf = ({
  page: _page,
  audience: _audience,
  tab: _tab,
  ordering = DEFAULT_ORDERING,
  ...filters
}: AudiencesSearch) => ({ ...filters, ordering })

export function audiencesQuery(view: AudiencesSearch) {
  const query = { ...filtersOf(view), ...rowsOf(view.page, PAGE_SIZE) }
  return {
    queryKey: ['audiences', 'list', query],
    queryFn: ({ signal }: { signal: AbortSignal }) => client.get<AudienceList>(PATH, { query, signal }),
  }
}

/** The list, requested while the code of its page is loading. */
export const prefetchAudiences = (queries: QueryClient, view: AudiencesSearch) =>
  queries.prefetchQuery(audiencesQuery(view))
