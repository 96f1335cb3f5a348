import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AdAccount, AdAccountList } from '#shared/api/ad-accounts.ts'
import type {
  Actions,
  ConversionDefinition,
  ConversionDefinitionList,
  CreateConversionDefinition,
  UpdateConversionDefinition,
} from '#shared/api/insight-settings.ts'
import { client } from '#web/client/client.ts'
import { readAll } from '#web/client/list-pages.ts'
import type { Problem } from '#web/client/problem.ts'
import { SETTINGS, useChange } from '#web/pages/insight-settings/data.ts'
import type { InsightSearch } from '#web/pages/insight-settings/search.ts'
import { useListPage } from '#web/pages/use-list-page.ts'

export const CONVERSIONS = `${SETTINGS}conversions/`
export const PAGE_SIZE = 10

export const useConversions = (view: InsightSearch) =>
  useListPage<z.infer<typeof ConversionDefinitionList>>({
    key: ['insight-settings', 'conversions', 'list'],
    path: CONVERSIONS,
    filters: conversionFilters(view),
    page: view.page,
    size: PAGE_SIZE,
  })

/** One advertiser after the other, since they are drawn below its name. */
export const conversionFilters = ({ search, advertiser }: InsightSearch) => ({
  search,
  ordering: 'advertiser_name',
  advertiser: advertiser === 'agency' ? undefined : advertiser,
})

export const useConversion = (id: number) =>
  useQuery<ConversionDefinition, Problem>({
    queryKey: ['insight-settings', 'conversions', 'one', id],
    queryFn: ({ signal }) => client.get(`${CONVERSIONS}${id}/`, { signal }),
    staleTime: 0,
  })

export const useCreateConversion = () =>
  useChange((body: z.input<typeof CreateConversionDefinition>) =>
    client.post<ConversionDefinition>(CONVERSIONS, { body }),
  )

export const useUpdateConversion = (id: number) =>
  useChange((body: z.input<typeof UpdateConversionDefinition>) =>
    client.patch<ConversionDefinition>(`${CONVERSIONS}${id}/`, { body }),
  )

/** While the platform prepares the list. */
const PREPARING_MS = 3000

/** What an account has counted in the last 90 days. */
export const useActions = (account: number | null) =>
  useQuery<Actions, Problem>({
    queryKey: ['insight-settings', 'actions', account],
    queryFn: ({ signal }) => client.get(`${CONVERSIONS}actions/`, { query: { ad_account: account }, signal }),
    enabled: account !== null,
    staleTime: 5 * 60_000,
    retry: false,
    refetchInterval: ({ state }) => (state.data?.is_pending ? PREPARING_MS : false),
  })

/** The accounts of an advertiser in a channel, by name. */
export const useAccounts = (advertiser: number, channel: string) =>
  useQuery<AdAccount[], Problem>({
    queryKey: ['accounts', 'of', advertiser, channel],
    queryFn: ({ signal }) =>
      readAll(rows =>
        client.get<z.infer<typeof AdAccountList>>('/api/ad/account/', {
          query: { advertiser, channel, ordering: 'name', ...rows },
          signal,
        }),
      ),
    staleTime: 60_000,
  })
