import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AccountAdvertiser, AccountAdvertiserList } from '#shared/api/ad-accounts.ts'
import type { ReportList } from '#shared/api/reports.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'

const CLIENTS = '/api/ad/account/advertisers/'
/** Shown at once; the search finds the others. */
const MOST_CLIENTS = 12
const MOST_REPORTS = 5

/** The clients whose accounts one may use. */
export const useClients = (search: string) =>
  useQuery<z.infer<typeof AccountAdvertiserList>, Problem>({
    queryKey: ['accounts', 'advertisers', search],
    queryFn: ({ signal }) => client.get(CLIENTS, { query: { search, limit: MOST_CLIENTS }, signal }),
    placeholderData: keepPreviousData,
  })

/** One of them, also one that is not among the first; null: one may not use it, or it has no accounts. */
export const useClient = (id: number | null) =>
  useQuery<z.infer<typeof AccountAdvertiserList>, Problem, AccountAdvertiser | null>({
    queryKey: ['accounts', 'advertisers', 'one', id],
    queryFn: ({ signal }) => client.get(CLIENTS, { query: { advertiser: id }, signal }),
    select: ({ results }) => results[0] ?? null,
    enabled: id !== null,
  })

/** The reports that one may copy: those changed last, or those that match. */
export const useReportsToCopy = (search: string) =>
  useQuery<z.infer<typeof ReportList>, Problem>({
    queryKey: ['reports', 'to_copy', search],
    queryFn: ({ signal }) =>
      client.get('/api/gs-template-setting/', { query: { search, limit: MOST_REPORTS }, signal }),
    placeholderData: keepPreviousData,
  })
