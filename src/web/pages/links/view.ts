import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Change } from '#web/client/search.ts'
import { linksSearch, type LinksSearch } from './search.ts'

/** What the list shows, all of it in the URL. A change of what is listed goes back to the first page. */
export function useView() {
  const view = useSearch({ from: '/shell/advertisement/create-link' })
  const navigate = useNavigate({ from: '/advertisement/create-link' })
  const change = (changed: Change<LinksSearch>) => {
    const isInside = 'link' in changed
    void navigate({
      search: current => linksSearch({ ...current, ...(!isInside && { page: 1 }), ...changed }),
      replace: 'search' in changed || (isInside && changed.link === undefined),
      resetScroll: false,
    })
  }
  return { view, change }
}

export const references = ['site', 'publisher', 'image', 'file'] as const
const filters = ['advertiser', 'platform', 'ga4_channel', ...references] as const

/** How many filters are set, without the search. */
export const filterCount = (view: LinksSearch) => filters.filter(name => view[name] !== undefined).length

export const NO_FILTERS = {
  search: '',
  advertiser: undefined,
  platform: undefined,
  ga4_channel: undefined,
  site: undefined,
  publisher: undefined,
  image: undefined,
  file: undefined,
} satisfies Change<LinksSearch>
