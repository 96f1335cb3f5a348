import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Folder } from '#shared/api/folders.ts'
import type { Report, ReportList } from '#shared/api/reports.ts'
import type { SearchReply } from '#shared/api/search.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'

const REPORTS = '/api/gs-template-setting/'
const MOST = 8
const MOST_RECENT = 5

/** Own and shared reports by name; sends no request while the input is empty. */
export const useFoundReports = (typed: string) =>
  useQuery<z.infer<typeof ReportList>, Problem>({
    queryKey: ['reports', 'palette', typed],
    queryFn: ({ signal }) => client.get(REPORTS, { query: { search: typed, limit: MOST }, signal }),
    enabled: typed !== '',
    placeholderData: keepPreviousData,
  })

/** What the agency has, by name, of every kind at once; `enabled` for those who may see it. */
export const useNamed = (typed: string, enabled: boolean) =>
  useQuery<SearchReply, Problem>({
    queryKey: ['palette', 'named', typed],
    queryFn: ({ signal }) => client.get('/api/search/', { query: { search: typed }, signal }),
    enabled: enabled && typed !== '',
    placeholderData: keepPreviousData,
  })

/**
 * The reports opened last in this browser, as far as they may still be seen; if there are none, those changed
 * last.
 */
export function useRecentReports(opened: readonly number[]): Report[] {
  const known = useQueries({
    queries: opened.map(id => ({
      queryKey: ['reports', 'one', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => client.get<Report>(`${REPORTS}${id}/`, { signal }),
      retry: false,
    })),
  })
  const changed = useQuery<z.infer<typeof ReportList>, Problem>({
    queryKey: ['reports', 'palette', 'changed'],
    queryFn: ({ signal }) => client.get(REPORTS, { query: { limit: MOST_RECENT }, signal }),
    enabled: opened.length === 0,
  })
  return opened.length === 0 ? (changed.data?.results ?? []) : known.flatMap(({ data }) => data ?? [])
}

/** Every folder of mine, with the root. */
export const useMyFolders = () =>
  useQuery<Folder[], Problem>({
    queryKey: ['folders'],
    queryFn: ({ signal }) => client.get('/api/gs-template-folder/', { query: { ordering: 'name' }, signal }),
  })
