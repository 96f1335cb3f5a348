import { queryOptions, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { ReportList } from '#shared/api/reports.ts'
import { client } from '#web/client/client.ts'

export interface EndingCounts {
  /** Reports that end by themselves within a week. */
  soon: number
  /** Reports that have ended within the last two. */
  ended: number
}

/** null: not known yet. Small, since the first page requests it. */
export function useEndingCounts(): EndingCounts | null {
  const soon = useEndingCount('soon')
  const ended = useEndingCount('ended')
  // If it cannot be loaded the page goes on without it, and shows no error.
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
