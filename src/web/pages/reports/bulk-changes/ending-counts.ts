import { queryOptions, useQuery } from '@tanstack/react-query'
import type { EndingCounts } from '#shared/api/reports.ts'
import { client } from '#web/client/client.ts'

/**
 * How many reports end by themselves within a week, and have within the last two; null: not known yet. Small,
 * since the first page requests it.
 */
export function useEndingCounts(): EndingCounts | null {
  // If it cannot be loaded the page goes on without it, and shows no error.
  const { data, isPending } = useQuery(endingQuery)
  return isPending ? null : (data ?? { soon: 0, ended: 0 })
}

export const endingQuery = queryOptions({
  queryKey: ['reports', 'ending', 'counts'],
  queryFn: ({ signal }) => client.get<EndingCounts>('/api/gs-template-setting/ending/', { signal }),
})
