import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Change } from '#web/client/search.ts'
import { filesSearch, type FilesSearch } from './search.ts'

/** What the list shows, all of it in the URL. A change goes back to the first page unless it names one. */
export function useFilesView() {
  const view = useSearch({ from: '/shell/material/file' })
  const navigate = useNavigate({ from: '/material/file' })
  const change = (changed: Change<FilesSearch>) =>
    void navigate({
      // Opening one beside the list does not leave its page.
      search: current => filesSearch({ ...current, ...(!('file' in changed) && { page: 1 }), ...changed }),
      replace: 'search' in changed,
    })
  return { view, change }
}
