import { useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { CreateSite, Site, SiteList, UpdateSite } from '#shared/api/materials.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'
import { useListPage } from '#web/pages/use-list-page.ts'
import type { SitesSearch } from './search.ts'

export const SITES = '/api/site/'
export const PAGE_SIZE = 10
export const DEFAULT_ORDERING = 'name'

export const useSites = (view: SitesSearch) =>
  useListPage<z.infer<typeof SiteList>>({
    key: ['sites', 'list'],
    path: SITES,
    filters: siteFilters(view),
    page: view.page,
    size: PAGE_SIZE,
  })

export const siteFilters = ({
  page: _page,
  site: _site,
  ordering = DEFAULT_ORDERING,
  ...filters
}: SitesSearch) => ({ ...filters, ordering })

export const useSite = (id: number) =>
  useQuery<Site, Problem>({
    queryKey: ['sites', 'one', id],
    queryFn: ({ signal }) => client.get(`${SITES}${id}/`, { signal }),
    staleTime: 0,
  })

export const useCreateSite = () => useChange((body: CreateSite) => client.post<Site>(SITES, { body }))

export const useUpdateSite = (id: number) =>
  useChange((body: UpdateSite) => client.patch<Site>(`${SITES}${id}/`, { body }))

/** Audiences of visitors are made of them, and the search palette finds them by name. */
export const useReloadSites = () => useReload('sites', 'audiences', 'palette')

function useChange<Reply, Input>(send: (input: Input) => Promise<Reply>) {
  const reload = useReloadSites()
  return useMutation<Reply, Problem, Input>({ mutationFn: send, onSuccess: () => void reload() })
}
