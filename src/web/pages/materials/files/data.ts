import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { File as StoredFile } from '#shared/api/materials.ts'
import type { Problem } from '#web/client/problem.ts'
import type { Change } from '#web/client/search.ts'
import { materialQuery, useMaterialPage } from '#web/pages/materials/data.ts'
import { filesSearch, type FilesSearch } from './search.ts'

export const PAGE_SIZE = 20
export const DEFAULT_ORDERING = '-id'

/** What the list is filtered by, on every page. */
export const filtersOf = ({
  page: _page,
  file: _file,
  ordering = DEFAULT_ORDERING,
  ...filters
}: FilesSearch) => ({ ...filters, ordering })

export const useFiles = (view: FilesSearch) =>
  useMaterialPage({ kind: 'file', filters: filtersOf(view), page: view.page, size: PAGE_SIZE })

/** One of them; `known` is what the list says of it. */
export const useFile = (id: number, known: StoredFile | undefined) =>
  useQuery<StoredFile, Problem>({ ...materialQuery<StoredFile>('file', id), placeholderData: () => known })

/** What the list shows, all of it in the URL. A change goes back to the first page unless it names one. */
export function useFilesView() {
  const view = useSearch({ from: '/shell/material/file' })
  const navigate = useNavigate({ from: '/material/file' })
  const change = (changed: Change<FilesSearch>) => {
    // Opening one beside the list does not leave its page.
    const isBeside = 'file' in changed
    void navigate({
      search: current => filesSearch({ ...current, ...(!isBeside && { page: 1 }), ...changed }),
      replace: 'search' in changed,
      resetScroll: !isBeside,
    })
  }
  return { view, change }
}
