import { useMutation, useMutationState, useQuery } from '@tanstack/react-query'
import type {
  CreatePublicAccount,
  ImportReply,
  PublicAccount,
  PublicAccountList,
  PublicAccountPlatform,
  TestReply,
  UpdatePublicAccount,
} from '#shared/api/public-accounts.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import type { ListSearch } from '#web/client/search.ts'
import { useReload } from '#web/client/use-reload.ts'
import { useListPage } from '#web/pages/use-list-page.ts'

export const PATH = '/api/public-account/'
export const PAGE_SIZE = 10
export const DEFAULT_ORDERING = '-id'

export const usePublicAccounts = (view: ListSearch) =>
  useListPage<PublicAccountList>({
    key: ['public-accounts'],
    path: PATH,
    filters: filtersOf(view),
    page: view.page,
    size: PAGE_SIZE,
  })

/** What the list is filtered by, on every page. */
export const filtersOf = ({ search, ordering = DEFAULT_ORDERING }: ListSearch) => ({ search, ordering })

/** The platforms that can be connected; they change only with a release. */
export const usePlatforms = () =>
  useQuery<PublicAccountPlatform[], Problem>({
    queryKey: ['public-account-platforms'],
    queryFn: ({ signal }) => client.get('/api/public-account-platform/', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** What was typed is discarded with the dialog. */
const SECRET = { gcTime: 0 }

export function useConnect(onConnected: (account: PublicAccount) => void) {
  const reload = useReloadOfAccounts()
  return useMutation<PublicAccount, Problem, CreatePublicAccount>({
    ...SECRET,
    mutationFn: body => client.post(PATH, { body }),
    onSuccess: async account => {
      onConnected(account)
      await reload()
    },
  })
}

export function useChange(id: number, onChanged: () => void) {
  const reload = useReloadOfAccounts()
  return useMutation<PublicAccount, Problem, UpdatePublicAccount>({
    ...SECRET,
    mutationFn: body => client.patch(`${PATH}${id}/`, { body }),
    onSuccess: async () => {
      await reload()
      onChanged()
    },
  })
}

export function useRemove(id: number, onRemoved: () => void) {
  const reload = useReloadOfAccounts()
  return useMutation<{ accounts: number }, Problem, void>({
    mutationFn: () => client.delete(`${PATH}${id}/`),
    onSuccess: async () => {
      onRemoved()
      await reload()
    },
  })
}

/** A request to a platform, which may take long. */
export interface PlatformRequest {
  kind: 'test' | 'import'
  account: PublicAccount
}
type Reply = TestReply & Partial<ImportReply>

const REQUEST_KEY = ['public-accounts', 'ask']

/** Tests a login, or imports by it; either way the list has the outcome. */
export function useRequestMutation(effects: {
  onReply: (request: PlatformRequest, reply: Reply) => void
  onProblem: (request: PlatformRequest, problem: Problem) => void
}) {
  const reload = useReloadOfAccounts()
  return useMutation<Reply, Problem, PlatformRequest>({
    mutationKey: REQUEST_KEY,
    mutationFn: async ({ kind, account }) =>
      kind === 'test'
        ? await client.post(`${PATH}${account.id}/test/`)
        : { result: 'ok', ...(await client.post<ImportReply>(`${PATH}${account.id}/import-accounts/`)) },
    onSuccess: (reply, request) => effects.onReply(request, reply),
    onError: (problem, request) => effects.onProblem(request, problem),
    onSettled: reload,
  })
}

/** The request to a row's platform that is under way, and the outcome of the last one. */
export function useRequestState(id: number) {
  const requests = useMutationState({
    filters: { mutationKey: REQUEST_KEY },
    select: ({ state }) => ({
      request: state.variables as PlatformRequest | undefined,
      pending: state.status === 'pending',
      reply: state.data as Reply | undefined,
    }),
  }).filter(({ request }) => request?.account.id === id)
  return {
    pending: requests.find(({ pending }) => pending)?.request?.kind ?? null,
    last: requests.at(-1) ?? null,
  }
}

/** Also the accounts that reports choose from. */
const useReloadOfAccounts = () => useReload('public-accounts', 'accounts')
