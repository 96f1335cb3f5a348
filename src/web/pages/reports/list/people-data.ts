import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { TransferReply, TransferReports, UserList } from '#shared/api/people.ts'
import type { Share, ShareReport } from '#shared/api/reports.ts'
import { client } from '#web/app/client.ts'
import type { Problem } from '#web/app/problem.ts'

export interface Someone {
  id: number
  name: string
  username: string
  is_client: boolean
}

/** The first few open accounts whose name has the text, of those whom one may see. */
export function usePeople(search: string) {
  return useQuery<z.infer<typeof UserList>, Problem, Someone[]>({
    queryKey: ['people', search],
    queryFn: ({ signal }) =>
      client.get('/api/user/', {
        query: { search, is_active: 1, limit: 30, ordering: 'full_name' },
        signal,
      }),
    select: ({ results }) =>
      results.map(({ user_id, full_name, username, identity }) => ({
        id: user_id,
        name: full_name === '' ? username : full_name,
        username,
        is_client: identity === 'external_user',
      })),
    placeholderData: keepPreviousData,
  })
}

const sharesOf = (report: number) => `/api/gs-template-setting/${report}/share/`
export type Shared = z.infer<typeof Share>

/** With whom a report is shared. */
export const useShares = (report: number | undefined) =>
  useQuery<Shared[], Problem>({
    queryKey: ['shares', report],
    queryFn: ({ signal }) => client.get(sharesOf(report ?? 0), { signal }),
    enabled: report !== undefined,
  })

/** Shares with somebody, or changes what they may do. */
export function useShare(report: number) {
  const queries = useQueryClient()
  return useMutation<Shared[], Problem, z.infer<typeof ShareReport>>({
    mutationFn: body => client.post(sharesOf(report), { body }),
    onSuccess: shares => queries.setQueryData(['shares', report], shares),
  })
}

export function useUnshare(report: number) {
  const queries = useQueryClient()
  return useMutation<null, Problem, number>({
    mutationFn: user => client.delete(`${sharesOf(report)}${user}/`),
    onSuccess: (_, gone) =>
      queries.setQueryData<Shared[]>(['shares', report], shares =>
        shares?.filter(({ user }) => user !== gone),
      ),
  })
}

/** Hands reports of one owner over to another. */
export const transferReports = (from: number, body: z.input<typeof TransferReports>) =>
  client.post<z.infer<typeof TransferReply>>(`/api/user/${from}/transfer-reports/`, { body })
