import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AdAccount, AdAccountList } from '#shared/api/ad-accounts.ts'
import type {
  CalculatedMetric,
  CalculatedMetricList,
  CreateCalculatedMetric,
  TriedFormula,
  TryFormula,
  UpdateCalculatedMetric,
} from '#shared/api/insight-settings.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import { SETTINGS, useChange } from '#web/pages/insight-settings/data.ts'
import type { InsightSearch } from '#web/pages/insight-settings/search.ts'
import { useListPage } from '#web/pages/use-list-page.ts'

export const METRICS = `${SETTINGS}metrics/`
export const PAGE_SIZE = 10

export const useMetrics = (view: InsightSearch) =>
  useListPage<z.infer<typeof CalculatedMetricList>>({
    key: ['insight-settings', 'metrics', 'list'],
    path: METRICS,
    filters: metricFilters(view),
    page: view.page,
    size: PAGE_SIZE,
  })

export const metricFilters = ({ search, ordering = 'name', advertiser, is_active }: InsightSearch) => ({
  search,
  ordering,
  advertiser,
  is_active,
})

export const useMetric = (id: number) =>
  useQuery<CalculatedMetric, Problem>({
    queryKey: ['insight-settings', 'metrics', 'one', id],
    queryFn: ({ signal }) => client.get(`${METRICS}${id}/`, { signal }),
    staleTime: 0,
  })

export const useCreateMetric = () =>
  useChange((body: z.input<typeof CreateCalculatedMetric>) =>
    client.post<CalculatedMetric>(METRICS, { body }),
  )

export const useUpdateMetric = (id: number) =>
  useChange((body: z.input<typeof UpdateCalculatedMetric>) =>
    client.patch<CalculatedMetric>(`${METRICS}${id}/`, { body }),
  )

/** What a formula makes of an account; null: there is nothing to ask. */
export const useTriedFormula = (body: z.input<typeof TryFormula> | null) =>
  useQuery<TriedFormula, Problem>({
    queryKey: ['insight-settings', 'try', body],
    queryFn: ({ signal }) => client.post(`${METRICS}try/`, { body, signal }),
    enabled: body !== null,
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
    retry: false,
  })

const MOST_FOUND = 30

/** Accounts of a channel by what is typed, those of one advertiser where it is named. */
export const useAccountsLike = (channel: Channel, advertiser: number | null, search: string) =>
  useQuery<AdAccount[], Problem>({
    queryKey: ['accounts', 'like', channel, advertiser, search],
    queryFn: async ({ signal }) => {
      const query = { channel, advertiser, search, ordering: 'name', limit: MOST_FOUND }
      return (await client.get<z.infer<typeof AdAccountList>>('/api/ad/account/', { query, signal })).results
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
