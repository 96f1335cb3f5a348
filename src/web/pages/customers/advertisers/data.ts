import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Advertiser, AdvertiserList, CreateAdvertiser } from '#shared/api/advertisers.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import { ADVERTISERS, PAGE_SIZE, useChange } from '#web/pages/customers/data.ts'
import type { AdvertisersSearch } from '#web/pages/customers/search.ts'
import { useListPage } from '#web/pages/use-list-page.ts'

export const DEFAULT_ORDERING = 'name'

export const useAdvertisers = (view: AdvertisersSearch) =>
  useListPage<z.infer<typeof AdvertiserList>>({
    key: ['advertisers', 'list'],
    path: ADVERTISERS,
    filters: filtersOf(view),
    page: view.page,
    size: PAGE_SIZE,
  })

/** What the list is filtered by, on every page. */
export const filtersOf = ({ search, ordering = DEFAULT_ORDERING, ...view }: AdvertisersSearch) => ({
  search,
  ordering,
  industry: view.industry,
  agent: view.agent,
  member: view.member,
  is_active: view.is_active,
  no_agreement: view.no_agreement,
})

/** Those whose tax id contains a text, to say who has the same one. */
export const useWithTaxId = (tax_id: string) =>
  useQuery<Advertiser[], Problem>({
    queryKey: ['advertisers', 'tax-id', tax_id],
    queryFn: async ({ signal }) => {
      const query = { search: tax_id, limit: 5 }
      const { results } = await client.get<z.infer<typeof AdvertiserList>>(ADVERTISERS, { query, signal })
      return results.filter(advertiser => advertiser.tax_id === tax_id)
    },
    enabled: tax_id !== '',
    staleTime: 60_000,
  })

export const useCreateAdvertiser = () =>
  useChange((body: z.input<typeof CreateAdvertiser>) => client.post<Advertiser>(ADVERTISERS, { body }))
