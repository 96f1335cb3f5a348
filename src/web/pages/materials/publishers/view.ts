import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Change } from '#web/client/search.ts'
import { publishersSearch, type PublishersSearch } from './search.ts'

/** What the list shows, all of it in the URL. A change of what is listed goes back to the first page. */
export function usePublishersView() {
  const view = useSearch({ from: '/shell/material/media' })
  const navigate = useNavigate({ from: '/material/media' })
  const change = (changed: Change<PublishersSearch>) => {
    // Opening one beside the list does not leave its page.
    const isInside = 'publisher' in changed
    void navigate({
      search: current => publishersSearch({ ...current, ...(!isInside && { page: 1 }), ...changed }),
      replace: 'search' in changed,
      resetScroll: !isInside,
    })
  }
  return { view, change }
}
