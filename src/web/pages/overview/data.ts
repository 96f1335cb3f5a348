import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Attention, OverviewOrders } from '#shared/api/overview.ts'
import type { Execution } from '#shared/api/executions.ts'
import type { Report } from '#shared/api/reports.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import { overviewQuery } from './overview-query.ts'

/** Today at a glance, from one's own midnight on. */
export const useOverview = () => useQuery(overviewQuery)

export const ATTENTION_PAGE = 20

/** A page of all reports that need attention; with the overview, whatever changes a report invalidates it. */
export const useAttention = (page: number) =>
  useQuery<Attention, Problem>({
    queryKey: ['reports', 'attention', page],
    queryFn: ({ signal }) =>
      client.get('/api/overview/attention/', {
        query: { limit: ATTENTION_PAGE, offset: (page - 1) * ATTENTION_PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

const ORDERS_FRESH_MS = 60_000

/** What of the orders of one's advertisers needs attention. */
export const useOverviewOrders = () =>
  useQuery<OverviewOrders, Problem>({
    queryKey: ['orders', 'overview'],
    queryFn: ({ signal }) => client.get('/api/overview/orders/', { signal }),
    staleTime: ORDERS_FRESH_MS,
  })

/** Runs a report again after its last run failed. */
export function useRunAgain({ id, last_run }: Report) {
  const queries = useQueryClient()
  return useMutation<Execution, Problem>({
    mutationFn: () => client.post(`/api/gs-template-setting/${id}/runs/${last_run?.id}/retry/`, { body: {} }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['reports'] }),
  })
}
