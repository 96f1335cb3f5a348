import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Change } from '#web/client/search.ts'
import { supportSearch, type SupportSearch } from './search.ts'

/** What the page shows, all of it in the URL. A change of what is listed goes back to the first page. */
export function useView() {
  const view = useSearch({ from: '/shell/support' })
  const navigate = useNavigate({ from: '/support' })
  const change = (changed: Change<SupportSearch>) =>
    void navigate({
      search: current => supportSearch({ ...current, ...(isListing(changed) && { page: 1 }), ...changed }),
      replace: 'search' in changed,
    })
  return { view, change }
}

const isListing = (changed: Change<SupportSearch>) =>
  'search' in changed || 'status' in changed || 'ordering' in changed
