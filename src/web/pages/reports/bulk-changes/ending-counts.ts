import { queryOptions, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { ReportList } from '#shared/api/reports.ts'
import { client } from '#web/client/client.ts'

export interface EndingCounts {
  /** That end by themselves within a week. */
  soon: number
  /** That have ended within the last two. */
  ended: number
}

/** null: not known yet. Small, since the first page asks it. */
export function useEndingCounts(): EndingCounts | null {
  const soon = useEndingCount('soon')
  const ended = useEndingCount('ended')
  // Where it cannot be found out nobody need be told: the page goes on without.
  if (soon.isPending || ended.isPending) return null
  return { soon: soon.data ?? 0, ended: ended.data ?? 0 }
}

const useEndingCount = (ending: keyof EndingCounts) => useQuery({ ...endingQuery(ending), select: countOf })
const countOf = ({ count }: z.infer<typeof ReportList>) => count

export const endingQuery = (ending: keyof EndingCounts) =>
  queryOptions({
    queryKey: ['reports', 'ending', ending],
    queryFn: ({ signal }) =>
      client.get<z.infer<typeof ReportList>>('/api/gs-template-setting/', {
        query: { ending, limit: 1 },
        signal,
      }),
  })
