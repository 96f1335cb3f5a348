import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Execution } from '#shared/api/executions.ts'
import type { Report } from '#shared/api/reports.ts'
import type { Spend } from '#shared/api/spend.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import { overviewQuery } from './overview-query.ts'

const FRESH_MS = 60_000
/** While accounts are queried for the first time. */
const FILLING_MS = 3000

/** Today at a glance, from one's own midnight on. */
export const useOverview = () => useQuery(overviewQuery)

/** What each channel cost by day, the last 60 whole days: today is not over, so it would compare badly. */
export const spendQuery = queryOptions<Spend, Problem>({
  queryKey: ['spend'],
  queryFn: ({ signal }) => {
    const today = Temporal.Now.plainDateISO()
    const query = {
      start: today.subtract({ days: 60 }).toString(),
      end: today.subtract({ days: 1 }).toString(),
    }
    return client.get('/api/ad/metrics/', { query, signal })
  },
  staleTime: FRESH_MS,
  refetchInterval: ({ state }) => ((state.data?.waiting ?? 0) > 0 ? FILLING_MS : false),
})

/** Runs a report again after its last run failed. */
export function useRunAgain({ id, last_run }: Report) {
  const queries = useQueryClient()
  return useMutation<Execution, Problem>({
    mutationFn: () => client.post(`/api/gs-template-setting/${id}/runs/${last_run?.id}/retry/`, { body: {} }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['reports'] }),
  })
}
