import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { DeleteFolderReply, Folder } from '#shared/api/folders.ts'
import type { BulkOutcome, BulkReports, Report, ReportList } from '#shared/api/reports.ts'
import { client } from '#web/client/client.ts'
import { download } from '#web/client/download.ts'
import { readAll, rowsOf } from '#web/client/list-pages.ts'
import { useIsLive } from '#web/client/live.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'
import { DEFAULT_ORDERING, isFiltered, PAGE_SIZE, type ListView } from './view.ts'

export const REPORTS = '/api/gs-template-setting/'
const FOLDERS = '/api/gs-template-folder/'

/** One page of the list. A search covers all folders, and so does a filter at the top level. */
export function useReports(view: ListView) {
  const live = useIsLive()
  return useQuery({
    ...reportsQuery(view),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      !live && state.data?.results.some(report => report.task !== null) ? 3000 : false,
  })
}

export function reportsQuery(view: ListView) {
  const query = { ...filtersOf(view), ...rowsOf(view.page, PAGE_SIZE) }
  return queryOptions<z.infer<typeof ReportList>, Problem>({
    queryKey: ['reports', 'list', query],
    queryFn: ({ signal }) => client.get(REPORTS, { query, signal }),
  })
}

/** What the list is filtered by, on every page. */
export function filtersOf(view: ListView) {
  const { p, search, ordering, status, channel, scope, gap, favourite, deleted } = view
  return {
    search,
    ordering: ordering ?? DEFAULT_ORDERING,
    folder: isEverywhere(view) ? undefined : p,
    status,
    channel,
    scope,
    gap,
    favourite,
    deleted,
  }
}

/** Whether the list is of all folders. */
export const isEverywhere = (view: ListView) =>
  Boolean(view.deleted) || view.search !== '' || (view.p === 0 && isFiltered(view))

/** More than anybody changes at once. */
export const MOST_SELECTED = 1000

/** All reports that the list has, page by page, as far as they can be selected. */
export const readMatching = (view: ListView): Promise<Report[]> =>
  readAll(
    rows => client.get<z.infer<typeof ReportList>>(REPORTS, { query: { ...filtersOf(view), ...rows } }),
    MOST_SELECTED,
  )

/** One report as a file of its own, or many in one. */
export const downloadYaml = (ids: readonly number[]) =>
  ids.length === 1
    ? download(`${REPORTS}${ids[0]}/export/`)
    : download(`${REPORTS}export/`, { ids: ids.join(',') })

/** Every folder of mine as a flat list, without the root, which is no row. */
export const useFolders = () => useQuery({ ...foldersQuery, select: namedOf })

export const foldersQuery = queryOptions<Folder[], Problem>({
  queryKey: ['folders'],
  queryFn: ({ signal }) => client.get(FOLDERS, { query: { ordering: 'name' }, signal }),
})

const namedOf = (folders: Folder[]): NamedFolder[] => folders.filter(isNamed)

export type NamedFolder = Folder & { id: number }
const isNamed = (folder: Folder): folder is NamedFolder => folder.id !== null

/** Whatever changes reports or folders makes both lists out of date. */
function useChange<Reply, Input>(send: (input: Input) => Promise<Reply>) {
  const reload = useReload('folders', 'reports')
  return useMutation<Reply, Problem, Input>({ mutationFn: send, onSuccess: reload })
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

export const useRestoreFolder = () =>
  useChange((id: number) =>
    client.post<z.infer<typeof DeleteFolderReply>>(`${FOLDERS}${id}/restore/`, { body: {} }),
  )

/** The batch size, so that a long action shows its progress. */
const BATCH = 100

/**
 * An action on many reports; each has an outcome of its own. What fails as a whole leaves the batches before
 * it done.
 */
export async function bulkInBatches(
  { ids, ...action }: BulkReports,
  onProgress: (done: number) => void = () => {},
): Promise<z.infer<typeof BulkOutcome>['results']> {
  const results: z.infer<typeof BulkOutcome>['results'] = []
  for (let at = 0; at < ids.length; at += BATCH) {
    const body: BulkReports = { ...action, ids: ids.slice(at, at + BATCH) }
    const response = await client.post<z.infer<typeof BulkOutcome>>(`${REPORTS}bulk/`, { body })
    results.push(...response.results)
    onProgress(results.length)
  }
  return results
}
