import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { DeleteFolderReply, Folder } from '#shared/api/folders.ts'
import type { BulkOutcome, BulkReports, Report, ReportList } from '#shared/api/reports.ts'
import { client } from '#web/app/client.ts'
import type { Problem } from '#web/app/problem.ts'
import { useIsLive } from '../runs/use-run-events.ts'
import { DEFAULT_ORDERING, isFiltered, PAGE_SIZE, type ListView } from './view.ts'

const REPORTS = '/api/gs-template-setting/'
const FOLDERS = '/api/gs-template-folder/'

/** One page of the list. A search looks into all folders, and so does a filter at the top level. */
export function useReports(view: ListView) {
  const { p, search, page, ordering, status, scope, gap, deleted } = view
  const live = useIsLive()
  const everywhere = deleted || search !== '' || (p === 0 && isFiltered(view))
  const query = {
    search,
    ordering: ordering ?? DEFAULT_ORDERING,
    limit: PAGE_SIZE,
    offset: PAGE_SIZE * (page - 1),
    folder: everywhere ? undefined : p,
    status,
    scope,
    gap,
    deleted,
  }
  return useQuery<z.infer<typeof ReportList>, Problem>({
    queryKey: ['reports', 'list', query],
    queryFn: ({ signal }) => client.get(REPORTS, { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      !live && state.data?.results.some(report => report.task !== null) ? 3000 : false,
  })
}

/** Every folder of mine as a flat list, without the root, which is no row. */
export function useFolders() {
  return useQuery<Folder[], Problem, NamedFolder[]>({
    queryKey: ['folders'],
    queryFn: ({ signal }) => client.get(FOLDERS, { query: { ordering: 'name' }, signal }),
    select: folders => folders.filter(isNamed),
  })
}

export type NamedFolder = Folder & { id: number }
const isNamed = (folder: Folder): folder is NamedFolder => folder.id !== null

/** Whatever changes reports or folders makes both lists out of date. */
function useChange<Reply, Wanted>(ask: (wanted: Wanted) => Promise<Reply>) {
  const queries = useQueryClient()
  return useMutation<Reply, Problem, Wanted>({
    mutationFn: ask,
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['folders'] }),
        queries.invalidateQueries({ queryKey: ['reports'] }),
      ]),
  })
}

export const useCreateFolder = () =>
  useChange((body: { name: string; parent: number | null }) => client.post<Folder>(FOLDERS, { body }))

export const useRenameFolder = () =>
  useChange(({ id, name }: { id: number; name: string }) =>
    client.patch<Folder>(`${FOLDERS}${id}/`, { body: { name } }),
  )

export const useMoveFolder = () =>
  useChange(({ id, parent }: { id: number; parent: number | null }) =>
    client.patch<Folder>(`${FOLDERS}${id}/`, { body: { parent } }),
  )

export const useDeleteFolder = () =>
  useChange(({ id, mode }: { id: number; mode: 'keepitems' | 'deleteitems' }) =>
    client.delete<z.infer<typeof DeleteFolderReply>>(`${FOLDERS}${id}/`, { body: { mode } }),
  )

export const useBulk = () =>
  useChange((body: z.infer<typeof BulkReports>) =>
    client.post<z.infer<typeof BulkOutcome>>(`${REPORTS}bulk/`, { body }),
  )

export const useCopyReport = () =>
  useChange((id: number) => client.post<Report>(`${REPORTS}${id}/copy/`, { body: {} }))
