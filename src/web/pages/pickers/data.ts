import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AdAccount, AdAccountList } from '#shared/api/ad-accounts.ts'
import type { Advertiser, AdvertiserList } from '#shared/api/advertisers.ts'
import type { Agent, AgentList, FeeAgreement } from '#shared/api/customers.ts'
import { client } from '#web/client/client.ts'
import { readAll } from '#web/client/list-pages.ts'
import type { Problem } from '#web/client/problem.ts'

const ADVERTISERS = '/api/advertiser/'
const MOST_FOUND = 20

/** Advertisers by name. */
export const useAdvertisersLike = (search: string, onlyActive: boolean) =>
  useQuery<z.infer<typeof AdvertiserList>, Problem>({
    queryKey: ['advertisers', 'like', search, onlyActive],
    queryFn: ({ signal }) =>
      client.get(ADVERTISERS, {
        query: { search, ordering: 'name', limit: MOST_FOUND, ...(onlyActive && { is_active: true }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

const advertiserQuery = (id: number | null) => ({
  queryKey: ['advertisers', 'one', id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    client.get<Advertiser>(`${ADVERTISERS}${id}/`, { signal }),
})
export const useAdvertiser = (id: number | null) =>
  useQuery<Advertiser, Problem>({ ...advertiserQuery(id), enabled: id !== null, retry: false })

/** null: it could not be read. */
export function useFetchAdvertiser() {
  const queries = useQueryClient()
  return async (id: number) => await queries.fetchQuery(advertiserQuery(id)).catch(() => null)
}

/** Those of an advertiser, from the latest month back. */
export const useAgreements = (advertiser: number | null) =>
  useQuery<FeeAgreement[], Problem>({
    queryKey: ['advertisers', 'agreements', advertiser],
    queryFn: async ({ signal }) =>
      (
        await client.get<{ results: FeeAgreement[] }>(`${ADVERTISERS}${advertiser}/fee-agreement/`, {
          signal,
        })
      ).results,
    enabled: advertiser !== null,
    retry: false,
  })

/** The ad accounts of an advertiser, in which its lines are delivered. */
export const useAccountsOf = (advertiser: number | null) =>
  useQuery<AdAccount[], Problem>({
    queryKey: ['accounts', 'of', advertiser],
    queryFn: ({ signal }) =>
      readAll(rows =>
        client.get<z.infer<typeof AdAccountList>>('/api/ad/account/', {
          query: { advertiser, ordering: 'name', ...rows },
          signal,
        }),
      ),
    enabled: advertiser !== null,
  })

export const useAgents = () =>
  useQuery<Agent[], Problem>({
    queryKey: ['agents', 'all'],
    queryFn: ({ signal }) =>
      readAll(rows =>
        client.get<z.infer<typeof AgentList>>('/api/agent/', {
          query: { ordering: 'name', ...rows },
          signal,
        }),
      ),
  })
