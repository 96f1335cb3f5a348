import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type {
  Account,
  CreateUser,
  PasswordLink,
  TransferPlan,
  TransferReply,
  TransferReports,
  UpdateAccount,
  User,
  UserList,
} from '#shared/api/people.ts'
import { client } from '#web/client/client.ts'
import { readAll } from '#web/client/list-pages.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'
import { useListPage } from '#web/pages/use-list-page.ts'
import type { UsersSearch } from './search.ts'

export const PATH = '/api/user/'
export const PAGE_SIZE = 10
export const DEFAULT_ORDERING = '-id'

export const useUsers = (view: UsersSearch) =>
  useListPage<z.infer<typeof UserList>>({
    key: ['users', 'list'],
    path: PATH,
    filters: filtersOf(view),
    page: view.page,
    size: PAGE_SIZE,
  })

/** What the list is filtered by, on every page. */
export const filtersOf = ({
  page: _page,
  user: _user,
  ordering = DEFAULT_ORDERING,
  ...filters
}: UsersSearch) => ({
  ...filters,
  ordering,
})

export const useAccount = (id: number) =>
  useQuery<Account, Problem>({
    queryKey: ['users', 'one', id],
    queryFn: ({ signal }) => client.get(`${PATH}${id}/`, { signal }),
    staleTime: 0,
  })

/** Everybody with an open account, by name: those who can receive reports. */
export const useOpenUsers = () =>
  useQuery<User[], Problem>({
    queryKey: ['users', 'open'],
    queryFn: ({ signal }) =>
      readAll(rows =>
        client.get<z.infer<typeof UserList>>(PATH, {
          query: { is_active: 1, ordering: 'full_name', ...rows },
          signal,
        }),
      ),
  })

export const useCreate = () =>
  useChange((body: z.input<typeof CreateUser>) => client.post<Account>(PATH, { body }))

export const useUpdate = (id: number) =>
  useChange((body: UpdateAccount) => client.patch<Account>(`${PATH}${id}/`, { body }))

export const useResetSecondFactor = (id: number) =>
  useChange<null, void>(() => client.delete(`${PATH}${id}/second-factor/`))

/** A one-time link; it is discarded with the dialog that shows it. */
export const useLink = (id: number) =>
  useMutation<z.infer<typeof PasswordLink>, Problem, void>({
    mutationFn: () => client.post(`${PATH}${id}/password-link/`),
    gcTime: 0,
  })

/** The reports of somebody, and what of them the new owner could not use. */
export const useTransferPlan = (id: number, to: number | null) =>
  useQuery<TransferPlan, Problem>({
    queryKey: ['users', 'transfer', id, to],
    queryFn: ({ signal }) => client.get(`${PATH}${id}/transfer-reports/`, { query: { to }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const useTransfer = (id: number) =>
  useChange((body: z.input<typeof TransferReports>) =>
    client.post<z.infer<typeof TransferReply>>(`${PATH}${id}/transfer-reports/`, { body }),
  )

/** A change to people makes the lists of them, of clients and of reports out of date. */
function useChange<Reply, Input>(send: (input: Input) => Promise<Reply>) {
  const reload = useReload('users', 'reports', 'folders', 'clients')
  return useMutation<Reply, Problem, Input>({ mutationFn: send, onSuccess: reload })
}
