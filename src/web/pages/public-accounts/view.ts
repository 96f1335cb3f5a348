import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ListSearch } from '#web/client/search.ts'

/** What the list shows, all of it in the URL. A change goes back to the first page unless it names one. */
export function useView() {
  const view = useSearch({ from: '/shell/setting/public-account' })
  const navigate = useNavigate({ from: '/setting/public-account' })
  const change = (changed: Partial<ListSearch>) =>
    void navigate({
      search: current => ({ ...current, page: 1, ...changed }),
      replace: 'search' in changed,
    })
  return { view, change }
}
