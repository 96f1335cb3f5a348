import { useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AccountAdvertiser, AccountAdvertiserList } from '#shared/api/ad-accounts.ts'
import type { Advertiser, AdvertiserList } from '#shared/api/advertisers.ts'
import type {
  AccountInUse,
  CloneOutcome,
  CloneReports,
  ExtendOutcome,
  ExtendReports,
  ReplaceAccount,
  ReplaceOutcome,
  UndoOutcome,
} from '#shared/api/bulk-operations.ts'
import type { Report, ReportList } from '#shared/api/reports.ts'
import { client } from '#web/client/client.ts'
import { LONGEST_PAGE, readAll } from '#web/client/list-pages.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'

const REPORTS = '/api/gs-template-setting/'
const BULK_OPERATIONS = `${REPORTS}care/`

/** The accounts of my reports. */
export const useAccountsInReports = () =>
  useQuery<AccountInUse[], Problem>({
    queryKey: ['reports', 'bulk-changes-accounts'],
    queryFn: ({ signal }) => client.get(`${BULK_OPERATIONS}accounts/`, { signal }),
  })

const MOST_CLIENTS = 2000

/** Those of whom I may use accounts, by name; an inactive client is not among them. */
export const useClientsWithAccounts = () =>
  useQuery<AccountAdvertiser[], Problem>({
    queryKey: ['accounts', 'advertisers', 'all'],
    queryFn: ({ signal }) =>
      readAll(
        rows =>
          client.get<z.infer<typeof AccountAdvertiserList>>('/api/ad/account/advertisers/', {
            query: { ordering: 'name', ...rows },
            signal,
          }),
        MOST_CLIENTS,
      ),
    staleTime: 60_000,
  })

/** Every client whom I may see, by name. */
export const useClients = () =>
  useQuery<Advertiser[], Problem>({
    queryKey: ['clients'],
    queryFn: ({ signal }) =>
      readAll(
        rows =>
          client.get<z.infer<typeof AdvertiserList>>('/api/advertiser/', {
            query: { ordering: 'name', ...rows },
            signal,
          }),
        MOST_CLIENTS,
      ),
    staleTime: 60_000,
  })

/** Reports that end by themselves within a week, or have ended within the last two. */
export const useEnding = () =>
  useQuery<Report[], Problem>({
    queryKey: ['reports', 'ending'],
    queryFn: async ({ signal }) => {
      const query = { ending: 'either', limit: LONGEST_PAGE, ordering: 'name' }
      return (await client.get<z.infer<typeof ReportList>>(REPORTS, { query, signal })).results
    },
  })

/** Applies a bulk change, or with `dry_run` previews it. */
function useBulkOperation<Input extends { dry_run?: boolean | undefined }, Outcome>(path: string) {
  const reload = useReload('reports', 'folders')
  return useMutation<Outcome, Problem, Input>({
    mutationFn: body => client.post(`${BULK_OPERATIONS}${path}/`, { body }),
    onSuccess: async (_, { dry_run }) => {
      if (!dry_run) await reload()
    },
  })
}

export const useReplace = () =>
  useBulkOperation<z.input<typeof ReplaceAccount>, ReplaceOutcome>('replace-account')
export const useClone = () => useBulkOperation<z.input<typeof CloneReports>, CloneOutcome>('clone')
export const useExtend = () => useBulkOperation<z.input<typeof ExtendReports>, ExtendOutcome>('extend')

/** Undoes a bulk change. */
export function useUndo(operation: string, onUndone: (outcome: UndoOutcome) => void) {
  const reload = useReload('reports', 'folders')
  return useMutation<UndoOutcome, Problem, void>({
    mutationFn: () => client.post(`${BULK_OPERATIONS}${operation}/undo/`),
    onSuccess: async outcome => {
      await reload()
      onUndone(outcome)
    },
  })
}
