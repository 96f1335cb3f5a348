import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AdAccount, AdAccountList } from '#shared/api/ad-accounts.ts'
import type { Report } from '#shared/api/reports.ts'
import type { Channel } from '#shared/channels/all.ts'
import { client } from '#web/app/client.ts'
import type { Problem } from '#web/app/problem.ts'
import type { Draft } from './draft.ts'

const REPORTS = '/api/gs-template-setting/'

export function useReport(id: number | undefined) {
  return useQuery<Report, Problem>({
    queryKey: ['reports', 'one', id],
    queryFn: ({ signal }) => client.get(`${REPORTS}${id}/`, { signal }),
    enabled: id !== undefined,
    staleTime: 0,
  })
}

const PAGE = 100
/** Beyond so many accounts nobody scrolls; the search of the picker still finds the first ones. */
const MOST_PAGES = 20

/** Every account of a channel that one may use, by name. */
export const accountsOf = (channel: Channel) =>
  queryOptions<AdAccount[], Problem>({
    queryKey: ['accounts', channel],
    queryFn: async ({ signal }) => {
      const accounts: AdAccount[] = []
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const query = { channel, limit: PAGE, offset: page * PAGE }
        const reply = await client.get<z.infer<typeof AdAccountList>>('/api/ad/account/', { query, signal })
        accounts.push(...reply.results)
        if (reply.next === null) break
      }
      return accounts
    },
    staleTime: 5 * 60_000,
  })

export interface Save {
  draft: Partial<Draft>
  /** null: a new report, in `folder`. */
  report: { id: number; version: number } | null
  folder: number | null
}

/** Saves the report; the answer is the report as it is now. */
export function useSave() {
  const queries = useQueryClient()
  return useMutation<Report, Problem, Save>({
    mutationFn: ({ draft, report, folder }) =>
      report
        ? client.patch(`${REPORTS}${report.id}/`, { body: { ...draft, version: report.version } })
        : client.post(REPORTS, { body: { ...draft, folder } }),
    onSuccess: saved => {
      queries.setQueryData(['reports', 'one', saved.id], saved)
      void queries.invalidateQueries({ queryKey: ['reports', 'list'] })
      void queries.invalidateQueries({ queryKey: ['folders'] })
    },
  })
}
