import { useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type {
  Adjustment,
  AdjustmentList,
  BillMonth,
  BillReply,
  BookDrift,
  BookDriftReply,
  Checks,
  CreateAdjustment,
  CreatePlatformInvoice,
  LockMonth,
  LockReply,
  PlatformInvoice,
  Reconciliation,
  Statement,
  Statements,
  UnlockMonth,
  UnlockReply,
  UpdateAdjustment,
  UpdatePlatformInvoice,
} from '#shared/api/ec-spend.ts'
import { client } from '#web/client/client.ts'
import { download } from '#web/client/download.ts'
import { readAll } from '#web/client/list-pages.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'
import { PATH } from '#web/pages/ec-spend/data.ts'

/** While days are not known: they are being fetched. */
const FETCHING_MS = 10_000

export const useStatements = (month: string) =>
  useQuery<z.infer<typeof Statements>, Problem>({
    queryKey: ['ec-spend', 'statements', month],
    queryFn: ({ signal }) => client.get(`${PATH}statement/`, { query: { month }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.results.some(({ total }) => total === null) ? FETCHING_MS : false,
  })

export const useChecks = (month: string) =>
  useQuery<z.infer<typeof Checks>, Problem>({
    queryKey: ['ec-spend', 'checks', month],
    queryFn: ({ signal }) => client.get(`${PATH}checks/`, { query: { month }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.results.some(({ code }) => code === 'days_unknown') ? FETCHING_MS : false,
  })

export const useReconciliation = (month: string) =>
  useQuery<Reconciliation, Problem>({
    queryKey: ['ec-spend', 'reconciliation', month],
    queryFn: ({ signal }) => client.get(`${PATH}reconciliation/`, { query: { month }, signal }),
  })

export const useAdjustments = (month: string) =>
  useQuery<Adjustment[], Problem>({
    queryKey: ['ec-spend', 'adjustments', month],
    queryFn: ({ signal }) =>
      readAll(rows =>
        client.get<z.infer<typeof AdjustmentList>>(`${PATH}adjustment/`, {
          query: { month, ...rows },
          signal,
        }),
      ),
  })

/** 月結對帳單 */
export const downloadStatement = ({ month, advertiser, currency }: Statement) =>
  download(`${PATH}statement/pdf/`, { month, advertiser, currency })

type NewInvoice = z.input<typeof CreatePlatformInvoice>
type ChangedInvoice = z.input<typeof UpdatePlatformInvoice>

/** A first invoice of an account and month, or the one that is there with other figures. */
export const useSaveInvoice = (id: number | null) =>
  useChange((body: NewInvoice | ChangedInvoice) =>
    id === null
      ? client.post<PlatformInvoice>(`${PATH}invoice/`, { body })
      : client.patch<PlatformInvoice>(`${PATH}invoice/${id}/`, { body }),
  )

export const useDeleteInvoice = () =>
  useChange(({ id, version }: { id: number; version: number }) =>
    client.delete<null>(`${PATH}invoice/${id}/`, { body: { version } }),
  )

type NewAdjustment = z.input<typeof CreateAdjustment>
type ChangedAdjustment = z.input<typeof UpdateAdjustment>

export const useSaveAdjustment = (id: number | null) =>
  useChange((body: NewAdjustment | ChangedAdjustment) =>
    id === null
      ? client.post<Adjustment>(`${PATH}adjustment/`, { body })
      : client.patch<Adjustment>(`${PATH}adjustment/${id}/`, { body }),
  )

export const useDeleteAdjustment = () =>
  useChange(({ id, version }: { id: number; version: number }) =>
    client.delete<null>(`${PATH}adjustment/${id}/`, { body: { version } }),
  )

export const useLock = () =>
  useChange((body: z.input<typeof LockMonth>) =>
    client.post<z.infer<typeof LockReply>>(`${PATH}lock/`, { body }),
  )

export const useUnlock = () =>
  useChange((body: z.input<typeof UnlockMonth>) =>
    client.post<z.infer<typeof UnlockReply>>(`${PATH}unlock/`, { body }),
  )

export const useBill = () =>
  useChange((body: z.input<typeof BillMonth>) =>
    client.post<z.infer<typeof BillReply>>(`${PATH}bill/`, { body }),
  )

export const useBookDrift = () =>
  useChange((body: z.input<typeof BookDrift>) =>
    client.post<z.infer<typeof BookDriftReply>>(`${PATH}drift/`, { body }),
  )

/** Whatever changes a month changes its sums, its checks and what is still to be billed. */
function useChange<Reply, Input>(send: (input: Input) => Promise<Reply>) {
  const reload = useReload('ec-spend', 'payments')
  return useMutation<Reply, Problem, Input>({ mutationFn: send, onSettled: reload })
}
