import { keepPreviousData, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { TransferPlan, TransferReply, TransferReports, UserList } from '#shared/api/people.ts'
import type { Report, Share } from '#shared/api/reports.ts'
import { isErrorCode } from '#shared/errors.ts'
import { nameOf } from '#shared/person-name.ts'
import { client } from '#web/client/client.ts'
import { Problem } from '#web/client/problem.ts'
import { bulkInBatches } from './data.ts'
import { undoPlan, type Bulk } from './undo-plan.ts'
import { carryOut } from './use-bulk.ts'
import { useUndoToast } from './use-undo-toast.ts'

export interface Someone {
  id: number
  name: string
  /** null: hidden from the reader. */
  username: string | null
  is_client: boolean
}

/** The first few open accounts whose name contains the text, of those whom one may see. */
export function usePeople(search: string) {
  return useQuery<z.infer<typeof UserList>, Problem, Someone[]>({
    queryKey: ['people', search],
    queryFn: ({ signal }) =>
      client.get('/api/user/', {
        query: { search, is_active: 1, limit: 30, ordering: 'full_name' },
        signal,
      }),
    select: ({ results }) =>
      results.map(person => ({
        id: person.user_id,
        name: nameOf(person),
        username: person.username,
        is_client: person.user_type === 2,
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

interface Sharing {
  action: Omit<Bulk, 'ids'>
  message: string
}

/** Shares a report with somebody, changes what they may do, or ends that; confirms it with an undo. */
export function useSharing(report: Report) {
  const queries = useQueryClient()
  const tellUndoable = useUndoToast()
  return useMutation<Bulk[], Problem, Sharing>({
    // The response says what was before, which a list that was read earlier may no longer say.
    mutationFn: async ({ action }) => {
      const results = await bulkInBatches({ ...action, ids: [report.id] })
      const refused = results.find(({ status }) => status === 'refused')?.code
      if (refused !== undefined)
        throw new Problem({ code: refused !== null && isErrorCode(refused) ? refused : 'internal_error' })
      return undoPlan(action, [report], results)
    },
    onSuccess: (plan, { message }) => tellUndoable(message, () => carryOut(plan)),
    onSettled: () =>
      Promise.all(
        [['shares', report.id], ['reports']].map(queryKey => queries.invalidateQueries({ queryKey })),
      ),
  })
}

/**
 * Whether transferring these reports can be undone: a superuser may, as long as the current owner could
 * receive them. null before it is known.
 */
export function useMayReturn(reports: readonly Report[]): boolean | null {
  const owners = [...new Set(reports.map(({ owner }) => owner))]
  const plans = useQueries({
    queries: owners.map(owner => ({
      queryKey: ['users', 'transfer', owner, null],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.get<TransferPlan>(transferOf(owner), { signal }),
      staleTime: 0,
    })),
  })
  if (plans.some(plan => plan.error)) return false
  if (plans.some(plan => plan.isPending)) return null
  const may = new Set(
    plans.flatMap(({ data }) => data?.reports ?? []).flatMap(r => (r.may_return ? r.id : [])),
  )
  return reports.every(({ id }) => may.has(id))
}

const transferOf = (owner: number) => `/api/user/${owner}/transfer-reports/`

/** Transfers reports of one owner to another. */
export const transferReports = (from: number, body: z.input<typeof TransferReports>) =>
  client.post<z.infer<typeof TransferReply>>(transferOf(from), { body })
