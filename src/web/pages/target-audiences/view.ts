import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Change } from '#web/client/search.ts'
import { targetAudiencesSearch, type TargetAudiencesSearch } from './search.ts'

/** What the list shows, all of it in the URL. A change of what is listed goes back to the first page. */
export function useTargetAudiencesView() {
  const view = useSearch({ from: '/shell/advertisement/target-audience' })
  const navigate = useNavigate({ from: '/advertisement/target-audience' })
  const change = (changed: Change<TargetAudiencesSearch>) => {
    // Opening one beside the list does not leave its page.
    const isInside = 'target_audience' in changed
    void navigate({
      search: current => targetAudiencesSearch({ ...current, ...(!isInside && { page: 1 }), ...changed }),
      replace: 'search' in changed,
      resetScroll: !isInside,
    })
  }
  return { view, change }
}
