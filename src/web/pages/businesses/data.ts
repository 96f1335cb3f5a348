import { useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type {
  AvailableBusinesses,
  Business,
  BusinessAccount,
  BusinessAccountList,
  BusinessAccountUsers,
  BusinessMembers,
} from '#shared/api/businesses.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'
import { useListPage } from '#web/pages/use-list-page.ts'
import type { BusinessesSearch } from './search.ts'

const PATH = '/api/fb-business/'
export const ACCOUNTS = `${PATH}adaccount/`
export const PAGE_SIZE = 20

/** The names of the business managers that the reader has, by id. */
export const useBusinessNames = () =>
  useQuery<z.infer<typeof AvailableBusinesses>, Problem>({
    queryKey: ['businesses', 'names'],
    queryFn: ({ signal }) => client.get(PATH, { signal }),
  })

/** While it is being read at Meta, it is looked at again. */
const LOOK_MS = 3000

export const useBusiness = (id: number) =>
  useQuery<Business, Problem>({
    queryKey: ['businesses', 'one', id],
    queryFn: ({ signal }) => client.get(`${PATH}${id}/`, { signal }),
    refetchInterval: ({ state }) => (state.data?.is_refreshing ? LOOK_MS : false),
  })

/** `readAt`: when its accounts were read; those of another time are other ones. */
export const useAccounts = (view: BusinessesSearch, business: number, readAt: string | null | undefined) =>
  useListPage<z.infer<typeof BusinessAccountList>>({
    key: ['businesses', 'accounts', readAt ?? ''],
    path: ACCOUNTS,
    filters: accountFilters(view, business),
    page: view.page,
    size: PAGE_SIZE,
  })

/** What the list is filtered by, on every page. */
export const accountFilters = (
  { search, ordering = 'urgency', relation, status, advertiser, warn }: BusinessesSearch,
  business: number,
) => ({ business, search, ordering, relation, status, advertiser, warn })

/** Read at Meta, which takes a moment. */
export const useAccountUsers = (id: number) =>
  useQuery<BusinessAccountUsers, Problem>({
    queryKey: ['businesses', 'users', id],
    queryFn: ({ signal }) => client.get(`${ACCOUNTS}${id}/users/`, { signal }),
    staleTime: 60_000,
  })

export function useRefresh(id: number) {
  const reload = useReload('businesses')
  return useMutation<Business, Problem, void>({
    mutationFn: () => client.post(`${PATH}${id}/refresh/`),
    onSuccess: reload,
  })
}

/** One after the other; those that were refused are in the answer. */
export function useRelate() {
  const reload = useReload('businesses', 'advertisers', 'ad-accounts')
  return useMutation<
    readonly BusinessAccount[],
    Problem,
    { accounts: readonly BusinessAccount[]; advertiser: number | null }
  >({
    async mutationFn({ accounts, advertiser }) {
      const refused: BusinessAccount[] = []
      for (const account of accounts)
        await client
          .patch(`${ACCOUNTS}${account.id}/`, { body: { advertiser } })
          .catch(() => refused.push(account))
      return refused
    },
    onSettled: reload,
  })
}

export const useMembers = (business: number) =>
  useQuery<BusinessMembers, Problem>({
    queryKey: ['businesses', 'members', business],
    queryFn: ({ signal }) => client.get(`${PATH}${business}/members/`, { signal }),
  })

export function useGrant(business: number) {
  const reload = useReload('businesses')
  return useMutation<BusinessMembers, Problem, number>({
    mutationFn: user => client.post(`${PATH}${business}/members/`, { body: { user } }),
    onSuccess: reload,
  })
}

export function useRevoke(business: number) {
  const reload = useReload('businesses')
  return useMutation<null, Problem, number>({
    mutationFn: user => client.delete(`${PATH}${business}/members/${user}/`),
    onSuccess: reload,
  })
}
