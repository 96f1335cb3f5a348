import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Change } from '#web/client/search.ts'
import { audiencesSearch, type AudiencesSearch } from './search.ts'

/** What the list shows, all of it in the URL. A change of what is listed goes back to the first page. */
export function useView() {
  const view = useSearch({ from: '/shell/lta-audience/audience-list' })
  const navigate = useNavigate({ from: '/lta-audience/audience-list' })
  const change = (changed: Change<AudiencesSearch>) => {
    const isInside = 'audience' in changed || 'tab' in changed
    void navigate({
      search: current => audiencesSearch({ ...current, ...(!isInside && { page: 1 }), ...changed }),
      replace: 'search' in changed || 'tab' in changed || ('audience' in changed && !changed.audience),
      resetScroll: !isInside,
    })
  }
  return { view, change }
}

const filters = ['advertiser', 'kind', 'status', 'share_state', 'channel'] as const

/** How many filters are set, without the search. */
export const filterCount = (view: AudiencesSearch) => filters.filter(name => view[name] !== undefined).length

export const NO_FILTERS = {
  search: '',
  ...Object.fromEntries(filters.map(name => [name, undefined])),
} satisfies Change<AudiencesSearch>
