import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Change } from '#web/client/search.ts'
import { sitesSearch, type SitesSearch } from './search.ts'

/** What the list shows, all of it in the URL. A change of what is listed goes back to the first page. */
export function useSitesView() {
  const view = useSearch({ from: '/shell/material/site' })
  const navigate = useNavigate({ from: '/material/site' })
  const change = (changed: Change<SitesSearch>) => {
    // Opening one beside the list does not leave its page.
    const isInside = 'site' in changed
    void navigate({
      search: current => sitesSearch({ ...current, ...(!isInside && { page: 1 }), ...changed }),
      replace: 'search' in changed,
      resetScroll: !isInside,
    })
  }
  return { view, change }
}
