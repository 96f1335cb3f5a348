import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import type { z } from 'zod'
import type { AdAccount, AdAccountList } from '#shared/api/ad-accounts.ts'
import type { CatalogueMeanings } from '#shared/api/catalogue.ts'
import type { FilterValues } from '#shared/api/filter-values.ts'
import type { Report } from '#shared/api/reports.ts'
import { noMeanings } from '#shared/block-catalogue.ts'
import { accountChannelOf } from '#shared/channels/all.ts'
import type { Channel, FilterField } from '#shared/channels/catalogue.ts'
import { client } from '#web/client/client.ts'
import { LONGEST_PAGE, readAll } from '#web/client/list-pages.ts'
import type { Problem } from '#web/client/problem.ts'
import type { Draft } from './draft.ts'
import type { KnownHere } from './known.ts'

const REPORTS = '/api/gs-template-setting/'

/** Beyond so many accounts nobody scrolls; the search of the picker still finds the first ones. */
export const MOST_ACCOUNTS = 2000

/** Every account of a channel that one may use, by name. */
export const accountsOf = (channel: Channel) =>
  queryOptions<AdAccount[], Problem>({
    // Keywords and events belong to the accounts of another channel.
    queryKey: ['accounts', accountChannelOf(channel)],
    queryFn: ({ signal }) =>
      readAll(
        rows =>
          client.get<z.infer<typeof AdAccountList>>('/api/ad/account/', {
            query: { channel, ordering: 'name', ...rows },
            signal,
          }),
        MOST_ACCOUNTS,
      ),
    staleTime: 5 * 60_000,
  })

/** Those of one advertiser, more than a channel of a report may have. */
export const accountsOfAdvertiser = (channel: Channel, advertiser: number) =>
  queryOptions<AdAccount[], Problem>({
    queryKey: ['accounts', accountChannelOf(channel), advertiser],
    queryFn: async ({ signal }) => {
      const query = { channel, advertiser, ordering: 'name', limit: LONGEST_PAGE }
      return (await client.get<z.infer<typeof AdAccountList>>('/api/ad/account/', { query, signal })).results
    },
    staleTime: 5 * 60_000,
  })

/** What numbers mean to one's advertisers, and what money can be converted to. */
export const meaningsQuery = queryOptions<CatalogueMeanings, Problem>({
  queryKey: ['catalogue', 'meanings'],
  queryFn: ({ signal }) => client.get('/api/ad/gs_meanings/', { signal }),
  staleTime: 5 * 60_000,
})

/** The usable accounts of some blocks, and what their numbers mean. */
export function useKnown(blocks: readonly { channel: Channel }[]): KnownHere {
  const distinct = [...new Set(blocks.map(block => accountChannelOf(block.channel)))]
  const { accounts, isPending } = useQueries({ queries: distinct.map(accountsOf), combine: together })
  const { data } = useQuery(meaningsQuery)
  return useMemo(
    () => ({
      accounts,
      meanings: data?.meanings ?? noMeanings,
      currencies: data?.currencies ?? [],
      isComplete: data !== undefined && !isPending,
    }),
    [accounts, isPending, data],
  )
}

const together = (results: UseQueryResult<AdAccount[], Problem>[]) => ({
  accounts: results.flatMap(result => result.data ?? []),
  isPending: results.some(({ data }) => data === undefined),
})

/** Suggestions for a filter of a block; polled while a platform is still being queried. */
export function useFilterValues(
  { channel, accounts }: { channel: Channel; accounts: readonly number[] },
  { field, search, enabled }: { field: FilterField; search: string; enabled: boolean },
) {
  return useQuery<FilterValues, Problem>({
    queryKey: ['filter-values', channel, accounts, field, search],
    queryFn: ({ signal }) =>
      client.get('/api/ad/filter-values/', {
        query: { channel, accounts: accounts.join(','), field, search },
        signal,
      }),
    enabled: enabled && accounts.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.complete === false && dataUpdateCount < MOST_POLLS ? POLL_MS : false,
  })
}

const POLL_MS = 3000
const MOST_POLLS = 6

export interface Save {
  draft: Partial<Draft>
  /** null: a new report, in `folder`. */
  report: { id: number; version: number } | null
  folder: number | null
}

/** Saves the report; the response is the report as it is now. */
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
