import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Change } from '#web/client/search.ts'
import { businessesSearch, type BusinessesSearch } from './search.ts'

/** What the page shows, all of it in the URL. A change goes back to the first page unless it names one. */
export function useBusinessesView() {
  const view = useSearch({ from: '/shell/bm-management' })
  const navigate = useNavigate({ from: '/bm-management' })
  const change = (changed: Change<BusinessesSearch>) =>
    void navigate({
      // Opening one beside the list does not leave its page.
      search: current =>
        businessesSearch({ ...current, ...(!('account' in changed) && { page: 1 }), ...changed }),
      replace: 'search' in changed,
    })
  return { view, change }
}
