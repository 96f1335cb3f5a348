import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Spend } from '#shared/api/spend.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import type { PeriodDays } from './spend-periods.ts'

const FRESH_MS = 60_000
/** While accounts are queried for the first time. */
const FILLING_MS = 3000

/** What each channel cost by day, over a period and what it is compared with. */
export const spendQuery = ({ now, before }: PeriodDays) => {
  const query = { start: before.start, end: (now ?? before).end }
  return queryOptions<Spend, Problem>({
    queryKey: ['spend', query],
    queryFn: ({ signal }) => client.get('/api/ad/metrics/', { query, signal }),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.waiting ?? 0) > 0 ? FILLING_MS : false),
  })
}
